#pragma once
// A backend small enough to be checked by eye: two harmonic oscillators per instance, advanced by the exact
// map.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "ensembles/host_records.hpp"

namespace livens::ensembles {

inline constexpr double frequency_defaults[] = {1.0, 2.0};
inline constexpr double failure_defaults[] = {-1.0};
inline constexpr ParameterInfo oscillator_parameters[] = {
    {"frequency", "w", "1/s", "angular frequencies", Domain::positive, frequency_defaults},
    {"failure", "f", "1", "index of the step that fails; negative: none", Domain::real, failure_defaults},
};
inline constexpr double oscillator_mass = 2.0;  // kg

/// Parameters, flattened: frequency[0], frequency[1], failure. q = (1, 0.5), v = (0, frequency[0]) by
/// default. The "constraint" is q[1] >= 0, which projection meets by the absolute value. lambda is the mean
/// acceleration of q[0] over what the node says was the last step, gamma the number of steps it took.
/// dissipated_energy holds q[0], velocity_constraint the
/// root of the initial v[1], NaN where that is negative.
class OscillatorBackend : public HostRecords {
 public:
  static constexpr int frequency = 0, failure = 2;
  static constexpr int width = static_cast<int>(Column::count) + 4;

  std::vector<std::int64_t> targets;  ///< of every advance() of more than a tile

  std::string name() const override { return "fake"; }
  std::string device() const override { return "none"; }
  const SystemInfo& system() const override { return system_; }
  const SchemeInfo& scheme() const override { return scheme_; }
  std::string form() const override { return "full"; }
  int unknowns() const override { return 0; }
  int record_width() const override { return width; }

  void initial_states(const Batch& batch) override {
    for (std::int64_t i = 0; i < batch.size; ++i) {
      batch.q[2 * i] = 1.0;
      batch.q[2 * i + 1] = 0.5;
      batch.v[2 * i] = 0.0;
      batch.v[2 * i + 1] = parameter(batch, frequency, i);
    }
  }
  void momenta(const Batch& batch) override {
    for (std::int64_t k = 0; k < 2 * batch.size; ++k) batch.p[k] = oscillator_mass * batch.v[k];
  }
  void velocities(const Batch& batch) override {
    for (std::int64_t k = 0; k < 2 * batch.size; ++k) batch.v[k] = batch.p[k] / oscillator_mass;
  }
  void make_consistent(const Batch& batch, Consistency consistency, std::uint8_t* status) override {
    for (std::int64_t i = 0; i < batch.size; ++i) {
      Status verdict = Status::ok;
      if (batch.q[2 * i + 1] < 0.0 && consistency == Consistency::require)
        verdict = Status::inconsistent_initial;
      if (consistency == Consistency::project) batch.q[2 * i + 1] = std::fabs(batch.q[2 * i + 1]);
      if (!(parameter(batch, frequency, i) > 0.0) || !(step(batch, i) > 0.0))
        verdict = Status::invalid_parameter;
      double sum = step(batch, i);
      for (int k = 0; k < 2; ++k) sum += batch.q[2 * i + k] + batch.v[2 * i + k] + parameter(batch, k, i);
      if (!std::isfinite(sum)) verdict = Status::not_finite;
      status[i] = static_cast<std::uint8_t>(verdict);
    }
    momenta(batch);
  }
  void start(const Batch& batch, const Settings&, const std::uint8_t* status) override {
    for (std::int64_t i = 0; i < batch.size; ++i) {
      for (int column = 0; column < width; ++column) at(batch.records, i, column) = 0.0;
      const bool ok = status[i] == static_cast<std::uint8_t>(Status::ok);
      at(batch.records, i, Column::status) = status[i];
      at(batch.records, i, Column::failed_step) = ok ? -1.0 : 0.0;
      for (int k = 0; k < 2; ++k) {
        at(batch.records, i, state + k) = batch.q[2 * i + k];
        at(batch.records, i, state + 2 + k) = batch.v[2 * i + k];
      }
      at(batch.records, i, Column::initial_energy) = energy(batch, batch.records, i);
      at(batch.records, i, Column::dissipated_energy) = batch.q[2 * i];
      at(batch.records, i, Column::velocity_constraint) = std::sqrt(batch.v[2 * i + 1]);
    }
  }
  void advance(const Batch& batch, const Settings&, std::int64_t to) override {
    if (batch.size > tile_size) targets.push_back(to);
    for (std::int64_t i = 0; i < batch.size; ++i) {
      const std::int64_t steps = batch.steps_per_beat == nullptr ? 1 : batch.steps_per_beat[i];
      for (auto n = static_cast<std::int64_t>(at(batch.records, i, Column::steps)); n < to * steps; ++n)
        advance_one(batch, i, n);
    }
  }
  void node(const Batch& batch, const LastStep* last, std::int64_t i, NodeView& view) override {
    const double* records = batch.records;
    for (int k = 0; k < 2; ++k) {
      view.q[k] = at(records, i, state + k);
      view.v[k] = at(records, i, state + 2 + k);
      view.p[k] = oscillator_mass * view.v[k];
    }
    view.lambda[0] = view.gamma[0] = -std::numeric_limits<double>::quiet_NaN();
    if (last != nullptr) {
      view.lambda[0] = (view.v[0] - at(last->records, i, state + 2)) / step(batch, i);
      view.gamma[0] = at(records, i, Column::steps) - at(last->records, i, Column::steps);
    }
    view.momentum[0] = view.p[0];
    view.energy = view.total_energy = energy(batch, records, i);
    view.z = std::numeric_limits<double>::quiet_NaN();
    if (view.sampled == nullptr) return;
    const auto entry = [&](Sampled quantity) {
      return view.sampled + sampled_entries(extents_of(system_), quantity);
    };
    std::fill_n(view.sampled, sampled_entries(extents_of(system_)), std::numeric_limits<double>::quiet_NaN());
    *entry(Sampled::energy) = view.energy;
    *entry(Sampled::kinetic_energy) = 0.5 * oscillator_mass * (view.v[0] * view.v[0] + view.v[1] * view.v[1]);
    std::copy_n(view.q, 2, entry(Sampled::q));
  }
  bool nodes_outlive_batch() const override { return true; }
  /// Backwards: nothing may depend on the order.
  void for_each_block(std::int64_t blocks, const std::function<void(std::int64_t)>& body) override {
    while (blocks-- > 0) body(blocks);
  }

