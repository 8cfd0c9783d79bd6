#pragma once
// The GGL energy-momentum scheme (ems.hpp), the classical GGL formulation (ggl_mp.hpp), and the Livens scheme
// with derivative = "invariants" (livens.hpp), for systems in vector form with uncoupled inertias I_b:
// unknowns are the momentum increments of the free vectors and two per unit vector; lambda and gamma have
// dropped out. equations/reduced.md, sections 1 to 3. Scaled unknowns: y = (h/I) x for a free vector,
// delta = h d/(2 I) for a unit vector u, in an orthonormal frame e1, e2 of its tangent plane;
// a = h/(2 I) (e.p0) + delta. F is the discrete gradient of V (ggl_mp: DV in the middle) plus the viscous
// force, spread over the vectors.
//   (a) free:  y + h^2/(2 I) F = 0,  z1 = z0 + (h/I) p0 + y,  p1 = p0 + 2 I y/h
//   (b) unit:  delta_i + a_i nu + h^2/(4 I) F.(e_i - a_i u0) = 0
//       u1 = u0 + w (a - a^2 u0),  w = 2/(1 + a^2)
//       ems, ggl_mp:  p1 = p0 + w [sum_i (d_i - a^2 pi_i - a_i (a.d)) e_i - (a.(pi + d) + a.d) u0],
//                     pi_i = e_i.p0,  d = 2 I delta/h,  nu = a.delta (ems), 0 (ggl_mp)
//       livens:       p1 = 2 I (u1 - u0)/h - p0, which has a part along u;  nu = h/(2 I) u0.p0
//   (c) F_k = Dbar f (s0 + s1) + eta (s1 - s0)/h for the spring with vector s_k(z) (spring.hpp);
//       ggl_mp: f' (s0 + s1), f' that of |s0 + s1|^2/4
//   (d) ggl_mp: h G_m^T gamma, without M^-1, moves u by w (a.delta)(u0 + a), and what the system has beside u
//       by coordinate_slip() times that
// A step carries tau p/I on, in a unit of time in which h is a power of two (vector_motion.hpp): 2 I/h undoes
// h/I to the last bit, and the energy of ems and livens is exact for any rounded constants. After each step
// |u|^2 - 1, and but for livens p.u, are removed, measured with two-product dots; that and the increments are
// what keeps their energy error of a long run a random walk.
//
// A Rule has info(), multipliers(system, h, n0, n1), and the scheme it is.

#include "kernels/forms/vectors/vector_motion.hpp"

namespace livens::inline LIVENS_ISA {

/// The scheme that a Rule of VectorMidpoint is.
enum class VectorScheme { ems, ggl_mp, livens };

template <UncoupledVectorSystem System_, class Rule>
class VectorMidpoint {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = VectorMidpoint<typename System::template Over<Other>, Rule>;
  using Form = typename System::Vectors;
  using State = typename Form::State;
  using Flat = Vec<Scalar, Form::size>;
  static constexpr int unknowns = Form::degrees_of_freedom;
  static constexpr const char* form = "reduced";
  static constexpr bool damped = true, compensated = true;
  static constexpr bool fixed_options = true;
  static constexpr const SchemeInfo& info() { return Rule::info(); }

  struct Carried {
    VectorMotion<Form> motion;
    Flat low_z, low_rate;  ///< low-order parts of compensated updates
  };

  LIVENS_HD VectorMidpoint(const System& system, const Scalar& h, const Settings& settings)
      : system_(system),
        vectors_(system.vector_form()),
        units_(vectors_, {h, settings}),
        h_(h),
        settings_(settings) {
    per_h_ = Scalar(1.0) / h;
    for (int b = 0; b < Form::blocks; ++b)
      force_scale_[b] =
          (b < Form::first_unit ? Scalar(0.5) : Scalar(0.25)) * h * h * vectors_.inertia.reciprocal[b];
    if constexpr (slips) slip_ = system.coordinate_slip();
  }

