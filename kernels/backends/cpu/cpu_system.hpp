#pragma once
// The functions of a system on the CPU, one instance at a time. Threads are the caller's business.

#include "kernels/backends/instances.hpp"
#include "kernels/systems/shared/capabilities.hpp"
#include "kernels/systems/shared/check_system.hpp"

namespace livens::inline LIVENS_ISA {

template <class System>
struct CpuSystem {
  static_assert(check_system<System>());

  static void initial_states(const Batch& batch, std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) set_initial_state<System>(batch, i);
  }
  static void momenta(const Batch& batch, std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) set_momentum<System>(batch, i);
  }
  static void velocities(const Batch& batch, std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) set_velocity<System>(batch, i);
  }
  static void consistent_states(const Batch& batch, Consistency consistency, std::uint8_t* status,
                                std::int64_t first, std::int64_t last) {
    const ParameterDomains<System> domains;
    for (std::int64_t i = first; i < last; ++i)
      set_consistent_state<System>(batch, consistency, domains.of, status, i);
  }
  static const SystemKernels& kernels() {
    static const SystemKernels table = {&System::info(), initial_states,    momenta,
                                        velocities,      consistent_states, capabilities_of<System>()};
    return table;
  }
};

}  // namespace livens::inline LIVENS_ISA
