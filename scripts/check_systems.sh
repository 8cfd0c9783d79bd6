#!/usr/bin/env bash
# All systems in examples/systems: livens check. From an empty cache that is above all compiling: every pair in every
# instruction set.
# usage: scripts/check_systems.sh BUILD_DIRECTORY [options of livens check]
set -uo pipefail
build=${1:?usage: scripts/check_systems.sh BUILD_DIRECTORY [options of livens check]}
shift
systems=$(dirname "$0")/../examples/systems
status=0
for system in "$systems"/*.toml; do
  echo "== $(basename "$system" .toml)"
  fast=()
  case $system in */tippe_top.toml) fast=(--step 0.001) ;; esac  # 150 rad/s
  "$build/livens" check "$system" "${fast[@]}" "$@" || status=1
done
exit $status
