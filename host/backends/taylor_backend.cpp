#include "host/backends/taylor_backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/backends/cpu_backend.hpp"
#include "host/backends/instance_record.hpp"
#include "host/errors.hpp"
#include "host/spec/built_in_texts.hpp"
#include "host/spec/observing_pairs.hpp"
#include "host/spec/registry.hpp"

namespace livens::host {
namespace {

using taylor::Equations;
using taylor::Group;
using taylor::LaneMask;
using taylor::lanes;
static_assert(tile_size % lanes == 0);

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

const taylor::Recurrences& best_recurrences() {
  const taylor::Recurrences* best = taylor::recurrences("plain");
  for (const std::string& name : instruction_sets())
    if (const taylor::Recurrences* compiled = taylor::recurrences(name)) best = compiled;
  return *best;
}

std::unique_ptr<const Equations> equations_of(const SystemInfo& system, const TextSystem& text) {
  const Observing* observing = observing_of(system);
  std::vector<std::string> observed = own_expressions(system), stops;
  if (observing) {
    observed.insert(observed.end(), observing->observed.begin(), observing->observed.end());
    stops = observing->stops;
  }
  try {
    return std::make_unique<const Equations>(
        text.mechanics(), parameter_count(system),
        observing ? observing->scope : expressions::names_at_nodes(system, nullptr), observed, stops);
  } catch (const expressions::TooLarge&) {
    throw RequestError(fmt::format("taylor on {}: its equations grow beyond {} operations", system.name,
                                   expressions::most_nodes));
  }
}

Status status_of(taylor::Obstacle obstacle) {
  switch (obstacle) {
    case taylor::Obstacle::singular:
      return Status::singular_matrix;
    case taylor::Obstacle::not_finite:
      return Status::not_finite;
    default:
      return Status::newton_diverged;
  }
}

/// What an array has for a lane.
template <class Entries>
auto& at(Entries& entries, int lane) {
  return entries[static_cast<std::size_t>(lane)];
}

std::vector<double> entries(const Group& group, const std::vector<int>& rows, int lane) {
  std::vector<double> values;
  for (const int row : rows) values.push_back(group.measured(row, lane));
  return values;
}
double largest(const Group& group, const std::vector<int>& rows, int lane) {
  double size = 0.0;
  for (const int row : rows) size = std::max(size, std::abs(group.measured(row, lane)));
  return size;
}
/// Finite where all entries are, but for sums beyond the largest double.
double sum(const Group& group, const std::vector<int>& rows, int lane) {
  double total = 0.0;
  for (const int row : rows) total += group.measured(row, lane);
  return total;
}
bool finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

}  // namespace

/// The instances first, ..., first + lanes - 1 of a batch, in a group: what their records say, and what they
/// get of it.
class TaylorBackend::Passengers {
 public:
  Passengers(const TaylorBackend& backend, const Batch& batch, Group& group, std::int64_t first)
      : equations_(*backend.equations_),
        system_(backend.system()),
        batch_(batch),
        group_(group),
        first_(first),
        width_(backend.record_width()),
        kept_(width_ - Group::series_size(equations_, backend.tolerance_)) {
    std::vector<double> parameters(static_cast<std::size_t>(equations_.parameters));
    for (int lane = 0; lane < lanes; ++lane) {
      for (int k = 0; k < equations_.parameters; ++k)
        parameters[static_cast<std::size_t>(k)] =
            batch.varied[k] ? batch.varied[k][first + lane] : batch.shared_parameters[k];
      backend.following_.complete(parameters);
      for (int k = 0; k < equations_.parameters; ++k)
        group_.set_parameter(lane, k, parameters[static_cast<std::size_t>(k)]);
    }
    group_.begin();
  }

  double* record(int lane) const { return record_of(batch_, first_ + lane, width_); }
  double& value(int lane, Column c) const { return column(record(lane), c); }
  bool is_ok(int lane) const { return value(lane, Column::status) == 0.0; }
  double step(int lane) const {
    return batch_.varied_step ? batch_.varied_step[first_ + lane] : batch_.shared_step;
  }
  double steps_to(int lane, std::int64_t unit) const {
    return static_cast<double>(unit * (batch_.steps_per_unit ? batch_.steps_per_unit[first_ + lane] : 1));
  }

