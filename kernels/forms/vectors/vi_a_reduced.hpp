#pragma once
// VI-A with alpha = 1/2 (vi_a.hpp) with the fewest unknowns, for uncoupled vectors in space with inertias I.
// equations/reduced.md, section 1. The middle z_m of the step is on g = 0, the ends are not: unknowns are
// y = Dz - h p0/I of a free vector and the Cayley step a that leads from the middle u of the step before to
// u_m. F is DV(z_m) and the viscous force of Dz/h, spread over the vectors.
//   (a) free:  y + h^2/(2 I) F = 0,  p1 = p0 + 2 I y/h
//   (b) unit:  T_i.b = 0 for two tangents T_i = e_i - a_i (u + u_m) at u_m,
//       b = (2 - z0.u_m) z0 + k,  k = h/(2 I) p0 - h^2/(4 I) F
//       p1 = 2 I v - p0,  v = (2/h) (k - (k.u_m) u_m)/(2 - z0.u_m)
// v is the tangential part of Dz/h, -(2/h) (z0 - (z0.u_m) u_m), with T_i.b = 0 put in: that difference of
// vectors of length one would leave 2 eps/h in v, while with k the rounding of v is that of v, and the torque
// of F on all vectors together is zero whatever Newton's method leaves of (b). A step carries tau p/I on, in
// a unit of time in which h is a power of two (vector_motion.hpp). (b) is N_m^T (p1 - p0 + h F) - h DN[v]^T r
// with gamma, I (Dz/h - v) = gamma u_m, put in; times -1/2.

#include "kernels/forms/vectors/vector_motion.hpp"
#include "kernels/schemes/reorthonormalized.hpp"
#include "kernels/schemes/vi_a.hpp"

namespace livens::inline LIVENS_ISA {

template <UncoupledVectorSystem System_>
class ViAReduced {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = ViAReduced<typename System::template Over<Other>>;
  using Form = typename System::Vectors;
  using State = typename Form::State;
  using Flat = typename Form::Flat;
  static constexpr int unknowns = Form::degrees_of_freedom;
  static constexpr const char* form = "reduced";
  static constexpr bool damped = true, compensated = false, fixed_options = true;
  static constexpr const SchemeInfo& info() { return ViADescription::info; }

  struct Carried {
    VectorMotion<Form> motion;
    Flat stage;  ///< the z_m that led here
  };

  LIVENS_HD ViAReduced(const System& system, const Scalar& h, const Settings& settings)
      : system_(system),
        vectors_(system.vector_form()),
        units_(vectors_, {h, settings}),
        h_(h),
        per_h_(Scalar(1.0) / h),
        settings_(settings) {
    for (int b = 0; b < Form::blocks; ++b)
      force_scale_[b] =
          (b < Form::first_unit ? Scalar(0.5) : Scalar(0.125)) * h * h * vectors_.inertia.reciprocal[b];
  }

