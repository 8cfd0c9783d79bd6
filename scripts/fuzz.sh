#!/usr/bin/env bash
# Fuzzes the readers of specs, systems as text, result files and checkpoints with libFuzzer under the address and
# undefined behaviour sanitizers: fuzz.sh [SECONDS [SEED]], for each of them; 20 by default. A seed other than 0 repeats
# the same inputs with the same program, so that a failure is a change's own; without one, every call tries others.
# Begins with the tests of damaged files.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
install_missing $build_packages clang libgtest-dev
install_missing libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev  # the fuzzer and the sanitizers
cmake --preset fuzz
cmake --build --preset fuzz
build/fuzz/damage_tests --gtest_brief=1
corpus=build/fuzz/corpus
build/fuzz/fuzz_seeds $corpus
mkdir -p $corpus/spec $corpus/text_system $corpus/crafted
cp studies/*.toml $corpus/spec
cp examples/systems/*.toml $corpus/text_system
run() {
  build/fuzz/fuzz_$1 -max_total_time="$2" -seed="$3" -timeout=10 -rss_limit_mb=2048 -max_len=16384 \
    -artifact_prefix=build/fuzz/$1- -verbosity=0 -print_final_stats=1 $corpus/$1 >build/fuzz/$1.log 2>&1 || {
    cat build/fuzz/$1.log
    echo "fuzz.sh: $1 failed; what made it fail is in build/fuzz/$1-*" >&2
    return 255  # ends xargs
  }
  echo "fuzzed: $1, $(sed -n 's/^stat::number_of_executed_units: *//p' build/fuzz/$1.log) inputs"
}
export -f run
export corpus
# As many at once as there are cores: each of them keeps one busy.
printf '%s\n' spec text_system result checkpoint crafted | xargs -P "$(nproc)" -I TARGET bash -c "run TARGET ${1:-20} ${2:-0}"
