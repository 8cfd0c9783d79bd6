#pragma once
// One instance's share of a Batch: its parameters, its step, its record. The same on every backend.

#include "kernels/stepping/advance.hpp"
#include "kernels/stepping/projection.hpp"
#include "kernels/systems/shared/damping_rate.hpp"
#include "kernels/systems/shared/possible_mass.hpp"

namespace livens::inline LIVENS_ISA {

/// Scalar parameters of the lanes that start at instance i.
template <class System, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::parameter_count> load_parameters(const Batch& batch, std::int64_t i) {
  Vec<Scalar, System::parameter_count> r;
  for (int k = 0; k < System::parameter_count; ++k)
    r[k] = batch.varied[k] ? load<Scalar>(batch.varied[k] + i) : Scalar(batch.shared_parameters[k]);
  return r;
}
template <class Scalar>
LIVENS_HD Scalar load_step(const Batch& batch, std::int64_t i) {
  return batch.varied_step ? load<Scalar>(batch.varied_step + i) : Scalar(batch.shared_step);
}
/// Steps of each lane in `beats` beats.
template <class Scalar>
LIVENS_HD Scalar load_steps(const Batch& batch, std::int64_t beats, std::int64_t i) {
  Scalar r = Scalar(static_cast<double>(beats));
  if (batch.steps_per_beat)
    for (int l = 0; l < lanes_of<Scalar>; ++l)
      set_lane(r, l, static_cast<double>(beats * batch.steps_per_beat[i + l]));
  return r;
}

template <class Scheme>
LIVENS_HD Record<Scheme> load_record(const double* records, std::int64_t i) {
  using Scalar = typename Scheme::Scalar;
  constexpr int width = Record<Scheme>::width();
  Vec<Scalar, width> columns;
  const double* tile = records + column_offset(i / tile_size, width, 0) + i % tile_size;
  for (int c = 0; c < width; ++c) columns[c] = load<Scalar>(tile + c * tile_size);
  Record<Scheme> record;
  memcpy(static_cast<void*>(&record), &columns, sizeof columns);
  if constexpr (Record<Scheme>::sums_apart)
    for (int c = 0; c < Record<Scheme>::common; ++c)
      if (is_sum(static_cast<Column>(c))) record.sums[c] = load<Wide<Scalar>>(tile + c * tile_size);
  return record;
}
template <class Scheme>
LIVENS_HD void store_record(double* records, std::int64_t i, const Record<Scheme>& record) {
  using Scalar = typename Scheme::Scalar;
  constexpr int width = Record<Scheme>::width();
  Vec<Scalar, width> columns;
  memcpy(&columns, static_cast<const void*>(&record), sizeof columns);
  double* tile = records + column_offset(i / tile_size, width, 0) + i % tile_size;
  for (int c = 0; c < width; ++c) store(tile + c * tile_size, columns[c]);
  if constexpr (Record<Scheme>::sums_apart)
    for (int c = 0; c < Record<Scheme>::common; ++c)
      if (is_sum(static_cast<Column>(c))) store(tile + c * tile_size, record.sums[c]);
}

template <class Scalar, int D>
LIVENS_HD Vec<Scalar, D> load_row(const double* rows, std::int64_t i) {
  Vec<Scalar, D> r;
  for (int c = 0; c < D; ++c)
    for (int l = 0; l < lanes_of<Scalar>; ++l) set_lane(r[c], l, rows[(i + l) * D + c]);
  return r;
}
/// Initial state of the lanes that start at instance i.
template <class Scalar, int D>
LIVENS_HD NodeState<Scalar, D> load_state(const Batch& batch, std::int64_t i) {
  return {load_row<Scalar, D>(batch.q, i), load_row<Scalar, D>(batch.p, i), load_row<Scalar, D>(batch.v, i)};
}
template <int D>
LIVENS_HD void store_row(double* rows, std::int64_t i, const Vec<double, D>& values) {
  for (int c = 0; c < D; ++c) rows[i * D + c] = values[c];
}

/// Why an instance cannot be set up: a value that is not finite, or outside its domain.
template <class System>
LIVENS_HD Status check_values(const Vec<double, System::parameter_count>& parameters, double h,
                              const Vec<double, System::coordinates>& q,
                              const Vec<double, System::coordinates>& v, const std::uint8_t* domains) {
  bool all_finite = finite(h), valid = h > 0.0;
  for (int k = 0; k < System::parameter_count; ++k) {
    all_finite = all_finite && finite(parameters[k]);
    const Domain domain = static_cast<Domain>(domains[k]);
    valid = valid && (domain == Domain::real || parameters[k] > 0.0 ||
                      (domain == Domain::non_negative && parameters[k] == 0.0));
  }
  for (int c = 0; c < System::coordinates; ++c) all_finite = all_finite && finite(q[c]) && finite(v[c]);
  if (!all_finite) return Status::not_finite;
  return valid ? Status::ok : Status::invalid_parameter;
}

/// False where the stages of negative length of a composed step would drive faster than the others damp.
template <class System>
LIVENS_HD bool damping_is_admissible(const System& system, const Vec<double, System::coordinates>& q,
                                     double h, const Composition& composition) {
  return composition.stages == 1 || !(h * damping_rate(system, q) > composition.most_damping);
}

/// Why instance i cannot start from q, v, before it is asked whether they are consistent.
template <class System>
LIVENS_HD Status check_start(const System& system, const Batch& batch, std::int64_t i,
                             const Vec<double, System::coordinates>& q,
                             const Vec<double, System::coordinates>& v, const std::uint8_t* domains) {
  const double h = load_step<double>(batch, i);
  const Status values =
      check_values<System>(System::completed(load_parameters<System>(batch, i)), h, q, v, domains);
  if (values != Status::ok) return values;
  const bool possible = damping_is_admissible(system, q, h, batch.composition) && mass_is_possible(system, q);
  return possible ? Status::ok : Status::invalid_parameter;
}

/// Of instance i: the initial state of the system itself.
template <class System>
LIVENS_HD void set_initial_state(const Batch& batch, std::int64_t i) {
  const System system(load_parameters<System>(batch, i));
  store_row(batch.q, i, system.initial_position());
  store_row(batch.v, i, system.initial_velocity());
}

template <class System>
LIVENS_HD void set_momentum(const Batch& batch, std::int64_t i) {
  const System system(load_parameters<System>(batch, i));
  constexpr int d = System::coordinates;
  store_row(batch.p, i,
            momentum_of(system, load_row<double, d>(batch.q, i), load_row<double, d>(batch.v, i)));
}

template <class System>
LIVENS_HD void set_velocity(const Batch& batch, std::int64_t i) {
  const System system(load_parameters<System>(batch, i));
  constexpr int d = System::coordinates;
  store_row(batch.v, i,
            velocity_of(system, load_row<double, d>(batch.q, i), load_row<double, d>(batch.p, i)));
}

/// A consistent state in place of q, v and p, or why there is none.
template <class System>
LIVENS_HD void set_consistent_state(const Batch& batch, Consistency consistency, const std::uint8_t* domains,
                                    std::uint8_t* status, std::int64_t i) {
  constexpr int d = System::coordinates;
  const System system(load_parameters<System>(batch, i));
  auto q = load_row<double, d>(batch.q, i), v = load_row<double, d>(batch.v, i);
  Status result = check_start(system, batch, i, q, v, domains);
  if (result == Status::ok) result = make_consistent(system, consistency, q, v);
  status[i] = static_cast<std::uint8_t>(result);
  if (result != Status::ok) return;
  store_row(batch.q, i, q);
  store_row(batch.v, i, v);
  store_row(batch.p, i, momentum_of(system, q, v));
}

/// The record of instance i at node 0.
template <class Scheme>
LIVENS_HD void start_instance(const Batch& batch, const Settings& settings, const std::uint8_t* status,
                              std::int64_t i) {
  using System = typename Scheme::System;
  using Scalar = typename Scheme::Scalar;
  constexpr int d = System::coordinates;
  const System system(load_parameters<System>(batch, i));
  const Scheme scheme(system, load_step<Scalar>(batch, i), settings);
  Record<Scheme> record;
  start_record(system, scheme, load_state<Scalar, d>(batch, i), static_cast<Scalar>(status[i]), record);
  store_record(batch.records, i, record);
}

/// Domain of every scalar parameter of a system, flattened.
template <class System>
struct ParameterDomains {
  std::uint8_t of[System::parameter_count + 1];  // there may be none
  ParameterDomains() {
    int k = 0;
    for (const ParameterInfo& parameter : System::info().parameters)
      for (int i = 0; i < parameter.size(); ++i) of[k++] = static_cast<std::uint8_t>(parameter.domain);
  }
};

}  // namespace livens::inline LIVENS_ISA
