#pragma once
// Behind the class of the text: the largest discrete speed. gamma-convergence-constrained, section 4, table 1;
// equations/multibody.md, section 2.

namespace livens::inline LIVENS_ISA {

struct DoubleSphericalPendulumDescription {
  static constexpr ObservableInfo observables[] = {
      {"max_discrete_speed", "m/s", "largest |u_n+1 - u_n|/h of all steps, u in R^6"},
  };
  static constexpr SystemInfo info = [] {
    SystemInfo info = DoubleSphericalPendulumTextDescription::info;
    info.default_scheme = "del_nullspace";
    info.observables = observables;
    return info;
  }();
};

template <class Scalar_>
struct DoubleSphericalPendulum : DoubleSphericalPendulumText<Scalar_> {
  using Text = DoubleSphericalPendulumText<Scalar_>;
  using typename Text::Position, typename Text::Scalar;
  template <class Other>
  using Over = DoubleSphericalPendulum<Other>;
  static const SystemInfo& info() { return DoubleSphericalPendulumDescription::info; }

  LIVENS_HD explicit DoubleSphericalPendulum(const Vec<Scalar, 7>& parameter) : Text(parameter) {}

  /// Bounded independently of h.
  struct Watch {
    static constexpr int observables = 1;
    Scalar max_discrete_speed;
  };
  LIVENS_HD Watch watch(const Position&) const { return {Scalar(0.0)}; }
  LIVENS_HD Watch watched(const Watch& before, const Position& q0, const Position& q1, const Scalar&,
                          const Scalar& h) const {
    const Position Du = q1 - q0;
    const Scalar square = dot(Du, Du), farthest = h * before.max_discrete_speed;
    // The root and the quotient are for those that may be faster, whatever rounds them.
    constexpr double nearly_one = is_single<Scalar> ? 1.0 - 1e-6 : 1.0 - 1e-14;
    if (!any(square > Scalar(nearly_one) * (farthest * farthest))) return before;
    return {max(sqrt(square) / h, before.max_discrete_speed)};
  }
};

}  // namespace livens::inline LIVENS_ISA
