#!/usr/bin/env bash
# Growth of round-off over long times.
#
#   energy_drift.sh --all [OPTIONS]       of every pair of a system and a scheme: a table of exponents, and where the law
#                                         of round-off is broken; options and meaning: energy_drift.sh --help
#   energy_drift.sh --check [OPTIONS]     a short form of it, with status 1 where a pair breaks the law
#   energy_drift.sh [STEPS [INSTANCES]]   by default a million steps of a thousand instances each of four_particle and
#                                         heavy_top with ems, livens and vi_a
#
# Prints the exponents of growth of the rms errors with their 95 % intervals. Expected: 1/2 for the energy of ems and
# livens and for the momentum of vi_a (a random walk, Brouwer's law), 0 for the energy of vi_a. LIVENS names the program
# where it is not in build/release.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ ${1:-} == --* ]]; then exec /usr/bin/python3 scripts/round_off.py "$@"; fi
livens=${LIVENS:-build/release/livens}
steps=${1:-1000000} instances=${2:-1000}
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
for study in energy_drift energy_drift_heavy_top; do
  for scheme in ems livens vi_a; do
    echo "$study.toml, $scheme, $instances instances, $steps steps:"
    summary=$("$livens" run studies/$study.toml --set scheme.name=$scheme --steps "$steps" --size "$instances" \
      -o "$results/$study-$scheme.h5")
    grep '^rms' <<<"$summary" || echo "no law: too few samples"
  done
done
