#pragma once
// The midpoint schemes for unit vectors in space, under their weights, whose inertias A and drag C couple
// them: two unknowns each and no multipliers. equations/reduced.md, section 1. A step a leads from u, in
// the axes of unit_axes.hpp, to the end of the step (vi_a: from the z_m of the step before to z_m), and
//   (a) L_i.P = 0,  P = A y + h/2 C Dz + h^2/2 F + w (Dz - k),  y = h (v1 - v0)/2 = Dz - h v0 - k
//   (b) a_i = h/2 e_i.v0 + delta_i, so that Dz - h v0 = 2 delta - rho |a|^2 m - (h v0.u) u but in vi_a
//                 k                                          w       L_i                  line
//       livens    0                                          0       e_i - a_i u
//       ggl_mp    c m, c = rho a.delta                       0       e_i - a_i u
//       ems       A^-1 g m,   u1.k = rho a.delta             g/rho   e_i - a_i u          m
//       vi_a      A^-1 g u_m, u_m.k = u_m.Dz                 g/2     e_i - a_i rho m      u_m
//       vi_a: Dz = 2 (u_m - z0)
// k = h A^-1 G_m^T gamma (ggl_mp: h G_m^T gamma). Rows are divided by a power of two from A_aa to 2 A_aa, so
// that they are halves of angles or more, and A stays symmetric to the last bit. A step carries tau v on, in
// a unit of time in which h is a power of two (time_unit.hpp), and what rounding leaves of |u|^2 - 1, and of
// u.v where it should be zero, is removed. Newton starts from the delta that the three steps before lead to.
// What it leaves of (a), r_i, is taken from the velocity: with A y less by sum r_i e_i, (a) is zero again,
// and the energy of ems and livens is off by 2/h^2 y.r in place of 2/h^2 Dz.r, |y| being some h/s times |Dz|.
//
// A Rule has info(), multipliers(system, h, n0, n1), bool at_stage (vi_a), and `slip`.

#include "kernels/forms/spheres/unit_axes.hpp"
#include "kernels/schemes/extrapolation.hpp"
#include "kernels/schemes/reorthonormalized.hpp"
#include "kernels/schemes/time_unit.hpp"

namespace livens::inline LIVENS_ISA {

/// k of (b): none, each vector's own, or coupled by A^-1.
enum class Slip { none, own, coupled };

template <SphereSystem System_, class Rule>
class SphereForm {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = SphereForm<typename System::template Over<Other>, Rule>;
  using Form = typename System::Vectors;
  using Flat = typename Form::Flat;
  static constexpr int d = System::coordinates, m = System::constraints, n = Form::unit, unknowns = 2 * n;
  using Unknown = Vec<Scalar, unknowns>;
  static constexpr const char* form = "reduced";
  static constexpr bool damped = true, compensated = false, fixed_options = Rule::at_stage;
  static constexpr bool coupled = Rule::slip == Slip::coupled, at_stage = Rule::at_stage;
  static constexpr const SchemeInfo& info() { return Rule::info(); }

  struct AtNode {
    Flat z, rate;                                               ///< rate: tau v
    Extrapolation<Scalar, Form::size, at_stage> extrapolation;  ///< delta in space, over (h/tau)^2
  };
  struct AtStage : AtNode {
    Flat stage;  ///< the z_m that led here
  };
  using Carried = std::conditional_t<at_stage, AtStage, AtNode>;

  LIVENS_HD SphereForm(const System& system, const Scalar& h, const Settings& settings)
      : system_(system), vectors_(system.vector_form()), unit_(h, settings), settings_(settings) {
    const Scalar half = Scalar(0.5);
    for (int a = 0; a < n; ++a) {
      per_mass_[a] = power_of_two_below(Scalar(1.0) / vectors_.inertia.mass(a, a));
      row_mass_[a] = Scalar(1.0) / per_mass_[a];
      weight_[a] = half * h * h * per_mass_[a] * vectors_.weight[a];
      for (int b = 0; b < n; ++b) {
        mass_(a, b) = per_mass_[a] * vectors_.inertia.mass(a, b);
        drag_(a, b) = per_mass_[a] * (half * h * vectors_.drag(a, b));
      }
    }
  }

