#pragma once
// The kernels of one system on the CPU for one instruction set: W instances at a time, for a range of
// instances. Threads are the caller's business. Included by one generated translation unit per system and
// instruction set.

#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "kernels/backends/instances.hpp"
#include "kernels/backends/registry.hpp"
#include "kernels/math/lanes.hpp"

namespace livens::inline LIVENS_ISA {

#if defined(__AVX512F__)
using CpuLanes = Lanes<8>;
#elif defined(__AVX2__)
using CpuLanes = Lanes<4>;
#else
using CpuLanes = double;
#endif
using CpuFloatLanes = Narrow<CpuLanes>;

template <template <class> class SystemOver>
struct CpuSystem {
  using System = SystemOver<double>;
  static constexpr int d = System::coordinates;

  static System at(const Batch& batch, std::int64_t i) { return System(load_parameters<System>(batch, i)); }

  static void initial_states(const Batch& batch, std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      const System system = at(batch, i);
      store_row<d>(batch.q, i, system.initial_position());
      store_row<d>(batch.v, i, system.initial_velocity());
    }
  }
  static void momenta(const Batch& batch, std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i)
      store_row<d>(
          batch.p, i,
          momentum_of(at(batch, i), load_row<double, d>(batch.q, i), load_row<double, d>(batch.v, i)));
  }
  static void velocities(const Batch& batch, std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i)
      store_row<d>(
          batch.v, i,
          velocity_of(at(batch, i), load_row<double, d>(batch.q, i), load_row<double, d>(batch.p, i)));
  }
  static void consistent_states(const Batch& batch, Consistency consistency, std::uint8_t* status,
                                std::int64_t first, std::int64_t last) {
    const ParameterDomains<System> domains;
    for (std::int64_t i = first; i < last; ++i) {
      const auto parameters = load_parameters<System>(batch, i);
      auto q = load_row<double, d>(batch.q, i), v = load_row<double, d>(batch.v, i);
      const System system(parameters);
      Status result = check_values<System>(parameters, load_step<double>(batch, i), q, v, domains.of);
      if (result == Status::ok) result = make_consistent(system, consistency, q, v);
      status[i] = static_cast<std::uint8_t>(result);
      if (result != Status::ok) continue;
      store_row<d>(batch.q, i, q);
      store_row<d>(batch.v, i, v);
      store_row<d>(batch.p, i, momentum_of(system, q, v));
    }
  }
  static const SystemKernels& kernels() {
    static const SystemKernels table = {&System::info(), initial_states, momenta, velocities,
                                        consistent_states};
    return table;
  }
};

template <class Scheme>
struct CpuPair {
  using Scalar = typename Scheme::Scalar;
  using System = typename Scheme::System;
  using Alone = typename Scheme::template Over<One<Scalar>>;  ///< the same for one instance
  static constexpr int d = System::coordinates, W = lanes_of<Scalar>;

  static void start(const Batch& batch, const Settings& settings, const std::uint8_t* status,
                    std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; i += W) {
      const System system(load_parameters<System>(batch, i));
      const Scheme scheme(system, load_step<Scalar>(batch, i), settings);
      Scalar code = Scalar(0.0);
      for (int l = 0; l < W; ++l) set_lane(code, l, status[i + l]);
      Record<Scheme> record;
      start_record(system, scheme, load_state<Scalar, d>(batch, i), code, record);
      store_record(batch.records, i, record);
    }
  }
  /// flatten: a call left out of line inside a step would send every lane through memory. Difficult steps are
  /// redone one instance at a time, outside.
  template <Pivoting pivoting>
  LIVENS_FLATTEN static void advance(const Batch& batch, const Settings& settings, std::int64_t to,
                                     std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; i += W) {
      const auto end = load_steps<Wide<Scalar>>(batch, to, i);
      for (;;) {
        Record<Scheme> record = load_record<Scheme>(batch.records, i);
        advance_record<Scheme, DifficultSteps::left, pivoting>(
            load_parameters<System>(batch, i), load_step<Scalar>(batch, i), settings, end, record);
        store_record(batch.records, i, record);
        const Mask<Scalar> left = (record[Column::status] == Scalar(0.0)) & (record.sum(Column::steps) < end);
        if (!any(left)) break;
        for (int l = 0; l < W; ++l)
          if (lane_mask(left, l)) difficult_step(batch, settings, i + l);
      }
    }
  }
  LIVENS_HD_COLD static void difficult_step(const Batch& batch, const Settings& settings, std::int64_t i) {
    Record<Alone> record = load_record<Alone>(batch.records, i);
    advance_record<Alone, DifficultSteps::redone>(load_parameters<typename Alone::System>(batch, i),
                                                  load_step<One<Scalar>>(batch, i), settings,
                                                  record.sum(Column::steps) + 1.0, record);
    store_record(batch.records, i, record);
  }
  static void node(const Batch& batch, const double* before, std::int64_t i, NodeView& view) {
    constexpr int m = System::constraints;
    const typename Alone::System system(load_parameters<typename Alone::System>(batch, i));
    const Alone scheme(system, load_step<One<Scalar>>(batch, i), Settings{});
    const auto record = load_record<Alone>(batch.records, i);
    const auto n = scheme.node(record.carried);
    const auto measured = scheme.measure(record.carried);
    auto multipliers = Multipliers<One<Scalar>, m>{not_a_number_vector<One<Scalar>, m>(),
                                                   not_a_number_vector<One<Scalar>, m>()};
    if (before != nullptr && record.sum(Column::steps) > 0.0) {
      const auto previous = load_record<Alone>(before, i);
      const bool one_whole_step = record.sum(Column::steps) == previous.sum(Column::steps) + 1.0 &&
                                  record.sum(Column::retried_steps) == previous.sum(Column::retried_steps);
      if (one_whole_step) multipliers = scheme.multipliers(previous.carried, record.carried);
    }
    show(n.q, view.q);
    show(n.p, view.p);
    show(n.v, view.v);
    show(multipliers.lambda, view.lambda);
    show(multipliers.gamma, view.gamma);
    show(measured.momentum, view.momentum);
    view.energy = widen(measured.energy);
    view.total_energy = widen(measured.total_energy);
    view.z = widen(scheme.action(record.carried));
    if (view.sampled != nullptr) sample_node(system, n, measured, view.sampled);
  }
  template <int N>
  static void show(const Vec<One<Scalar>, N>& values, double* to) {
    if constexpr (N > 0)
      for (int i = 0; i < N; ++i) to[i] = widen(values[i]);
  }
  static constexpr bool fixed_options = requires { requires Scheme::fixed_options; };
  /// `mixed`: advance() in mixed precision, null where that is not offered.
  static PairKernels kernels(const SystemKernels& system, decltype(PairKernels::advance_mixed) mixed) {
    const bool nothing_to_mix = Scheme::unknowns == 0;
    return {&system,
            &Scheme::info(),
            Scheme::form,
            Scheme::unknowns,
            Scheme::damped,
            Scheme::compensated,
            fixed_options,
            Record<Alone>::width(),
            start,
            advance<Pivoting::refused>,
            nothing_to_mix ? advance<Pivoting::refused> : mixed,
            node,
            is_single<Scalar> ? Precision::single : Precision::full};
  }
};

}  // namespace livens::inline LIVENS_ISA
