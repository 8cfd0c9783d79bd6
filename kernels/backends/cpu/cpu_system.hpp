#pragma once
// The functions of a system on the CPU, one instance at a time. Threads are the caller's business.

#include "kernels/backends/instances.hpp"
#include "kernels/systems/shared/check_system.hpp"
#include "kernels/systems/shared/faces.hpp"

namespace livens::inline LIVENS_ISA {

template <class System>
struct CpuSystem {
  static_assert(check_system<System>());
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
      const System system = at(batch, i);
      auto q = load_row<double, d>(batch.q, i), v = load_row<double, d>(batch.v, i);
      Status result = check_start(system, batch, i, q, v, domains.of);
      if (result == Status::ok) result = make_consistent(system, consistency, q, v);
      status[i] = static_cast<std::uint8_t>(result);
      if (result != Status::ok) continue;
      store_row<d>(batch.q, i, q);
      store_row<d>(batch.v, i, v);
      store_row<d>(batch.p, i, momentum_of(system, q, v));
    }
  }
  static const SystemKernels& kernels() {
    static const SystemKernels table = {&System::info(), initial_states,    momenta,
                                        velocities,      consistent_states, faces_of<System>()};
    return table;
  }
};

}  // namespace livens::inline LIVENS_ISA
