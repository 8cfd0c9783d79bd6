// Free motion on a circle of radius R with speed v: every scheme turns by a constant angle a step, which can
// be told by hand; and the root that no motion has.

#include "reference/discrete_euler_lagrange.hpp"
#include "runs.hpp"

namespace livens::reference {
namespace {

const Model model = general_model("unit_circle");
constexpr double R = 0.6, m = 1.7, h = 0.1;

// The angle a of a step, with x = h v/R:
//   sin 2a = 2x      ggl_vi, vi_b (alpha = 1): q1 is along q0 + h w, w as tangential as v at q0, normal to q1
//   tan a/2 = x/2    ems, ggl_mp, livens: Dq = h w, w as tangential as v in the middle
//   sin a = x        rattle, del_*: Dq = h w, w as tangential as v at q0
double angle(const std::string& scheme, double x) {
  if (scheme == "ggl_vi" || scheme == "vi_b") return 0.5 * std::asin(2.0 * x);
  if (scheme == "ems" || scheme == "ggl_mp" || scheme == "livens") return 2.0 * std::atan(0.5 * x);
  return std::asin(x);
}

class UnitCircle : public ::testing::TestWithParam<std::string> {};

// In a step round-off of some eps R, /h in velocities, adds up over time.
TEST_P(UnitCircle, TurnsByAConstantAngle) {
  const double v = 1.0, rounding = 100 * 64.0 * eps / h;
  const auto nodes = run(model, {GetParam(), h, 0.0}, default_state(model), 100);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const double a = static_cast<double>(n) * angle(GetParam(), h * v / R);
    EXPECT_NEAR(nodes[n].q[0], R * std::cos(a), rounding) << n;
    EXPECT_NEAR(nodes[n].q[1], R * std::sin(a), rounding) << n;
    EXPECT_NEAR(nodes[n].momentum[0], m * R * v, rounding * m) << n;
  }
}

INSTANTIATE_TEST_SUITE_P(Holonomic, UnitCircle,
                         ::testing::Values("ggl_vi", "vi_b", "ems", "ggl_mp", "livens", "del_multiplier",
                                           "del_nullspace", "rattle"));

// vi_a: the middle of a step is on the circle, moving with a tangential v, so that the nodes are outside and
// inside in turn; the middles turn as those of the other schemes do.
TEST(UnitCircle, OfViAKeepsTheMiddleOfAStepOnTheCircle) {
  const auto nodes = run(model, {"vi_a", h, 0.0}, default_state(model), 100);
  for (std::size_t n = 1; n < nodes.size(); ++n) {
    EXPECT_NEAR((0.5 * (nodes[n].q + nodes[n - 1].q)).norm(), R, 64.0 * eps) << n;
    EXPECT_NEAR(nodes[n].momentum[0], m * R, 100 * 64.0 * eps / h) << n;
  }
  EXPECT_GT(largest(nodes, [](const Node& node) { return node.constraint; }), 1e-4);
}

// multibody.md section 4: besides u+ = 2 (u.u-) u - u- the equations have the root -u-, to round-off. On the
// circle G(u+) M^-1 G(u)^T = u+.u/m, negative at -u- next to u.
TEST(UnitCircle, SpuriousRootSolvesTheEquationsAndIsRefused) {
  const System system = make_system(model);
  const Options options{"del_multiplier", h, 0.0};
  for (const double a : {0.01, 0.2, 0.7}) {
    const VectorXd before = R * VectorXd{{std::cos(a), -std::sin(a)}}, u = R * VectorXd{{1.0, 0.0}};
    Point node;
    node.step = 1;
    node.q = u;
    node.v = (u - before) / h;
    node.p = m * node.v;
    const DiscreteEulerLagrange del(system, options, node);
    const auto multiplier = [&](const VectorXd& x) -> VectorXd {
      const VectorXd bracket = del.bracket(VectorXd(x - u));
      EXPECT_NEAR(bracket[1], 0.0, 16.0 * eps * m * R / h) << "no multiplier reaches the tangent";
      return VectorXd{{-bracket[0] / (h * R)}};
    };
    const VectorXd physical = R * VectorXd{{std::cos(a), std::sin(a)}}, spurious = -before;
    EXPECT_EQ(del.next(node, physical - u, multiplier(physical), {}).q, physical);
    try {
      del.next(node, spurious - u, multiplier(spurious), {});
      FAIL() << a;
    } catch (const NewtonFailure& failure) {
      EXPECT_EQ(failure.reason, Failure::wrong_branch);
    }
  }
}

// A normal velocity, which the tangential equation does not feel, starts Newton's method beyond the centre
// of the circle, next to the spurious root.
TEST(UnitCircle, StepOntoTheSpuriousRootFails) {
  State state = default_state(model);
  state.v[0] = -1.2 * R / h;
  try {
    Integrator(model, {"del_multiplier", h, 0.0}, state).advance();
    FAIL();
  } catch (const StepFailure& failure) {
    EXPECT_EQ(failure.step, 0);
    EXPECT_EQ(failure.reason, Failure::wrong_branch);
  }
}

}  // namespace
}  // namespace livens::reference
