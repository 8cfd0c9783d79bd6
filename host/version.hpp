#pragma once
// Version of the program, from the build.

namespace livens::host {

inline constexpr const char* version = LIVENS_VERSION;

}  // namespace livens::host
