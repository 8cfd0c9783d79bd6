#pragma once
// The kernels of one system on a GPU: a thread per instance, through the functions every backend shares, so
// that a record is the same to the bit. Neighbouring threads hold neighbouring instances of a tile: a column
// of a record is one coalesced access of a warp. Where the Newton matrix is too large for a thread a warp
// eliminates the matrices of its instances together (layouts.hpp). Included by one generated translation unit
// per system, and one per system and family of schemes.
//
// Nothing here may touch a static table of a system or a scheme (SystemInfo, defaults): those are host
// objects. What a kernel needs of them, the domains of the parameters, comes as an array.

#include "kernels/backends/cuda/cuda_launch.hpp"
#include "kernels/backends/cuda/cuda_registry.hpp"
#include "kernels/backends/cuda/layouts.hpp"
#include "kernels/backends/instances.hpp"
#include "kernels/math/gpu/tile_lu.hpp"

namespace livens::inline LIVENS_ISA {

/// Threads of a block. With (128, 1) ptxas may give a thread 255 registers; without the second bound it
/// chose 32.
inline constexpr int cuda_block = 128;
#define LIVENS_CUDA_KERNEL __global__ __launch_bounds__(cuda_block, 1)

__device__ inline std::int64_t cuda_instance(std::int64_t first) {
  return first + std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

/// A pair as a layout steps it. The instances of a launch fill their warps, since ranges are multiples of
/// tile_size.
template <class Scheme, CudaLayout layout>
struct CudaShape {
  static constexpr bool by_warp = layout == CudaLayout::warp;
  using Stepping = std::conditional_t<by_warp, typename Scheme::template Over<WarpLane>, Scheme>;
  using Scalar = typename Stepping::Scalar;
  static constexpr bool kept = register_pressure_in_step<Stepping>;
  static constexpr int block = by_warp || kept ? warp_size : cuda_block;
};
static_assert(tile_size == warp_size);

template <class System>
LIVENS_CUDA_KERNEL void initial_states(Batch batch, std::int64_t first, std::int64_t last) {
  const std::int64_t i = cuda_instance(first);
  if (i >= last) return;
  const System system(load_parameters<System>(batch, i));
  store_row(batch.q, i, system.initial_position());
  store_row(batch.v, i, system.initial_velocity());
}

template <class System>
LIVENS_CUDA_KERNEL void momenta(Batch batch, std::int64_t first, std::int64_t last) {
  const std::int64_t i = cuda_instance(first);
  if (i >= last) return;
  const System system(load_parameters<System>(batch, i));
  constexpr int d = System::coordinates;
  store_row(batch.p, i,
            momentum_of(system, load_row<double, d>(batch.q, i), load_row<double, d>(batch.v, i)));
}

template <class System>
LIVENS_CUDA_KERNEL void velocities(Batch batch, std::int64_t first, std::int64_t last) {
  const std::int64_t i = cuda_instance(first);
  if (i >= last) return;
  const System system(load_parameters<System>(batch, i));
  constexpr int d = System::coordinates;
  store_row(batch.v, i,
            velocity_of(system, load_row<double, d>(batch.q, i), load_row<double, d>(batch.p, i)));
}

template <class System>
LIVENS_CUDA_KERNEL void consistent_states(Batch batch, Consistency consistency, const std::uint8_t* domains,
                                          std::uint8_t* status, std::int64_t first, std::int64_t last) {
  const std::int64_t i = cuda_instance(first);
  if (i >= last) return;
  constexpr int d = System::coordinates;
  const auto parameters = load_parameters<System>(batch, i);
  auto q = load_row<double, d>(batch.q, i), v = load_row<double, d>(batch.v, i);
  const System system(parameters);
  Status result = check_values<System>(parameters, load_step<double>(batch, i), q, v, domains);
  if (result == Status::ok) result = make_consistent(system, consistency, q, v);
  status[i] = static_cast<std::uint8_t>(result);
  if (result != Status::ok) return;
  store_row(batch.q, i, q);
  store_row(batch.v, i, v);
  store_row(batch.p, i, momentum_of(system, q, v));
}

template <class Scheme>
LIVENS_CUDA_KERNEL void start(Batch batch, Settings settings, const std::uint8_t* status, std::int64_t first,
                              std::int64_t last) {
  using System = typename Scheme::System;
  using Scalar = typename Scheme::Scalar;
  const std::int64_t i = cuda_instance(first);
  if (i >= last) return;
  constexpr int d = System::coordinates;
  const System system(load_parameters<System>(batch, i));
  const Scheme scheme(system, load_step<Scalar>(batch, i), settings);
  Record<Scheme> record;
  start_record(system, scheme, load_state<Scalar, d>(batch, i), static_cast<Scalar>(status[i]), record);
  store_record(batch.records, i, record);
}

/// Advances instance i to its last step or its first difficult one, and says in `left` that there is one.
template <class Scheme, Pivoting pivoting, CudaLayout layout>
__device__ __forceinline__ void advance_instance(const Batch& batch, const Settings& settings,
                                                 std::int64_t to, std::int64_t i, volatile int* left) {
  using Shape = CudaShape<Scheme, layout>;
  using Stepping = typename Shape::Stepping;
  using Scalar = typename Shape::Scalar;
  SharedStorage<Record<Stepping>, Shape::kept> place(load_record<Stepping>(batch.records, i));
  Record<Stepping>& record = *place;
  advance_record<Stepping, DifficultSteps::left, pivoting>(
      load_parameters<typename Stepping::System>(batch, i), load_step<Scalar>(batch, i), settings,
      load_steps<Wide<Scalar>>(batch, to, i), record);
  store_record(batch.records, i, record);
  const Mask<Scalar> difficult = (record[Column::status] == Scalar(0.0)) &
                                 (record.sum(Column::steps) < load_steps<Wide<Scalar>>(batch, to, i));
  if (difficult) *left = 1;
}

/// The kernel that takes the time, free of pivoting and retries.
template <class Scheme, Pivoting pivoting>
__global__ __launch_bounds__(CudaShape<Scheme, layout_of<Scheme>()>::block,
                             1) void advance(Batch batch, Settings settings, std::int64_t to,
                                             volatile int* left, std::int64_t first, std::int64_t last) {
  const std::int64_t i = cuda_instance(first);
  if (i < last) advance_instance<Scheme, pivoting, layout_of<Scheme>()>(batch, settings, to, i, left);
}

/// The same steps laid out in another way.
template <class Scheme, Pivoting pivoting, CudaLayout layout>
__global__ __launch_bounds__(CudaShape<Scheme, layout>::block,
                             1) void advance_variant(Batch batch, Settings settings, std::int64_t to,
                                                     volatile int* left, std::int64_t first,
                                                     std::int64_t last) {
  const std::int64_t i = cuda_instance(first);
  if (i < last) advance_instance<Scheme, pivoting, layout>(batch, settings, to, i, left);
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
  template <CudaLayout layout>
  static void launch_advance(const Batch& batch, const Settings& settings, std::int64_t to,
                             volatile int* left, std::int64_t first, std::int64_t last) {
    constexpr auto* fast = [] {
      if constexpr (layout == layout_of<Scheme>())
        return advance<Scheme, pivoting>;
      else
        return advance_variant<Scheme, pivoting, layout>;
    }();
    CudaLaunch launch = launch_of<Scheme>("advance", first, last);
    launch.to = to;
    launch.block = CudaShape<Scheme, layout>::block;
    launch.start(fast, batch, settings, to, left, first, last);
  }
  template <CudaLayout layout>
  static CudaPairKernels kernels(const CudaSystemKernels& system, const char* variant) {
    return {&system,
            &Scheme::info(),
            Scheme::form,
            Scheme::unknowns,
            Record<Scheme>::width(),
            precision_of<Scheme>,
            launch_start,
            launch_advance<layout>,
            nullptr,
            variant};
  }
  /// Adds the pair to those of its translation unit, with LIVENS_CUDA_VARIANTS in the other layout too where
  /// there is one to be measured.
  static void add_to(std::vector<CudaPairKernels>& pairs, const CudaSystemKernels& system) {
    pairs.push_back(kernels<layout_of<Scheme>()>(system, ""));
#ifdef LIVENS_CUDA_VARIANTS
    if constexpr (constexpr const NamedLayout* named = named_layout<Scheme>(); named != nullptr)
      pairs.push_back(kernels<named->other()>(system, name_of(named->other())));
#endif
  }
};

}  // namespace livens::inline LIVENS_ISA
