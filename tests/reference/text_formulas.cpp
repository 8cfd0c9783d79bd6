// A system written as text against the same one written with Eigen: every formula and its derivatives.

#include "reference/system.hpp"
#include "text_systems.hpp"

namespace livens::reference {
namespace {

class TextFormulas : public ::testing::TestWithParam<std::string> {
 protected:
  TextFormulas()
      : model_(general_model(GetParam())),
        text_(make_system(text_model(model_))),
        built_in_(make_system(model_)) {}

  /// Positions and velocities near the initial ones, without symmetry.
  State state(int k) const {
    State s = built_in_.initial;
    for (Eigen::Index i = 0; i < s.q.size(); ++i) {
      const double shift = static_cast<double>(i) + 0.1 * k;
      s.q[i] += 0.3 * std::sin(1.0 + 2.3 * shift);
      s.v[i] += 0.5 * std::cos(0.5 + 1.7 * shift);
    }
    return s;
  }

  const Model model_;
  const System text_, built_in_;
};

/// Both sides take at most some hundred operations on the way to a value, each of which rounds to eps of a
/// term. No formula here has terms that cancel by more than a factor of ten: they are bounded by ten times
/// the largest value on either side, or by ten where that is small.
void expect_equal(const MatrixXd& text, const MatrixXd& built_in, const std::string& what) {
  ASSERT_EQ(text.rows(), built_in.rows()) << what;
  ASSERT_EQ(text.cols(), built_in.cols()) << what;
  if (text.size() == 0) return;
  const double terms = 10.0 * std::max(1.0, built_in.cwiseAbs().maxCoeff());
  EXPECT_LE((text - built_in).cwiseAbs().maxCoeff(), 200.0 * eps * terms) << what;
}

TEST_P(TextFormulas, AreTheBuiltInOnes) {
  expect_equal(text_.initial.q, built_in_.initial.q, "initial q");
  expect_equal(text_.initial.v, built_in_.initial.v, "initial v");
  EXPECT_EQ(text_.mass_coordinates, built_in_.mass_coordinates);
  EXPECT_EQ(text_.action_damping, built_in_.action_damping);
  ASSERT_EQ(constraint_count(text_), constraint_count(built_in_));
  for (int k = 0; k < 5; ++k) {
    const auto [q, v] = state(k);
    const auto compare = [&](const std::string& what, const auto& value) {
      expect_equal(value(text_), value(built_in_), what);
    };
    const auto single = [](double x) { return MatrixXd{{x}}; };
    compare("T", [&](const System& s) { return single(s.kinetic_energy(q, v)); });
    compare("M", [&](const System& s) { return mass_matrix(s, q); });
    compare("V", [&](const System& s) { return single(potential_energy(s, q)); });
    compare("DV", [&](const System& s) { return potential_gradient(s, q); });
    compare("D2V", [&](const System& s) {
      return jacobian([&](const auto& x) { return potential_gradient(s, x); }, q);
    });
    compare("C v", [&](const System& s) { return viscous_force(s, q, v); });
    compare("F(t)", [&](const System& s) { return load(s, 0.7 * k); });
    compare("g", [&](const System& s) { return VectorXd(s.constraint(q)); });
    compare("G", [&](const System& s) { return constraint_jacobian(s, q); });
    const VectorXd gamma = VectorXd::LinSpaced(constraint_count(text_), 0.3, 1.1);
    if (!built_in_.velocity_constraint) {
      compare("W v", [&](const System& s) { return constraint_curvature(s, q, gamma, v); });
    } else {
      compare("A v + b", [&](const System& s) { return VectorXd(s.velocity_constraint(q, v)); });
      compare("A", [&](const System& s) { return nonholonomic_jacobian(s, q); });
      compare("b", [&](const System& s) { return nonholonomic_drift(s, q); });
    }
    ASSERT_EQ(static_cast<bool>(text_.momentum), static_cast<bool>(built_in_.momentum));
    if (text_.momentum) compare("J", [&](const System& s) { return s.momentum(q, v); });
  }
}

INSTANTIATE_TEST_SUITE_P(Systems, TextFormulas, ::testing::ValuesIn(systems()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace livens::reference
