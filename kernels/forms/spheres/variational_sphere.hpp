#pragma once
// ggl_vi (ggl_vi.hpp) and vi_b with alpha = 1, theta = 0 (vi_b.hpp) for unit vectors in space, under their
// weights F, whose inertias A and drag C couple them: the multipliers are the only unknowns, two a vector.
// equations/reduced.md, section 2. For constraints s (|u|^2 - 1)/2, with diagonal matrices L = h^2 s lambda
// and K = h s gamma, y = h v and c = u0 + y:
//              ggl_vi                                     vi_b
//   (a) y    = (A + h C)^-1 (h p0 - h^2 F - L u0)         A^-1 (h p0 - L u0)
//   (b) u1   = c + A^-1 K c                               c + A^-1 K u1 = c + (A - K)^-1 K c
//   (c) h p1 = A w,  w = y - (A + K)^-1 K y               A y - K y - h^2 F - h C (u1 - u0)
//   (d)        |u1_a| = 1,  c_a.w_a = 0                   |u1_a| = 1,  u1_a.y_a = 0
// Rows of A, C, L and K are divided by a power of two from A_aa/2 to A_aa: the unknowns are displacements. A
// step carries tau M^-1 p on, in a unit of time in which h is a power of two (time_unit.hpp). Whatever the
// multipliers are, the vertical momentum is kept. Newton starts from those that three steps before lead to.
//
// A Rule has info() and bool kick_first: ggl_vi.

#include "kernels/newton/scheme.hpp"
#include "kernels/schemes/extrapolation.hpp"
#include "kernels/schemes/time_unit.hpp"

namespace livens::inline LIVENS_ISA {

template <SphereSystem System_, class Rule>
class VariationalSphere {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = VariationalSphere<typename System::template Over<Other>, Rule>;
  using Form = typename System::Vectors;
  using Flat = typename Form::Flat;
  static constexpr int d = System::coordinates, m = System::constraints, n = Form::unit, unknowns = 2 * n;
  using Unknown = Vec<Scalar, unknowns>;  ///< L, then K
  using Matrix = Mat<Scalar, n, n>;
  static constexpr const char* form = "reduced";
  static constexpr bool kick_first = Rule::kick_first, damped = true, compensated = false,
                        fixed_options = !kick_first;
  static constexpr const SchemeInfo& info() { return Rule::info(); }

  struct Motion {
    Flat z, rate;                                          ///< rate: tau M^-1 p
    Extrapolation<Scalar, unknowns, false> extrapolation;  ///< the unknowns, over (h/tau)^2
    Scalar started;                                        ///< 0 at node 0, else 1
  };
  struct OwnMotion : Motion {
    Flat own_rate;  ///< tau v, v the scheme's own velocity
  };
  using Carried = std::conditional_t<kick_first, Motion, OwnMotion>;

  LIVENS_HD VariationalSphere(const System& system, const Scalar& h, const Settings& settings)
      : system_(system),
        vectors_(system.vector_form()),
        unit_(h, settings),
        settings_(settings),
        dampers_(false) {
    DenseMatrix<Scalar, n> masses, damped_masses;
    Vec<Scalar, n> fall;
    for (int a = 0; a < n; ++a) {
      mass_[a] = power_of_two_below(vectors_.inertia.mass(a, a));
      const Scalar per_mass = Scalar(1.0) / mass_[a];
      fall[a] = h * h * per_mass * vectors_.weight[a];
      for (int b = 0; b < n; ++b) {
        drag_(a, b) = h * per_mass * vectors_.drag(a, b);
        dampers_ = dampers_ | !(drag_(a, b) == Scalar(0.0));
        ratio_(a, b) = masses.at(a, b) = per_mass * vectors_.inertia.mass(a, b);
        damped_masses.at(a, b) = kick_first ? masses.at(a, b) + drag_(a, b) : masses.at(a, b);
      }
    }
    inverse_ = inverse_of(masses);
    damped_inverse_ = inverse_of(damped_masses);
    fall_ = Factored(damped_masses).solve(fall);
  }

