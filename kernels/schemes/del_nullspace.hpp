#pragma once
// Discrete Euler-Lagrange equations, midpoint rule, with the discrete null space method.
// gamma-convergence-constrained (14)-(18); equations/multibody.md, sections 1, 2 and 4.
// The carried c_n is the left momentum D2 Ld(u_{n-1}, u_n) (+ half the viscous impulse), c_0 = p_0. With Du =
// u1 - u0:
//   (a) D1 Ld = -M Du/h - h/2 DV(u_m),   D2 Ld = M Du/h - h/2 DV(u_m),   F- = F+ = -1/2 C Du
//   (b) P(u0)^T [c + D1 Ld + F-] = 0,  u1 = F_d(u0, w)
//   (c) h lambda_n = -(G G^T)^-1 G(u0) [c + D1 Ld + F-]   (h/2 lambda_0 at the start)
//   (d) c' = D2 Ld + F+
//   (e) p_n = c_n + h/2 G(u_n)^T lambda_n, n >= 1: the node's momentum needs the step that leaves it, so a
//   step ends by
//       solving one ahead; the solution is kept and starts the next step.
//   (f) the root is accepted if sym(G(u1) M^-1 G(u0)^T) is positive definite (section 4).
// Written for systems in vector form: P holds tangent bases of the unit vectors, F_d is the Cayley step; u1
// does not depend on that choice. (b) is scaled by h/I for a free vector and by h/(2 I) for a unit vector.

#include "kernels/schemes/saddle_point.hpp"

namespace livens::inline LIVENS_ISA {

struct DelNullspaceDescription {
  static constexpr SchemeInfo info = {
      "del_nullspace", "discrete Euler-Lagrange, discrete null space method",
      "gamma-convergence-constrained, (14)-(18)",
      "holonomic constraints that fix lengths of vectors, and a constant mass matrix", 2};
};

template <VectorSystem System_>
class DelNullspace {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = DelNullspace<typename System::template Over<Other>>;
  using Form = typename System::Vectors;
  using State = typename Form::State;
  using Flat = Vec<Scalar, Form::size>;
  static constexpr int unknowns = Form::degrees_of_freedom;
  using Reduced = Vec<Scalar, unknowns>;
  static constexpr const char* form = "reduced";
  static constexpr bool damped = true, compensated = false;
  static const SchemeInfo& info() { return DelNullspaceDescription::info; }

  struct Carried {
    Flat z, c;
    Flat p;                   ///< (e)
    Flat increment, c_ahead;  ///< Du and (d) of the step that leaves this node ...
    Scalar ahead_h;           ///< ... with this h; 0: not solved
    Scalar started;           ///< 0 at node 0, where (c) has half the weight
    Vec<Scalar, Form::unit> lambda, lambda_ahead;
  };

  LIVENS_HD DelNullspace(const System& system, const Scalar& h, const Settings& settings)
      : system_(system), vectors_(system.vector_form()), h_(h), per_h_(Scalar(1.0) / h), settings_(settings) {
    for (int b = 0; b < Form::blocks; ++b)
      row_scale_[b] = (b < Form::first_unit ? Scalar(1.0) : Scalar(0.5)) * h / vectors_.inertia.mass(b, b);
  }

