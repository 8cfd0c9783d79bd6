// The guard on directors, d_i(u1).d_i(u0) > 1/2, in the lanes as for one instance.

#include "tests/assembly/swings.hpp"

namespace livens::assemblies {
namespace {

/// A body on a ball joint at the origin, 0.3 m below its centre of mass.
constexpr auto spinning_shape() {
  AssemblyShape<1, 0, 0, 1, 0, 1> shape;
  shape.joint[0] = {ground, 0, spherical};
  return shape;
}
struct SpinningDescription {
  static constexpr auto shape = spinning_shape();
  static constexpr SystemInfo info = {.name = "spinning",
                                      .meaning = "",
                                      .paper = "",
                                      .layout = "",
                                      .coordinates = 12,
                                      .constraints = shape.constraints(),
                                      .parameters = FlailDescription::parameters,
                                      .default_scheme = "del_nullspace",
                                      .default_step = 0.1,
                                      .default_end = 1.0};
};
struct Spinning : Described<SpinningDescription>, Assembly<spinning_shape(), double>, NoMomentumMaps<double, 12> {
  template <class Other>
  using Over = Spinning;
  explicit Spinning(const Vec<double, 1>&) {
    set_body(0, {{0.0, 0.0, 0.3}}, {{{1.0, 0.0, 0.0}}, {{0.0, 1.0, 0.0}}, {{0.0, 0.0, 1.0}}}, {{1.0, 0.1, 0.1, 0.2}});
    place[0] = {{{0.0, 0.0, 0.0}}, {{0.0, 0.0, -0.3}}};
    load_in_start = 1.0;
  }
  Position initial_position() const { return assembled; }
  Position initial_velocity() const { return zero_vector<double, 12>(); }
};

// A body that spins about d3 turns by a in a step, sin a = h times its rate: the last one that passes, and the first
// that does not, which stays where it is.
template <class Scheme>
void expect_sixty_degrees() {
  const double h = 0.1;
  for (const double degrees : {59.0, 61.0}) {
    const double rate = std::sin(degrees * M_PI / 180.0) / h;
    reference::State start{reference::VectorXd(12), reference::VectorXd::Zero(12)};
    start.q << 0, 0, 0.3, 1, 0, 0, 0, 1, 0, 0, 0, 1;
    start.v[4] = rate;   // d1' = rate d2
    start.v[6] = -rate;  // d2' = -rate d1
    Stepped<Scheme> body(h, start);
    EXPECT_EQ(body.advance(), degrees < 60.0 ? Status::ok : Status::wrong_branch) << degrees;
    EXPECT_NEAR(body.carried().q[3], degrees < 60.0 ? std::cos(degrees * M_PI / 180.0) : 1.0, 1e-14);
  }
}
TEST(AssemblyGuard, SixtyDegreesAreTheMost) {
  expect_sixty_degrees<DelMultiplierAssembly<Spinning>>();
  expect_sixty_degrees<DelNullspaceAssembly<Spinning>>();
}

// On the paper's circle, example 3.1, a second root lies half a turn away; so it does here, for every body and about
// each of its directors. From near there Newton's method finds it, and the guard refuses it.
TEST(AssemblyGuard, JumpsAreRefused) {
  const double h = 1e-3;
  using Scheme = DelMultiplierAssembly<ThreeBarSwing<double>>;
  Stepped<Scheme> swing(h, at_rest(reference::three_bar_swing()));
  for (int n = 0; n < 20; ++n) ASSERT_EQ(swing.advance(), Status::ok);
  for (int body = 0; body < 13; ++body)
    for (int axis = 0; axis < 3; ++axis) {
      Scheme::Carried thrown = swing.carried(), next;
      for (int i = 0; i < 9; ++i)
        if (i / 3 != axis) thrown.velocity[12 * body + 3 + i] = -2.0 / h * thrown.q[12 * body + 3 + i];
      const auto report = swing.scheme().step<Pivoting::refused>(thrown, true, next);
      EXPECT_EQ(report.outcome.status, code<double>(Status::wrong_branch)) << "body " << body << " about " << axis;
    }
  EXPECT_EQ(swing.advance(), Status::ok);
}

}  // namespace
}  // namespace livens::assemblies
