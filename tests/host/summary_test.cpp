#include "host/summary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "host/progress.hpp"

namespace livens::host {
namespace {

TEST(Spread, TakesTheOrderStatisticAt95Percent) {
  std::vector<double> values;
  for (int i = 20; i >= 1; --i) values.push_back(i);
  const Spread spread = spread_of(values);
  EXPECT_EQ(spread.mean, 10.5);
  EXPECT_EQ(spread.high, 19.0);
  EXPECT_EQ(spread.max, 20.0);
  EXPECT_TRUE(std::isnan(spread_of({}).mean));
}

TEST(Progress, BarHasFixedWidth) {
  EXPECT_EQ(bar(0, 10, 0, 0.0), "[........................................]   0 %, 0 s left");
  EXPECT_EQ(bar(5, 10, 2, 3.0), "[####################....................]  50 %, 3 s left, 2 failed");
}

TEST(Progress, JsonLineParses) {
  const auto line = nlohmann::json::parse(json_line(5, 20, 1, 2.0));
  EXPECT_EQ(line["done"], 5);
  EXPECT_EQ(line["total"], 20);
  EXPECT_EQ(line["failed"], 1);
  EXPECT_EQ(line["seconds_left"], 6.0);
}

}  // namespace
}  // namespace livens::host
