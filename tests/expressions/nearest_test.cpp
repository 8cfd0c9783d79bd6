#include "expressions/nearest.hpp"

#include <gtest/gtest.h>

#include <string>
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

TEST(Suggestion, IsLeftOutWhenThereIsNoName) { EXPECT_EQ(nearest("x", {}), ""); }

TEST(Suggestion, IsForAThirdOfTheLettersAtMost) {
  EXPECT_FALSE(is_near("abs", "sin"));
  EXPECT_FALSE(is_near("mass", "name"));
  EXPECT_TRUE(is_near("nmae", "name"));
  EXPECT_TRUE(is_near("dampig", "damping"));
  EXPECT_FALSE(is_near("x", "y"));
  EXPECT_TRUE(is_near("EMS", "ems"));
  // Not a letter is compared of a word that no name can be.
  EXPECT_FALSE(is_near(std::string(50'000'000, 'x'), "step"));
}

TEST(Suggestion, IsNotForAWordThatMeansSomethingElse) {
  const std::vector<std::string> names = {"sin", "cos", "tan", "tanh", "log", "dot"};
  for (const char* known : {"asinh", "acosh", "atanh", "sinc", "cot", "ln"})
    EXPECT_EQ(nearest(known, names), "") << known;
  EXPECT_EQ(nearest("sinn", names), "sin");
}

}  // namespace
}  // namespace livens
