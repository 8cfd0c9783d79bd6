#pragma once
// What a thread of a GPU does for its instance, through the functions every backend shares, so that a record
// is the same to the bit. Neighbouring threads hold neighbouring instances of a tile: a column of a record is
// one coalesced access of a warp. Where the Newton matrix is too large for a thread a warp eliminates the
// matrices of its instances together (layouts.hpp). Device code alone, which NVRTC compiles, too: the kernels
// of the program's own tables are in cuda.cuh, those that are compiled on first use in own_system.cu.in and
// own_pair.cu.in.
//
// Nothing here may touch a static table of a system or a scheme (SystemInfo, defaults): those are host
// objects. What a kernel needs of them, the domains of the parameters, comes as an array.

#include "kernels/backends/cuda/difficult_steps.hpp"
#include "kernels/backends/cuda/layouts.hpp"
#include "kernels/backends/instances.hpp"
#include "kernels/math/gpu/tile_lu.hpp"

namespace livens::inline LIVENS_ISA {

/// Threads of a block. With (128, 1) ptxas may give a thread 255 registers; without the second bound it
/// chose 32.
inline constexpr int cuda_block = 128;
/// Shared memory that a block may declare.
inline constexpr int static_shared_bytes = 48 * 1024;
#define LIVENS_CUDA_KERNEL __global__ __launch_bounds__(cuda_block, 1)
#define LIVENS_DEVICE __device__ __forceinline__

LIVENS_DEVICE std::int64_t cuda_instance(std::int64_t first) {
  return first + std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

/// A pair as its layout steps it. The instances of a launch fill their warps, since ranges are multiples of
/// tile_size.
template <class Scheme>
struct CudaShape {
  static constexpr bool by_warp = layout_of<Scheme>() == CudaLayout::warp;
  using Stepping = std::conditional_t<by_warp, typename Scheme::template Over<WarpLane>, Scheme>;
  using Scalar = typename Stepping::Scalar;
  static constexpr bool under_pressure = register_pressure_in_step<Stepping>;
  /// The record is in shared memory where it fits, as that of an assembly does not.
  static constexpr bool kept = under_pressure && bytes_of_places<Record<Stepping>> <= static_shared_bytes;
  static constexpr int block = by_warp || under_pressure ? warp_size : cuda_block;
};
static_assert(tile_size == warp_size);

/// As load_record(), into its place: nvcc returns a record byte by byte, and with some KB of them does not
/// end. One with directions has that many.
template <class Scheme>
LIVENS_DEVICE void read_record(const double* records, std::int64_t i, Record<Scheme>& record) {
  constexpr int width = Record<Scheme>::width();
  Vec<double, width> columns;
  const double* const tile = records + column_offset(i / tile_size, width, 0) + i % tile_size;
  for (int c = 0; c < width; ++c) columns[c] = tile[c * tile_size];
  memcpy(static_cast<void*>(&record), &columns, sizeof columns);
}

/// Advances instance i to its last step or its first difficult one, and says in `left` that there is one.
template <class Scheme, Pivoting pivoting>
LIVENS_DEVICE void advance_instance(const Batch& batch, const Settings& settings, std::int64_t to,
                                    std::int64_t i, volatile int* left) {
  using Shape = CudaShape<Scheme>;
  using Stepping = typename Shape::Stepping;
  using Scalar = typename Shape::Scalar;
  const auto take_steps = [&](Record<Stepping>& record) {
    advance_record<Stepping, DifficultSteps::left, pivoting>(
        load_parameters<typename Stepping::System>(batch, i), load_step<Scalar>(batch, i), batch.composition,
        settings, load_steps<Wide<Scalar>>(batch, to, i), record);
    store_record(batch.records, i, record);
    const Mask<Scalar> difficult = (record[Column::status] == Scalar(0.0)) &
                                   (record.sum(Column::steps) < load_steps<Wide<Scalar>>(batch, to, i));
    if (difficult) *left = 1;
  };
  if constexpr ((Shape::under_pressure && !Shape::kept) || TangentsOf<Scheme>::followed) {
    Record<Stepping> record;
    read_record<Stepping>(batch.records, i, record);
    take_steps(record);
  } else {
    SharedStorage<Record<Stepping>, Shape::kept> place(load_record<Stepping>(batch.records, i));
    take_steps(*place);
  }
}

/// Pivoting on a dense copy takes up to 190 KB of stack a thread, which a driver sets aside for every thread
/// that a device can hold: above the tiles the CPU takes the few steps that need it, and those with directions.
template <class Scheme>
inline constexpr bool difficult_on_device = Scheme::unknowns <= warp_size && !TangentsOf<Scheme>::followed;

/// Takes instance i, where it is left, `steps` steps on, with all the care there is.
template <class Scheme>
LIVENS_DEVICE void advance_difficult_instance(const Batch& batch, const Settings& settings, std::int64_t to,
                                              double steps, std::int64_t i) {
  constexpr int width = Record<Scheme>::width();
  const double end = careful_end(batch, width, to, steps, i);
  if (!(recorded(batch, width, Column::steps, i) < end)) return;
  Record<Scheme> record = load_record<Scheme>(batch.records, i);
  advance_record<Scheme, DifficultSteps::redone>(load_parameters<typename Scheme::System>(batch, i),
                                                 load_step<typename Scheme::Scalar>(batch, i),
                                                 batch.composition, settings, end, record);
  store_record(batch.records, i, record);
}

}  // namespace livens::inline LIVENS_ISA