  void load() {
    const double* const columns = record(0) + kept_ * tile_size;
    for (int c = 0; c < width_ - kept_; ++c)
      std::copy_n(columns + c * tile_size, lanes, group_.series() + c * lanes);
  }
  void save(int lane) {
    double* const columns = record(lane) + kept_ * tile_size;
    for (int c = 0; c < width_ - kept_; ++c) columns[c * tile_size] = group_.series()[c * lanes + lane];
  }

  void start(const std::uint8_t* status) {
    const int d = system_.coordinates;
    for (int lane = 0; lane < lanes; ++lane) {
      for (int c = 0; c < kept_; ++c) record(lane)[c * tile_size] = 0.0;
      for (std::size_t k = 0; k < system_.observables.size(); ++k)
        record(lane)[(column_count + system_.momentum_maps + static_cast<int>(k)) * tile_size] = nan;
      const std::uint8_t given = status[first_ + lane];
      value(lane, Column::status) = given;
      value(lane, Column::failed_step) = given == 0 ? -1.0 : 0.0;
      group_.set_state(lane, batch_.q + (first_ + lane) * d, batch_.v + (first_ + lane) * d);
      save(lane);
    }
    evaluate_nodes(0.0);
    for (int lane = 0; lane < lanes; ++lane) {
      if (!is_ok(lane)) continue;
      if (!is_finite(lane)) {
        fail(record(lane), Status::not_finite, 0);
        continue;
      }
      double terms = group_.measured(equations_.kinetic, lane);
      for (const double term : entries(group_, equations_.potential_terms, lane)) terms += std::abs(term);
      value(lane, Column::initial_energy) = energy(lane);
      value(lane, Column::energy_scale) = std::max(std::abs(energy(lane)), terms);
      const std::vector<double> maps = entries(group_, equations_.maps, lane);
      for (std::size_t s = 0; s < maps.size(); ++s) initial_map(lane, s) = maps[s];
      write_node(record(lane), measures(lane));
    }
  }

  /// Evaluates every lane at the node that its record says, or some steps after it.
  void evaluate_nodes(double later) {
    std::array<double, lanes> times;
    for (int lane = 0; lane < lanes; ++lane) times[static_cast<std::size_t>(lane)] = node_time(lane, later);
    group_.evaluate(times.data());
  }
  double node_time(int lane, double later) const { return (value(lane, Column::steps) + later) * step(lane); }

  void advance(const Settings& settings, std::int64_t to, const ensembles::StopAsked& stop) {
    LaneMask active;
    std::array<double, lanes> steps;
    for (int lane = 0; lane < lanes; ++lane) {
      at(active, lane) = is_ok(lane) && value(lane, Column::steps) < steps_to(lane, to);
      at(steps, lane) = step(lane);
    }
    const auto any = [](const LaneMask& mask) { return std::ranges::find(mask, true) != mask.end(); };
    if (!any(active)) return;
    load();
    evaluate_nodes(0.0);
    for (int lane = 0; lane < lanes; ++lane) at(before_, lane) = entries(group_, equations_.stops, lane);
    take_nodes(settings, to, active);
    if (!any(active)) return;
    group_.arrive(active);  // as before in another call: the next series begins there
    while (true) {
      drop_stuck(active);
      if (!any(active)) return;
      if (stop && stop()) throw ensembles::Stopped();
      group_.expand(active, steps.data());
      drop_stuck(active);
      group_.arrive(active);
      take_nodes(settings, to, active);
    }
  }

  void view(NodeView& view, int lane) {
    load();
    evaluate_nodes(0.0);
    const int d = system_.coordinates, m = system_.constraints;
    for (int i = 0; i < d; ++i) {
      view.q[i] = group_.position(i, lane);
      view.v[i] = group_.velocity(i, lane);
    }
    std::ranges::copy(entries(group_, equations_.momentum, lane), view.p);
    // Those of the start belong to no step.
    for (int k = 0; k < m; ++k)
      view.lambda[k] = value(lane, Column::steps) > 0.0 ? group_.multiplier(k, lane) : nan;
    std::ranges::copy(entries(group_, equations_.maps, lane), view.momentum);
    view.energy = view.total_energy = energy(lane);
    if (!view.sampled) return;
    write_sampled(
        system_, [&](Sampled quantity) { return sampled(quantity, view, lane); }, view.sampled);
  }

