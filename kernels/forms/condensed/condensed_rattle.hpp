#pragma once
// RATTLE (rattle.hpp) with its multipliers as the only unknowns. equations/reduced.md, section 2. In (a) all
// but lambda is known, and q1 is affine in it:
//   (a) q1 = q0 + h A^-1 p' - B x,   p' = p0 - h/2 DV(q0),   A = M + h/2 C,   x = h^2/2 lambda
//   (b) g(q1) = 0 for x, with the Jacobian -G(q1) B
//   (c) p1 = p' - G(q0)^T x/h - C Dq - h/2 DV(q1) - h/2 G(q1)^T mu,   Dq = q1 - q0
// B = A^-1 G(q0)^T. The end of the iteration takes x times the largest entry of its column of B for its size:
// a displacement, whatever the units of a constraint. A does not change from step to step and is factored
// once. Newton starts from the lambda that three steps before lead to by a parabola, if they are as long as
// this one. A step carries tau p on (time_unit.hpp). A difficult step is one of the full form: near
// positions where G loses rank the condition of G B is the square of that of its matrix.

#include "kernels/schemes/rattle.hpp"

namespace livens::inline LIVENS_ISA {

/// Operations of A^-1 G^T, or of an elimination, up to which they are unrolled: beyond they take a compiler most of its time.
inline constexpr int most_unrolled_operations = 1000;

/// A = M + h/2 C, symmetric.
template <class System>
struct DampedInertiaPattern {
  static constexpr int size = System::coordinates;
  static constexpr bool nonzero(int i, int j) {
    return System::Inertia::nonzero(i, j) || (System::damped && System::stiff(i, j));
  }
};

/// The coordinates that a multiplier displaces, and the constraints whose values it changes thereby.
template <class System>
struct Displacements {
  static constexpr int d = System::coordinates, m = System::constraints, size = m;