  LIVENS_HD Carried start(const Vec<Scalar, System::coordinates>& q,
                          const Vec<Scalar, System::coordinates>& p) const {
    Carried r;
    const State s = system_.to_vectors(q, p);
    r.z = s.z;
    r.c = s.p;
    r.p = s.p;
    r.increment = zero_vector<Scalar, Form::size>();
    r.c_ahead = r.increment;
    r.ahead_h = Scalar(0.0);
    r.started = Scalar(0.0);
    r.lambda = zero_vector<Scalar, Form::unit>();
    r.lambda_ahead = r.lambda;
    return r;
  }
  LIVENS_HD NodeState<Scalar, System::coordinates> node(const Carried& carried) const {
    return system_.from_vectors(State{carried.z, carried.p});
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried) const {
    return measure_vectors(vectors_, State{carried.z, carried.p});
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  LIVENS_HD Multipliers<Scalar, System::constraints> multipliers(const Carried&, const Carried& after) const {
    return {after.lambda, not_a_number_vector<Scalar, System::constraints>()};
  }

  /// Residual (b) and its Jacobian at fixed u0, c.
  class Problem {
   public:
    static constexpr int unknowns = DelNullspace::unknowns;
    using Matrix = DenseMatrix<Scalar, unknowns>;

    LIVENS_HD Problem(const DelNullspace& scheme, const Flat& z, const Flat& c)
        : scheme_(scheme), z_(z), c_(c) {
      unroll<Form::unit>([&](auto u) {
        tangent_basis(block<Form::first_unit + u.value>(z), basis_[2 * u], basis_[2 * u + 1]);
      });
    }

    static constexpr int free_index(int f) { return 3 * f; }
    static constexpr int unit_index(int u) { return 3 * Form::free + 2 * u; }

    LIVENS_HD SphereStep<Scalar> sphere_step(int u, const Vec3<Scalar>& u0, const Reduced& x) const {
      return SphereStep<Scalar>(u0, basis_[2 * u], basis_[2 * u + 1], x[unit_index(u)], x[unit_index(u) + 1]);
    }
    /// Tangential components of a flat vector: P^T.
    LIVENS_HD Reduced tangential(const Flat& r) const {
      Reduced x;
      unroll<Form::free>(
          [&](auto f) { set_part<free_index(f.value)>(x, block<Form::first_free + f.value>(r)); });
      unroll<Form::unit>([&](auto u) {
        for (int i = 0; i < 2; ++i)
          x[unit_index(u) + i] = dot(basis_[2 * u + i], block<Form::first_unit + u.value>(r));
      });
      return x;
    }

    struct Evaluation {
      Reduced residual;
      Flat increment;  ///< Du
      Flat force;      ///< h/2 DV(u_m) + 1/2 C Du
      Flat balance;    ///< c + D1 Ld + F-
    };

    LIVENS_HD Evaluation evaluate(const Reduced& x) const {
      const auto& form = scheme_.vectors_;
      Evaluation at;
      unroll<Form::drifting>([&](auto b) {
        set_block<b.value>(at.increment, (scheme_.h_ * form.inertia.inverse(b, b)) * block<b.value>(c_));
      });
      unroll<Form::free>([&](auto f) {
        set_block<Form::first_free + f.value>(at.increment, part<free_index(f.value), 3>(x));
      });
      unroll<Form::unit>([&](auto u) {
        constexpr int b = Form::first_unit + u.value;
        set_block<b>(at.increment, sphere_step(u, block<b>(z_), x).increment);
      });
      const Scalar half = Scalar(0.5);
      at.force = (half * scheme_.h_) * form.gradient(fma(half, at.increment, z_));
      unroll<Form::springs>([&](auto k) {
        const Vec3<Scalar> ds = form.template spring_vector<k.value>(at.increment);
        form.template spread<k.value>((half * form.spring[k].viscosity) * ds, at.force);
      });
      at.balance = c_ - (scheme_.per_h_ * form.inertia.times(at.increment) + at.force);
      Flat scaled;
      unroll<Form::blocks>(
          [&](auto b) { set_block<b.value>(scaled, -scheme_.row_scale_[b] * block<b.value>(at.balance)); });
      at.residual = tangential(scaled);
      return at;
    }

    /// P^T (M/h + h/4 K + C/2) dF_d/dx, K the Hessian of V at the midpoint: per spring 2 k (sigma I + 2 s (x)
    /// s).
    LIVENS_HD void jacobian(const Reduced& x, const Evaluation& at, Matrix& J) const {
      const auto& form = scheme_.vectors_;
      const Scalar half = Scalar(0.5), quarter_h = Scalar(0.25) * scheme_.h_;
      Vec3<Scalar> s_m[Form::spring_slots];
      Scalar multiple[Form::spring_slots], rank_one[Form::spring_slots];
      unroll<Form::springs>([&](auto k) {
        const auto& spring = form.spring[k];
        s_m[k] = form.template spring_vector<k.value>(fma(half, at.increment, z_));
        multiple[k] =
            fma(quarter_h * Scalar(2.0) * spring.stiffness, spring.stretch(s_m[k]), half * spring.viscosity);
        rank_one[k] = quarter_h * Scalar(4.0) * spring.stiffness;
      });
      Vec3<Scalar> right[2 * Form::unit];
      unroll<Form::unit>([&](auto u) {
        sphere_step(u, block<Form::first_unit + u.value>(z_), x).tangents(right[2 * u], right[2 * u + 1]);
      });
      // Every unknown moves one vector b along one direction; every equation is one direction e of one vector
      // a.
      unroll<unknowns>([&](auto column) {
        constexpr int b = owner(column.value);
        Vec3<Scalar> t;
        if constexpr (column.value < unit_index(0)) {
          t = axis(column.value % 3);
        } else {
          t = right[column.value - unit_index(0)];
        }
        unroll<Form::blocks - Form::first_free>([&](auto i) {
          constexpr int a = Form::first_free + i.value;
          Vec3<Scalar> response = (scheme_.per_h_ * form.inertia.mass(a, b)) * t;
          unroll<Form::springs>([&](auto k) {
            const Scalar c = form.coefficient(k, a) * form.coefficient(k, b);
            response = fma(c * multiple[k], t, response);
            response = fma(c * rank_one[k] * dot(s_m[k], t), s_m[k], response);
          });
          response = scheme_.row_scale_[a] * response;
          if constexpr (a < Form::first_unit) {
            for (int r = 0; r < 3; ++r) J.at(free_index(a - Form::first_free) + r, column) = response[r];
          } else {
            constexpr int u = a - Form::first_unit;
            for (int r = 0; r < 2; ++r) J.at(unit_index(u) + r, column) = dot(basis_[2 * u + r], response);
          }
        });
      });
    }

    /// Where the last step leads: the first guess of the next, from the momentum without constraint forces.
    LIVENS_HD Reduced guess() const {
      const auto& form = scheme_.vectors_;
      const Scalar half = Scalar(0.5);
      const Flat velocity = form.inertia.solve(fnma(half * scheme_.h_, form.gradient(z_), c_));
      Flat scaled = scheme_.h_ * velocity;
      unroll<Form::unit>([&](auto u) {
        constexpr int b = Form::first_unit + u.value;
        set_block<b>(scaled, half * block<b>(scaled));
      });
      return tangential(scaled);
    }

   private:
    friend class DelNullspace;
    static constexpr int owner(int index) {
      return index < unit_index(0) ? Form::first_free + index / 3
                                   : Form::first_unit + (index - unit_index(0)) / 2;
    }
    static LIVENS_HD Vec3<Scalar> axis(int i) {
      Vec3<Scalar> r = zero_vector<Scalar, 3>();
      r[i] = Scalar(1.0);
      return r;
    }
    const DelNullspace& scheme_;
    const Flat& z_;
    const Flat& c_;
    Vec3<Scalar> basis_[2 * Form::unit];
  };

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    Outcome<Scalar> first{Scalar(0.0), Scalar(0.0)};
    next = now;
    // The step that leaves this node was solved on arrival, unless this is the first one or h has changed.
    const Mask<Scalar> missing = active & !(now.ahead_h == h_);
    if (any(missing)) first = solve_missing<pivoting>(next, missing);
    next.z = next.z + next.increment;
    next.c = next.c_ahead;
    next.lambda = next.lambda_ahead;
    next.started = Scalar(1.0);
    Scalar dissipated = Scalar(0.0);
    unroll<Form::springs>([&](auto k) {
      const Vec3<Scalar> ds = vectors_.template spring_vector<k.value>(next.increment);
      dissipated = fma(vectors_.spring[k].viscosity * per_h_, dot(ds, ds), dissipated);
    });
    const Outcome<Scalar> second = look_ahead<pivoting>(next, active & first.good());
    // A failure ahead is no failure of this step: the next one tries again, and then says so. But a solution
    // that pivoting may find belongs to this node.
    Scalar status = first.status;
    if constexpr (pivoting == Pivoting::refused) {
      const Scalar grown = code<Scalar>(Status::singular_matrix);
      status = select(first.good() & (second.status == grown), grown, status);
    }
    return {{status, first.iterations + second.iterations}, dissipated, Scalar(0.0)};
  }