  LIVENS_HD Carried start(const NodeState<Scalar, d>& node) const {
    const auto state = system_.to_vectors(node.q, node.p);
    Carried r;
    r.z = state.z;
    r.rate = unit_.tau * vectors_.inertia.solve(state.p);
    r.extrapolation = r.extrapolation.always(zero_vector<Scalar, Form::size>());
    if constexpr (at_stage) r.stage = r.z;
    return r;
  }
  LIVENS_HD NodeState<Scalar, d> node(const Carried& carried) const {
    return system_.from_vectors(state(carried));
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried, Measuring what) const {
    return measure_vectors<System::momentum_maps>(vectors_, state(carried), what);
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  LIVENS_HD Multipliers<Scalar, m> multipliers(const Carried& before, const Carried& after) const {
    return Rule::multipliers(system_, unit_.h, node(before), node(after));
  }

  class Problem {
   public:
    static constexpr bool register_pressure = true, exact_energy = Rule::info().exact_energy;
    static constexpr int unknowns = SphereForm::unknowns;
    using Matrix = DenseMatrix<Scalar, unknowns>;
    using Pair = Vec<Scalar, 2>;

    LIVENS_HD Problem(const SphereForm& scheme, const Carried& now) : scheme_(scheme), axes_(base(now)) {
      unroll<n>([&](auto i) {
        constexpr int b = i.value;
        start_[b] = scheme.unit_.step * axes_.template local<b>(block<b>(now.rate));
        weight_[b] = scheme.weight_[b] * axes_.template upward<b>();
        if constexpr (at_stage)
          behind_[b] = Scalar(2.0) * axes_.template local<b>(block<b>(now.stage) - block<b>(now.z));
      });
    }

    LIVENS_HD const System& system() const { return scheme_.system_; }
    struct Evaluation {
      Unknown residual;
      Turn<Scalar> turn[n];
      Vec3<Scalar> moved[n], change[n];  ///< Dz and y
      Vec3<Scalar> pull[n];              ///< P, but for the A k in it
      Vec3<Scalar> slip[n];              ///< k
      Vec<Scalar, n> force, w;           ///< g, w
      DenseMatrix<Scalar, n> between;    ///< (end.A^-1 line) g = the right sides of (b)
    };

    LIVENS_HD Evaluation evaluate(const Unknown& delta) const {
      Evaluation at;
      unroll<n>([&](auto i) {
        constexpr int b = i.value;
        const Pair own = part<2 * b, 2>(delta);
        const Scalar half = Scalar(0.5);
        const Turn<Scalar> turn(fma(half, start_[b][0], own[0]), fma(half, start_[b][1], own[1]));
        at.turn[b] = turn;
        at.moved[b] = turn.increment();
        if constexpr (at_stage) {
          at.moved[b] = fma(Scalar(2.0), at.moved[b], behind_[b]);
          at.change[b] = at.moved[b] - start_[b];
        } else {
          at.change[b] = turn.short_of(Scalar(2.0) * own, -start_[b][2]);
        }
        if constexpr (Rule::slip == Slip::own) at.slip[b] = rise<b>(turn, delta) * turn.middle();
      });
      if constexpr (coupled) solve_slip(delta, at);
      if constexpr (Rule::slip != Slip::none)
        unroll<n>([&](auto b) { at.change[b] = at.change[b] - at.slip[b]; });
      unroll<n>([&](auto i) {
        constexpr int a = i.value;
        Vec3<Scalar> pull = weight_[a];
        unroll<n>([&](auto j) {
          constexpr int b = j.value;
          pull = axes_.template seen<a, b>(
              fma(scheme_.mass_(a, b), at.change[b], scheme_.drag_(a, b) * at.moved[b]), pull);
        });
        if constexpr (coupled) {
          at.w[a] = bend<a>(at) * at.force[a];
          pull = fma(at.w[a], at.moved[a] - at.slip[a], pull);
        }
        set_part<2 * a>(at.residual, rows(at.turn[a], pull));
        // A k, along the line, adds to the rows what rounds A^-1, and nothing to their derivatives.
        if constexpr (coupled) pull = fma(scheme_.per_mass_[a] * at.force[a], line(at.turn[a]), pull);
        at.pull[a] = pull;
      });
      return at;
    }

    LIVENS_HD void jacobian(const Unknown& delta, const Evaluation& at, Matrix& J) const {
      Views views;
      unroll<n>([&](auto a) {
        unroll<n>([&](auto b) {
          if constexpr (a.value != b.value) views.template look<a.value, b.value>(axes_, at);
        });
      });
      Vec<Scalar, n> d_force[unknowns];
      Pair swing[n];  // L_i.(Dz - k)
      if constexpr (coupled) {
        const Factored factors(at.between);
        unroll<unknowns>([&](auto k) {
          d_force[k] = factors.solve(d_wanted<k.value / 2, k.value % 2>(delta, at, views));
        });
        unroll<n>([&](auto a) { swing[a] = rows(at.turn[a], at.moved[a] - at.slip[a]); });
      }
      unroll<unknowns>([&](auto column) {
        constexpr int b = column.value / 2, j = column.value % 2;
        const Turn<Scalar>& turn = at.turn[b];
        unroll<n>([&](auto i) {
          constexpr int a = i.value;
          const Scalar mass = scheme_.mass_(a, b), twice = Scalar(at_stage ? 2.0 : 1.0);
          const Pair t = part<0, 2>(views.template tangent<a, b, j>(turn));
          Pair entries = (twice * (mass + scheme_.drag_(a, b))) * t;
          if constexpr (Rule::slip == Slip::own) {
            const auto d_line = part<0, 2>(views.template axis<a, b, j>(turn));
            entries = fnma(mass * rise<b>(turn, delta), d_line, entries);
            if constexpr (a != b)
              entries = fnma(mass * d_rise<b, j>(turn, delta), part<0, 2>(views.middle[a][b]), entries);
          }
          if constexpr (coupled) {
            const auto d_line = part<0, 2>(views.template line_slope<a, b, j>(turn));
            Scalar d_w = bend<a>(at) * d_force[column][a];
            Pair d_slip = (inverse(a, b) * at.force[b]) * d_line;
            unroll<n>([&](auto c) {
              if constexpr (a != c.value)
                d_slip = fma(inverse(a, c) * d_force[column][c], part<0, 2>(views.line[a][c]), d_slip);
            });
            if constexpr (a == b) {
              d_slip = fnma(twice, t, d_slip);
              if constexpr (!at_stage) d_w = fma(scheme_.per_mass_[a] * at.force[a], turn.a[j], d_w);
            }
            entries = fma(d_w, swing[a], fnma(at.w[a], d_slip, entries));
          }
          if constexpr (a == b) {
            entries[j] = entries[j] - across(turn, at.pull[a]);
            if constexpr (at_stage)
              entries = fnma(dot(turn.template tangent<j>(), at.pull[a]), turn.a, entries);
          }
          unroll<2>([&](auto k) { J.at(2 * a + k.value, column) = entries[k]; });
        });
      });
    }

    /// What a last update u of Newton's method leaves of (a), A u^2 or so, has a sign, and even taken from
    /// the velocity it makes 2 to 10 u^2 of the energy: 1e-17 in the steps that end just below 1e-9. Few end
    /// there, and an eighth of the bound costs next to nothing. vi_a keeps no energy.
    LIVENS_HD Scalar size_of(const Unknown& update) const {
      return Scalar(at_stage ? 1.0 : 8.0) * norm_inf(update);
    }

    LIVENS_HD Unknown guess(const Carried& now) const {
      const Flat next = now.extrapolation.next();
      Unknown delta;
      unroll<n>([&](auto b) {
        set_part<2 * b.value>(delta, (scheme_.unit_.step * scheme_.unit_.step) *
                                         axes_.template tangential<b.value>(block<b.value>(next)));
      });
      return delta;
    }

   private:
    friend class SphereForm;
    /// What the rows of vector a, and its end where k is coupled, have of vector b: (L_1, L_2, end)^T y. On
    /// one vector that is (e_j, rho a_j) for axis j, rho (e_j, 0) for t_j, and for the line it is not wanted.
    using View = Vec<Scalar, coupled ? 3 : 2>;
    struct Views {
      View axes[n][n][2], middle[n][n], line[n][n];

      template <int A, int B>
      LIVENS_HD void look(const UnitAxes<Form>& from, const Evaluation& at) {
        const View normal = view(at.turn[A], from.template axis_seen<A, B, 2>());
        unroll<2>(
            [&](auto j) { axes[A][B][j] = view(at.turn[A], from.template axis_seen<A, B, j.value>()); });
        middle[A][B] = fma(at.turn[B].a[0], axes[A][B][0], fma(at.turn[B].a[1], axes[A][B][1], normal));
        if constexpr (coupled) line[A][B] = at_stage ? at.turn[B].rho * middle[A][B] - normal : middle[A][B];
      }
      static LIVENS_HD View view(const Turn<Scalar>& turn, const Vec3<Scalar>& y) {
        View r;
        set_part<0>(r, rows(turn, y));
        if constexpr (coupled) r[2] = dot(turn.end(), y);
        return r;
      }
      template <int A, int B, int J>
      LIVENS_HD View axis(const Turn<Scalar>& turn) const {
        if constexpr (A != B) return axes[A][B][J];
        View r = zero_vector < Scalar, coupled ? 3 : 2 > ();
        r[J] = Scalar(1.0);
        if constexpr (coupled) r[2] = turn.rho * turn.a[J];
        return r;
      }
      template <int A, int B, int J>
      LIVENS_HD View tangent(const Turn<Scalar>& turn) const {
        if constexpr (A != B) return turn.rho * fnma(turn.rho * turn.a[J], middle[A][B], axes[A][B][J]);
        View r = zero_vector < Scalar, coupled ? 3 : 2 > ();
        r[J] = turn.rho;
        return r;
      }
      /// d line/d delta_j.
      template <int A, int B, int J>
      LIVENS_HD View line_slope(const Turn<Scalar>& turn) const {
        if constexpr (at_stage)
          return tangent<A, B, J>(turn);
        else
          return axis<A, B, J>(turn);
      }
    };

    static LIVENS_HD const Flat& base(const Carried& now) {
      if constexpr (at_stage)
        return now.stage;
      else
        return now.z;
    }
    LIVENS_HD Scalar inverse(int a, int b) const { return scheme_.vectors_.inertia.inverse(a, b); }
    /// L_i.y = y_i - a_i across.
    static LIVENS_HD Pair rows(const Turn<Scalar>& turn, const Vec3<Scalar>& y) {
      return fnma(across(turn, y), turn.a, part<0, 2>(y));
    }
    static LIVENS_HD Scalar across(const Turn<Scalar>& turn, const Vec3<Scalar>& y) {
      if constexpr (at_stage)
        return turn.rho * dot(turn.middle(), y);
      else
        return y[2];
    }
    /// w/g.
    template <int A>
    LIVENS_HD Scalar bend(const Evaluation& at) const {
      return scheme_.per_mass_[A] * (at_stage ? Scalar(0.5) : at.turn[A].per_rho);
    }
    static LIVENS_HD Vec3<Scalar> line(const Turn<Scalar>& turn) {
      return at_stage ? turn.end() : turn.middle();
    }
    /// rho a.delta, and its derivative by delta_j.
    template <int B>
    static LIVENS_HD Scalar rise(const Turn<Scalar>& turn, const Unknown& delta) {
      return turn.rho * dot(turn.a, part<2 * B, 2>(delta));
    }
    template <int B, int J>
    static LIVENS_HD Scalar d_rise(const Turn<Scalar>& turn, const Unknown& delta) {
      return turn.rho * fnma(turn.a[J], rise<B>(turn, delta), turn.a[J] + delta[2 * B + J]);
    }
    /// g and k.
    LIVENS_HD void solve_slip(const Unknown& delta, Evaluation& at) const {
      Vec<Scalar, n> wanted;
      Vec3<Scalar> pushed[n][n];
      unroll<n>([&](auto i) {
        constexpr int a = i.value;
        const Vec3<Scalar> end = at.turn[a].end();
        unroll<n>([&](auto j) {
          constexpr int b = j.value;
          pushed[a][b] = inverse(a, b) * axes_.template seen<a, b>(line(at.turn[b]));
          at.between.at(a, b) = dot(end, pushed[a][b]);
        });
        if constexpr (at_stage)
          wanted[a] = dot(end, at.moved[a]);
        else
          wanted[a] = rise<a>(at.turn[a], delta);
      });
      at.force = Factored(at.between).solve(wanted);
      unroll<n>([&](auto a) {
        at.slip[a] = at.force[0] * pushed[a][0];
        unroll<n - 1>([&](auto b) { at.slip[a] = fma(at.force[b + 1], pushed[a][b + 1], at.slip[a]); });
      });
    }
    /// The derivative of the right sides of (b) by delta_j of vector B, less that of between times g.
    template <int B, int J>
    LIVENS_HD Vec<Scalar, n> d_wanted(const Unknown& delta, const Evaluation& at, const Views& views) const {
      const Turn<Scalar>& turn = at.turn[B];
      const Vec3<Scalar> t = turn.template tangent<J>();
      Vec<Scalar, n> r;
      unroll<n>([&](auto a) {
        r[a] = -(inverse(a, B) * at.force[B]) * views.template line_slope<a.value, B, J>(turn)[2];
      });
      if constexpr (at_stage)
        r[B] = dot(t, at.moved[B] - at.slip[B]);
      else
        r[B] = r[B] + (d_rise<B, J>(turn, delta) - dot(t, at.slip[B]));
      return r;
    }

    const SphereForm& scheme_;
    UnitAxes<Form> axes_;
    Vec3<Scalar> start_[n];                  ///< h v0
    Vec3<Scalar> weight_[n];                 ///< h^2/2 F
    Vec3<Scalar> behind_[at_stage ? n : 1];  ///< 2 (u - z0)
  };

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    const Problem problem(*this, now);
    Unknown delta = problem.guess(now);
    typename Problem::Evaluation at;
    const Outcome<Scalar> outcome = newton<pivoting>(problem, delta, settings_, active, at);
    const auto& axes = problem.axes_;
    const Scalar two = Scalar(2.0);
    Flat Dz, left, needed;
    unroll<n>([&](auto b) {
      const auto rows = axes.template in_space<b.value>(part<2 * b.value, 2>(at.residual));
      set_block<b.value>(left, row_mass_[b] * rows);
    });
    const Flat missed = vectors_.inertia.solve(left);
    unroll<n>([&](auto i) {
      constexpr int b = i.value;
      const Vec3<Scalar> z0 = block<b>(now.z);
      const Vec3<Scalar> turned = axes.template in_space<b>(at.turn[b].increment());
      const Vec3<Scalar> end = block<b>(Problem::base(now)) + turned;
      const Vec3<Scalar> change = axes.template in_space<b>(at.change[b]) - block<b>(missed);
      Vec3<Scalar> rate = fma(two * unit_.per_step, change, block<b>(now.rate));
      if constexpr (at_stage) {
        set_block<b>(Dz, two * (end - z0));
        set_block<b>(next.z, end + (end - z0));
        set_block<b>(next.stage, end);
        restore_length<b, 3>(next.stage);
      } else {
        set_block<b>(Dz, turned);
        set_block<b>(next.z, end);
        restore_length<b, 3>(next.z);
        const Vec3<Scalar> u = block<b>(next.z);
        if constexpr (Rule::slip != Slip::none) rate = fnma(accurate_dot(u, rate, Scalar(0.0)), u, rate);
      }
      set_block<b>(next.rate, rate);
      const Scalar per_square = unit_.per_step * unit_.per_step;
      set_block<b>(needed, axes.template in_space<b>(per_square * part<2 * b, 2>(delta)));
    });
    next.extrapolation = now.extrapolation.followed_by(needed);
    return {outcome, unit_.per_h * dot(Dz, vectors_.viscous(Dz)), Scalar(0.0)};
  }

 private:
  LIVENS_HD typename Form::State state(const Carried& carried) const {
    return {carried.z, unit_.per_tau * vectors_.inertia.times(carried.rate)};
  }

  const System& system_;
  Form vectors_;
  TimeUnit<Scalar> unit_;
  const Settings& settings_;
  Vec<Scalar, n> per_mass_, row_mass_, weight_;  ///< row_mass: what rows are divided by, 1/per_mass
  Mat<Scalar, n, n> mass_, drag_;                ///< A and h/2 C, rows divided as above
};

}  // namespace livens::inline LIVENS_ISA
