// Schemes on generated classes, one instance at a time: what a scheme conserves on the built-in systems it
// conserves on a text.

#define LIVENS_ISA text_schemes
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/forms/condensed/condensed_livens.hpp"
#include "kernels/forms/general/general_ems.hpp"
#include "kernels/forms/general/general_livens.hpp"
#include "kernels/forms/general/general_vi_b.hpp"
#include "kernels/schemes/contact_2.hpp"
#include "kernels/schemes/del_multiplier.hpp"
#include "kernels/schemes/ems.hpp"
#include "kernels/schemes/rattle.hpp"
#include "kernels/schemes/vi_b.hpp"
#include "kernels/stepping/projection.hpp"
#include "text_all_functions.hpp"
#include "text_bead_on_catenary.hpp"
#include "text_cart_pendulum.hpp"
#include "text_chaplygin_sleigh.hpp"
#include "text_charged_particle.hpp"
#include "text_double_pendulum_angles.hpp"
#include "text_driven_cart.hpp"
#include "text_mass_spring.hpp"
#include "text_n_pendulum.hpp"
#include "text_penning_trap.hpp"
#include "text_rotating_hoop.hpp"
#include "text_slider_crank.hpp"

namespace livens::inline LIVENS_ISA {
namespace {

template <class System>
Vec<double, System::parameter_count> default_parameters() {
  Vec<double, System::parameter_count> r;
  int k = 0;
  for (const ParameterInfo& parameter : System::info().parameters)
    for (const double value : parameter.defaults) r[k++] = value;
  return System::completed(r);
}

struct Drift {
  double balance = 0.0, change = 0.0;       ///< largest |E - E0 + D - W|, |E - E0|, J
  double constraint = 0.0, momentum = 0.0;  ///< largest |g|, |J - J0|
};

template <class Scheme>
Drift integrate(Vec<double, Scheme::System::parameter_count> parameters, double h, int steps) {
  using System = typename Scheme::System;
  const System system(parameters);
  Settings settings = standard_settings(Scheme::info());
  settings.tolerance = 0.0;
  auto q = system.initial_position();
  auto v = system.initial_velocity();
  EXPECT_EQ(make_consistent(system, Consistency::project, q, v), Status::ok);
  const Scheme scheme(system, h, settings);
  auto now = scheme.start({q, momentum_of(system, q, v), v});
  const auto first = scheme.measure(now, Measuring::all);
  Drift drift;
  double dissipated = 0.0;
  for (int n = 0; n < steps; ++n) {
    auto next = now;
    const auto report = scheme.template step<Pivoting::where_needed>(now, true, next);
    now = next;
    dissipated += report.dissipated - report.work;
    const auto at = scheme.measure(now, Measuring::all);
    drift.balance = std::max(drift.balance, std::abs(at.energy - first.energy + dissipated));
    drift.change = std::max(drift.change, std::abs(at.energy - first.energy));
    drift.constraint = std::max(drift.constraint, at.constraint);
    if constexpr (System::momentum_maps > 0)
      for (int l = 0; l < System::momentum_maps; ++l)
        drift.momentum = std::max(drift.momentum, std::abs(at.momentum[l] - first.momentum[l]));
    EXPECT_TRUE(std::isfinite(at.energy)) << "step " << n;
    if (!std::isfinite(at.energy)) break;
  }
  return drift;
}

/// Newton's method to round-off leaves some ten units of the largest force a step; random over the steps they
/// grow with the root of their number, and energies here are below 40 J.
double round_off(int steps) { return 100 * 0x1p-53 * 40.0 * std::sqrt(steps); }

TEST(TextSchemes, EmsKeepsTheEnergyOfTheCartPendulum) {
  using System = text_cart_pendulum<double>;
  auto parameters = default_parameters<System>();
  const Drift free = integrate<Ems<System>>(parameters, 0.01, 2000);
  EXPECT_LT(free.balance, round_off(2000));
  parameters[5] = 0.3;  // drag
  const Drift damped = integrate<Ems<System>>(parameters, 0.01, 2000);
  EXPECT_LT(damped.balance, round_off(2000));
  EXPECT_GT(damped.change, 0.1);
}
TEST(TextSchemes, EmsKeepsTheEnergyAndTheMomentumOfTheChargedParticle) {
  using System = text_charged_particle<double>;
  const Drift drift = integrate<Ems<System>>(default_parameters<System>(), 0.02, 2000);
  EXPECT_LT(drift.balance, round_off(2000));
  EXPECT_LT(drift.momentum, round_off(2000));
}
TEST(TextSchemes, EmsKeepsTheBalanceOfEveryFunctionThereIs) {
  // Over the corners of tables, max and min, and the jumps of the force.
  using System = text_all_functions<double>;
  const Drift drift = integrate<Ems<System>>(default_parameters<System>(), 0.01, 2000);
  EXPECT_LT(drift.balance, round_off(2000));
  EXPECT_GT(drift.change, 0.1);
}
TEST(TextSchemes, EmsKeepsTheConstraintsOfTheSliderCrank) {
  using System = text_slider_crank<double>;
  const Drift drift = integrate<Ems<System>>(default_parameters<System>(), 0.005, 2000);
  EXPECT_LT(drift.balance, round_off(2000));
  EXPECT_LT(drift.constraint, 1e-14);
}
TEST(TextSchemes, LivensRunsASingularMass) {
  using System = text_mass_spring<double>;
  const Drift drift = integrate<GeneralLivens<System>>(default_parameters<System>(), 0.05, 1000);
  EXPECT_LT(drift.balance, round_off(1000));
  EXPECT_LT(drift.constraint, 1e-14);
}
TEST(TextSchemes, RoundOffOfAnyMechanismWalks) {
  // Of some 3 J a step rounds some ten units away, at random: n steps the root of n times that. A constant whose rounding is
  // the same in every step, as h (1/h), makes n units of it.
  const int steps = 40000;
  const double walked = 10 * 0x1p-53 * 3.0 * std::sqrt(steps);
  using Singular = text_mass_spring<double>;
  EXPECT_LT(integrate<GeneralLivens<Singular>>(default_parameters<Singular>(), 0.1, steps).balance, walked);
  using Bead = text_bead_on_catenary<double>;
  EXPECT_LT(integrate<GeneralEms<Bead>>(default_parameters<Bead>(), 0.01, steps).balance, walked);
}
TEST(TextSchemes, RoundOffOfMomentaWalks) {
  // In two units of the last place a step, of 0.8 kg m^2/s and of 0.5 J. A momentum that goes through h p and (h p)/h, or
  // a velocity whose momentum the residual does not have, goes off like the time, three and twice as far by then.
  const int steps = 500000;
  const double unit = 0x1p-53, root = std::sqrt(steps);
  using Trap = text_penning_trap<double>;
  EXPECT_LT(integrate<GeneralViB<Trap>>(default_parameters<Trap>(), 0.01, steps).momentum,
            2 * unit * 0.8 * root);
  using Hoop = text_rotating_hoop<double>;
  EXPECT_LT(integrate<GeneralEms<Hoop>>(default_parameters<Hoop>(), 0.01, steps).balance,
            2 * unit * 0.5 * root);
}
TEST(TextSchemes, RoundOffOfUnitRodsWalks) {
  // In a unit of the last place a step, of 50 J. Where |u|^2 - 1 of rods of length 1 is summed at 1, above which numbers are
  // half as dense as below, the mean error of a row is not zero: the rows lead the rods off their circles, always to the same
  // side, and the energy goes off like the time.
  const int steps = 600000;
  const double walked = 0x1p-53 * 50.0 * std::sqrt(steps);
  using Chain = text_n_pendulum<double>;
  EXPECT_LT(integrate<CondensedLivens<Chain>>(default_parameters<Chain>(), 0x1p-10, steps).balance, walked);
}
TEST(TextSchemes, LivensRunsAMassThatDependsOnTheCoordinates) {
  using System = text_double_pendulum_angles<double>;
  const Drift drift = integrate<GeneralLivens<System>>(default_parameters<System>(), 0.01, 1000);
  EXPECT_LT(drift.balance, round_off(1000));
}
TEST(TextSchemes, LivensDampsAMassThatDependsOnTheCoordinates) {
  using System = text_double_pendulum_angles<double>;
  auto parameters = default_parameters<System>();
  parameters[5] = 0.4;  // friction
  const Drift drift = integrate<GeneralLivens<System>>(parameters, 0.01, 1000);
  EXPECT_LT(drift.balance, round_off(1000));
  EXPECT_GT(drift.change, 1.0);
}
TEST(TextSchemes, RattleAndViBDampTheSliderCrank) {
  using System = text_slider_crank<double>;
  auto parameters = default_parameters<System>();
  parameters[7] = 0.6;  // friction
  const Drift rattle = integrate<Rattle<System>>(parameters, 0.004, 500),
              finer = integrate<Rattle<System>>(parameters, 0.002, 1000),
              vi_b = integrate<ViB<System>>(parameters, 0.004, 500),
              finer_vi_b = integrate<ViB<System>>(parameters, 0.002, 1000);
  EXPECT_GT(rattle.change, 0.1);
  EXPECT_LT(rattle.constraint, 1e-14);
  // Of order two and one in the balance.
  EXPECT_NEAR(rattle.balance / finer.balance, 4.0, 0.4);
  EXPECT_NEAR(vi_b.balance / finer_vi_b.balance, 2.0, 0.2);
}
TEST(TextSchemes, CountTheWorkOfGivenForces) {
  using System = text_driven_cart<double>;
  const auto parameters = default_parameters<System>();
  const Drift ems = integrate<Ems<System>>(parameters, 0.01, 1000),
              livens = integrate<Livens<System>>(parameters, 0.01, 1000);
  EXPECT_LT(ems.balance, round_off(1000));
  EXPECT_LT(livens.balance, round_off(1000));
  EXPECT_GT(ems.change, 1.0);
  // Of order two in the balance: half the step, a quarter.
  const Drift coarse = integrate<DelMultiplier<System>>(parameters, 0.02, 500),
              fine = integrate<DelMultiplier<System>>(parameters, 0.01, 1000);
  EXPECT_NEAR(coarse.balance / fine.balance, 4.0, 0.4);
}
TEST(TextSchemes, RattleAndDelKeepAConstraintThatIsNoPolynomial) {
  using System = text_bead_on_catenary<double>;
  const auto parameters = default_parameters<System>();
  const Drift rattle = integrate<Rattle<System>>(parameters, 0.01, 1000),
              finer = integrate<Rattle<System>>(parameters, 0.005, 2000),
              del = integrate<DelMultiplier<System>>(parameters, 0.01, 1000);
  EXPECT_LT(rattle.constraint, 1e-14);
  EXPECT_LT(del.constraint, 1e-14);
  EXPECT_NEAR(rattle.change / finer.change, 4.0, 0.4);
}
TEST(TextSchemes, EmsRunsAChainOfAsManyAsTheTextSays) {
  using System = text_n_pendulum<double>;
  static_assert(System::coordinates == 10 && System::constraints == 5);
  const Drift drift = integrate<Ems<System>>(default_parameters<System>(), 0.005, 1000);
  EXPECT_LT(drift.balance, 4 * round_off(1000));  // energies are four times as large
  EXPECT_LT(drift.constraint, 1e-13);
}
TEST(TextSchemes, ContactRunsTheSleigh) {
  // A scheme of order two, and no more is claimed: half the step, a quarter of the drift.
  using System = text_chaplygin_sleigh<double>;
  const auto parameters = default_parameters<System>();
  const Drift coarse = integrate<Contact2<System>>(parameters, 0.02, 100),
              fine = integrate<Contact2<System>>(parameters, 0.01, 200);
  EXPECT_NEAR(coarse.change / fine.change, 4.0, 0.4);
}

}  // namespace
}  // namespace livens::inline LIVENS_ISA
