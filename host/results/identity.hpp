#pragma once
// The identity of a run: runs that differ in nothing of it but their ranges are parts of the same.

#include <cstdint>
#include <string>
#include <string_view>

#include "ensembles/range.hpp"

namespace livens::host {

/// All that a file says about the run besides its numbers.
struct Provenance {
  std::string version;  ///< of the program
  std::string system, scheme, form;
  std::string spec;       ///< the TOML text
  std::string overrides;  ///< options that replaced values of it
  bool operator==(const Provenance&) const = default;
};

struct Identity {
  Provenance provenance;
  std::uint64_t seed = 0;
  std::int64_t size = 0;   ///< N, of the whole ensemble
  ensembles::Range range;  ///< instances of this run
  bool operator==(const Identity&) const = default;
};

/// In which respect two runs are not parts of the same, e.g. "the spec"; empty where they are. Ranges do not
/// count.
std::string difference(const Identity& a, const Identity& b);

std::string encode(const Identity& identity);
/// Throws Malformed (bytes.hpp).
Identity decode_identity(std::string_view bytes);

}  // namespace livens::host