 private:
  template <Pivoting pivoting>
  LIVENS_HD_COLD Outcome<Scalar> solve_missing(Carried& at_node, const Mask<Scalar>& solving) const {
    return look_ahead<pivoting>(at_node, solving);
  }

  /// Solves (b) from this node and, where that succeeds, records the solution, lambda (c) and the momentum
  /// (e). Where it fails the node keeps the tangential part of c as its momentum.
  template <Pivoting pivoting>
  LIVENS_HD Outcome<Scalar> look_ahead(Carried& at_node, const Mask<Scalar>& solving) const {
    const Problem problem(*this, at_node.z, at_node.c);
    Reduced x = problem.guess();
    Outcome<Scalar> outcome = newton<pivoting>(problem, x, settings_, solving);
    const auto at = problem.evaluate(x);
    const Mask<Scalar> wrong = solving & outcome.good() & !right_branch(at_node.z, at.increment);
    outcome.status = select(wrong, code<Scalar>(Status::wrong_branch), outcome.status);

    const Mask<Scalar> good = solving & outcome.good();
    at_node.increment = select<Scalar>(solving, at.increment, at_node.increment);
    Flat c_ahead = per_h_ * vectors_.inertia.times(at.increment) - at.force;
    unroll<Form::drifting>([&](auto b) { set_block<b.value>(c_ahead, block<b.value>(at_node.c)); });
    at_node.c_ahead = select<Scalar>(solving, c_ahead, at_node.c_ahead);
    at_node.ahead_h = select(solving, select(good, h_, Scalar(0.0)), at_node.ahead_h);
    const Mask<Scalar> started = at_node.started > Scalar(0.0);
    const Scalar per_weight = select(started, per_h_, Scalar(2.0) * per_h_);
    at_node.p = select<Scalar>(solving & started, at_node.c, at_node.p);
    unroll<Form::unit>([&](auto u) {
      constexpr int b = Form::first_unit + u.value;
      const Vec3<Scalar> normal = block<b>(at_node.z), c = block<b>(at_node.c);
      const Scalar pull = -dot(normal, block<b>(at.balance));  // h lambda s, G = s u
      at_node.lambda_ahead[u] =
          select(solving, pull * per_weight / vectors_.constraint_scale[b], at_node.lambda_ahead[u]);
      const Scalar radial = select(good, Scalar(0.5) * pull, -dot(normal, c));
      set_block<b>(at_node.p,
                   select<Scalar>(solving & started, fma(radial, normal, c), block<b>(at_node.p)));  // (e)
    });
    return outcome;
  }

