#pragma once
// Behind the class of the text: when the disk has fallen, where it lies, and the inverse of M, with which a step is 1.04
// times as fast as with that of the text (`python3 bench/compare_versions.py OLD NEW --preferred --only rolling_disk`, OLD
// without it). herglotz-nonholonomic, section 4.2; equations/herglotz.md, section 4. Where cos theta = 0 phi and psi turn
// about one axis and M has no inverse, so no step may lead across.

namespace livens::inline LIVENS_ISA {

struct RollingDiskDescription {
  static constexpr ObservableInfo observables[] = {
      {"time_to_fall", "s", "when |theta| passes 85 degrees first, NaN if it does not"},
  };
  /// The paper's experiments end with an energy error of at most 0.08 of the scale (contact_2, h = 0.1); a step past where
  /// the disk lies makes one of 0.6 and more.
  static constexpr double energy_balance = 0.2;
  static constexpr SystemInfo info = [] {
    SystemInfo info = RollingDiskTextDescription::info;
    info.observables = observables;
    info.energy_balance = energy_balance;
    return info;
  }();
};

template <class Scalar_>
struct RollingDisk : RollingDiskText<Scalar_> {
  using Text = RollingDiskText<Scalar_>;
  using typename Text::Position, typename Text::Scalar;
  template <class Other>
  using Over = RollingDisk<Other>;
  static const SystemInfo& info() { return RollingDiskDescription::info; }
  static constexpr int theta = 2, phi = 3, psi = 4;
  using Text::parameters;
  Scalar per_mass, per_axial;

  LIVENS_HD explicit RollingDisk(const Vec<Scalar, 16>& parameter)
      : Text(parameter), per_mass(Scalar(1.0) / parameters[0]), per_axial(Scalar(1.0) / parameters[2]) {}

  /// M(q): phi and psi are coupled.
  struct Inertia {
    Scalar mass, per_mass, axial, per_axial, sine;
    Scalar tilt, per_tilt;  ///< m R^2 sin^2 theta + I_T
    Scalar turn, per_rest;  ///< I_A sin^2 theta + I_T cos^2 theta; 1/(I_T cos^2 theta)
    LIVENS_HD Position times(const Position& v) const {
      return {{mass * v[0], mass * v[1], tilt * v[theta], fnma(axial * sine, v[psi], turn * v[phi]),
               axial * fnma(sine, v[phi], v[psi])}};
    }
    LIVENS_HD Position solve(const Position& p) const {
      const Scalar phi_rate = per_rest * fma(sine, p[psi], p[phi]);
      return {{per_mass * p[0], per_mass * p[1], per_tilt * p[theta], phi_rate,
               fma(sine, phi_rate, per_axial * p[psi])}};
    }
    LIVENS_HD Scalar entry(int i, int j) const {
      if (i != j) return i + j == phi + psi ? -(axial * sine) : Scalar(0.0);
      return i < theta ? mass : (i == theta ? tilt : (i == phi ? turn : axial));
    }
    static constexpr bool nonzero(int i, int j) { return Text::MassPattern::nonzero(i, j); }
  };
  LIVENS_HD Inertia inertia_of(const Position& q) const {
    const auto [s, c] = sine_cosine(q[theta]);
    const Scalar rim = parameters[1] * s, tilt = fma(parameters[0] * rim, rim, parameters[3]),
                 rest = parameters[3] * c * c, turn = fma(parameters[2] * s, s, rest);
    return {parameters[0], per_mass,           parameters[2], per_axial,         s,
            tilt,          Scalar(1.0) / tilt, turn,          Scalar(1.0) / rest};
  }

  /// True if the step does not pass a position in which the disk lies: cos theta keeps its sign.
  LIVENS_HD Mask<Scalar> passable(const Position& q0, const Position& q1) const {
    const Scalar per_pi = Scalar(0.31830988618379067154);
    return rint(per_pi * q0[theta]) == rint(per_pi * q1[theta]);
  }

  struct Watch {
    static constexpr int observables = 1;
    Scalar time_to_fall;
  };
  LIVENS_HD Watch watch(const Position& q) const {
    return {select(abs(q[theta]) >= Scalar(fallen), Scalar(0.0), Scalar(__builtin_nan("")))};
  }
  /// theta as a straight line over the step.
  LIVENS_HD Watch watched(const Watch& before, const Position& q0, const Position& q1, const Scalar& t0,
                          const Scalar& h) const {
    const Scalar a = abs(q0[theta]), b = abs(q1[theta]);
    const Mask<Scalar> falls = (b >= Scalar(fallen)) & !(before.time_to_fall >= Scalar(0.0));
    if (!any(falls)) return before;
    return {select(falls, fma(h, (Scalar(fallen) - a) / (b - a), t0), before.time_to_fall)};
  }

 private:
  static constexpr double fallen = 85.0 * 3.14159265358979323846 / 180.0;
};

}  // namespace livens::inline LIVENS_ISA