 private:
  double& initial_map(int lane, std::size_t s) const {
    return record(lane)[(column_count + static_cast<int>(s)) * tile_size];
  }
  double energy(int lane) const {
    return group_.measured(equations_.kinetic, lane) + group_.measured(equations_.potential, lane);
  }
  void fail_at_node(int lane, Status status) {
    fail(record(lane), status, static_cast<std::int64_t>(value(lane, Column::steps)));
  }

  /// True for a node that an instance may stand at and be called ok.
  bool is_finite(int lane) const {
    double total = energy(lane) + group_.dissipated(lane) + group_.work(lane);
    for (int i = 0; i < system_.coordinates; ++i)
      total += group_.position(i, lane) + group_.velocity(i, lane);
    for (const std::vector<int>* rows :
         {&equations_.momentum, &equations_.maps, &equations_.constraints, &equations_.rates})
      total += sum(group_, *rows, lane);
    return std::isfinite(total);
  }

  Measures measures(int lane) const {
    const double dissipated = group_.dissipated(lane), work = group_.work(lane);
    double momentum_error = 0.0;
    for (std::size_t s = 0; s < equations_.maps.size(); ++s)
      momentum_error = std::max(momentum_error,
                                std::abs(group_.measured(equations_.maps[s], lane) - initial_map(lane, s)));
    return {energy(lane) - value(lane, Column::initial_energy) + dissipated - work,
            largest(group_, equations_.constraints, lane),
            largest(group_, equations_.rates, lane),
            momentum_error,
            dissipated,
            work};
  }

  /// Ends the active lanes that cannot go on.
  void drop_stuck(LaneMask& active) {
    for (int lane = 0; lane < lanes; ++lane) {
      if (!at(active, lane) || group_.obstacle(lane) == taylor::Obstacle::none) continue;
      fail_at_node(lane, status_of(group_.obstacle(lane)));
      at(active, lane) = false;
    }
  }

  /// Brings every lane to the last node within its series, or to its end; saves the series of those that
  /// came to a node.
  void take_nodes(const Settings& settings, std::int64_t to, LaneMask& active) {
    LaneMask moved{};
    while (true) {
      LaneMask here{};
      bool some = false;
      for (int lane = 0; lane < lanes; ++lane) {
        at(here, lane) = at(active, lane) && node_time(lane, 1.0) <= group_.end(lane);
        some = some || at(here, lane);
      }
      if (!some) break;
      evaluate_nodes(1.0);
      for (int lane = 0; lane < lanes; ++lane) {
        if (!at(here, lane)) continue;
        at(active, lane) = take_node(settings, lane);
        if (is_ok(lane)) at(moved, lane) = true;
        if (value(lane, Column::steps) >= steps_to(lane, to)) at(active, lane) = false;
      }
    }
    for (int lane = 0; lane < lanes; ++lane)
      if (at(moved, lane)) save(lane);
  }

  /// False where the lane stays at the node before.
  bool take_node(const Settings& settings, int lane) {
    double* const r = record(lane);
    std::vector<double> after = entries(group_, equations_.stops, lane);
    if (!is_finite(lane) || !finite(at(before_, lane)) || !finite(after)) {
      fail_at_node(lane, Status::not_finite);
      return false;
    }
    const Measures node = measures(lane);
    if (settings.energy_balance > 0.0 &&
        std::abs(node.energy_error) > settings.energy_balance * value(lane, Column::energy_scale)) {
      fail_at_node(lane, Status::energy_balance);
      return false;
    }
    if (meets_stop(r, system_, step(lane), at(before_, lane), after)) {
      value(lane, Column::status) = static_cast<double>(Status::stopped);
      return false;
    }
    value(lane, Column::steps) += 1.0;
    write_node(r, node);
    at(before_, lane) = std::move(after);
    return true;
  }