  /// (f), by the pivots of a Cholesky factorization.
  LIVENS_HD Mask<Scalar> right_branch(const Flat& z, const Flat& increment) const {
    constexpr int n = Form::unit;
    Vec3<Scalar> u0[n], u1[n];
    unroll<n>([&](auto u) {
      u0[u] = block<Form::first_unit + u.value>(z);
      u1[u] = u0[u] + block<Form::first_unit + u.value>(increment);
    });
    DenseMatrix<Scalar, n> S;
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b)
        S.at(a, b) = Scalar(0.5) * vectors_.inertia.inverse(Form::first_unit + a, Form::first_unit + b) *
                     (dot(u1[a], u0[b]) + dot(u1[b], u0[a]));
    Mask<Scalar> definite(true);
    for (int k = 0; k < n; ++k) {
      definite = definite & (S.at(k, k) > Scalar(0.0));
      for (int i = k + 1; i < n; ++i) {
        const Scalar multiplier = S.at(i, k) / S.at(k, k);
        for (int j = k + 1; j < n; ++j) S.at(i, j) = fnma(multiplier, S.at(k, j), S.at(i, j));
      }
    }
    return definite;
  }

  const System& system_;
  Form vectors_;
  Scalar h_, per_h_;
  Settings settings_;
  Vec<Scalar, Form::blocks> row_scale_;
};

}  // namespace livens::inline LIVENS_ISA
