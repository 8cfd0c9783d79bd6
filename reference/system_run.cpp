// A system of formulas from node to node, by the function that a scheme is.

#include "composition.hpp"
#include "condition.hpp"
#include "run.hpp"

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
    if (options.order != 0) composition_ = std::make_unique<Composition>(options.order);
    measure();
  }

  const Node& node() const override { return node_; }

  const Node& advance() override {
    Point next = ahead_ ? *ahead_ : step_from(point_);
    if (scheme_.looks_ahead && !composition_) ahead_ = std::make_unique<Point>(step_from(next));
    point_ = std::move(next);
    measure();
    return node_;
  }

  double condition() const override {
    if (point_.newton_matrix.size() == 0) return 1.0;
    return condition_of(point_.newton_matrix);
  }

 private:
  Point step_from(const Point& point) const {
    try {
      Point next = composition_ ? composition_->step(scheme_, system_, options_, point)
                                : scheme_.step(system_, options_, point);
      next.step = point.step + 1;
      next.time = static_cast<double>(next.step) * options_.step;
      next.first = next.first && composition_;
      return next;
    } catch (const NewtonFailure& failure) {
      throw StepFailure(point.step, failure.reason);
    }
  }

  void measure() {
    Node node;
    node.time = static_cast<double>(point_.step) * options_.step;
    node.q = point_.q;
    node.p = point_.p;
    node.v = point_.v;
    if (scheme_.legendre && !point_.first) {
      const Point& ahead = scheme_.looks_ahead ? *ahead_ : point_;
      const Momentum momentum = scheme_.legendre(system_, options_.step, point_, ahead);
      node.p = momentum.p;
      node.v = momentum.v;
    }
    node.lambda = point_.lambda;
    node.gamma = point_.gamma;
    measure_state(system_, node);
    if (scheme_.kinetic_energy)
      node.energy =
          scheme_.kinetic_energy(system_, node.q, node.p, node.v, node.time) + node.potential_energy;
    node.z = scheme_.has_action ? point_.z : absent;
    node.dissipated = point_.dissipated;
    node.work = point_.work;
    node.newton_iterations = point_.newton_iterations;
    node_ = std::move(node);
  }

  System system_;
  const Scheme& scheme_;
  Options options_;
  std::unique_ptr<Composition> composition_;  // null: the scheme's own steps
  Point point_;
  std::unique_ptr<Point> ahead_;  // one step further, for the schemes that look ahead
  Node node_;
};

}  // namespace

std::unique_ptr<Run> begin(const System& system, const Scheme& scheme, const Options& options,
                           const State& initial) {
  return std::make_unique<SystemRun>(system, scheme, options, initial);
}

}  // namespace livens::reference
