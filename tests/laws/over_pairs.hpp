#pragma once
// A law as a parameterised test: OVER_PAIRS(Order) { ... pair ... } runs for every pair there is.

#include <gtest/gtest.h>

#include "tests/laws/claims.hpp"
#include "tests/laws/ensemble.hpp"

namespace livens {

inline void PrintTo(const PairKernels& pair, std::ostream* out) { *out << laws::name_of(pair); }

namespace laws {

class PairTest : public ::testing::TestWithParam<PairKernels> {};

/// Fixed seeds: a law that fails fails again.
using Random = std::mt19937_64;

#define OVER_PAIRS(Law)                                                              \
  class Law : public ::livens::laws::PairTest {};                                    \
  INSTANTIATE_TEST_SUITE_P(Pairs, Law, ::testing::ValuesIn(::livens::laws::pairs()), \
                           [](const auto& info) { return ::livens::laws::name_of(info.param); })

}  // namespace laws
}  // namespace livens
