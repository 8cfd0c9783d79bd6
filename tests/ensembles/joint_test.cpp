// Joint histograms: every value in its bin, the same whoever has counted which instances.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "ensembles/ensemble.hpp"
#include "tests/ensembles/oscillator_backend.hpp"
#include "tests/ensembles/oscillator_request.hpp"

namespace livens::ensembles {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity(),
                 no_number = std::numeric_limits<double>::quiet_NaN();

JointAxis axis(std::int64_t bins, std::optional<std::pair<double, double>> range = {}) {
  return {"", "", "", {}, 0, bins, range};
}

std::vector<double> edges(const std::vector<JointAxis>& axes, const JointHistogram& histogram,
                          std::size_t k) {
  return bin_edges(axes[k], histogram.axes[k]);
}

/// Numbers of many sizes and both signs, two an instance.
std::vector<double> numbers(int instances, unsigned seed) {
  std::mt19937_64 chance(seed);
  std::uniform_real_distribution<double> magnitude(-30.0, 2.0), part(-1.0, 1.0);
  std::vector<double> values;
  for (int i = 0; i < 2 * instances; ++i)
    values.push_back(std::ldexp(part(chance), static_cast<int>(magnitude(chance))));
  return values;
}

TEST(JointHistogram, CountsWhatLiesBetweenItsEdges) {
  const std::vector<JointAxis> axes = {axis(7), axis(5, std::pair{-0.25, 0.5})};
  const std::vector<double> values = numbers(3000, 1);
  const JointHistogram histogram = joint_histogram(axes, values);
  const std::vector<std::int64_t> counts = all_cells(histogram, histogram.axes);
  const std::vector<double> x = edges(axes, histogram, 0), y = edges(axes, histogram, 1);
  std::vector<std::int64_t> expected(counts.size(), 0);
  for (std::size_t i = 0; i < values.size(); i += 2)
    for (std::size_t a = 0; a + 1 < x.size(); ++a)
      for (std::size_t b = 0; b + 1 < y.size(); ++b) {
        const bool last = b + 2 == y.size();  // of a range: with its upper edge
        expected[a * (y.size() - 1) + b] += x[a] <= values[i] && values[i] < x[a + 1] &&
                                            y[b] <= values[i + 1] &&
                                            (values[i + 1] < y[b + 1] || (last && values[i + 1] == y[b + 1]));
      }
  EXPECT_EQ(counts, expected);
  EXPECT_EQ(y.front(), -0.25);
  EXPECT_EQ(y.back(), 0.5);
}

TEST(JointHistogram, UsesAtLeastHalfOfTheBinsThatItMay) {
  for (const std::int64_t most : {2, 3, 10, 60}) {
    const std::vector<JointAxis> axes = {axis(most), axis(most)};
    const JointHistogram histogram = joint_histogram(axes, numbers(500, 2));
    for (const BinRange& bins : histogram.axes) {
      EXPECT_LE(bins.count, most);
      EXPECT_GE(2 * bins.count, most);
    }
  }
}

TEST(JointHistogram, OfPartsIsThatOfTheWhole) {
  const std::vector<JointAxis> axes = {axis(9), axis(4), axis(6, std::pair{-1.0, 1.0})};
  std::vector<double> values = numbers(3000, 3);  // 2000 instances of three values
  // The first parts are narrow, so that later ones make the bins wider again and again.
  std::sort(values.begin(), values.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  const JointHistogram whole = joint_histogram(axes, values);
  std::mt19937_64 chance(4);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<JointHistogram> parts;
    for (std::size_t from = 0; from < values.size();) {
      const std::size_t to = std::min<std::size_t>(from + 3 * (1 + chance() % 700), values.size());
      parts.push_back(joint_histogram(axes, std::span(values).subspan(from, to - from)));
      from = to;
    }
    std::shuffle(parts.begin(), parts.end(), chance);
    JointHistogram merged = joint_histogram(axes, {});
    for (const JointHistogram& part : parts) merged = merge(axes, merged, part);
    EXPECT_EQ(merged, whole);
    EXPECT_TRUE(belongs(merged, axes));
  }
}

TEST(JointHistogram, TakesNumbersOfAnySize) {
  const double large = std::numeric_limits<double>::max(), tiny = std::numeric_limits<double>::denorm_min();
  const std::vector<JointAxis> axes = {axis(4), axis(4)};
  const std::vector<double> values = {large, tiny, -large, -tiny, tiny, 0.0, -tiny, -0.0};
  const JointHistogram histogram = joint_histogram(axes, values);
  EXPECT_TRUE(belongs(histogram, axes));
  JointHistogram merged = joint_histogram(axes, {});
  for (std::size_t i = 0; i < values.size(); i += 2)
    merged = merge(axes, joint_histogram(axes, std::span(values).subspan(i, 2)), merged);
  EXPECT_EQ(merged, histogram);
  // -tiny lies below 0, +tiny not, however wide the bins.
  const std::vector<std::int64_t> counts = all_cells(histogram, histogram.axes);
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}), 4);
  const std::vector<double> x = edges(axes, histogram, 0);
  EXPECT_NE(std::find(x.begin(), x.end(), 0.0), x.end());
}

