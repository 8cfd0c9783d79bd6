#include "ensembles/large_array.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace livens::ensembles {
namespace {

TEST(SpareArrays, ServeAgainWhereTheyAreLargeEnough) {
  SpareArrays spare;
  std::vector<double> array = spare.take(3);
  EXPECT_EQ(array, std::vector<double>(3, 0.0));
  const double* const memory = array.data();
  spare.give_back(std::move(array));
  EXPECT_NE(spare.take(4).data(), memory);
  std::vector<double> again = spare.take(2);
  EXPECT_EQ(again.data(), memory);
  spare.give_back(std::move(again));
  EXPECT_EQ(spare.take(3).data(), memory);
}

TEST(SpareArrays, AreNotKeptAfterTheEnd) {
  SpareArrays spare;
  spare.give_back({1.0});
  spare.end();
  spare.give_back({1.0});
  EXPECT_EQ(spare.take(1), std::vector<double>{0.0});
}

}  // namespace
}  // namespace livens::ensembles
