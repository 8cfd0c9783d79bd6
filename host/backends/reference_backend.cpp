#include "host/backends/reference_backend.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <limits>

#include "host/backends/instance_record.hpp"
#include "host/backends/reference_options.hpp"
#include "host/backends/rows.hpp"
#include "host/errors.hpp"
#include "host/pairs/observing_pairs.hpp"
#include "reference/tangent_space.hpp"
#include "reference/watched_integrator.hpp"

namespace livens::host {
namespace {

using Eigen::MatrixXd;
using reference::VectorXd;

void set_row(double* rows, std::int64_t i, const VectorXd& values) {
  Eigen::Map<VectorXd>(rows + i * values.size(), values.size()) = values;
}

/// At the start.
VectorXd momentum_of(const reference::Model& model, const VectorXd& q, const VectorXd& v) {
  return reference::mass(model, q) * v + reference::field_momentum(model, q);
}
VectorXd velocity_of(const reference::Model& model, const VectorXd& q, const VectorXd& p) {
  return reference::mass(model, q).ldlt().solve(p - reference::field_momentum(model, q));
}

}  // namespace

ReferenceBackend::ReferenceBackend(const PairKernels& pair, ensembles::StopAsked stop,
                                   const TextSystem* judge)
    : InstanceBackend(pair, std::move(stop), judge) {
  const Observing* const observing = observing_of(system());
  if (!observing || !observing->additions.tangents) return;
  tangents_ = observing->additions.tangents;
  if (!observing->additions.stops.empty())
    refuse({.key = "output.stop"}, "the reference has no derivatives of the time of a stop",
           "no [[output.stop]] beside [tangent], or the backend cpu");
}

void ReferenceBackend::initial_states(const Batch& batch) {
  for (std::int64_t i = 0; i < batch.size; ++i) {
    const reference::State state = reference::default_state(model(batch, i));
    set_row(batch.q, i, state.q);
    set_row(batch.v, i, state.v);
  }
}

void ReferenceBackend::momenta(const Batch& batch) {
  const int d = system().coordinates;
  for (std::int64_t i = 0; i < batch.size; ++i)
    set_row(batch.p, i, momentum_of(model(batch, i), row(batch.q, i, d), row(batch.v, i, d)));
}

void ReferenceBackend::velocities(const Batch& batch) {
  const int d = system().coordinates;
  for (std::int64_t i = 0; i < batch.size; ++i)
    set_row(batch.v, i, velocity_of(model(batch, i), row(batch.q, i, d), row(batch.p, i, d)));
}

void ReferenceBackend::start(const Batch& batch, const Settings& settings, const std::uint8_t* status) {
  carried_.clear();
  carried_.resize(static_cast<std::size_t>(batch.size));
  InstanceBackend::start(batch, settings, status);
}

void ReferenceBackend::arrive(const Batch& batch, std::int64_t i, double* record) {
  if (!tangents_) return;
  std::optional<Carried>& carried = carried_[static_cast<std::size_t>(i)];
  if (!carried) carried = carried_from_start(batch, i);
  const auto steps = static_cast<long>(column(record, Column::steps));
  double* to = record + (column_count + system().momentum_maps) * tile_size;
  const auto write = [&](const MatrixXd& rows) {
    for (const double value : rows.reshaped<Eigen::RowMajor>()) {
      *to = value;
      to += tile_size;
    }
  };
  const auto directions = static_cast<Eigen::Index>(carried->derivatives.size());
  MatrixXd derivatives(directions > 0 ? numbers_of_node() : 0, directions);
  for (Eigen::Index j = 0; j < directions; ++j)
    derivatives.col(j) = carried->derivatives[static_cast<std::size_t>(j)].at(steps);
  write(derivatives);
  if (carried->exponents) write(carried->exponents->at(steps));
  if (tangents_->state && directions > 0) write(carried->basis);
}

ReferenceBackend::Carried ReferenceBackend::carried_from_start(const Batch& batch, std::int64_t i) const {
  const Instance& here = instances()[static_cast<std::size_t>(i)];
  Carried carried;
  for (const Direction& along : tangents_->of) carried.derivatives.push_back(derivative(batch, i, along));
  if (!tangents_->state && tangents_->exponents == 0) return carried;
  carried.basis = reference::tangent_space(here.model, here.initial);
  for (int j = 0; tangents_->state && j < tangents_->directions; ++j)
    carried.derivatives.push_back(derivative(here, carried.basis.col(j)));
  if (tangents_->exponents > 0)
    carried.exponents.emplace(here.model, begin(here), carried.basis.leftCols(tangents_->exponents),
                              tangents_->every);
  return carried;
}

/// q, p, v, and what the system evaluates of its own.
Eigen::Index ReferenceBackend::numbers_of_node() const {
  return 3 * system().coordinates + static_cast<Eigen::Index>(system().sampled.size());
}

/// From a displacement as large as a thirty-second of the entry, or of what it is one of, on.
reference::MotionDerivative ReferenceBackend::derivative(const Batch& batch, std::int64_t i,
                                                         const Direction& along) const {
  const int d = system().coordinates;
  const Instance& here = instances()[static_cast<std::size_t>(i)];
  double size = 0.0;
  switch (along.of) {
    case WithRespectTo::q:
      size = row(batch.given_q, i, d).lpNorm<Eigen::Infinity>();
      break;
    case WithRespectTo::v:
      size = row(batch.given_v, i, d).lpNorm<Eigen::Infinity>();
      break;
    case WithRespectTo::p:
      size = row(batch.p, i, d).lpNorm<Eigen::Infinity>();
      break;
    case WithRespectTo::parameter:
      size = std::abs(batch.varied[along.entry] ? batch.varied[along.entry][i]
                                                : batch.shared_parameters[along.entry]);
      break;
    case WithRespectTo::step:
      size = here.step;
      break;
  }
  return {[&](double by) { return motion(std::make_shared<Instance>(displaced(batch, i, along, by))); },
          (size > 0.0 ? size : 1.0) / 32.0};
}

/// Along a direction of (q, p, v) at its start.
reference::MotionDerivative ReferenceBackend::derivative(const Instance& here,
                                                         const VectorXd& direction) const {
  const std::shared_ptr<const reference::Trajectory> start = begin(here);
  return {[&](double by) {
            return motion(std::make_shared<Instance>(
                Instance{here.model, here.step, here.initial, 0, start->moved(by * direction)}));
          },
          reference::largest_displacement(start->node(), direction)};
}

/// The instance, before it is made consistent, with one entry moved and what follows from it.
InstanceBackend::Instance ReferenceBackend::displaced(const Batch& batch, std::int64_t i,
                                                      const Direction& along, double by) const {
  const int d = system().coordinates;
  const Instance& here = instances()[static_cast<std::size_t>(i)];
  Instance moved{here.model, here.step, {row(batch.given_q, i, d), row(batch.given_v, i, d)}, 0, nullptr};
  auto& [q, v] = moved.initial;
  VectorXd p = momentum_of(here.model, q, v);
  if (along.of == WithRespectTo::parameter) {
    int first = 0;
    for (const ParameterInfo& parameter : system().parameters) {
      if (along.entry >= first && along.entry < first + parameter.size())
        moved.model.parameters.at(parameter.name)[static_cast<std::size_t>(along.entry - first)] += by;
      first += parameter.size();
    }
    const reference::State own = reference::default_state(here.model),
                           after = reference::default_state(moved.model);
    const auto follow = [](const std::vector<Origin>& from, const VectorXd& own, const VectorXd& after,
                           VectorXd& x) {
      for (Eigen::Index k = 0; k < x.size(); ++k) {
        const Origin origin = from[static_cast<std::size_t>(k)];
        if (origin == Origin::own) x[k] += after[k] - own[k];
        if (origin == Origin::multiplied && after[k] != own[k]) x[k] *= after[k] / own[k];
      }
    };
    follow(tangents_->q, own.q, after.q, q);
    if (!tangents_->momentum) follow(tangents_->v, own.v, after.v, v);
  }
  if (along.of == WithRespectTo::q) q[along.entry] += by;
  if (along.of == WithRespectTo::v) v[along.entry] += by;
  if (along.of == WithRespectTo::p) p[along.entry] += by;
  if (along.of == WithRespectTo::step) moved.step += by;
  if (tangents_->momentum) v = velocity_of(moved.model, q, p);
  return moved;
}

reference::MotionDerivative::Motion ReferenceBackend::motion(std::shared_ptr<Instance> instance) const {
  return [this, instance](long steps) -> VectorXd {
    VectorXd values = VectorXd::Constant(numbers_of_node(), std::numeric_limits<double>::quiet_NaN());
    try {
      if (!instance->trajectory) {
        if (tangents_->projected) instance->initial = reference::project(instance->model, instance->initial);
        instance->trajectory = begin(*instance);
      }
      for (; instance->steps < steps; ++instance->steps) instance->trajectory->advance();
      const reference::Node& node = instance->trajectory->node();
      const VectorXd own = own_values(*instance, node);
      values.head(values.size() - own.size()) << node.q, node.p, node.v;
      values.tail(own.size()) = own;
    } catch (const reference::StepFailure&) {
    } catch (const std::invalid_argument&) {  // as in start()
    }
    return values;
  };
}

void ReferenceBackend::make_consistent(const Batch& batch, Consistency consistency, std::uint8_t* status) {
  // The compiled kernels decide whether the values are finite and in their domains, and whether a state is
  // consistent when that is required: a matter of the request, not of the equations. The projection is the
  // reference's own.
  std::vector<double> q(batch.q, batch.q + batch.size * system().coordinates);
  std::vector<double> v(batch.v, batch.v + batch.size * system().coordinates);
  InstanceBackend::make_consistent(batch, consistency, status);
  if (consistency != Consistency::project) return;
  const int d = system().coordinates;
  for (std::int64_t i = 0; i < batch.size; ++i) {
    if (status[i] != static_cast<std::uint8_t>(Status::ok)) continue;
    try {
      const reference::State state =
          reference::project(model(batch, i), {row(q.data(), i, d), row(v.data(), i, d)});
      set_row(batch.q, i, state.q);
      set_row(batch.v, i, state.v);
    } catch (const reference::StepFailure&) {
      status[i] = static_cast<std::uint8_t>(Status::inconsistent_initial);
    }
  }
  momenta(batch);
}

reference::Options ReferenceBackend::options(const Instance& instance) const {
  return reference_options(scheme(), settings(), instance.step);
}

std::unique_ptr<reference::Trajectory> ReferenceBackend::begin(const Instance& instance) const {
  return std::make_unique<reference::Integrator>(instance.model, options(instance), instance.initial);
}

void ReferenceBackend::for_each_block(std::int64_t blocks, const std::function<void(std::int64_t)>& body) {
  for (std::int64_t block = 0; block < blocks; ++block) body(block);
}

reference::ProjectionError ReferenceBackend::projection_error(const Batch& given, const Batch& projected,
                                                              std::int64_t i) const {
  const int d = system().coordinates;
  return reference::projection_error(model(given, i), {row(given.q, i, d), row(given.v, i, d)},
                                     {row(projected.q, i, d), row(projected.v, i, d)});
}

std::unique_ptr<reference::Trajectory> JudgingBackend::begin(const Instance& instance) const {
  return std::make_unique<reference::WatchedIntegrator>(instance.model, options(instance), instance.initial);
}

double JudgingBackend::round_off(std::int64_t i) const {
  const Instance& instance = instances()[i];
  if (!instance.trajectory) return 0.0;
  const auto& integrator =
      static_cast<const reference::WatchedIntegrator&>(*instance.trajectory);  // of begin()
  try {
    return 64.0 * std::numeric_limits<double>::epsilon() * static_cast<double>(instance.steps) *
           integrator.growth() * std::max(1.0, integrator.condition());
  } catch (const reference::StepFailure&) {
    return std::numeric_limits<double>::infinity();
  }
}

}  // namespace livens::host
