#!/usr/bin/env bash
# pack.sh ROOT WORK SYSTEM: packs the tree for a bare machine with a GPU, unpacks it elsewhere, and runs the check there
# for one system. Without a device the check ends with status 77 after the build.
set -euo pipefail
root=$1 work=$2 system=$3
rm -rf "$work"
mkdir -p "$work"
bash "$root/scripts/gpu_check.sh" --pack "$work/livens.tar.gz"
[ "$(wc -c <"$work/livens.tar.gz")" -lt $((64 << 20)) ]
tar -C "$work" -xzf "$work/livens.tar.gz"
status=0
env -u OUT -u BUILD_DIR SYSTEMS="$system" bash "$work/livens/scripts/gpu_check.sh" "$work/gpu_check.json" || status=$?
[ $status -eq 0 ] || [ $status -eq 77 ]
python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$work/gpu_check.json"
