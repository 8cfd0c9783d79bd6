#!/usr/bin/env bash
# package.sh BUILD EXAMPLE WORK [OPTION...]: installs the build, builds the example against what was installed, and has
# its system and its scheme compared with their references.
set -euo pipefail
build=$1 example=$2 work=$3
shift 3
rm -rf "$work"
cmake --install "$build" --prefix "$work/installed" >/dev/null
cmake -S "$example" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/installed" "$@"
cmake --build "$work/build"

beads=$work/build/beads
"$beads" list --json | python3 -c '
import json, sys
pairs = {(p["system"], p["scheme"]) for p in json.load(sys.stdin)["pairs"]}
for pair in [("bead_on_parabola", "midpoint"), ("bead_on_parabola", "ems"), ("unit_circle", "midpoint"),
             ("unit_circle", "ems")]:
    assert pair in pairs, pair'
"$beads" run "$example/bead.toml" -o "$work/bead.h5"
"$beads" info "$work/bead.h5" >/dev/null
"$beads" verify "$example/bead.toml"
sed 's/bead_on_parabola/unit_circle/; /damping/d; s/system.width/initial.v[1]/' "$example/bead.toml" >"$work/circle.toml"
"$beads" verify "$work/circle.toml"

# What is compiled on first use is so against the headers that were installed.
printf '[system]\nfile = "%s"\n[scheme]\nname = "del_multiplier"\nsteps = 10\n' \
  "$example/../systems/unit_circle.toml" >"$work/text.toml"
LIVENS_CACHE=$work/cache "$work/installed/bin/livens" run "$work/text.toml" -o "$work/text.h5"
grep -q "^headers = ['\"]$work/installed/" "$work"/cache/*/about.toml