  LIVENS_HD Carried start(const NodeState<Scalar, d>& node) const {
    const auto state = system_.to_vectors(node.q, node.p);
    Carried r;
    r.z = state.z;
    r.rate = unit_.tau * vectors_.inertia.solve(state.p);
    r.extrapolation = r.extrapolation.always(zero_vector<Scalar, unknowns>());
    r.started = Scalar(0.0);
    if constexpr (!kick_first) r.own_rate = r.rate;
    return r;
  }
  LIVENS_HD NodeState<Scalar, d> node(const Carried& carried) const {
    auto r = system_.from_vectors(state(carried.z, carried.rate));
    if constexpr (!kick_first) r.v = system_.from_vectors(state(carried.z, carried.own_rate)).v;
    return r;
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried, Measuring what) const {
    auto measured = measure_vectors<System::momentum_maps>(vectors_, state(carried.z, carried.rate), what);
    if constexpr (!kick_first) {
      const auto own =
          measure_vectors<System::momentum_maps>(vectors_, state(carried.z, carried.own_rate), what);
      measured.velocity_constraint = own.velocity_constraint;
      measured.total_energy = own.energy;
    }
    return measured;
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  LIVENS_HD Multipliers<Scalar, m> multipliers(const Carried&, const Carried& after) const {
    const Unknown& needed = after.extrapolation.needed[0];
    Multipliers<Scalar, m> r;
    for (int a = 0; a < n; ++a) {
      const Scalar scale = mass_[a] * unit_.per_tau / vectors_.constraint_scale[a];
      r.lambda[a] = scale * unit_.per_tau * needed[a];
      r.gamma[a] = scale * unit_.step * needed[n + a];
    }
    return r;
  }

  /// (d) for the unknowns, at fixed u0, p0.
  class Problem {
   public:
    static constexpr int unknowns = VariationalSphere::unknowns;
    using Matrix = DenseMatrix<Scalar, unknowns>;

    LIVENS_HD Problem(const VariationalSphere& scheme, const Carried& now)
        : scheme_(scheme), u0_(now.z), free_(scheme.unit_.step * now.rate) {
      if constexpr (kick_first) {
        if (any(scheme.dampers_)) free_ = free_ - times(scheme.damped_inverse_, times(scheme.drag_, free_));
        unroll<n>([&](auto a) { free_[3 * a + 2] = free_[3 * a + 2] - scheme.fall_[a]; });
      }
    }

    LIVENS_HD const System& system() const { return scheme_.system_; }
    struct Evaluation {
      Unknown residual;
      Flat y, c, u1, w;
      typename VariationalSphere::Matrix shifted;  ///< (A + K)^-1; (A - K)^-1
    };
    LIVENS_HD Evaluation evaluate(const Unknown& x) const {
      Evaluation at;
      const Vec<Scalar, n> L = part<0, n>(x), K = part<n, n>(x);
      at.y = free_ - times(scheme_.damped_inverse_, scaled(L, u0_));  // (a)
      at.c = u0_ + at.y;
      DenseMatrix<Scalar, n> mass;
      unroll<n>([&](auto a) {
        unroll<n>([&](auto b) { mass.at(a, b) = scheme_.ratio_(a, b); });
        mass.at(a, a) = kick_first ? mass.at(a, a) + K[a] : mass.at(a, a) - K[a];
      });
      at.shifted = inverse_of(mass);
      at.u1 = at.c + times(kick_first ? scheme_.inverse_ : at.shifted, scaled(K, at.c));  // (b)
      if constexpr (kick_first) at.w = at.y - times(at.shifted, scaled(K, at.y));         // (c)
      unroll<n>([&](auto i) {
        constexpr int a = i.value;
        const Vec3<Scalar> u1 = block<a>(at.u1);
        at.residual[a] = Scalar(0.5) * dot_near(u1, u1, Scalar(-1.0));
        at.residual[n + a] = kick_first ? dot(block<a>(at.c), block<a>(at.w)) : dot(u1, block<a>(at.y));
      });
      return at;
    }

    /// d u1_a = -P_al u0_l dL_l + P'_ak dK_k, and likewise of what (d) multiplies.
    LIVENS_HD void jacobian(const Unknown& x, const Evaluation& at, Matrix& J) const {
      const auto &R = scheme_.inverse_, &D = scheme_.damped_inverse_, &S = at.shifted;
      unroll<n>([&](auto i) {
        unroll<n>([&](auto j) {
          constexpr int a = i.value, b = j.value;
          const Vec3<Scalar> u0 = block<b>(u0_), u1 = block<a>(at.u1);
          if constexpr (kick_first) {
            Scalar P = D(a, b), Q = D(a, b);  // of u1 and of w
            unroll<n>([&](auto k) {
              P = fma(R(a, k) * x[n + k], D(k, b), P);
              Q = fnma(S(a, k) * x[n + k], D(k, b), Q);
            });
            const Vec3<Scalar> c = block<a>(at.c);
            J.at(a, b) = -(P * dot(u1, u0));
            J.at(n + a, b) = -fma(D(a, b), dot(block<a>(at.w), u0), Q * dot(c, u0));
            J.at(a, n + b) = R(a, b) * dot(u1, block<b>(at.c));
            J.at(n + a, n + b) = -(S(a, b) * dot(c, block<b>(at.w)));
          } else {
            const Vec3<Scalar> y = block<a>(at.y), pushed = block<b>(at.u1);
            const Scalar along = dot(u1, u0);
            J.at(a, b) = -(S(a, b) * along);
            J.at(n + a, b) = -fma(S(a, b), dot(y, u0), R(a, b) * along);
            J.at(a, n + b) = S(a, b) * dot(u1, pushed);
            J.at(n + a, n + b) = S(a, b) * dot(y, pushed);
          }
        });
      });
    }

   private:
    const VariationalSphere& scheme_;
    const Flat& u0_;
    Flat free_;  ///< y without multipliers
  };

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    const Problem problem(*this, now);
    Unknown x = (unit_.step * unit_.step) * now.extrapolation.next();
    typename Problem::Evaluation at;
    const Outcome<Scalar> outcome = newton<pivoting>(problem, x, settings_, active, at);
    next.z = at.u1;
    Scalar dissipated = Scalar(0.0);
    if constexpr (kick_first) {
      next.rate = unit_.per_step * at.w;
      if (any(dampers_)) dissipated = unit_.per_h * dot(at.y, vectors_.viscous(at.y));
    } else {
      Flat lost = times(inverse_, scaled(part<n, n>(x), at.y));
      unroll<n>([&](auto a) { lost[3 * a + 2] = lost[3 * a + 2] + fall_[a]; });
      if (any(dampers_)) {
        const Flat moved = at.u1 - now.z;
        lost = lost + times(inverse_, times(drag_, moved));
        dissipated = unit_.per_h * dot(moved, vectors_.viscous(moved));
      }
      next.own_rate = unit_.per_step * at.y;
      next.rate = unit_.per_step * (at.y - lost);  // (c)
    }
    next.extrapolation =
        now.extrapolation.followed_by((unit_.per_step * unit_.per_step) * x, now.started == Scalar(0.0));
    next.started = Scalar(1.0);
    return {outcome, dissipated, Scalar(0.0)};
  }

