#include "host/results/summary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "host/commands/share.hpp"
#include "host/errors.hpp"
#include "host/terminal/progress.hpp"

namespace livens::host {
namespace {

// Thirty instances in two portions: 20 good ones with errors 1 .. 20, 10 that failed at the steps 1 .. 10.
TEST(Figures, TakesGoodInstancesAndTellsOfTheOthers) {
  Figures figures;
  for (const int first : {1, 16}) {
    ensembles::Instances portion;
    portion.quantities = {{"energy_scale", "J", "", {}}, {"max_energy_error", "J", "", {}}};
    for (int i = first; i < first + 15; ++i) {
      const bool ok = i <= 20;
      portion.status.push_back(ok ? 0 : 1);
      portion.failed_step.push_back(ok ? -1 : i - 20);
      portion.quantities[0].values.push_back(2.0);
      portion.quantities[1].values.push_back(2.0 * i);
      portion.newton_iterations.push_back(3);
      portion.retried_steps.push_back(1);
    }
    portion.steps = 30.0;
    figures.add(portion);
  }
  ensembles::Result samples{};
  samples.size = 30;
  samples.time = {0.0};
  const std::string text = figures.text(samples);
  EXPECT_EQ(figures.failed(), 10);
  // The order statistic at 95 % of 20 is the 19th.
  EXPECT_NE(text.find("1.050e+01   1.900e+01   2.000e+01"), std::string::npos) << text;
  EXPECT_NE(text.find("20 of 30 instances ok, 10 newton_diverged"), std::string::npos) << text;
  EXPECT_NE(text.find("newton_diverged         10              1             5            10"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("30 steps retried, 1.50 Newton iterations"), std::string::npos) << text;
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
