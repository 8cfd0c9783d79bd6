#pragma once
// What an object that is compiled on first use (host/compilation) hands to the program that loads it: plain
// data, and enough of it to refuse an object that was compiled against other headers than the program.

#include "kernels/description/adjoint.hpp"
#include "kernels/description/interface.hpp"

namespace livens {

namespace taylor {
struct FixedSeries;
}

/// Sizes of what program and object pass to each other.
struct PluginLayout {
  std::uint32_t batch = sizeof(Batch), settings = sizeof(Settings), view = sizeof(NodeView),
                system = sizeof(SystemKernels), pair = sizeof(PairKernels), system_info = sizeof(SystemInfo),
                parameter = sizeof(ParameterInfo), columns = static_cast<std::uint32_t>(Column::count),
                tile = tile_size, options = max_options;
  bool operator==(const PluginLayout&) const = default;
};

inline constexpr std::uint32_t plugin_version = 4;

/// A system, a pair in one form, its careful steps, the steps of a series, or the adjoint of a pair: the others are
/// null.
struct Plugin {
  std::uint32_t version = plugin_version;  ///< nothing behind it is read where it differs
  std::uint32_t size = sizeof(Plugin);
  PluginLayout layout = {};
  const char* key;  ///< that the object was compiled for
  const SystemKernels* system = nullptr;
  const PairKernels* pair = nullptr;  ///< without its system, which is an object of its own
  const CarefulKernels* careful = nullptr;
  const taylor::FixedSeries* series = nullptr;
  const AdjointKernels* adjoint = nullptr;
};

/// Every such object has one function of this name and type.
inline constexpr const char* plugin_entry = "livens_plugin";
using PluginEntry = const Plugin*();

}  // namespace livens

#define LIVENS_PLUGIN_ENTRY \
  extern "C" __attribute__((visibility("default"))) const livens::Plugin* livens_plugin()
