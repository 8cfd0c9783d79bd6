#include "nonholonomic_step.hpp"

#include <Eigen/LU>

namespace livens::reference {
namespace {

/// D_q T(q,v) and D_v T(q,v), d entries each.
template <class S>
Vector<S> by_position(const System& system, const Vector<S>& q, const Vector<S>& v) {
  return gradient([&]<class R>(const Vector<R>& x) { return system.kinetic_energy(x, constant<R>(v)); }, q);
}
template <class S>
Vector<S> by_velocity(const System& system, const Vector<S>& q, const Vector<S>& v) {
  return gradient([&]<class R>(const Vector<R>& x) { return system.kinetic_energy(constant<R>(q), x); }, v);
}

/// mu of (e).
VectorXd half_impulse(const System& system, const VectorXd& q, const VectorXd& P) {
  const MatrixXd A = nonholonomic_jacobian(system, q), Minv = mass_matrix(system, q).inverse();
  const VectorXd excess = A * Minv * P + nonholonomic_drift(system, q);
  return (A * Minv * A.transpose()).partialPivLu().solve(excess);
}

class Step {
 public:
  Step(const System& system, const Options& options, const NonholonomicRule& rule, const Point& node)
      : system_(system), options_(options), rule_(rule), node_(node) {
    F0_ = load(system, node.time);
    F1_ = load(system, node.time + h_);
  }

  /// (Dq, lambda) from (a) and (b). Dq and not q1 is unknown, or M Dq/h would magnify the rounding of q1 by
  /// 1/h.
  Root solve() const {
    const VectorXd &q0 = node_.q, &P0 = node_.p, DV0 = potential_gradient(system_, q0);
    const Eigen::Index d = q0.size(), m = node_.lambda.size();
    const MatrixXd Minv = mass_matrix(system_, q0).inverse(), A0 = nonholonomic_jacobian(system_, q0);
    // lambda and constraint row weighed by |A| in the metric M^-1: the row of the Foucault pendulum vanishes
    // at its rest position, next to which it passes.
    const VectorXd weight = (A0 * Minv * A0.transpose()).diagonal().cwiseSqrt();
    const MatrixXd inverse_weight = weight.cwiseInverse().asDiagonal();

    // Scaled unknowns (Dq, h^2 weight lambda); rows (a) times h M^-1 and (b) times h / weight.
    const auto residual = [&]<class S>(const Vector<S>& y) -> Vector<S> {
      const Vector<S> Dq = y.head(d), v = Dq / h_, qs = q0 + rule_.s * Dq, qc = q0 + rule_.c * Dq;
      const Vector<S> lambda = inverse_weight * y.tail(m) / (h_ * h_);
      const Vector<S> DqT = by_position(system_, qs, v), DvT = by_velocity(system_, qs, v);
      const Vector<S> hD1 = h_ * ((1.0 - rule_.s) * DqT + 0.5 * (F0_ - DV0)) - DvT;
      const Vector<S> a =
          hD1 - rule_.minus * h_ * DvT + (1.0 + h_ * rule_.D3) * P0 - h_ * (A0.transpose() * lambda);
      Vector<S> r(d + m);
      r << h_ * (Minv * a), h_ * (inverse_weight * system_.velocity_constraint(qc, v));
      return r;
    };
    VectorXd y(d + m);
    y << h_ * node_.v, h_ * h_ * weight.cwiseProduct(guess(node_.lambda));
    Root root = newton(residual, y, options_.tolerance, options_.max_iterations);
    root.x.tail(m) = inverse_weight * root.x.tail(m) / (h_ * h_);
    return root;
  }

  Root naive() const {
    VectorXd y(node_.q.size() + node_.lambda.size());
    y << h_ * node_.v, node_.lambda;
    return {y, {}, 0};
  }

  /// The next point from a solution of (a) and (b).
  Point finish(const Root& root) const {
    const VectorXd& q0 = node_.q;
    const VectorXd Dq = root.x.head(q0.size()), v = Dq / h_, qs = q0 + rule_.s * Dq;
    const double after = 1.0 - h_ * rule_.D4;
    Point next;
    next.q = q0 + Dq;
    next.v = v;
    next.lambda = root.x.tail(node_.lambda.size());
    next.gamma = node_.gamma;
    const VectorXd DvT = by_velocity(system_, qs, v);
    const VectorXd hD2 =
        h_ * (rule_.s * by_position(system_, qs, v) + 0.5 * (F1_ - potential_gradient(system_, next.q))) +
        DvT;
    next.p = (hD2 - rule_.plus * h_ * DvT) / after;  // (c)
    const double L = system_.kinetic_energy(qs, v) -
                     0.5 * (potential_energy(system_, q0) + potential_energy(system_, next.q)) +
                     0.5 * (F0_.dot(q0) + F1_.dot(next.q));
    next.z = ((1.0 + h_ * rule_.D3) * node_.z + h_ * L) / after;  // (d)
    const VectorXd qm = q0 + 0.5 * Dq;
    next.dissipated = node_.dissipated + h_ * 2.0 * system_.action_damping * system_.kinetic_energy(qm, v);
    next.work = node_.work + work(next, Dq);
    next.newton_iterations = root.iterations;
    next.newton_matrix = root.matrix;
    return next;
  }

 private:
  /// (f) of one step.
  double work(const Point& next, const VectorXd& Dq) const {
    const VectorXd b0 = nonholonomic_drift(system_, node_.q), b1 = nonholonomic_drift(system_, next.q);
    const VectorXd before = half_impulse(system_, node_.q, node_.p);
    const double of_loads = 0.5 * (F0_ + F1_).dot(Dq), after = 1.0 - h_ * rule_.D4;
    const double at_end = half_impulse(system_, next.q, next.p).dot(b1);
    if (options_.order > 0)  // (f'): the step before may have had another length
      return of_loads + (h_ * next.lambda - (1.0 + h_ * rule_.D3) * before).dot(b0) + after * at_end;
    double constraint = at_end;
    if (next.lambda.allFinite()) constraint += (h_ * next.lambda - before).dot(b0);
    return of_loads + after * constraint;
  }

  const System& system_;
  const Options& options_;
  const NonholonomicRule& rule_;
  const Point& node_;
  const double h_ = options_.step;
  VectorXd F0_, F1_;
};

}  // namespace

Point nonholonomic_step(const System& system, const Options& options, const NonholonomicRule& rule,
                        const Point& node) {
  const Step step(system, options, rule, node);
  const bool naive = node.first && options.word("start", "legendre") == "naive";
  return step.finish(naive ? step.naive() : step.solve());
}

Momentum nonholonomic_legendre(const System& system, double, const Point& here, const Point&) {
  const MatrixXd M = mass_matrix(system, here.q);
  const VectorXd v = project_velocity(system, here.q, M.inverse() * here.p);
  return {.p = M * v, .v = v};
}

}  // namespace livens::reference
