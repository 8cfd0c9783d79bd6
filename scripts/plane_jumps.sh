#!/bin/sh
# The share of steps with which the plane of Foucault's pendulum jumps by more than 3 degrees in an hour, per scheme
# (ensembles/studies/foucault_plane_jumps.toml).
#
#   scripts/plane_jumps.sh [LIVENS] [OPTIONS of livens run]        default: build/release/livens
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
livens=${1:-$root/build/release/livens}
[ $# -gt 0 ] && shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for scheme in contact_1 lagrange_dalembert contact_2; do
  "$livens" run "$root/ensembles/studies/foucault_plane_jumps.toml" --set scheme.name=$scheme \
    -o "$work/$scheme.h5" --quiet "$@"
  printf '%-20s' "$scheme"
  "$livens" info "$work/$scheme.h5" --above max_plane_jump=0.05235987755982988 | tail -n 1
done
