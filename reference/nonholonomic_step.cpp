#include "nonholonomic_step.hpp"

#include <Eigen/LU>

namespace livens::reference {
namespace {

class Step {
 public:
  Step(const System& system, const Options& options, const NonholonomicRule& rule, const Point& node)
      : system_(system), options_(options), rule_(rule), node_(node) {}

  /// (Dq, mu, lambda) from (a) and (b). Dq and not q1 is unknown, or M Dq/h would magnify the rounding of q1
  /// by 1/h.
  Root solve() const {
    const VectorXd &q0 = node_.q, &P0 = node_.p;
    const Eigen::Index d = q0.size(), m = node_.lambda.size(), k = m - position_constraint_count(system_);
    const MatrixXd Minv = mass_matrix(system_, q0, t0_).inverse(), J0 = velocity_rows(system_, q0, t0_).J;
    // Multipliers and rows weighed by |J| in the metric M^-1: the row of the Foucault pendulum vanishes at
    // its rest position, next to which it passes.
    const VectorXd weight = (J0 * Minv * J0.transpose()).diagonal().cwiseSqrt();
    const MatrixXd inverse_weight = weight.cwiseInverse().asDiagonal();

    // Scaled unknowns (Dq, h^2 weight (mu, lambda)); rows (a) times h M^-1, g over weight and (b) times h over
    // weight.
    const auto residual = [&]<class S>(const Vector<S>& y) -> Vector<S> {
      const Vector<S> Dq = y.head(d), v = Dq / h_, qs = q0 + rule_.s * Dq, qc = q0 + rule_.c * Dq;
      const Vector<S> multipliers = inverse_weight * y.tail(m) / (h_ * h_), q1 = q0 + Dq;
      const Vector<S> DqT = kinetic_gradient(system_, qs, v, ts_), DvT = momentum_of(system_, qs, v, ts_);
      const Vector<S> hD1 = h_ * ((1.0 - rule_.s) * DqT + 0.5 * force_at(constant<S>(q0), v, t0_)) - DvT;
      const Vector<S> a =
          hD1 - rule_.minus * h_ * DvT + (1.0 + h_ * rule_.D3) * P0 - h_ * (J0.transpose() * multipliers);
      Vector<S> rows(m), r(d + m);
      rows << system_.constraint(q1, t1_), nonholonomic_rate(system_, qc, v, tc_);
      rows = inverse_weight * rows;
      r << h_ * (Minv * a), rows.head(m - k), h_ * rows.tail(k);
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
    const VectorXd Dq = root.x.head(q0.size()), v = Dq / h_, qs = q0 + rule_.s * Dq, qm = q0 + 0.5 * Dq;
    const double after = 1.0 - h_ * rule_.D4;
    Point next;
    next.q = q0 + Dq;
    next.v = v;
    next.lambda = root.x.tail(node_.lambda.size());
    next.gamma = node_.gamma;
    const VectorXd DvT = momentum_of(system_, qs, v, ts_), DqT = kinetic_gradient(system_, qs, v, ts_);
    const VectorXd hD2 = h_ * (rule_.s * DqT + 0.5 * force_at(next.q, v, t1_)) + DvT;
    next.p = (hD2 - rule_.plus * h_ * DvT) / after;  // (c)
    const double V = potential_energy(system_, q0, t0_) + potential_energy(system_, next.q, t1_);
    const double Fq = load(system_, t0_).dot(q0) + load(system_, t1_).dot(next.q);
    const double L = system_.kinetic_energy(qs, v, ts_) - 0.5 * V + 0.5 * Fq;
    next.z = ((1.0 + h_ * rule_.D3) * node_.z + h_ * L) / after;  // (d)
    const VectorXd viscous = viscous_force(system_, q0, v, t0_) + viscous_force(system_, next.q, v, t1_);
    next.dissipated =
        node_.dissipated +
        h_ * v.dot(system_.action_damping * momentum_of(system_, qm, v, tm_) + 0.5 * viscous);  // (g)
    next.work = node_.work + work(next, Dq) - h_ * lagrangian_rate(system_, qm, v, tm_);
    next.newton_iterations = root.iterations;
    next.newton_matrix = root.matrix;
    return next;
  }

 private:
  /// F - D_v R - DV
  template <class S>
  Vector<S> force_at(const Vector<S>& q, const Vector<S>& v, double t) const {
    const Vector<S> F = applied_force(system_, q, v, t), DV = potential_gradient(system_, q, t);
    if (!system_.rayleigh) return F - DV;
    return F - viscous_force(system_, q, v, t) - DV;
  }

  /// (f) of one step, of forces and rows.
  double work(const Point& next, const VectorXd& Dq) const {
    const VectorXd v = Dq / h_;
    const VectorXd drift0 = velocity_rows(system_, node_.q, t0_).drift,
                   drift1 = velocity_rows(system_, next.q, t1_).drift;
    const VectorXd before = normal_impulse(system_, node_.q, node_.p, t0_);
    const double at_end = normal_impulse(system_, next.q, next.p, t1_).dot(drift1);
    const double of_forces =
        0.5 * (applied_force(system_, node_.q, v, t0_) + applied_force(system_, next.q, v, t1_)).dot(Dq);
    const double after = 1.0 - h_ * rule_.D4;
    const bool old = position_constraint_count(system_) == 0 && !system_.rows_move;
    if (options_.order > 0 || !old) {  // (f')
      const double at_start =
          next.lambda.allFinite() ? (h_ * next.lambda - (1.0 + h_ * rule_.D3) * before).dot(drift0) : 0.0;
      return of_forces + at_start + after * at_end;
    }
    double constraint = at_end;
    if (next.lambda.allFinite()) constraint += (h_ * next.lambda - before).dot(drift0);
    return of_forces + after * constraint;
  }

  const System& system_;
  const Options& options_;
  const NonholonomicRule& rule_;
  const Point& node_;
  const double h_ = options_.step, t0_ = node_.time, t1_ = t0_ + h_, tm_ = t0_ + 0.5 * h_;
  const double ts_ = t0_ + rule_.s * h_, tc_ = t0_ + rule_.c * h_;
};

}  // namespace

Point nonholonomic_step(const System& system, const Options& options, const NonholonomicRule& rule,
                        const Point& node) {
  const Step step(system, options, rule, node);
  const bool naive = node.first && options.word("start", "legendre") == "naive";
  return step.finish(naive ? step.naive() : step.solve());
}

Momentum nonholonomic_legendre(const System& system, double, const Point& here, const Point&) {
  const VectorXd a = field_momentum(system, here.q, here.time);
  const MatrixXd M = mass_matrix(system, here.q, here.time);
  const VectorXd v = project_velocity(system, here.q, M.inverse() * (here.p - a), here.time);
  return {.p = M * v + a, .v = v};
}

}  // namespace livens::reference
