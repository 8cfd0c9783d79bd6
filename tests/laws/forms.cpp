// The forms of one scheme are the same map: full and reduced agree, in the states and in the multipliers.

#include "tests/laws/over_pairs.hpp"

namespace livens::laws {

OVER_PAIRS(Forms);

/// The other forms of the same scheme on the same system that come before this one in the list.
std::vector<PairKernels> earlier_forms(const PairKernels& pair) {
  std::vector<PairKernels> found;
  for (const PairKernels& other : pairs()) {
    if (name_of(other) == name_of(pair)) break;
    if (other.system->info->name == std::string(pair.system->info->name) &&
        other.scheme->name == std::string(pair.scheme->name))
      found.push_back(other);
  }
  return found;
}

/// Largest of |x_a - x_b| / max |x_b| for q and p, and the multipliers in the units Newton's method solves
/// them to.
void expect_same(Ensemble& a, Ensemble& b, int instance, double h, bool position_alone) {
  const Node x = a.node(instance), y = b.node(instance);
  const double q = std::max(1.0, largest(y.q)), p = largest(y.p);
  // Both are solved to round-off in every step and differ by about eps of the increments; 100 steps add that
  // up 100 times, and the motion stretches a difference by some tens over the two seconds they take: 100 *
  // 2e-16 * 30.
  EXPECT_LT(distance(x.q, y.q), 1e-12 * q);
  // Rounding of q moves p by m eps |q|/h where q alone is the unknown, as in the full form of livens.
  const double momentum = position_alone ? std::max(1.0, q / (h * largest(y.v))) : 1.0;
  EXPECT_LT(distance(x.p, y.p), 1e-12 * p * momentum);
  // The states that the multipliers come from differ by 1e-12. They balance momenta: h lambda and the
  // momentum it moves, gamma and the positions it moves by h M^-1 G^T gamma; both solved as h^2 lambda/m and
  // h gamma/m beside q.
  const double mass_per_length = p / (h * q);
  EXPECT_LT(h * distance(x.lambda, y.lambda),
            momentum * 1e-12 * (mass_per_length * h + h * largest(y.lambda)) / h);
  if (y.gamma.empty() || (std::isnan(x.gamma[0]) && std::isnan(y.gamma[0]))) return;  // the scheme has none
  EXPECT_LT(h * distance(x.gamma, y.gamma), 1e-12 * (p + largest(y.gamma)));
}

void expect_forms_agree(const PairKernels& pair, const PairKernels& other, Damping damping) {
  Random random(9);
  const auto instances = draw_many(*pair.system, random, damping, 8);
  Ensemble a(pair, instances), b(other, instances);
  const bool position_alone = pair.scheme->name == std::string("livens");
  a.advance(1);
  b.advance(1);
  for (int i = 0; i < 8; ++i) expect_same(a, b, i, instances[i].h, position_alone);
  a.advance(98);
  b.advance(98);
  a.advance(1);
  b.advance(1);
  for (int i = 0; i < 8; ++i) {
    ASSERT_EQ(a.status(i), Status::ok);
    ASSERT_EQ(b.status(i), Status::ok);
    expect_same(a, b, i, instances[i].h, position_alone);
  }
}

TEST_P(Forms, AgreeWithoutDamping) {
  const auto others = earlier_forms(GetParam());
  if (others.empty()) GTEST_SKIP() << "the first or only form";
  for (const PairKernels& other : others) expect_forms_agree(GetParam(), other, Damping::off);
}

TEST_P(Forms, AgreeWithDamping) {
  bool compared = false;
  for (const PairKernels& other : earlier_forms(GetParam()))
    if (other.damped && GetParam().damped) {
      expect_forms_agree(GetParam(), other, Damping::on);
      compared = true;
    }
  if (!compared) GTEST_SKIP() << "no two forms with damping";
}

}  // namespace livens::laws
