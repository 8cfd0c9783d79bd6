#!/usr/bin/env bash
# Fuzzes the readers of specs, result files and checkpoints with libFuzzer under the address and undefined behaviour
# sanitizers: fuzz.sh [SECONDS], for each of them; 20 by default. Begins with the tests of damaged files.
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
mkdir -p $corpus/spec $corpus/crafted
cp ensembles/studies/*.toml $corpus/spec
for target in spec user_block checkpoint crafted; do
  echo "fuzzing: $target"
  build/fuzz/fuzz_$target -max_total_time="${1:-20}" -timeout=10 -rss_limit_mb=2048 -max_len=16384 \
    -artifact_prefix=build/fuzz/$target- -verbosity=0 -print_final_stats=1 $corpus/$target
done
