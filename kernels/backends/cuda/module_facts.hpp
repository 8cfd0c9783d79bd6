#pragma once
// What a module of kernels that is compiled on first use says of itself: plain data, and enough of it to
// refuse one that was compiled against other headers than the program, or lays structures out otherwise.

#include "kernels/description/interface.hpp"

namespace livens {

struct ModuleFacts {
  std::int32_t batch = sizeof(Batch), settings = sizeof(Settings), columns = static_cast<int>(Column::count),
               tile = tile_size, options = max_options;
  std::int32_t block = 0;                       ///< threads of a block, but for advance
  std::int32_t parameter_count = 0;             ///< of a system
  std::int32_t unknowns = 0, record_width = 0;  ///< of a pair
  std::int32_t advance_block = 0;               ///< threads of a block of advance
  std::int32_t difficult_on_device = 0;         ///< 0: advance_difficult does nothing

  /// True where program and module mean the same by what they pass to each other.
  constexpr bool fits(const ModuleFacts& other) const {
    return batch == other.batch && settings == other.settings && columns == other.columns &&
           tile == other.tile && options == other.options;
  }
};

/// The variable of a module that holds them.
inline constexpr const char* module_facts = "livens_facts";

}  // namespace livens
