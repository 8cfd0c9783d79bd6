#include "host/backends/instance_backend.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "host/backends/instance_record.hpp"
#include "host/backends/rows.hpp"
#include "host/errors.hpp"
#include "host/pairs/observing_pairs.hpp"
#include "host/pairs/text_pairs.hpp"
#include "host/pairs/text_reference.hpp"
#include "reference/text/text_system.hpp"

namespace livens::host {
namespace {

using reference::VectorXd;

Status status_of(reference::Failure reason) {
  switch (reason) {
    case reference::Failure::singular_matrix:
      return Status::singular_matrix;
    case reference::Failure::not_finite:
      return Status::not_finite;
    case reference::Failure::wrong_branch:
      return Status::wrong_branch;
    case reference::Failure::zeno:
      return Status::zeno;
    case reference::Failure::inconsistent_initial:
      return Status::inconsistent_initial;
    case reference::Failure::invalid_parameter:
      return Status::invalid_parameter;
    default:
      return Status::newton_diverged;
  }
}

/// Makes the record of instance i that of the one before.
void repeat(const Batch& batch, std::int64_t i, int width) {
  const double* from = record_of(batch, i - 1, width);
  double* to = record_of(batch, i, width);
  for (int c = 0; c < width; ++c) to[c * tile_size] = from[c * tile_size];
}
/// What the record keeps of a node of the reference.
Measures measures_of(const reference::Node& node, double energy_error, double momentum_error) {
  return {energy_error,   node.constraint, node.velocity_constraint,
          momentum_error, node.dissipated, node.work};
}

/// The names of a scope, as the reference has them. A name that stands twice means what it does first.
reference::Names names_of(const expressions::Scope& scope) {
  reference::Names names;
  std::set<std::string> taken;
  for (const auto& [name, leaf, first, count, is_vector] : scope.names) {
    if (!taken.insert(name).second) continue;
    std::vector<reference::Symbol>& kind = leaf == expressions::Leaf::position   ? names.coordinates
                                           : leaf == expressions::Leaf::velocity ? names.velocities
                                           : leaf == expressions::Leaf::momentum ? names.momenta
                                                                                 : names.parameters;
    kind.push_back({name, is_vector, count, first});
  }
  return names;
}

/// A quantity of a node; nothing where it is no part of the reference. `own`: those of the system's own.
std::vector<double> sampled(Sampled quantity, const reference::Node& node, const VectorXd& own) {
  const auto entries = [](const VectorXd& values) {
    return std::vector<double>(values.begin(), values.end());
  };
  switch (quantity) {
    case Sampled::energy:
      return {node.energy};
    case Sampled::kinetic_energy:
      return {node.kinetic_energy};
    case Sampled::potential_energy:
      return {node.potential_energy};
    case Sampled::total_energy:
      return {node.total_energy};
    case Sampled::q:
      return entries(node.q);
    case Sampled::v:
      return entries(node.v);
    case Sampled::p:
      return entries(node.p);
    case Sampled::momentum:
      return entries(node.momentum);
    case Sampled::constraint:
      return entries(node.constraints);
    case Sampled::velocity_constraint:
      return entries(node.rates);
    case Sampled::own:
      return entries(own);
    default:
      return {};
  }
}

/// True for a node that an instance may stand at and be called ok.
bool is_finite(const reference::Node& node) {
  return node.q.allFinite() && node.v.allFinite() && node.p.allFinite() && node.momentum.allFinite() &&
         std::isfinite(node.energy) && std::isfinite(node.constraint) &&
         std::isfinite(node.velocity_constraint) && std::isfinite(node.dissipated) &&
         std::isfinite(node.work);
}

}  // namespace

InstanceBackend::InstanceBackend(const PairKernels& pair, ensembles::StopAsked stop, const TextSystem* judge)
    : pair_(pair), equations_(text_of_equations(*pair.system->info)), stop_(std::move(stop)) {
  if (const TextSystem* text = judge ? judge : text_of(system())) {
    text_ = read_by_reference(*text);
    if (!text_) refuse({text->name()}, "the reference does not understand the text");
  }
  const Observing* observing = observing_of(system());
  if (!observing) return;
  refuse_events(observing->additions, "the reference");
  // A zero is found in a smooth part of a step, which the reference does not show.
  if (has_impacts(system()) && !observing->additions.stops.empty())
    refuse({.key = "output.stop"}, "the reference has no stop conditions beside impacts", "the backend cpu");
  reference::Names names = names_of(observing->scope);
  if (text_) names.quantities = text_->quantities();
  try {
    observed_ = {names, observing->additions.observed};
    stops_ = {names, observing->additions.stops};
  } catch (const std::invalid_argument& problem) {
    refuse({}, std::string("the reference does not understand an expression: ") + problem.what());
  }
}

VectorXd InstanceBackend::values(const reference::Observation& expressions, const Instance& instance,
                                 const reference::Node& node) const {
  std::vector<double> parameters;
  for (const ParameterInfo& parameter : system().parameters) {
    const std::vector<double>& entries = instance.model.parameters.at(parameter.name);
    parameters.insert(parameters.end(), entries.begin(), entries.end());
  }
  if (equations_) equations_->complete(parameters);
  return expressions.at(node, node.time, parameters);
}

/// When stop condition k is zero in the step from node `done`: from there by steps of half the length, a quarter, ...,
/// 2^-12 of it, and in the last one on a parabola (kernels/stepping/crossings.hpp). On the line through both nodes where
/// that cannot be said.
double InstanceBackend::stop_time(Instance& instance, std::int64_t done, int k, const VectorXd& before,
                                  const VectorXd& after) {
  constexpr int halvings = 12;
  const double start = node_at(instance, done).time;
  const auto like = [](double f, double sign) { return (f > 0.0) == (sign > 0.0) && f != 0.0; };
  std::vector<double> lengths;  // of the steps that stay before the zero
  const auto value_after = [&](double length) {
    std::vector<double> all = lengths;
    all.push_back(length);
    const std::optional<reference::Node> there = instance.trajectory->after(all);
    return there ? values(stops_, instance, *there)[k] : std::numeric_limits<double>::quiet_NaN();
  };
  double f0 = before[k], f1 = 0.0, f2 = 0.0, length = instance.step;
  try {
    for (int i = 0; i < halvings; ++i) {
      if (i > 0 && like(f1, f0)) {
        lengths.push_back(length);
        f0 = f1;
      }
      length /= 2.0;
      f1 = value_after(length);
    }
    const double from = std::accumulate(lengths.begin(), lengths.end(), start);
    lengths.push_back(length);
    f2 = value_after(length);
    if (std::isfinite(f1) && std::isfinite(f2)) {
      double a = 0.0, b = 2.0;
      // Bisected to the last place, which is where a parabola through rounded values is known to at best.
      for (double s = 1.0; a < s && s < b && !like(f2, f0); s = 0.5 * (a + b)) {
        const double f = 0.5 * (s - 1.0) * (s - 2.0) * f0 + s * (2.0 - s) * f1 + 0.5 * s * (s - 1.0) * f2;
        (like(f, f0) ? a : b) = s;
      }
      return from + b * length;
    }
  } catch (const reference::StepFailure&) {
  }
  return start + instance.step * (before[k] / (before[k] - after[k]));
}

/// Parameters that follow from others are NaN, and so alike.
bool InstanceBackend::Instance::starts_like(const Instance& other) const {
  const auto alike = [](const auto& a, const auto& b) {
    return a.first == b.first &&
           std::equal(a.second.begin(), a.second.end(), b.second.begin(), b.second.end(),
                      [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
  };
  return std::equal(model.parameters.begin(), model.parameters.end(), other.model.parameters.begin(),
                    other.model.parameters.end(), alike) &&
         step == other.step && initial.q == other.initial.q && initial.v == other.initial.v;
}

int InstanceBackend::record_width() const {
  return column_count + system().momentum_maps + entries_of(system().observables);
}

reference::Model InstanceBackend::model(const Batch& batch, std::int64_t i) const {
  reference::Model model{system().name, {}, text_};
  int k = 0;
  for (const ParameterInfo& parameter : system().parameters)
    for (int entry = 0; entry < parameter.size(); ++entry, ++k)
      model.parameters[parameter.name].push_back(batch.varied[k] ? batch.varied[k][i]
                                                                 : batch.shared_parameters[k]);
  return model;
}

void InstanceBackend::initial_states(const Batch& batch) {
  pair_.system->initial_states(batch, 0, batch.size);
}

void InstanceBackend::momenta(const Batch& batch) { pair_.system->momenta(batch, 0, batch.size); }

void InstanceBackend::velocities(const Batch& batch) { pair_.system->velocities(batch, 0, batch.size); }

void InstanceBackend::make_consistent(const Batch& batch, Consistency consistency, std::uint8_t* status) {
  pair_.system->make_consistent(batch, consistency, status, 0, batch.size);
}

const reference::Node& InstanceBackend::node_at(Instance& instance, std::int64_t steps) {
  if (!instance.trajectory || instance.steps > steps) {
    instance.trajectory = begin(instance);
    instance.steps = 0;
  }
  for (; instance.steps < steps; ++instance.steps) instance.trajectory->advance();
  return instance.trajectory->node();
}

void InstanceBackend::start(const Batch& batch, const Settings& settings, const std::uint8_t* status) {
  settings_ = settings;
  instances_.clear();
  instances_.resize(batch.size);
  for_each_tile(batch, [&](std::int64_t i) { start(batch, status[i], i); });
}

void InstanceBackend::start(const Batch& batch, std::uint8_t status, std::int64_t i) {
  const int d = system().coordinates;
  double* r = record_of(batch, i, record_width());
  for (int c = 0; c < record_width(); ++c) r[c * tile_size] = 0.0;
  // Columns that a system follows of its own are not part of the reference.
  for (int c = column_count + system().momentum_maps; c < record_width(); ++c)
    r[c * tile_size] = std::numeric_limits<double>::quiet_NaN();
  write_impacts({}, r);
  column(r, Column::status) = status;
  column(r, Column::failed_step) = status == 0 ? -1.0 : 0.0;
  const double h = batch.varied_step ? batch.varied_step[i] : batch.shared_step;
  Instance& instance = instances_[i];
  instance = {model(batch, i), h, {row(batch.q, i, d), row(batch.v, i, d)}, status, nullptr};
  instance.repeated =
      i % tile_size > 0 && status == instances_[i - 1].status && instance.starts_like(instances_[i - 1]);
  if (instance.repeated) {
    repeat(batch, i, record_width());
    return;
  }
  if (status != 0) return;
  try {
    node_at(instance, 0);
  } catch (const std::invalid_argument&) {  // a mass matrix that is singular in double precision
    fail(r, Status::singular_matrix, 0);
    return;
  } catch (const reference::StepFailure& failure) {
    fail(r, status_of(failure.reason), 0);
    return;
  }
  const reference::Node& node = node_at(instance, 0);
  if (!is_finite(node)) {
    fail(r, Status::not_finite, 0);
    return;
  }
  column(r, Column::initial_energy) = node.energy;
  column(r, Column::energy_scale) =
      std::max(std::abs(node.energy), 0.5 * node.p.dot(node.v) + node.potential_scale);
  write_node(r, measures_of(node, 0.0, 0.0));
  for (int s = 0; s < system().momentum_maps; ++s) r[(column_count + s) * tile_size] = node.momentum[s];
  arrive(batch, i, r);
}

void InstanceBackend::advance(const Batch& batch, const Settings&, std::int64_t to) {
  for_each_tile(batch, [&](std::int64_t i) {
    if (instances_[i].repeated) {
      repeat(batch, i, record_width());
      return;
    }
    const auto last = static_cast<double>(to * (batch.steps_per_beat ? batch.steps_per_beat[i] : 1));
    double* r = record_of(batch, i, record_width());
    while (column(r, Column::steps) < last && column(r, Column::status) == 0.0) {
      if (stop_ && stop_()) throw ensembles::Stopped();
      advance(instances_[i], r);
    }
    if (instances_[i].status == 0) arrive(batch, i, r);
  });
}

void InstanceBackend::advance(Instance& instance, double* r) {
  const auto done = static_cast<std::int64_t>(column(r, Column::steps));
  try {
    const VectorXd before = values(stops_, instance, node_at(instance, done));
    const reference::Node node = node_at(instance, done + 1);
    const VectorXd after = values(stops_, instance, node);
    if (!is_finite(node) || !before.allFinite() || !after.allFinite()) {
      fail(r, Status::not_finite, done);
      return;
    }
    const double error = node.energy - column(r, Column::initial_energy) + node.dissipated - node.work;
    const double scale = std::max(0.5 * std::abs(node.p.dot(node.v)) + std::abs(node.dissipated - node.work),
                                  column(r, Column::energy_scale));
    if (settings_.energy_balance > 0.0 && std::abs(error) > settings_.energy_balance * scale) {
      fail(r, Status::energy_balance, done);
      return;
    }
    if (meets_stop(r, system().momentum_maps, static_cast<int>(after.size()), before, after,
                   [&](int k) { return stop_time(instance, done, k, before, after); })) {
      column(r, Column::status) = static_cast<double>(Status::stopped);
      return;
    }
    column(r, Column::steps) += 1.0;
    column(r, Column::energy_scale) = scale;
    column(r, Column::newton_iterations) += node.newton_iterations;
    double momentum_error = 0.0;
    for (int s = 0; s < system().momentum_maps; ++s)
      momentum_error =
          std::max(momentum_error, std::abs(node.momentum[s] - r[(column_count + s) * tile_size]));
    write_node(r, measures_of(node, error, momentum_error));
    write_impacts(node.impacts, r);
  } catch (const reference::StepFailure& failure) {
    fail(r, status_of(failure.reason), failure.step);
  }
}

/// The number of the impacts on every wall, and the times that are kept.
void InstanceBackend::write_impacts(const std::vector<std::vector<double>>& times, double* r) const {
  int place = column_count + system().momentum_maps;
  for (const ObservableInfo& one : system().observables) {
    const std::string name = one.name;
    const int kept = name == "impact_time" ? one.axes[1].length : 0, walls = one.axes[0].length;
    for (int k = 0; (kept > 0 || name == "impact_count") && k < walls; ++k) {
      const std::vector<double> of_wall =
          times.empty() ? std::vector<double>() : times[static_cast<std::size_t>(k)];
      const auto known = static_cast<int>(of_wall.size());
      if (kept == 0) r[(place + k) * tile_size] = known;
      for (int hit = 0; hit < std::min(kept, known); ++hit)
        r[(place + k * kept + hit) * tile_size] = of_wall[static_cast<std::size_t>(hit)];
    }
    place += one.size();
  }
}

/// In order within a tile, whose instances repeat each other.
void InstanceBackend::for_each_tile(const Batch& batch, const std::function<void(std::int64_t)>& body) {
  for_each_block(batch.size / tile_size, [&](std::int64_t tile) {
    for (std::int64_t i = tile * tile_size; i < (tile + 1) * tile_size; ++i) body(i);
  });
}

void InstanceBackend::node(const Batch& batch, const LastStep*, std::int64_t i, NodeView& view) {
  double* r = record_of(batch, i, record_width());
  if (stays_as_given(batch, i, system(), r, view)) return;
  const int d = system().coordinates, m = system().constraints, s = system().momentum_maps;
  while (instances_[i].repeated) --i;
  const reference::Node& node = node_at(instances_[i], static_cast<std::int64_t>(column(r, Column::steps)));
  std::copy_n(node.q.data(), d, view.q);
  std::copy_n(node.v.data(), d, view.v);
  std::copy_n(node.p.data(), d, view.p);
  if (node.lambda.size() == m) std::copy_n(node.lambda.data(), m, view.lambda);
  if (node.gamma.size() == m) std::copy_n(node.gamma.data(), m, view.gamma);
  if (s > 0) std::copy_n(node.momentum.data(), s, view.momentum);
  view.energy = node.energy;
  view.total_energy = node.total_energy;
  view.z = node.z;
  if (!view.sampled) return;
  const VectorXd own = own_values(instances_[i], node);
  write_sampled(
      system(), [&](Sampled quantity) { return sampled(quantity, node, own); }, view.sampled);
}

VectorXd InstanceBackend::own_values(const Instance& instance, const reference::Node& node) const {
  const VectorXd more = values(observed_, instance, node);
  VectorXd own = VectorXd::Constant(static_cast<Eigen::Index>(system().sampled.size()),
                                    std::numeric_limits<double>::quiet_NaN());
  const Eigen::Index known = std::min(node.own.size(), own.size() - more.size());
  own.head(known) = node.own.head(known);
  own.tail(more.size()) = more;
  // All that a text has of its own is what its redundant rows are off by.
  if (text_ && own.size() > more.size()) own[0] = node.redundant_constraints;
  return own;
}

}  // namespace livens::host
