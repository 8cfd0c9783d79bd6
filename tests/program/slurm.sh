#!/usr/bin/env bash
# A job array of Slurm on this machine alone, from Debian's packages slurmctld, slurmd, slurm-client and munge, as root:
# seven shards, merged, have to be the ensemble in one run. slurm.sh LIVENS SCRATCH_DIR
set -euo pipefail
cd "$(dirname "$0")/../.."
livens=$(realpath "$1") scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"
scratch=$(realpath "$scratch")
cat >"$scratch/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$(hostname)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd.pid
SlurmctldLogFile=$scratch/slurmctld.log
SlurmdLogFile=$scratch/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
NodeName=$(hostname) CPUs=$(nproc) State=UNKNOWN
PartitionName=test Nodes=ALL Default=YES State=UP
CONF
export SLURM_CONF=$scratch/slurm.conf
stop() { kill $(cat "$scratch"/*.pid 2>/dev/null) 2>/dev/null || true; }
trap stop EXIT
mkdir -p /run/munge && chown munge: /run/munge
[ -s /etc/munge/munge.key ] || mungekey --create
pgrep -x munged >/dev/null || runuser -u munge -- munged
mkdir -p "$scratch/state" "$scratch/spool"
slurmctld
slurmd
for attempt in $(seq 50); do sinfo -h -o %T | grep -q idle && break; sleep 0.2; done
sinfo

cat >"$scratch/array.toml" <<SPEC
system.name = "four_particle"
[ensemble]
size = 9500
[[ensemble.vary]]
what = "initial.v[10]"
law = "normal"
mode = "add"
mean = 0.0
std = 0.5
SPEC
cd "$scratch"
LIVENS=$livens sbatch --wait --array=3-15:2 "$OLDPWD/scripts/slurm_array.sh" array.toml --quiet --threads 1
"$livens" merge array.*-of-7.h5 -o merged.h5
"$livens" run array.toml --quiet -o whole.h5
/usr/bin/python3 -c "import sys; sys.path.insert(0, '$OLDPWD/tests/program'); from datasets import require_same; require_same('whole.h5', 'merged.h5')"
echo "seven tasks of a job array: the same as one run"