  struct Groups {
    int of[d] = {};
  };
  /// Coordinates that A couples, and thus A^-1, however indirectly, are in the same group.
  static constexpr Groups make_groups() {
    Groups groups;
    for (int i = 0; i < d; ++i) {
      groups.of[i] = i;
      for (int j = 0; j < i; ++j) {
        if (!DampedInertiaPattern<System>::nonzero(i, j)) continue;
        const int joined = groups.of[i];
        for (int other = 0; other <= i; ++other)
          if (groups.of[other] == joined) groups.of[other] = groups.of[j];
      }
    }
    return groups;
  }
  struct Table {
    bool moves[d][m] = {};    ///< multiplier k moves coordinate i
    bool changes[m][m] = {};  ///< multiplier l changes constraint k
  };
  static constexpr Table make() {
    const Groups groups = make_groups();
    Table table;
    for (int k = 0; k < m; ++k)
      for (int i = 0; i < d; ++i)
        for (int j = 0; j < d; ++j)
          if (System::constrains(k, j) && groups.of[i] == groups.of[j]) table.moves[i][k] = true;
    for (int k = 0; k < m; ++k)
      for (int l = 0; l < m; ++l)
        for (int i = 0; i < d; ++i)
          if (System::constrains(k, i) && table.moves[i][l]) table.changes[k][l] = true;
    return table;
  }
  static constexpr Table table = make();
  /// Of A^-1 G^T, as the factors of A make it.
  static constexpr int operations = [] {
    const Groups groups = make_groups();
    int size[d] = {}, sum = 0;
    for (int i = 0; i < d; ++i) ++size[groups.of[i]];
    for (int i = 0; i < d; ++i)
      for (int k = 0; k < m; ++k)
        if (table.moves[i][k]) sum += size[groups.of[i]];
    return sum;
  }();
  static constexpr bool nonzero(int k, int l) { return table.changes[k][l]; }  ///< of G B
  constexpr bool operator()(int i, int k) const { return table.moves[i][k]; }  ///< of B
};

/// G B, whose elimination is unrolled for as long as its code fits the cache, however many multipliers there are.
template <class System>
struct DisplacedPattern : Displacements<System> {
  static constexpr bool unrolled =
      Operations<Displacements<System>>::counts.updates <= most_unrolled_operations;
};

/// The coordinates that multiplier K displaces.
template <class System, int K>
struct Displaced {
  constexpr bool operator()(int i) const { return Displacements<System>::table.moves[i][K]; }
  constexpr bool operator()(int, int i) const { return (*this)(i); }
};

/// Of any system, for texts: also beside a form in vectors that has no damping.
template <HolonomicSystem System_>
requires(UnloadedSystem<System_>&& System_::constraints > 0) class MultiplierRattle {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = MultiplierRattle<typename System::template Over<Other>>;
  static constexpr int d = System::coordinates, m = System::constraints, unknowns = m;
  using Position = Vec<Scalar, d>;
  using Multiplier = Vec<Scalar, m>;
  using Redone = Rattle<System>;  ///< a difficult step
  static constexpr const char* form = "reduced";
  static constexpr bool damped = System::damped, compensated = false;
  static constexpr const SchemeInfo& info() { return RattleDescription::info; }

  struct Carried {
    Position q, tau_p;
    StoredMultipliers<Scalar, m> multipliers;  ///< lambda and mu of the step that led here
    Multiplier change, bend;  ///< first and second backward difference of lambda over equal steps
    Scalar step;              ///< the length of the step that led here in units of tau, 0 at the start
    LIVENS_HD Multiplier lambda() const { return part<0, m>(multipliers); }
    LIVENS_HD Multiplier mu() const { return part<m, m>(multipliers); }
  };

  LIVENS_HD MultiplierRattle(const System& system, const Scalar& h, const Settings& settings)
      : system_(system),
        unit_(h, settings),
        settings_(settings),
        inertia_(damped_inertia(system, Scalar(0.5) * h)),
        dampers_(false) {
    if constexpr (damped)
      for_each_entry<d, d, DeclaredStiffness<System>>(
          [&](auto i, auto j) { dampers_ = dampers_ | !(system.damping(i, j) == Scalar(0.0)); });
  }

  LIVENS_HD Carried start(const NodeState<Scalar, d>& n) const {
    const Multiplier none = zero_vector<Scalar, m>();
    return {n.q, unit_.tau * n.p, zero_vector<Scalar, 2 * m>(), none, none, Scalar(0.0)};
  }
  LIVENS_HD NodeState<Scalar, d> node(const Carried& carried) const {
    const Position p = unit_.per_tau * carried.tau_p;
    return {carried.q, p, system_.inertia.solve(p)};
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried, Measuring what) const {
    return measure_node(system_, node(carried), what);
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }
  LIVENS_HD Multipliers<Scalar, m> multipliers(const Carried&, const Carried& after) const {
    return {after.lambda(), after.mu()};
  }

  /// (b) at fixed q0, p0.
  class Problem {
   public:
    static constexpr int unknowns = m;
    using Matrix = SparseMatrix<Scalar, DisplacedPattern<System>>;

    LIVENS_HD Problem(const MultiplierRattle& scheme, const Carried& now)
        : scheme_(scheme),
          q0_(now.q),
          kicked_(scheme.kicked(now.tau_p, now.q)),
          free_(scheme.unit_.step * scheme.inertia_.solve(kicked_)),
          G0_(scheme.system_.constraint_jacobian(now.q)) {
      if constexpr (Displacements<System>::operations <= most_unrolled_operations)
        unroll<m>([&](auto k) {
          using Here = Displaced<System, k.value>;
          Position column;  // of the others nothing is read
          for_each_entry<1, d, Here>([&](auto, auto i) {
            column[i] = System::constrains(k.value, i.value) ? G0_(k, i) : Scalar(0.0);
          });
          scheme.inertia_.template solve_among<Here>(column);
          for_each_entry<1, d, Here>([&](auto, auto i) { B_(i, k) = column[i]; });
        });
      else
        for (int k = 0; k < m; ++k) {
          Position column;
          for (int i = 0; i < d; ++i) column[i] = System::constrains(k, i) ? G0_(k, i) : Scalar(0.0);
          column = scheme.inertia_.solve(column);
          for (int i = 0; i < d; ++i) B_(i, k) = column[i];
        }
    }

    LIVENS_HD const System& system() const { return scheme_.system_; }
    struct Evaluation {
      Multiplier residual;
      Position increment, end;  ///< Dq, q1
    };
    LIVENS_HD Evaluation evaluate(const Multiplier& x) const {
      Evaluation at;
      at.increment = free_;
      for_each_entry<d, m, Displacements<System>>(
          [&](auto i, auto k) { at.increment[i] = fnma(x[k], B_(i, k), at.increment[i]); });  // (a)
      at.end = q0_ + at.increment;
      at.residual = scheme_.system_.constraints_at(at.end);  // (b)
      return at;
    }
    LIVENS_HD void jacobian(const Multiplier&, const Evaluation& at, Matrix& J) const {
      const auto G1 = scheme_.system_.constraint_jacobian(at.end);
      J.clear();
      for_each_product<m, d, m, DeclaredConstraints<System>, Displacements<System>>(
          [&](auto k, auto i, auto l) {
            Scalar& entry = J.template at<k.value, l.value>();
            entry = fnma(G1(k, i), B_(i, l), entry);
          });
    }

    /// The farthest that one entry of an update moves a coordinate.
    LIVENS_HD Scalar size_of(const Multiplier& update) const {
      Multiplier moves;
      unroll<m>([&](auto k) {
        Scalar largest = Scalar(0.0);
        for_each_entry<1, d, Displaced<System, k.value>>(
            [&](auto, auto i) { largest = max(largest, abs(B_(i, k))); });
        moves[k] = largest * update[k];
      });
      return norm_inf(moves);
    }
    /// tau p' less the impulses of the constraints.
    LIVENS_HD Position momentum(const Multiplier& impulse) const {
      return kicked_ - transpose_times<System>(G0_, impulse);
    }

   private:
    const MultiplierRattle& scheme_;
    const Position& q0_;
    Position kicked_, free_;  ///< tau p', h A^-1 p'
    Mat<Scalar, m, d> G0_;
    Mat<Scalar, d, m> B_;
  };

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    if constexpr (pivoting != Pivoting::where_needed) {
      return condensed_step<pivoting>(now, active, next);
    } else {
      const StepReport<Scalar> report = condensed_step<Pivoting::refused>(now, active, next);
      return report.outcome.good() ? report : full_step(now, report.outcome.iterations, next);
    }
  }