  LIVENS_HD Carried start(const NodeState<Scalar, System::coordinates>& n) const {
    Carried r;
    r.motion = units_.start(system_.to_vectors(n.q, n.p));
    r.stage = r.motion.z;
    return r;
  }
  LIVENS_HD NodeState<Scalar, System::coordinates> node(const Carried& carried) const {
    return system_.from_vectors(units_.state(carried.motion));
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried, Measuring what) const {
    return measure_vectors(system_, vectors_, units_.without_drift(carried.motion), what,
                           [&] { return node(carried); });
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  LIVENS_HD Multipliers<Scalar, System::constraints> multipliers(const Carried& before,
                                                                 const Carried& after) const {
    return vi_a_multipliers(system_, h_, node(before), node(after));
  }

  class Problem {
   public:
    static constexpr bool register_pressure = true;
    static constexpr int unknowns = ViAReduced::unknowns;
    using Matrix = DenseMatrix<Scalar, unknowns>;
    using Unknown = Vec<Scalar, unknowns>;
    static constexpr int free_index(int f) { return 3 * f; }
    static constexpr int unit_index(int u) { return 3 * Form::free + 2 * u; }

    LIVENS_HD Problem(const ViAReduced& scheme, const Carried& now) : scheme_(scheme), now_(now) {
      unroll<Form::springs>(
          [&](auto k) { s0_[k] = scheme.vectors_.template spring_vector<k.value>(now.motion.z); });
      unroll<Form::unit>([&](auto u) {
        tangent_basis(block<Form::first_unit + u.value>(now.stage), e_[2 * u], e_[2 * u + 1]);
      });
    }

    LIVENS_HD const System& system() const { return scheme_.system_; }
    struct Evaluation {
      Unknown residual;
      Flat z_m;
      Vec3<Scalar> s_m[Form::spring_slots];
      Vec3<Scalar> T[2 * Form::unit], b[Form::unit], k[Form::unit];
      Scalar w[Form::unit];
    };

    LIVENS_HD Evaluation evaluate(const Unknown& x) const {
      const Scalar half = Scalar(0.5), two = Scalar(2.0);
      const auto& form = scheme_.vectors_;
      const auto &z0 = now_.motion.z, &rate0 = now_.motion.rate;
      const Scalar step = scheme_.units_.step();
      Evaluation at;
      at.z_m = z0;
      unroll<Form::free>([&](auto f) {
        constexpr int b = Form::first_free + f.value;
        const auto Dz = fma(step, block<b>(rate0), part<free_index(f.value), 3>(x));
        set_block<b>(at.z_m, fma(half, Dz, block<b>(z0)));
      });
      unroll<Form::unit>([&](auto u) {
        constexpr int b = Form::first_unit + u.value, n = unit_index(u.value);
        const Vec3<Scalar> before = block<b>(now_.stage);
        const SphereStep<Scalar> turn(before, e_[2 * u], e_[2 * u + 1], x[n], x[n + 1]);
        const Vec3<Scalar> u_m = before + turn.increment;
        set_block<b>(at.z_m, u_m);
        at.w[u] = turn.w;
        for (int i = 0; i < 2; ++i) at.T[2 * u + i] = fnma(x[n + i], before + u_m, e_[2 * u + i]);
      });
      Flat force = form.weights();
      unroll<Form::springs>([&](auto k) {
        const auto& spring = form.spring[k];
        at.s_m[k] = form.template spring_vector<k.value>(at.z_m);
        const Vec3<Scalar> F =
            fma(two * spring.viscosity * scheme_.per_h_, at.s_m[k] - s0_[k], spring.gradient(at.s_m[k]));
        form.template spread<k.value>(F, force);
      });
      unroll<Form::free>([&](auto f) {
        constexpr int b = Form::first_free + f.value;
        set_part<free_index(f.value)>(at.residual, fma(scheme_.force_scale_[b], block<b>(force),
                                                       part<free_index(f.value), 3>(x)));  // (a)
      });
      unroll<Form::unit>([&](auto u) {
        constexpr int b = Form::first_unit + u.value;
        const Vec3<Scalar> z = block<b>(z0);
        at.k[u] = fnma(two * scheme_.force_scale_[b], block<b>(force), (half * step) * block<b>(rate0));
        at.b[u] = fma(two - dot(z, block<b>(at.z_m)), z, at.k[u]);
        for (int i = 0; i < 2; ++i)
          at.residual[unit_index(u) + i] = Scalar(-0.5) * dot(at.T[2 * u + i], at.b[u]);  // (b)
      });
      return at;
    }

    /// Row n pulls its vector along left_n, column m moves its vector along right_m: T_i and w T_j for unit
    /// vectors, an axis and half of it for free ones. Spring k adds left.[(2 f' + 2 eta/h) I + 4 f'' s (x) s]
    /// right between the vectors it joins.
    LIVENS_HD void jacobian(const Unknown& x, const Evaluation& at, Matrix& J) const {
      const Scalar half = Scalar(0.5), one = Scalar(1.0);
      const auto& form = scheme_.vectors_;
      Vec3<Scalar> left[unknowns], right[unknowns];
      unroll<unknowns>([&](auto n) {
        if constexpr (n.value < unit_index(0)) {
          left[n] = zero_vector<Scalar, 3>();
          left[n][n.value % 3] = one;
          right[n] = half * left[n];
        } else {
          left[n] = at.T[n.value - unit_index(0)];
          right[n] = at.w[(n.value - unit_index(0)) / 2] * left[n];
        }
      });
      Mat<Scalar, Form::blocks, Form::blocks> multiple;
      Unknown pull[Form::spring_slots], move[Form::spring_slots];
      unroll<Form::blocks - Form::first_free>([&](auto i) {
        unroll<Form::blocks - Form::first_free>([&](auto j) {
          constexpr int a = Form::first_free + i.value, b = Form::first_free + j.value;
          Scalar sum = Scalar(0.0);
          unroll<Form::springs>([&](auto k) {
            const auto& spring = form.spring[k];
            const Scalar isotropic =
                Scalar(2.0) * fma(spring.viscosity, scheme_.per_h_, spring.slope(at.s_m[k]));
            sum = fma(isotropic, form.coefficient(k, a) * form.coefficient(k, b), sum);
          });
          multiple(a, b) = sum;
        });
      });
      unroll<Form::springs>([&](auto k) {
        unroll<unknowns>([&](auto n) {
          constexpr int b = owner(n.value);
          const Scalar c = form.coefficient(k, b);
          pull[k][n] = (Scalar(4.0) * form.spring[k].curvature(at.s_m[k]) * scheme_.force_scale_[b] * c) *
                       dot(left[n], at.s_m[k]);
          move[k][n] = c * dot(at.s_m[k], right[n]);
        });
      });
      unroll<unknowns>([&](auto n) {
        unroll<unknowns>([&](auto l) {
          constexpr int a = owner(n.value), b = owner(l.value);
          Scalar entry = scheme_.force_scale_[a] * multiple(a, b) * dot(left[n], right[l]);
          unroll<Form::springs>([&](auto k) { entry = fma(pull[k][n], move[k][l], entry); });
          if constexpr (n.value < unit_index(0)) {
            if constexpr (n.value == l.value) entry = entry + one;
          } else if constexpr (a == b) {
            constexpr int u = a - Form::first_unit;
            const Vec3<Scalar> z = block<a>(now_.motion.z);
            entry = entry + half * fma(dot(left[n], z), dot(z, right[l]), x[n] * dot(right[l], at.b[u]));
            if constexpr (n.value == l.value)
              entry = fma(half, dot(block<a>(now_.stage) + block<a>(at.z_m), at.b[u]), entry);
          }
          J.at(n, l) = entry;
        });
      });
    }

    /// The first guess: a step along the velocity at the node.
    LIVENS_HD Unknown guess() const {
      Unknown x = zero_vector<Scalar, unknowns>();
      unroll<Form::unit>([&](auto u) {
        constexpr int b = Form::first_unit + u.value;
        const Vec3<Scalar> half_step = (Scalar(0.5) * scheme_.units_.step()) * block<b>(now_.motion.rate);
        for (int i = 0; i < 2; ++i) x[unit_index(u) + i] = dot(e_[2 * u + i], half_step);
      });
      return x;
    }

   private:
    static constexpr int owner(int n) {
      return n < unit_index(0) ? Form::first_free + n / 3 : Form::first_unit + (n - unit_index(0)) / 2;
    }
    const ViAReduced& scheme_;
    const Carried& now_;
    Vec3<Scalar> s0_[Form::spring_slots];
    Vec3<Scalar> e_[2 * Form::unit];  ///< tangents at the middle of the step before
  };

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    const Problem problem(*this, now);
    auto x = problem.guess();
    const Outcome<Scalar> outcome = newton<pivoting>(problem, x, settings_, active);
    const auto at = problem.evaluate(x);
    const auto &z0 = now.motion.z, &rate0 = now.motion.rate;
    const Scalar step = units_.step(), twice_per_step = Scalar(2.0) * units_.per_step();
    next.stage = at.z_m;
    units_.drift(now.motion, next.motion);
    unroll<Form::free>([&](auto f) {
      constexpr int b = Form::first_free + f.value;
      const auto y = part<Problem::free_index(f.value), 3>(x);
      set_block<b>(next.motion.z, block<b>(z0) + fma(step, block<b>(rate0), y));
      set_block<b>(next.motion.rate, fma(twice_per_step, y, block<b>(rate0)));
    });
    unroll<Form::unit>([&](auto u) {
      constexpr int b = Form::first_unit + u.value;
      const Vec3<Scalar> z = block<b>(z0), u_m = block<b>(at.z_m);
      set_block<b>(next.motion.z, u_m + (u_m - z));
      const Vec3<Scalar> tangential = fnma(dot(at.k[u], u_m), u_m, at.k[u]);
      const Scalar per_mean = Scalar(2.0) * twice_per_step / (Scalar(2.0) - dot(z, u_m));
      set_block<b>(next.motion.rate, fma(per_mean, tangential, Scalar(-1.0) * block<b>(rate0)));
      restore_length<b, 3>(next.stage);
    });
    const Flat Dz = next.motion.z - z0;
    return {outcome, per_h_ * dot(Dz, vectors_.viscous(Dz)), Scalar(0.0)};
  }

 private:
  const System& system_;
  Form vectors_;
  MotionUnits<Form> units_;
  Scalar h_, per_h_;
  const Settings& settings_;
  Vec<Scalar, Form::blocks> force_scale_;
};

}  // namespace livens::inline LIVENS_ISA
