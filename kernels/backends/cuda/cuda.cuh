#pragma once
// The kernels of a program's own systems and pairs, with their launches for its tables. Included by one
// generated translation unit per system, and one per system and family of schemes.

#include "kernels/backends/cuda/cuda_kernels.cuh"
#include "kernels/backends/cuda/cuda_launch.hpp"
#include "kernels/backends/cuda/cuda_registry.hpp"

namespace livens::inline LIVENS_ISA {

template <class System>
LIVENS_CUDA_KERNEL void initial_states(Batch batch, std::int64_t first, std::int64_t last) {
  if (const std::int64_t i = cuda_instance(first); i < last) set_initial_state<System>(batch, i);
}

template <class System>
LIVENS_CUDA_KERNEL void momenta(Batch batch, std::int64_t first, std::int64_t last) {
  if (const std::int64_t i = cuda_instance(first); i < last) set_momentum<System>(batch, i);
}

template <class System>
LIVENS_CUDA_KERNEL void velocities(Batch batch, std::int64_t first, std::int64_t last) {
  if (const std::int64_t i = cuda_instance(first); i < last) set_velocity<System>(batch, i);
}

template <class System>
LIVENS_CUDA_KERNEL void consistent_states(Batch batch, Consistency consistency, const std::uint8_t* domains,
                                          std::uint8_t* status, std::int64_t first, std::int64_t last) {
  if (const std::int64_t i = cuda_instance(first); i < last)
    set_consistent_state<System>(batch, consistency, domains, status, i);
}

template <class Scheme>
LIVENS_CUDA_KERNEL void start(Batch batch, Settings settings, const std::uint8_t* status, std::int64_t first,
                              std::int64_t last) {
  if (const std::int64_t i = cuda_instance(first); i < last)
    start_instance<Scheme>(batch, settings, status, i);
}

/// The kernel that takes the time, free of pivoting and retries.
template <class Scheme, Pivoting pivoting>
__global__ __launch_bounds__(CudaShape<Scheme>::block,
                             1) void advance(const __grid_constant__ Batch batch,
                                             const __grid_constant__ Settings settings, std::int64_t to,
                                             volatile int* left, std::int64_t first, std::int64_t last) {
  const std::int64_t i = cuda_instance(first);
  if (i < last) advance_instance<Scheme, pivoting>(batch, settings, to, i, left);
}

/// The launches of one system. A template, so that a translation unit holds only what its table names.
template <class System>
struct CudaSystem {
  static CudaLaunch of(const char* what, std::int64_t first, std::int64_t last) {
    return {what, System::info().name, nullptr, nullptr, first, last, cuda_block};
  }
  static void launch_initial_states(const Batch& batch, std::int64_t first, std::int64_t last) {
    of("initial_states", first, last).run(initial_states<System>, batch, first, last);
  }
  static void launch_momenta(const Batch& batch, std::int64_t first, std::int64_t last) {
    of("momenta", first, last).run(momenta<System>, batch, first, last);
  }
  static void launch_velocities(const Batch& batch, std::int64_t first, std::int64_t last) {
    of("velocities", first, last).run(velocities<System>, batch, first, last);
  }
  static void launch_consistent_states(const Batch& batch, Consistency consistency,
                                       const std::uint8_t* domains, std::uint8_t* status, std::int64_t first,
                                       std::int64_t last) {
    of("make_consistent", first, last)
        .run(consistent_states<System>, batch, consistency, domains, status, first, last);
  }
  static const CudaSystemKernels& kernels() {
    static const CudaSystemKernels table = {&System::info(),       System::parameter_count,
                                            launch_initial_states, launch_momenta,
                                            launch_velocities,     launch_consistent_states};
    return table;
  }
};

template <class Scheme>
inline constexpr Precision precision_of =
    is_single<typename Scheme::Scalar> ? Precision::single : Precision::full;

/// A launch of a kernel of a pair.
template <class Scheme>
CudaLaunch launch_of(const char* what, std::int64_t first, std::int64_t last) {
  return {what, Scheme::System::info().name, Scheme::info().name, Scheme::form, first, last, cuda_block};
}

/// The launches of one pair but for its difficult steps, which are compiled apart (cuda_careful.cuh).
template <class Scheme, Pivoting pivoting>
struct CudaPair {
  using System = typename Scheme::System;

  static void launch_start(const Batch& batch, const Settings& settings, const std::uint8_t* status,
                           std::int64_t first, std::int64_t last) {
    launch_of<Scheme>("start", first, last).run(start<Scheme>, batch, settings, status, first, last);
  }
  static void launch_advance(const Batch& batch, const Settings& settings, std::int64_t to,
                             volatile int* left, std::int64_t first, std::int64_t last) {
    CudaLaunch launch = launch_of<Scheme>("advance", first, last);
    launch.to = to;
    launch.block = CudaShape<Scheme>::block;
    launch.start(advance<Scheme, pivoting>, batch, settings, to, left, first, last);
  }
  /// Adds the pair to those of its translation unit.
  static void add_to(std::vector<CudaPairKernels>& pairs, const CudaSystemKernels& system) {
    pairs.push_back({&system, &Scheme::info(), Scheme::form, Scheme::unknowns, Record<Scheme>::width(),
                     precision_of<Scheme>, launch_start, launch_advance, nullptr});
  }
};

}  // namespace livens::inline LIVENS_ISA