 private:
  static constexpr int state = static_cast<int>(Column::count);  // columns of q[0], q[1], v[0], v[1]

  template <typename Value>
  static Value& at(Value* records, std::int64_t i, int column) {
    return records[column_offset(i / tile_size, width, column) + i % tile_size];
  }
  template <typename Value>
  static Value& at(Value* records, std::int64_t i, Column column) {
    return at(records, i, static_cast<int>(column));
  }
  static double parameter(const Batch& batch, int index, std::int64_t i) {
    return batch.varied[index] == nullptr ? batch.shared_parameters[index] : batch.varied[index][i];
  }
  static double step(const Batch& batch, std::int64_t i) {
    return batch.varied_step == nullptr ? batch.shared_step : batch.varied_step[i];
  }
  static double energy(const Batch& batch, const double* records, std::int64_t i) {
    double sum = 0.0;
    for (int k = 0; k < 2; ++k) {
      const double wq = parameter(batch, k, i) * at(records, i, state + k), v = at(records, i, state + 2 + k);
      sum += 0.5 * oscillator_mass * (wq * wq + v * v);
    }
    return sum;
  }
  static void advance_one(const Batch& batch, std::int64_t i, std::int64_t n) {
    double* records = batch.records;
    if (at(records, i, Column::status) != 0.0) return;
    if (static_cast<double>(n) == parameter(batch, failure, i)) {
      at(records, i, Column::status) = static_cast<double>(Status::newton_diverged);
      at(records, i, Column::failed_step) = static_cast<double>(n);
      at(records, i, Column::energy_error) = std::numeric_limits<double>::quiet_NaN();
      return;
    }
    for (int k = 0; k < 2; ++k) {
      const double w = parameter(batch, k, i), c = std::cos(w * step(batch, i)),
                   s = std::sin(w * step(batch, i));
      const double q = at(records, i, state + k), v = at(records, i, state + 2 + k);
      at(records, i, state + k) = c * q + s / w * v;
      at(records, i, state + 2 + k) = c * v - w * s * q;
    }
    const double error = energy(batch, records, i) - at(records, i, Column::initial_energy);
    at(records, i, Column::steps) += 1.0;
    at(records, i, Column::newton_iterations) += 2.0;
    at(records, i, Column::energy_error) = error;
    at(records, i, Column::sum_squared_energy_error) += error * error;
    double& largest = at(records, i, Column::max_energy_error);
    largest = std::max(largest, std::fabs(error));
    at(records, i, Column::dissipated_energy) = at(records, i, state);
  }

  SystemInfo system_ = {"oscillators", "two oscillators",     "none",  "q1, q2", 2,  1, 1,
                        false,         oscillator_parameters, "exact", 0.1,      1.0};
  SchemeInfo scheme_ = {
      .name = "exact", .meaning = "exact map", .paper = "none", .needs = "nothing", .order = 99};
};

}  // namespace livens::ensembles