  std::vector<double> sampled(Sampled quantity, const NodeView& view, int lane) const {
    const auto of = [](const double* values, int count) {
      return std::vector<double>(values, values + count);
    };
    switch (quantity) {
      case Sampled::energy:
      case Sampled::total_energy:
        return {energy(lane)};
      case Sampled::kinetic_energy:
        return {group_.measured(equations_.kinetic, lane)};
      case Sampled::potential_energy:
        return {group_.measured(equations_.potential, lane)};
      case Sampled::q:
        return of(view.q, system_.coordinates);
      case Sampled::v:
        return of(view.v, system_.coordinates);
      case Sampled::p:
        return of(view.p, system_.coordinates);
      case Sampled::momentum:
        return of(view.momentum, system_.momentum_maps);
      case Sampled::constraint:
        return entries(group_, equations_.constraints, lane);
      case Sampled::velocity_constraint:
        return entries(group_, equations_.rates, lane);
      case Sampled::own:
        return entries(group_, equations_.observed, lane);
      default:
        return {};
    }
  }

  const Equations& equations_;
  const SystemInfo& system_;
  const Batch& batch_;
  Group& group_;
  std::int64_t first_;
  int width_, kept_;                               // columns of a record, and those before the series
  std::array<std::vector<double>, lanes> before_;  // stop conditions at the node before
};

TaylorBackend::TaylorBackend(const PairKernels& pair, const TextSystem& text, double tolerance, int threads,
                             ensembles::StopAsked stop)
    : pair_(pair),
      following_(*pair.system->info),
      equations_(equations_of(*pair.system->info, text)),
      recurrences_(best_recurrences()),
      tolerance_(tolerance),
      workers_(threads),
      device_(fmt::format("{}, {}, {} thread{}", processor_name(), instruction_set(), threads,
                          threads == 1 ? "" : "s")),
      stop_(std::move(stop)) {}

int TaylorBackend::record_width() const {
  return column_count + system().momentum_maps + static_cast<int>(system().observables.size()) +
         Group::series_size(*equations_, tolerance_);
}

void TaylorBackend::initial_states(const Batch& batch) { pair_.system->initial_states(batch, 0, batch.size); }

void TaylorBackend::momenta(const Batch& batch) { pair_.system->momenta(batch, 0, batch.size); }

void TaylorBackend::velocities(const Batch& batch) { pair_.system->velocities(batch, 0, batch.size); }

void TaylorBackend::make_consistent(const Batch& batch, Consistency consistency, std::uint8_t* status) {
  pair_.system->make_consistent(batch, consistency, status, 0, batch.size);
}

void TaylorBackend::start(const Batch& batch, const Settings&, const std::uint8_t* status) {
  for_each_group(batch, [&](std::int64_t first) {
    with_group([&](Group& group) { Passengers(*this, batch, group, first).start(status); });
  });
}

void TaylorBackend::advance(const Batch& batch, const Settings& settings, std::int64_t to) {
  for_each_group(batch, [&](std::int64_t first) {
    with_group([&](Group& group) { Passengers(*this, batch, group, first).advance(settings, to, stop_); });
  });
}

void TaylorBackend::node(const Batch& batch, const LastStep*, std::int64_t i, NodeView& view) {
  if (stays_as_given(batch, i, system(), record_of(batch, i, record_width()), view)) return;
  with_group([&](Group& group) {
    Passengers(*this, batch, group, i - i % lanes).view(view, static_cast<int>(i % lanes));
  });
}

void TaylorBackend::for_each_block(std::int64_t blocks, const std::function<void(std::int64_t)>& body) {
  workers_.for_each_block(blocks, body);
}

void TaylorBackend::for_each_group(const Batch& batch, const std::function<void(std::int64_t first)>& body) {
  workers_.for_each_block(batch.size / lanes, [&](std::int64_t group) { body(group * lanes); });
}

void TaylorBackend::with_group(const With& body) {
  std::unique_ptr<Group> group;
  {
    const std::lock_guard guard(mutex_);
    if (!idle_.empty()) {
      group = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!group) group = std::make_unique<Group>(*equations_, recurrences_, tolerance_);
  body(*group);
  const std::lock_guard guard(mutex_);
  idle_.push_back(std::move(group));
}

}  // namespace livens::host