  LIVENS_HD Carried start(const NodeState<Scalar, System::coordinates>& n) const {
    return {units_.start(system_.to_vectors(n.q, n.p)), zero_vector<Scalar, Form::size>(),
            zero_vector<Scalar, Form::size>()};
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried, Measuring what) const {
    return measure_vectors(system_, vectors_, units_.without_drift(carried.motion), what,
                           [&] { return node(carried); });
  }
  LIVENS_HD NodeState<Scalar, System::coordinates> node(const Carried& carried) const {
    return system_.from_vectors(units_.state(carried.motion));
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  LIVENS_HD Multipliers<Scalar, System::constraints> multipliers(const Carried& before,
                                                                 const Carried& after) const {
    return Rule::multipliers(system_, h_, node(before), node(after));
  }

  /// Residuals (a), (b) and their Jacobian, at fixed z0, p0.
  class Problem {
   public:
    static constexpr bool register_pressure = true, exact_energy = Rule::info().exact_energy;
    static constexpr int unknowns = VectorMidpoint::unknowns;
    using Matrix = DenseMatrix<Scalar, unknowns>;
    using Unknown = Vec<Scalar, unknowns>;

    LIVENS_HD Problem(const VectorMidpoint& scheme, const Carried& now) : scheme_(scheme), now_(now.motion) {
      unroll<Form::springs>(
          [&](auto k) { s0_[k] = scheme.vectors_.template spring_vector<k.value>(now_.z); });
      unroll<Form::unit>([&](auto i) {
        constexpr int b = Form::first_unit + i.value;
        tangent_basis(block<b>(now_.z), e1_[i], e2_[i]);
        const Scalar half = Scalar(0.5) * scheme.units_.step();
        a1_[i] = half * dot(e1_[i], block<b>(now_.rate));
        a2_[i] = half * dot(e2_[i], block<b>(now_.rate));
        normal_[i] = half * dot(block<b>(now_.z), block<b>(now_.rate));
      });
    }

    LIVENS_HD const System& system() const { return scheme_.system_; }
    struct Evaluation {
      Unknown residual;
      Flat increment;  ///< z1 - z0
      Flat force;      ///< F
      Vec3<Scalar> s1[Form::spring_slots];
      Scalar slope[Form::spring_slots];  ///< f' of F: the mean, or that in the middle
    };

    /// nu of (b).
    LIVENS_HD Scalar normal(int u, const Unknown& x) const {
      if constexpr (slips) return Scalar(0.0);
      if constexpr (!tangent) return normal_[u];
      return rise(u, x);
    }
    /// a.delta.
    LIVENS_HD Scalar rise(int u, const Unknown& x) const {
      const int n = unit_index(u);
      return fma(a1_[u] + x[n], x[n], (a2_[u] + x[n + 1]) * x[n + 1]);
    }
    /// What (d) moves unit vector U by.
    template <int U>
    LIVENS_HD Vec3<Scalar> slip(const SphereStep<Scalar>& step, const Unknown& x) const {
      return (step.w * rise(U, x)) * (step.u0 + step.a);
    }
    /// Its derivative by a_j.
    template <int U, int J>
    LIVENS_HD Vec3<Scalar> slip_slope(const SphereStep<Scalar>& step, const Unknown& x) const {
      const Scalar a = J == 0 ? step.a1 : step.a2, along = step.w * rise(U, x);
      return fma(step.w * fnma(a, along, a + x[unit_index(U) + J]), step.u0 + step.a,
                 along * (J == 0 ? step.e1 : step.e2));
    }
    static constexpr int free_index(int f) { return 3 * f; }
    static constexpr int unit_index(int u) { return 3 * Form::free + 2 * u; }

    LIVENS_HD SphereStep<Scalar> sphere_step(int u, const Vec3<Scalar>& u0, const Unknown& x) const {
      const int n = unit_index(u);
      return SphereStep<Scalar>(u0, e1_[u], e2_[u], a1_[u] + x[n], a2_[u] + x[n + 1]);
    }

    LIVENS_HD Evaluation evaluate(const Unknown& x) const {
      Evaluation at;
      const auto& form = scheme_.vectors_;
      at.increment = zero_vector<Scalar, Form::size>();
      unroll<Form::free>([&](auto f) {
        constexpr int b = Form::first_free + f.value;
        set_block<b>(at.increment,
                     fma(scheme_.units_.step(), block<b>(now_.rate), part<free_index(f.value), 3>(x)));
      });
      unroll<Form::unit>([&](auto u) {
        constexpr int b = Form::first_unit + u.value;
        const SphereStep<Scalar> step = sphere_step(u, block<b>(now_.z), x);
        set_block<b>(at.increment, step.increment);
        if constexpr (slips) {
          const Vec3<Scalar> moved = slip<u.value>(step, x);
          unroll<Form::first_unit>([&](auto other) {
            set_block<other.value>(at.increment,
                                   fma(scheme_.slip_(other, u), moved, block<other.value>(at.increment)));
          });
        }
      });
      at.force = form.weights();
      unroll<Form::springs>([&](auto k) {
        const auto& spring = form.spring[k];
        const Vec3<Scalar> ds = form.template spring_vector<k.value>(at.increment);
        at.s1[k] = s0_[k] + ds;
        if constexpr (slips)
          at.slope[k] = spring.slope(Scalar(0.5) * (s0_[k] + at.s1[k]));
        else
          at.slope[k] = spring.mean_slope(s0_[k], at.s1[k]);
        const Vec3<Scalar> F = fma(spring.viscosity * scheme_.per_h_, ds, at.slope[k] * (s0_[k] + at.s1[k]));
        form.template spread<k.value>(F, at.force);
      });
      unroll<Form::free>([&](auto f) {
        constexpr int b = Form::first_free + f.value;
        set_part<free_index(f.value)>(at.residual, fma(scheme_.force_scale_[b], block<b>(at.force),
                                                       part<free_index(f.value), 3>(x)));  // (a)
      });
      unroll<Form::unit>([&](auto u) {
        constexpr int b = Form::first_unit + u.value, n = unit_index(u.value);
        const Scalar a1 = a1_[u] + x[n], a2 = a2_[u] + x[n + 1];
        const Vec3<Scalar> F = scheme_.force_scale_[b] * block<b>(at.force);
        const Scalar along = normal(u, x) - dot(F, block<b>(now_.z));
        at.residual[n] = fma(a1, along, x[n] + dot(F, e1_[u]));  // (b)
        at.residual[n + 1] = fma(a2, along, x[n + 1] + dot(F, e2_[u]));
      });
      return at;
    }

    /// Derivatives of (a), (b). With K_k = dF_k/ds1 = (Dbar f + eta/h) I + 2 (d Dbar f/d sigma1) (s0 + s1) (x) s1
    /// (ggl_mp: (f' + eta/h) I + f'' (s0 + s1) (x) (s0 + s1)/2), every spring adds a multiple of the identity between its vectors and one
    /// product (column of left factors) x (row of right factors). E_i = e_i - a_i u0 (left), t_j = du1/da_j
    /// (right); on one vector E_i.t_j = w delta_ij. (d) adds to what t_j moves.
    LIVENS_HD void jacobian(const Unknown& x, const Evaluation& at, Matrix& J) const {
      const auto& form = scheme_.vectors_;
      Mat<Scalar, Form::blocks, Form::blocks> stiffness;
      unroll<Form::blocks - Form::first_free>([&](auto i) {
        unroll<Form::blocks - Form::first_free>([&](auto j) {
          constexpr int a = Form::first_free + i.value, b = Form::first_free + j.value;
          if constexpr (a <= b) {
            Scalar sum = Scalar(0.0);
            unroll<Form::springs>([&](auto k) {
              const Scalar multiple = fma(form.spring[k].viscosity, scheme_.per_h_, at.slope[k]);
              sum = fma(multiple, form.coefficient(k, a) * form.coefficient(k, b), sum);
            });
            stiffness(a, b) = sum;
            stiffness(b, a) = sum;
          }
        });
      });

      Vec3<Scalar> left[2 * Form::unit], right[2 * Form::unit], aside[2 * Form::unit];
      Scalar w[Form::unit];
      unroll<Form::unit>([&](auto u) {
        constexpr int b = Form::first_unit + u.value;
        const SphereStep<Scalar> step = sphere_step(u, block<b>(now_.z), x);
        left[2 * u] = fnma(step.a1, step.u0, e1_[u]);
        left[2 * u + 1] = fnma(step.a2, step.u0, e2_[u]);
        step.tangents(right[2 * u], right[2 * u + 1]);
        w[u] = step.w;
        if constexpr (slips) {
          aside[2 * u] = slip_slope<u.value, 0>(step, x);
          aside[2 * u + 1] = slip_slope<u.value, 1>(step, x);
        }
      });
      // The sum over what unit vector u has beside it of its slip times by(b).
      const auto beside = [&](auto u, auto&& by) {
        Scalar sum = Scalar(0.0);
        unroll<Form::free>([&](auto f) {
          constexpr int b = Form::first_free + f.value;
          sum = fma(scheme_.slip_(b, u), by(b), sum);
        });
        return sum;
      };

      unroll<Form::free>([&](auto f) {
        unroll<Form::free>([&](auto g) {
          constexpr int a = Form::first_free + f.value, b = Form::first_free + g.value;
          const Scalar entry = scheme_.force_scale_[a] * stiffness(a, b);
          unroll<3>([&](auto i) {
            unroll<3>([&](auto j) {
              J.at(free_index(f) + i, free_index(g) + j) =
                  i.value != j.value ? Scalar(0.0) : (a == b ? Scalar(1.0) + entry : entry);
            });
          });
        });
        unroll<Form::unit>([&](auto u) {
          constexpr int a = Form::first_free + f.value, b = Form::first_unit + u.value;
          const Scalar upper = scheme_.force_scale_[a] * stiffness(a, b);
          const Scalar lower = scheme_.force_scale_[b] * stiffness(b, a);
          unroll<3>([&](auto i) {
            unroll<2>([&](auto j) {
              J.at(free_index(f) + i, unit_index(u) + j) = upper * right[2 * u + j][i];
              J.at(unit_index(u) + j, free_index(f) + i) = lower * left[2 * u + j][i];
            });
          });
          if constexpr (slips) {
            const Scalar entry =
                scheme_.force_scale_[a] * beside(u, [&](int other) { return stiffness(a, other); });
            unroll<3>([&](auto i) {
              unroll<2>([&](auto j) {
                Scalar& upper_entry = J.at(free_index(f) + i, unit_index(u) + j);
                upper_entry = fma(entry, aside[2 * u + j][i], upper_entry);
              });
            });
          }
        });
      });
      unroll<Form::unit>([&](auto u) {
        unroll<Form::unit>([&](auto t) {
          constexpr int a = Form::first_unit + u.value, b = Form::first_unit + t.value;
          const Scalar entry = scheme_.force_scale_[a] * stiffness(a, b);
          constexpr int n = unit_index(u.value), k = unit_index(t.value);
          if constexpr (a == b) {
            const Scalar diagonal = fma(entry, w[u], Scalar(1.0)) + normal(u, x) -
                                    scheme_.force_scale_[a] * dot(block<a>(at.force), block<a>(now_.z));
            if constexpr (tangent && !slips) {
              const Scalar a1 = a1_[u] + x[n], a2 = a2_[u] + x[n + 1];
              J.at(n, n) = fma(a1, a1 + x[n], diagonal);
              J.at(n, n + 1) = a1 * (a2 + x[n + 1]);
              J.at(n + 1, n) = a2 * (a1 + x[n]);
              J.at(n + 1, n + 1) = fma(a2, a2 + x[n + 1], diagonal);
            } else {
              J.at(n, n) = diagonal;
              J.at(n, n + 1) = Scalar(0.0);
              J.at(n + 1, n) = Scalar(0.0);
              J.at(n + 1, n + 1) = diagonal;
            }
          } else {
            unroll<2>([&](auto i) {
              unroll<2>([&](auto j) { J.at(n + i, k + j) = entry * dot(left[2 * u + i], right[2 * t + j]); });
            });
          }
          if constexpr (slips) {
            const Scalar moved =
                scheme_.force_scale_[a] * beside(t, [&](int other) { return stiffness(a, other); });
            unroll<2>([&](auto i) {
              unroll<2>([&](auto j) {
                J.at(n + i, k + j) = fma(moved, dot(left[2 * u + i], aside[2 * t + j]), J.at(n + i, k + j));
              });
            });
          }
        });
      });

      unroll<Form::springs>([&](auto k) {
        const auto& spring = form.spring[k];
        const Vec3<Scalar> ends = s0_[k] + at.s1[k], middle = Scalar(0.5) * ends;
        // The derivative by s1 of |s_m|^2, or of (sigma0 + sigma1)/2.
        const Vec3<Scalar> by_end = slips ? middle : at.s1[k];
        const Scalar curvature = slips ? spring.curvature(middle) : spring.mean_curvature(s0_[k], at.s1[k]);
        const Vec3<Scalar> sum = curvature * ends;
        Unknown column, row;
        unroll<Form::free>([&](auto f) {
          constexpr int b = Form::first_free + f.value;
          const Scalar c = form.coefficient(k, b);
          unroll<3>([&](auto i) {
            column[free_index(f) + i] = scheme_.force_scale_[b] * c * sum[i];
            row[free_index(f) + i] = c * by_end[i];
          });
        });
        unroll<Form::unit>([&](auto u) {
          constexpr int b = Form::first_unit + u.value;
          const Scalar c = form.coefficient(k, b);
          const Scalar scaled = scheme_.force_scale_[b] * c;
          unroll<2>([&](auto i) {
            column[unit_index(u) + i] = scaled * dot(left[2 * u + i], sum);
            row[unit_index(u) + i] = c * dot(by_end, right[2 * u + i]);
          });
          if constexpr (slips) {
            const Scalar moved = beside(u, [&](int other) { return form.coefficient(k, other); });
            unroll<2>([&](auto i) {
              Scalar& entry = row[unit_index(u) + i];
              entry = fma(moved, dot(by_end, aside[2 * u + i]), entry);
            });
          }
        });
        unroll<unknowns>([&](auto i) {
          unroll<unknowns>([&](auto j) { J.at(i, j) = fma(column[i], row[j], J.at(i, j)); });
        });
      });
    }

   private:
    friend class VectorMidpoint;
    const VectorMidpoint& scheme_;
    const VectorMotion<Form>& now_;
    Vec3<Scalar> s0_[Form::spring_slots];
    Vec3<Scalar> e1_[Form::unit], e2_[Form::unit];
    Scalar a1_[Form::unit], a2_[Form::unit], normal_[Form::unit];
  };

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    const Problem problem(*this, now);
    Vec<Scalar, unknowns> x = zero_vector<Scalar, unknowns>();
    const Outcome<Scalar> outcome = newton<pivoting>(problem, x, settings_, active);
    return {outcome, advance(problem, x, now, next), Scalar(0.0)};
  }

