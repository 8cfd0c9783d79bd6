#pragma once
// Names of Status as they stand in files and tables; a name's position is its number.

#include <array>

namespace livens::host {

inline constexpr std::array<const char*, 8> status_names = {
    "ok",           "newton_diverged",      "singular_matrix",   "not_finite",
    "wrong_branch", "inconsistent_initial", "invalid_parameter", "energy_balance"};

}  // namespace livens::host
