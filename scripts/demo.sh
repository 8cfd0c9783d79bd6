#!/usr/bin/env bash
# Installs what is missing, builds one system for this processor, and runs the main job: a Monte Carlo ensemble of the
# four-particle system over initial momentum and damping, on all cores. Arguments go to that run; DEMO_PRESET=release takes
# the build of scripts/test.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
install_missing $build_packages $demo_packages
preset=${DEMO_PRESET:-demo}
cmake --preset "$preset" >/dev/null
cmake --build --preset "$preset"
"build/$preset/livens" run studies/four_particle.toml -o four_particle.h5 --force "$@"