TEST(JointHistogram, LeavesOutWhatIsNoNumberOrOutside) {
  const std::vector<JointAxis> axes = {axis(4), axis(2, std::pair{0.0, 1.0})};
  const std::vector<double> values = {no_number, 0.5, 1.0, infinite, 1.0, 1.5, 1.0, -0.5, 2.0, 1.0};
  const JointHistogram histogram = joint_histogram(axes, values);
  ASSERT_EQ(histogram.cells.size(), 1u);
  EXPECT_EQ(histogram.cells[0], (JointCell{1, 1}));
  EXPECT_EQ(edges(axes, histogram, 0).front(), 2.0);
  const JointHistogram none = joint_histogram(axes, {});
  EXPECT_TRUE(none.cells.empty());
  EXPECT_EQ(none.axes[0].count, 0);
  EXPECT_EQ(merge(axes, none, histogram), histogram);
}

TEST(JointHistogram, OfSomethingElseDoesNotBelong) {
  const std::vector<JointAxis> axes = {axis(4), axis(2, std::pair{0.0, 1.0})};
  const JointHistogram good{{{-3, 5, 4}, {0, 0, 2}}, {{1, 7}, {6, 1}}};
  EXPECT_TRUE(belongs(good, axes));
  const auto broken = [&](auto change) {
    JointHistogram bad = good;
    change(bad);
    return !belongs(bad, axes);
  };
  EXPECT_TRUE(broken([](JointHistogram& h) { h.axes.pop_back(); }));
  EXPECT_TRUE(broken([](JointHistogram& h) { h.axes[0].count = 5; }));
  EXPECT_TRUE(broken([](JointHistogram& h) { h.axes[0].exponent = 5000; }));
  EXPECT_TRUE(broken([](JointHistogram& h) { h.axes[0].first = std::numeric_limits<std::int64_t>::max(); }));
  EXPECT_TRUE(broken([](JointHistogram& h) { h.axes[1].count = 1; }));
  EXPECT_TRUE(broken([](JointHistogram& h) { h.cells[1].number = 8; }));
  EXPECT_TRUE(broken([](JointHistogram& h) { h.cells[1].number = 1; }));
  EXPECT_TRUE(broken([](JointHistogram& h) { h.cells[0].count = -1; }));
}

/// Every third instance fails at its seventh step, so that fewer are ok from sample to sample.
Request with_joints(std::vector<Joint> joints) {
  Request request = oscillator_request(300);
  request.every = 10;
  request.trajectories = 300;
  request.quantiles = {0.5};
  request.variations = {
      {"initial.v", Target::v, 0, 2, Law::normal, Mode::set, 0.0, 1.0, {}, true},
      {"system.failure", Target::parameter, 2, 1, Law::values, Mode::set, 0.0, 0.0, {-1.0, -1.0, 7.0}}};
  request.joints = std::move(joints);
  return request;
}

TEST(Joint, IsOfWhatVariesAndOfTheNodes) {
  const std::vector<JointAxis> axes = {{"initial.v[1]", "SI", "", Target::v, 1, 8, {}},
                                       {"q[1]", "SI", "", {}, 0, 6, std::pair{-1.0, 1.0}}};
  OscillatorBackend backend;
  const Result result = run(with_joints({{"end", axes, false}, {"all", axes, true}}), backend, {});
  ASSERT_EQ(result.joints.size(), 2u);
  const std::int64_t samples = 3;
  for (const bool at_samples : {false, true}) {
    const JointStatistics& joint = result.joints[at_samples ? 1 : 0];
    std::vector<std::int64_t> expected;
    const auto &x = joint.edges[0], &y = joint.edges[1];
    ASSERT_EQ(joint.middles[0].size() + 1, x.size());
    for (std::int64_t k = at_samples ? 0 : samples - 1; k < samples; ++k)
      for (std::size_t a = 0; a + 1 < x.size(); ++a)
        for (std::size_t b = 0; b + 1 < y.size(); ++b) {
          std::int64_t count = 0;
          for (std::int64_t i = 0; i < result.size; ++i) {
            const double v = result.instances.parameters[0].values[2 * i + 1];
            const double q = result.trajectories.q[(i * samples + k) * 2 + 1];  // NaN once it has failed
            count += x[a] <= v && v < x[a + 1] && y[b] <= q && q < y[b + 1];
          }
          expected.push_back(count);
        }
    EXPECT_EQ(joint.histogram, expected);
  }
  EXPECT_LT(result.ok.back(), result.ok.front());
}

TEST(Joint, RefusesWhatDoesNotVary) {
  OscillatorBackend backend;
  const std::vector<JointAxis> axes = {{"system.frequency[0]", "1/s", "", Target::parameter, 0, 8, {}},
                                       {"q[1]", "SI", "", {}, 0, 6, {}}};
  EXPECT_THROW(run(with_joints({{"0", axes, false}}), backend, {}), std::invalid_argument);
}

}  // namespace
}  // namespace livens::ensembles
