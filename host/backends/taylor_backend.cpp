#include "host/backends/taylor_backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <limits>

#include "host/backends/cpu_backend.hpp"
#include "host/backends/instance_record.hpp"
#include "host/compilation/called_program.hpp"
#include "host/compilation/compiled.hpp"
#include "host/errors.hpp"
#include "host/pairs/built_in_texts.hpp"
#include "host/pairs/observing_pairs.hpp"
#include "host/pairs/registry.hpp"
#include "host/pairs/text_pairs.hpp"
#include "taylor/built_in_series.hpp"
#include "taylor/fixed_plan.hpp"
#include "taylor/passage.hpp"

namespace livens::host {
namespace {

using taylor::Equations;
using taylor::Group;
using taylor::lanes;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::unique_ptr<const Equations> equations_of(const SystemInfo& system, const TextSystem& text,
                                              const std::vector<bool>& zeros) {
  const Observing* observing = observing_of(system);
  std::vector<std::string> observed = own_expressions(system), stops;
  if (observing) {
    const expressions::Additions& added = observing->additions;
    refuse_tangents(added, "taylor");
    refuse_events(added, "taylor");
    observed.insert(observed.end(), added.observed.begin(), added.observed.end());
    stops = added.stops;
  }
  try {
    return std::make_unique<const Equations>(
        text.mechanics(), parameter_count(system),
        observing ? observing->scope : expressions::names_at_nodes(system, text_of(system)), observed, stops,
        zeros);
  } catch (const taylor::NoSeries& problem) {
    refuse({}, fmt::format("taylor does not run {}: {}", system.name, problem.what()));
  } catch (const expressions::TooLarge&) {
    refuse({}, fmt::format("taylor on {}: its equations grow beyond {} operations", system.name,
                           expressions::most_nodes));
  }
}

std::string text_to_write_out(const Equations& equations) {
  const taylor::Plan plan = equations.plan();
  return taylor::worth_writing_out(plan) ? taylor::fixed_plan(plan) : "";
}

/// The widest registers of this processor that there are recurrences for.
std::string widest() {
  std::string found = "plain";
  for (const std::string& name : instruction_sets())
    if (taylor::recurrences(name)) found = name;
  return found;
}

/// A run that ends before does not compile its steps: written out they are about twice as fast
/// (`bench/written_out.py`), and compiled in 4 to 42 s.
constexpr std::chrono::seconds patience{5};

std::vector<double> entries(const Group& group, const std::vector<int>& rows, int lane) {
  std::vector<double> values;
  for (const int row : rows) values.push_back(group.measured(row, lane));
  return values;
}

}  // namespace

/// The instances first, ..., first + lanes - 1 of a batch, in a group: what their records say, and what they
/// get of it.
class TaylorBackend::Passengers : public taylor::Passage<taylor::Recurrences, lanes> {
 public:
  Passengers(const TaylorBackend& backend, const Batch& batch, Group& group, std::int64_t first)
      : Passage(batch, backend.kept_columns(), first, group),
        equations_(*backend.equations_),
        system_(backend.system()),
        batch_(batch),
        group_(group),
        first_(first),
        kept_(backend.kept_columns()) {
    std::vector<double> parameters(static_cast<std::size_t>(equations_.parameters));
    for (int lane = 0; lane < lanes; ++lane) {
      backend.parameters_of(batch, first + lane, parameters);
      for (int k = 0; k < equations_.parameters; ++k)
        group_.set_parameter(lane, k, parameters[static_cast<std::size_t>(k)]);
    }
    group_.begin();
  }

  void start(const std::uint8_t* status) {
    const int d = system_.coordinates;
    for (int lane = 0; lane < lanes; ++lane) {
      for (int c = 0; c < kept_; ++c) record(lane)[c * tile_size] = 0.0;
      for (int k = 0; k < entries_of(system_.observables); ++k)
        record(lane)[(column_count + system_.momentum_maps + k) * tile_size] = nan;
      const std::uint8_t given = status[first_ + lane];
      value(lane, Column::status) = given;
      value(lane, Column::failed_step) = given == 0 ? -1.0 : 0.0;
      group_.set_state(lane, batch_.q + (first_ + lane) * d, batch_.v + (first_ + lane) * d);
    }
    taylor::LaneMask every;
    every.fill(true);
    save(every.data());
    evaluate_nodes(0.0);
    for (int lane = 0; lane < lanes; ++lane) {
      if (!is_ok(lane)) continue;
      if (!is_finite(lane)) {
        fail(record(lane), Status::not_finite, 0);
        continue;
      }
      // Half of p.v, as elsewhere: (p.v - T + T)/2.
      double terms = 0.5 * (group_.measured(equations_.kinetic, lane) +
                            group_.measured(equations_.kinetic_energy, lane));
      for (const double term : entries(group_, equations_.potential_terms, lane)) terms += std::abs(term);
      value(lane, Column::initial_energy) = energy(lane);
      value(lane, Column::energy_scale) = std::max(std::abs(energy(lane)), terms);
      const std::vector<double> maps = entries(group_, equations_.maps, lane);
      for (std::size_t s = 0; s < maps.size(); ++s) initial_map(lane, static_cast<int>(s)) = maps[s];
      write_node(record(lane), measures(lane));
    }
  }

