#pragma once
// An object that was compiled on first use, loaded into this program.

#include "host/compilation/object_cache.hpp"
#include "kernels/description/plugin.hpp"

namespace livens::host {

/// What the object holds, for as long as the program runs. Its symbols are its own: no other object sees
/// them. Throws FileError where it cannot be loaded, or is for another program or another unit.
const Plugin& load_plugin(const Provided& provided);

}  // namespace livens::host
