#pragma once
// The pairs compiled for CUDA: those of cpu_pairs() in both precisions. A program may have systems of its
// own that were not. The tables behind them are generated from the name lists in CMake. Needs no CUDA header:
// every function takes a Batch whose arrays are device memory.

#include <functional>
#include <span>
#include <vector>

#include "kernels/description/interface.hpp"

namespace livens {

/// Functions of a system on the current device, of the program or of a module that was loaded, for instances
/// [first, last), both multiples of tile_size. Every pointer of the Batch, and the pointers `varied` points
/// to, are device memory. They return when the device is done and throw std::runtime_error with the name of
/// the launch and its instances when it fails.
struct CudaSystemKernels {
  const SystemInfo* info;
  int parameter_count;  ///< scalar parameters
  std::function<void(const Batch&, std::int64_t first, std::int64_t last)> initial_states, momenta,
      velocities;
  /// `domains`: the Domain of every scalar parameter, `status` one Status per instance; both device memory.
  std::function<void(const Batch&, Consistency, const std::uint8_t* domains, std::uint8_t* status,
                     std::int64_t first, std::int64_t last)>
      make_consistent;
};

/// Functions of a pair in one form on the current device; conditions as above. advance() and
/// advance_difficult() do not wait.
struct CudaPairKernels {
  const CudaSystemKernels* system;
  const SchemeInfo* scheme;
  const char* form;
  int unknowns;
  int record_width;
  Precision precision;
  std::function<void(const Batch&, const Settings&, const std::uint8_t* status, std::int64_t first,
                     std::int64_t last)>
      start;
  /// To unit `to`, or to before a difficult step: then the word `left`, of pinned memory, becomes 1.
  std::function<void(const Batch&, const Settings&, std::int64_t to, volatile int* left, std::int64_t first,
                     std::int64_t last)>
      advance;
  /// Takes the instances that were left `steps` steps on (difficult_steps.hpp). Null where they are for the
  /// processor.
  std::function<void(const Batch&, const Settings&, std::int64_t to, double steps, std::int64_t first,
                     std::int64_t last)>
      advance_difficult;
};

std::span<const CudaPairKernels> cuda_pairs();

/// The same pair as one compiled for the CPU, by its names and precision; null if CUDA has none.
const CudaPairKernels* cuda_pair(const PairKernels&);

}  // namespace livens