 private:
  using InertiaPattern = DampedInertiaPattern<System>;

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> condensed_step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    const Problem problem(*this, now);
    const Scalar half_h2 = Scalar(0.5) * unit_.h * unit_.h;
    Multiplier x = half_h2 * fma(steady(now), now.change + now.bend, now.lambda());
    typename Problem::Evaluation at;
    Outcome<Scalar> outcome = newton<pivoting>(problem, x, settings_, active, at);
    const Multiplier impulse = unit_.per_step * x;  // tau h/2 lambda
    Position tau_p = problem.momentum(impulse);
    Scalar dissipated = Scalar(0.0);
    if constexpr (damped) {
      const Mask<Scalar> singular = active & !inertia_.positive_definite();
      outcome.status = select(singular, code<Scalar>(Status::singular_matrix), outcome.status);
      if (any(dampers_)) {
        const Position drag = viscous_force(system_, at.increment);  // h C v_m
        tau_p = fnma(unit_.tau, drag, tau_p);
        dissipated = unit_.per_h * dot(at.increment, drag);
      }
    }
    next.q = at.end;
    remember(now, (Scalar(2.0) * unit_.per_tau * unit_.per_h) * impulse, next);
    make_tangential(system_, unit_, at.end, kicked(tau_p, at.end), next);  // (c)
    return {outcome, dissipated, Scalar(0.0)};
  }
  /// For one instance, with pivoting.
  LIVENS_HD_COLD StepReport<Scalar> full_step(const Carried& now, const Scalar& iterations,
                                              Carried& next) const {
    const Redone full(system_, unit_.h, settings_);
    typename Redone::Carried from = full.start(node(now)), to;
    from.tau_p = now.tau_p;
    from.multipliers = now.multipliers;
    StepReport<Scalar> report = full.template step<Pivoting::where_needed>(from, true, to);
    report.outcome.iterations = report.outcome.iterations + iterations;
    next.q = to.q;
    next.tau_p = to.tau_p;
    remember(now, part<0, m>(to.multipliers), next);
    set_part<m>(next.multipliers, part<m, m>(to.multipliers));
    return report;
  }

  /// 1 where the step that led here is as long as this one, else 0.
  LIVENS_HD Scalar steady(const Carried& now) const {
    return select(now.step == unit_.step, Scalar(1.0), Scalar(0.0));
  }
  LIVENS_HD void remember(const Carried& now, const Multiplier& lambda, Carried& next) const {
    set_part<0>(next.multipliers, lambda);
    next.change = steady(now) * (lambda - now.lambda());
    next.bend = steady(now) * (next.change - now.change);
    next.step = unit_.step;
  }

  /// tau (p - h/2 DV(q)).
  LIVENS_HD Position kicked(const Position& tau_p, const Position& q) const {
    return fnma(Scalar(0.5) * unit_.tau * unit_.h, system_.gradient(q), tau_p);
  }
  static LIVENS_HD SparseMatrix<Scalar, InertiaPattern> damped_inertia(const System& system,
                                                                       const Scalar& half_h) {
    SparseMatrix<Scalar, InertiaPattern> A;
    A.clear();
    unroll<d>([&](auto i) {
      unroll<d>([&](auto j) {
        if constexpr (InertiaPattern::nonzero(i.value, j.value)) {
          Scalar& entry = A.template at<i.value, j.value>();
          entry = system.inertia.entry(i, j);
          if constexpr (damped) entry = fma(half_h, system.damping(i, j), entry);
        }
      });
    });
    return A;
  }

  const System& system_;
  TimeUnit<Scalar> unit_;
  const Settings& settings_;
  SparseFactors<Scalar, InertiaPattern> inertia_;  ///< A
  Mask<Scalar> dampers_;  ///< there are any: without them C is 0, and its terms change no bit
};

/// Constraints that neither rattle_reduced.hpp nor rattle_frame.hpp knows better: those for which built-in systems have it.
template <class System>
concept CoupledConstraints =
    HolonomicSystem<System> && UnloadedSystem<System> && !ClosedRattleSystem<System> &&
    !FrameSystem<System> && (System::constraints > 0);

template <CoupledConstraints System>
using CondensedRattle = MultiplierRattle<System>;

}  // namespace livens::inline LIVENS_ISA
