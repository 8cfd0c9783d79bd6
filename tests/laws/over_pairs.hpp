#pragma once
// A law as a parameterised test: OVER_PAIRS(Order) { ... pair ... } runs for every pair there is,
// OVER_SINGLE_PAIRS for those in single precision.

#include <gtest/gtest.h>

#include "tests/laws/claims.hpp"
#include "tests/laws/ensemble.hpp"

namespace livens {

inline void PrintTo(const PairKernels& pair, std::ostream* out) { *out << laws::name_of(pair); }

namespace laws {

class PairTest : public ::testing::TestWithParam<PairKernels> {};

/// Fixed seeds: a law that fails fails again.
using Random = std::mt19937_64;

#define OVER_PAIRS_IN(Law, list)                                  \
  class Law : public ::livens::laws::PairTest {};                 \
  INSTANTIATE_TEST_SUITE_P(Pairs, Law, ::testing::ValuesIn(list), \
                           [](const auto& info) { return ::livens::laws::name_of(info.param); })
#define OVER_PAIRS(Law) OVER_PAIRS_IN(Law, ::livens::laws::pairs())
/// A build may be without; tests/precision/offered.cpp says what there is.
#define OVER_SINGLE_PAIRS(Law)                        \
  GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Law); \
  OVER_PAIRS_IN(Law, ::livens::laws::single_pairs())

}  // namespace laws
}  // namespace livens
