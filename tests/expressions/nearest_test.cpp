#include "expressions/nearest.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace livens {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsSubstitutionsAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("esm", "ems"), 1);
  EXPECT_EQ(edit_distance("stpe", "step"), 1);
}

TEST(Suggestion, IsLeftOutWhenNothingIsClose) {
  const std::vector<std::string> names = {"ems", "ggl_vi"};
  EXPECT_EQ(suggestion("esm", names), "did you mean 'ems'? expected ems or ggl_vi");
  EXPECT_EQ(suggestion("lagrange", names), "expected ems or ggl_vi");
  EXPECT_EQ(nearest("x", {}), "");
}

}  // namespace
}  // namespace livens
