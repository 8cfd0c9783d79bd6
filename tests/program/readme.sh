#!/usr/bin/env bash
# Runs the demo's job and the first Python of README.md, which reads its result: readme.sh LIVENS SOURCE_DIR SCRATCH_DIR PYTHON
set -euo pipefail
livens=$1 source=$2 scratch=$3 python=$4
mkdir -p "$scratch"
cd "$scratch"
"$livens" run "$source/studies/four_particle.toml" -o four_particle.h5 --force --quiet
awk '/^```python$/ {inside = 1; next} inside && /^```$/ {exit} inside' "$source/README.md" >readme.py
printed=$("$python" readme.py)
echo "$printed"
grep -q "^4096 instances ok" <<<"$printed"
grep -q "^(8, 21, 12)$" <<<"$printed"
