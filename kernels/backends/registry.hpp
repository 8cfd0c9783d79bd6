#pragma once
// The compiled systems and schemes, and the pairs that fit. The tables behind them are generated from the
// name lists in CMake; no pair is written down anywhere.

#include <span>
#include <vector>

#include "kernels/description/forms.hpp"
#include "kernels/description/interface.hpp"

namespace livens {

/// Instruction sets a CPU build may hold.
enum class Isa { plain, avx2, avx512 };

/// The best compiled instruction set this processor can run.
Isa best_isa();
/// True for an instruction set that was compiled and that this processor can run.
bool usable(Isa);
const char* isa_name(Isa);
/// Instances in a register.
int lanes(Isa);

std::span<const SystemKernels> cpu_systems(Isa);
/// The pairs in full precision, which are all, or those in single precision.
std::span<const PairKernels> cpu_pairs(Isa, Precision = Precision::full);
/// Every compiled scheme, whether or not a compiled system fits it.
std::span<const SchemeInfo* const> schemes();

/// The pairs of one system with one family of schemes: in full precision all of them, in single precision
/// those that offer it.
struct CompiledPairs {
  std::vector<PairKernels> full, single;
};

}  // namespace livens
