#include "host/summary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "host/errors.hpp"
#include "host/progress.hpp"
#include "host/share.hpp"

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

TEST(Share, HasABinomialInterval) {
  // Wilson's interval of 91 in 1000, from its definition: the roots p of (91/1000 - p)^2 = z^2 p (1 -
  // p)/1000.
  const Share share = share_of(91, 1000);
  EXPECT_NEAR(share.fraction(), 0.091, 1e-15);
  EXPECT_NEAR(share.deviation(), 0.009095, 1e-6);
  for (const double p : {share.low, share.high})
    EXPECT_NEAR((0.091 - p) * (0.091 - p), 3.841458820694124 * p * (1.0 - p) / 1000.0, 1e-15);
  EXPECT_LT(share.low, share.high);
  EXPECT_NEAR(share_of(0, 50).low, 0.0, 1e-15);
  EXPECT_GT(share_of(0, 50).high, 0.05);
}

TEST(Share, CountsTheInstancesThatAreOkOrHadMetIt) {
  ensembles::Result result{};
  result.instances.status = {0, 0, 1, 0, 0};
  result.instances.observables = {{"swing", "rad", "", {1.0, 3.0, 3.0, NAN, 2.0}}};
  EXPECT_TRUE(describe({true, "swing=1.5"}, result).starts_with("swing > 1.5 rad: 3 of 5, 60.00 +- 21.91 %"));
  EXPECT_TRUE(
      describe({false, "swing=1.5"}, result).starts_with("swing < 1.5 rad: 1 of 4, 25.00 +- 21.65 %"));
  for (const char* typed : {"swing", "swing=", "swing=a", "swung=1"})
    EXPECT_THROW(describe({true, typed}, result), RequestError) << typed;
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