 private:
  LIVENS_HD typename Form::State state(const Flat& z, const Flat& rate) const {
    return {z, unit_.per_tau * vectors_.inertia.times(rate)};
  }
  /// B (x) I3 applied to the vectors.
  static LIVENS_HD Flat times(const Matrix& B, const Flat& x) {
    Flat r;
    unroll<n>([&](auto a) {
      Vec3<Scalar> sum = B(a, 0) * block<0>(x);
      unroll<n - 1>([&](auto b) { sum = fma(B(a, b + 1), block<b.value + 1>(x), sum); });
      set_block<a.value>(r, sum);
    });
    return r;
  }
  static LIVENS_HD Flat scaled(const Vec<Scalar, n>& by, const Flat& x) {
    Flat r;
    unroll<n>([&](auto a) { set_block<a.value>(r, by[a] * block<a.value>(x)); });
    return r;
  }
  static LIVENS_HD Matrix inverse_of(const DenseMatrix<Scalar, n>& B) {
    const Factored factors(B);
    Matrix r;
    unroll<n>([&](auto column) {
      Vec<Scalar, n> x = zero_vector<Scalar, n>();
      x[column] = Scalar(1.0);
      x = factors.solve(x);
      for (int row = 0; row < n; ++row) r(row, column) = x[row];
    });
    return r;
  }

  const System& system_;
  Form vectors_;
  TimeUnit<Scalar> unit_;
  const Settings& settings_;
  Vec<Scalar, n> mass_;              ///< what rows are divided by
  Matrix ratio_, drag_;              ///< A, h C
  Matrix inverse_, damped_inverse_;  ///< A^-1, and that of (a)
  Vec<Scalar, n> fall_;              ///< h^2 of the weights through the latter
  Mask<Scalar> dampers_;             ///< there are any: without them C is 0, and its terms change no bit
};

}  // namespace livens::inline LIVENS_ISA