 private:
  /// Applies the increments x; returns what the viscous elements dissipated.
  LIVENS_HD Scalar advance(const Problem& problem, const Vec<Scalar, unknowns>& x, const Carried& now,
                           Carried& next) const {
    const auto &z = now.motion.z, &rate = now.motion.rate;
    const Scalar step = units_.step(), twice_per_step = Scalar(2.0) * units_.per_step();
    Flat dz = zero_vector<Scalar, Form::size>(), change = dz;
    unroll<Form::free>([&](auto f) {
      constexpr int b = Form::first_free + f.value;
      const auto y = part<Problem::free_index(f.value), 3>(x);
      set_block<b>(dz, fma(step, block<b>(rate), y));
      set_block<b>(change, twice_per_step * y);
    });
    unroll<Form::unit>([&](auto u) {
      constexpr int b = Form::first_unit + u.value, n = Problem::unit_index(u.value);
      const SphereStep<Scalar> turn = problem.sphere_step(u, block<b>(z), x);
      set_block<b>(dz, turn.increment);
      if constexpr (slips) {
        const Vec3<Scalar> moved = problem.template slip<u.value>(turn, x);
        unroll<Form::first_unit>([&](auto other) {
          set_block<other.value>(dz, fma(slip_(other, u), moved, block<other.value>(dz)));
        });
      }
      if constexpr (!tangent) {
        set_block<b>(change, fma(twice_per_step, turn.increment, Scalar(-2.0) * block<b>(rate)));
        return;
      }
      const Scalar a_delta = fma(turn.a1, x[n], turn.a2 * x[n + 1]);
      // In units of 2 I/h: pi_i -> a_i at delta = 0, d_i -> delta_i, and pi + d -> a.
      const Scalar c1 = fnma(turn.a_squared, problem.a1_[u], fnma(turn.a1, a_delta, x[n]));
      const Scalar c2 = fnma(turn.a_squared, problem.a2_[u], fnma(turn.a2, a_delta, x[n + 1]));
      const Scalar normal = turn.a_squared + a_delta;
      const Scalar scale = twice_per_step * turn.w;
      set_block<b>(change, scale * fnma(normal, turn.u0, fma(c1, turn.e1, c2 * turn.e2)));
    });
    next = now;
    next.motion.elapsed = now.motion.elapsed + step;
    accumulate(next.motion.z, next.low_z, dz, settings_.compensated);
    accumulate(next.motion.rate, next.low_rate, change, settings_.compensated);
    unroll<Form::unit>([&](auto u) { project<Form::first_unit + u.value>(next); });

    Scalar dissipated = Scalar(0.0);
    unroll<Form::springs>([&](auto k) {
      const Vec3<Scalar> ds = vectors_.template spring_vector<k.value>(dz);
      dissipated = fma(vectors_.spring[k].viscosity * per_h_, dot(ds, ds), dissipated);
    });
    return dissipated;
  }