  void view(NodeView& view, int lane) {
    load();
    evaluate_nodes(0.0);
    group_.solve_multipliers();
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
    view.energy = energy(lane);
    view.total_energy = total_energy(lane);
    if (!view.sampled) return;
    write_sampled(
        system_, [&](Sampled quantity) { return sampled(quantity, view, lane); }, view.sampled);
  }

 private:
  std::vector<double> sampled(Sampled quantity, const NodeView& view, int lane) const {
    const auto of = [](const double* values, int count) {
      return std::vector<double>(values, values + count);
    };
    switch (quantity) {
      case Sampled::energy:
        return {energy(lane)};
      case Sampled::total_energy:
        return {total_energy(lane)};
      case Sampled::kinetic_energy:
        return {group_.measured(equations_.kinetic_energy, lane)};
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

  double total_energy(int lane) const {
    return group_.measured(equations_.kinetic_energy, lane) + group_.measured(equations_.potential, lane);
  }

  const Equations& equations_;
  const SystemInfo& system_;
  const Batch& batch_;
  Group& group_;
  std::int64_t first_;
  int kept_;
};

std::vector<bool> zeros_of(const ensembles::Request& request) {
  std::vector<bool> zeros;
  for (const double value : request.parameters) zeros.push_back(value == 0.0);
  for (const auto* varied : {&request.variations, &request.taken_over})
    for (const ensembles::Variation& variation : *varied)
      if (variation.target == ensembles::Target::parameter)
        std::fill_n(zeros.begin() + variation.first, variation.count, false);
  return zeros;
}

std::string plan_to_write_out(const SystemInfo& system, const TextSystem& text,
                              const std::vector<bool>& zeros) {
  return text_to_write_out(*equations_of(system, text, zeros));
}

TaylorBackend::TaylorBackend(const PairKernels& pair, const TextSystem& text, const std::vector<bool>& zeros,
                             double tolerance, int threads, ensembles::StopAsked stop, CompileSeries compile)
    : pair_(pair),
      text_(text),
      equations_(equations_of(*pair.system->info, text, zeros)),
      walked_(*taylor::recurrences(widest())),
      tolerance_(tolerance),
      workers_(threads),
      device_(fmt::format("{}, {}, {} thread{}", processor_name(), instruction_set(), threads,
                          threads == 1 ? "" : "s")),
      stop_(std::move(stop)) {
  const std::string plan = text_to_write_out(*equations_);
  if (plan.empty()) return;
  if (const taylor::FixedSeries* const built_in = taylor::built_in_series(widest(), plan))
    take(*built_in);
  else if (compile)
    compile_ = [compile = std::move(compile), plan]() -> const taylor::FixedSeries& { return compile(plan); };
}

void TaylorBackend::take(const taylor::FixedSeries& written_out) {
  const std::lock_guard guard(mutex_);
  written_out_ = walked_;
  written_out_.project = written_out.project;
  written_out_.expand = written_out.expand;
  recurrences_ = &written_out_;
  idle_.clear();
}

void TaylorBackend::compile_beside() {
  compiling_ = std::jthread([this](const std::stop_token& stopped) {
    struct NotThere {};
    const std::function<bool()> asked = [&] { return stopped.stop_requested(); };
    const Announcing::Told not_now = [](const std::string&) { throw NotThere(); },
                           silently = [](const std::string&) {};
    try {
      const CallsEnd ends(asked);
      try {
        const Announcing what_is_there(not_now);
        return take(compile_());
      } catch (const NotThere&) {
      }
      std::mutex mutex;
      std::unique_lock lock(mutex);
      std::condition_variable_any().wait_for(lock, stopped, patience, [] { return false; });
      const Announcing what_is_compiled(silently);
      if (!asked()) take(compile_());
    } catch (const std::exception&) {
      // The steps go on as they are.
    }
  });
}

int TaylorBackend::kept_columns() const {
  return column_count + system().momentum_maps + entries_of(system().observables);
}

int TaylorBackend::record_width() const {
  return kept_columns() + Group::series_size(*equations_, tolerance_);
}

void TaylorBackend::parameters_of(const Batch& batch, std::int64_t i, std::vector<double>& parameters) const {
  for (std::size_t k = 0; k < parameters.size(); ++k)
    parameters[k] = batch.varied[k] ? batch.varied[k][i] : batch.shared_parameters[k];
  text_.complete(parameters);
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
  if (compile_) std::call_once(compiles_, [&] { compile_beside(); });
  for_each_group(batch, [&](std::int64_t first) {
    with_group([&](Group& group) {
      Passengers(*this, batch, group, first).advance({to, settings.energy_balance}, [&] { pause(); });
    });
  });
}

void TaylorBackend::pause() const {
  if (stop_ && stop_()) throw ensembles::Stopped();
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
  const taylor::Recurrences* recurrences = nullptr;
  {
    const std::lock_guard guard(mutex_);
    recurrences = recurrences_;
    if (!idle_.empty()) {
      group = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!group) group = std::make_unique<Group>(*equations_, *recurrences, tolerance_);
  body(*group);
  const std::lock_guard guard(mutex_);
  if (recurrences == recurrences_) idle_.push_back(std::move(group));
}

}  // namespace livens::host
