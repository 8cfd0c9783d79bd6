// Symmetric compositions. The lengths are of order r exactly where the product of exp(g X1 + g^3 X3 + g^5 X5
// + ...) over the stages, with X1, X3, ... that do not commute, is exp(X1) up to words of grade r: that is
// what a step that is its own adjoint, whose logarithm has odd powers of h alone, makes of them (Hairer,
// Lubich and Wanner, Geometric Numerical Integration, sections II.4 and III.4).

#include "reference/composition.hpp"

#include <boost/multiprecision/cpp_dec_float.hpp>

#include "runs.hpp"

namespace livens::reference {
namespace {

using Exact = boost::multiprecision::cpp_dec_float_50;
using Word = std::string;  // its letters are '1', '3', '5', '7'
using Series = std::map<Word, Exact>;

int grade(const Word& word) {
  int sum = 0;
  for (const char letter : word) sum += letter - '0';
  return sum;
}

void add_words(const Word& word, int most, std::vector<Word>& words) {
  words.push_back(word);
  for (const char letter : {'1', '3', '5', '7'})
    if (grade(word) + (letter - '0') <= most) add_words(word + letter, most, words);
}

/// exp(g X1 + g^3 X3 + ...) up to a grade: g^grade/length! for every word.
Series exponential(const Exact& g, const std::vector<Word>& words) {
  Series series;
  for (const Word& word : words) {
    Exact coefficient = 1;
    for (int k = 0; k < grade(word); ++k) coefficient *= g;
    for (std::size_t k = 2; k <= word.size(); ++k) coefficient /= k;
    series[word] = coefficient;
  }
  return series;
}

Series product(const Series& a, const Series& b, int most) {
  Series series;
  for (const auto& [u, x] : a)
    for (const auto& [w, y] : b)
      if (grade(u) + grade(w) <= most) series[u + w] += x * y;
  return series;
}

/// The largest coefficient of the product less exp(X1), among words of one grade.
Exact largest_error(int order, int of_grade) {
  std::vector<Word> words;
  add_words("", of_grade, words);
  Series series = {{"", 1}};
  for (const std::string& length : printed_lengths(order))
    series = product(series, exponential(Exact(length), words), of_grade);
  Exact largest = 0;
  for (const auto& [word, coefficient] : series) {
    if (grade(word) != of_grade) continue;
    const bool of_exp = word.find_first_not_of('1') == Word::npos;
    const Exact expected = of_exp ? exponential(1, {word}).at(word) : Exact(0);
    largest = std::max(largest, Exact(abs(coefficient - expected)));
  }
  return largest;
}

class Lengths : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Orders, Lengths, ::testing::Values(4, 6, 8));

// To all digits that are printed: each of at most 17 lengths is off by 5e-27, and no word moves by more than
// that times a small number.
TEST_P(Lengths, ObeyTheOrderConditions) {
  for (int n = 1; n <= GetParam(); ++n)
    EXPECT_LT(largest_error(GetParam(), n), Exact("1e-24")) << "grade " << n;
  EXPECT_GT(largest_error(GetParam(), GetParam() + 1), Exact("1e-4")) << "the order is higher than it says";
}

TEST_P(Lengths, AreSymmetric) {
  const auto lengths = printed_lengths(GetParam());
  EXPECT_TRUE(std::equal(lengths.begin(), lengths.end(), lengths.rbegin()));
}

TEST(Composition, KnowsNoOtherOrder) { EXPECT_THROW(Composition(5), std::invalid_argument); }

struct Composed {
  std::string system, scheme;
  int order;
  double expected = order;  // of what is composed all the same, less
};
void PrintTo(const Composed& c, std::ostream* out) { *out << c.system << " " << c.scheme << " " << c.order; }

/// `livens` only to order 4, and only where M is constant: kernels/schemes/livens.hpp.
std::vector<Composed> composed() {
  std::vector<Composed> all;
  for (const std::string scheme : {"ems", "rattle", "ggl_mp", "del_multiplier", "del_nullspace"})
    for (const int order : {4, 6, 8}) all.push_back({"double_spherical_pendulum", scheme, order});
  all.push_back({"double_spherical_pendulum", "livens", 4});
  all.push_back({"four_particle", "rattle", 4});
  for (const std::string scheme : {"contact_2", "lagrange_dalembert"}) {
    for (const int order : {4, 6}) all.push_back({"foucault_pendulum", scheme, order});
    all.push_back({"rolling_disk", scheme, 4});
    all.push_back({"rolling_disk", scheme, 8});
  }
  // And why the kernels refuse these.
  all.push_back({"double_spherical_pendulum", "vi_a", 4, 2.0});
  all.push_back({"double_spherical_pendulum", "ggl_vi", 4, 1.0});
  all.push_back({"double_spherical_pendulum", "vi_b", 4, 1.0});
  all.push_back({"foucault_pendulum", "contact_1", 4, 1.0});
  all.push_back({"double_spherical_pendulum", "livens", 8, 4.0});
  all.push_back({"spring_pendulum", "livens", 4, 2.0});
  return all;
}

class ComposedOrder : public ::testing::TestWithParam<Composed> {};
INSTANTIATE_TEST_SUITE_P(Pairs, ComposedOrder, ::testing::ValuesIn(composed()), [](const auto& info) {
  return info.param.system + "_" + info.param.scheme + "_" + std::to_string(info.param.order);
});

// With dissipation and work (the Foucault pendulum's by its constraint, the
// disk's by loads that change in time), in q and v and in what is summed up. v without its normal part, which
// livens has by O(h^2) at any order.
TEST_P(ComposedOrder, IsThatOfTheLengths) {
  const auto& [system, scheme, order, expected] = GetParam();
  const Model model = damped_model(system);
  const State initial = general_state(model);
  const auto end = [&](int steps) {
    Options options{scheme, (system == "rolling_disk" ? 0.3 : 0.4) / steps, 0.0};
    options.order = order;
    if (scheme == "lagrange_dalembert") options.given["variant"] = "symmetric";
    const Node node = run(model, options, initial, steps).back();
    VectorXd x(2 * node.q.size() + 2);
    x << node.q, project(model, {node.q, node.v}).v, node.dissipated, node.work;
    return x;
  };
  // x_h - x_{h/2} has the order of x_h, and the next term of a symmetric step is h^2 of it.
  const int steps = order == 4 ? 8 : 4;
  const VectorXd x1 = end(steps), x2 = end(2 * steps), x4 = end(4 * steps);
  EXPECT_NEAR(std::log2((x1 - x2).norm() / (x2 - x4).norm()), expected, 0.15) << (x2 - x4).norm();
}

// What single steps of `livens` on this pendulum over 1 s have come to by hand, of 200, 360 and 340 stages.
TEST(Composition, MakesAnEnergyMomentumSchemeOfOrderEight) {
  const Model model{"double_spherical_pendulum", {}};
  const State initial = project(model, default_state(model));
  const auto end = [&](int order, int steps) {
    Options options{"ems", 1.0 / steps, 0.0};
    options.order = order;
    return run(model, options, initial, steps).back();
  };
  const Node exact = end(8, 100);
  const auto error = [&](int order, int steps) {
    return (end(order, steps).q - exact.q).lpNorm<Eigen::Infinity>();
  };
  expect_printed(error(4, 40), "2.6e-6", "order 4, 200 stages");
  expect_printed(error(6, 40), "1.0e-8", "order 6, 360 stages");
  expect_printed(error(8, 20), "2.1e-9", "order 8, 340 stages");
}

}  // namespace
}  // namespace livens::reference