  /// Removes what rounding has left of |u|^2 - 1 and, where it should be zero, of p.u.
  template <int B>
  LIVENS_HD void project(Carried& carried) const {
    Vec3<Scalar> u = block<B>(carried.motion.z), rate = block<B>(carried.motion.rate);
    Vec3<Scalar> low_u = block<B>(carried.low_z), low_rate = block<B>(carried.low_rate);
    // The low part beside -1 would be rounded, and to a finer grid on one side of it than on the other.
    const Scalar excess = fma(Scalar(2.0), dot(u, low_u), accurate_dot(u, u, Scalar(-1.0)));
    accumulate(u, low_u, (Scalar(-0.5) * excess) * u, settings_.compensated);
    if constexpr (tangent) {
      const Scalar radial = accurate_dot(u, rate, dot(low_u, rate) + dot(u, low_rate));
      accumulate(rate, low_rate, -radial * u, settings_.compensated);
    }
    set_block<B>(carried.motion.z, u);
    set_block<B>(carried.motion.rate, rate);
    set_block<B>(carried.low_z, low_u);
    set_block<B>(carried.low_rate, low_rate);
  }

  /// Momenta are tangential at the nodes; (d) applies, nu is zero, and F is that of the middle.
  static constexpr bool tangent = Rule::scheme != VectorScheme::livens;
  static constexpr bool slips = Rule::scheme == VectorScheme::ggl_mp;

  const System& system_;
  Form vectors_;
  MotionUnits<Form> units_;
  Scalar h_, per_h_;
  const Settings& settings_;
  Vec<Scalar, Form::blocks> force_scale_;
  using Slip = Mat<Scalar, Form::first_unit, Form::unit>;
  [[no_unique_address]] std::conditional_t<slips, Slip, Vec<Scalar, 0>> slip_;  ///< coordinate_slip()
};

}  // namespace livens::inline LIVENS_ISA
