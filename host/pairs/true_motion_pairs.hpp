#pragma once
// The schemes of the true motion among those of the catalogue: reference_ode and reference_dae, where built
// with SUNDIALS, and taylor. They have no compiled kernels: a pair of theirs is its descriptions and the
// functions of the system.

#include <memory>

#include "host/pairs/catalogue.hpp"
#include "host/pairs/text_reference.hpp"

namespace livens::host {

/// True where the pair is integrated by SUNDIALS or by Taylor series.
bool is_true_motion(const PairKernels& pair);
/// True where it is by Taylor series.
bool is_taylor(const PairKernels& pair);

/// The pairs of SUNDIALS on a system that the reference knows, by its name or, of a text, as it has read it;
/// none where built without.
std::vector<PairKernels> true_motion_pairs(
    const SystemKernels& system, const std::shared_ptr<const reference::TextSystem>& text = nullptr);
/// The pair of taylor on a system whose equations are a text (text_of_equations).
PairKernels taylor_pair(const SystemKernels& system);

/// The catalogue with these schemes, on all systems of livens that they run. The result lives as long as
/// the program; every call must be given the same catalogue.
Catalogue with_true_motion(const Catalogue& compiled);

}  // namespace livens::host
