#pragma once
// Options of the command line that replace values of a spec.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace livens::host {

struct Overrides {
  std::optional<std::int64_t> size, steps;
  std::optional<std::uint64_t> seed;
  std::optional<std::string> output;
  std::vector<std::string> settings;  ///< "scheme.step=0.01", of any key of the spec

  /// As typed: "--size 8 --set 'scheme.step=0.01'"; without the output file, which changes no number.
  std::string text() const;
  /// The overrides that text() has written. Throws std::invalid_argument for any other text.
  static Overrides from_text(const std::string& text);
};

}  // namespace livens::host
