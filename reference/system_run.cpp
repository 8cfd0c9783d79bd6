// A system of formulas from node to node, by the function that a scheme is.

#include "composition.hpp"
#include "condition.hpp"
#include "run.hpp"
#include "walls.hpp"

namespace livens::reference {
namespace {

class SystemRun : public Run {
 public:
  SystemRun(const System& system, const Scheme& scheme, const Options& options, const State& initial)
      : system_(system), scheme_(scheme), options_(options) {
    point_.q = initial.q;
    point_.v = initial.v;
    point_.p = mass_matrix(system_, initial.q) * initial.v + field_momentum(system_, initial.q, 0.0);
    point_.lambda = point_.gamma = VectorXd::Constant(constraint_count(system_), absent);
    if (options.order != 0) composition_.emplace(options.order);
    try {
      if (system_.gap) start_among_walls(system_, point_);
    } catch (const NewtonFailure& failure) {
      throw StepFailure(0, failure.reason);
    }
    measure();
  }

  const Node& node() const override { return node_; }

  const Node& advance() override {
    Point next = ahead_ ? *ahead_ : node_from(point_);
    if (looks_ahead()) ahead_ = node_from(next);
    point_ = std::move(next);
    measure();
    return node_;
  }
  std::optional<Node> after(const std::vector<double>& lengths) const override {
    Point at = point_;
    for (const double length : lengths) at = step_from(at, length);
    return measured(at, looks_ahead() ? step_from(at, lengths.back()) : at, lengths.back());
  }

  VectorXd handed_on() const override {
    VectorXd all(3 * point_.q.size());
    all << point_.q, point_.p, point_.v;
    return all;
  }
  std::unique_ptr<Trajectory> moved(const VectorXd& by) const override {
    auto other = std::make_unique<SystemRun>(*this);
    const Eigen::Index d = point_.q.size();
    other->point_.q += by.head(d);
    other->point_.p += by.segment(d, d);
    other->point_.v += by.tail(d);
    if (ahead_) other->ahead_ = other->node_from(other->point_);
    other->measure();
    return other;
  }

  double condition() const override {
    if (point_.newton_matrix.size() == 0) return 1.0;
    return condition_of(point_.newton_matrix);
  }

 private:
  bool looks_ahead() const { return scheme_.looks_ahead && !composition_; }

  Point node_from(const Point& point) const {
    Point next = step_from(point, options_.step);
    next.time = static_cast<double>(next.step) * options_.step;
    return next;
  }
  Point step_from(const Point& point, double length) const {
    Options options = options_;
    options.step = length;
    try {
      Point next = system_.gap    ? step_among_walls(scheme_, system_, options,
                                                  composition_ ? &*composition_ : nullptr, point)
                   : composition_ ? composition_->step(scheme_, system_, options, point)
                                  : scheme_.step(system_, options, point);
      next.step = point.step + 1;
      next.time = point.time + length;
      next.first = next.first && composition_;
      return next;
    } catch (const NewtonFailure& failure) {
      throw StepFailure(point.step, failure.reason);
    }
  }
  void measure() { node_ = measured(point_, ahead_ ? *ahead_ : point_, options_.step); }
  /// A point at the end of a step of that length, with one of the same length `ahead`.
  Node measured(const Point& point, const Point& ahead, double length) const {
    Node node;
    node.time = point.time;
    node.q = point.q;
    node.p = point.p;
    node.v = point.v;
    if (scheme_.legendre && !point.first) {
      const Momentum momentum = scheme_.legendre(system_, length, point, ahead);
      node.p = momentum.p;
      node.v = momentum.v;
    }
    node.lambda = point.lambda;
    node.gamma = point.gamma;
    measure_state(system_, node);
    if (scheme_.kinetic_energy)
      node.energy =
          scheme_.kinetic_energy(system_, node.q, node.p, node.v, node.time) + node.potential_energy;
    node.z = scheme_.has_action ? point.z : absent;
    node.dissipated = point.dissipated;
    node.work = point.work;
    node.newton_iterations = point.newton_iterations;
    node.impacts = point.impacts;
    return node;
  }

  System system_;
  const Scheme& scheme_;
  Options options_;
  std::optional<Composition> composition_;  // none: the scheme's own steps
  Point point_;
  std::optional<Point> ahead_;  // one step further, for the schemes that look ahead
  Node node_;
};

}  // namespace

std::unique_ptr<Run> begin(const System& system, const Scheme& scheme, const Options& options,
                           const State& initial) {
  return std::make_unique<SystemRun>(system, scheme, options, initial);
}

}  // namespace livens::reference
