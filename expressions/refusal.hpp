#pragma once
// How mistakes are thrown.

#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "expressions/mistake.hpp"

namespace livens {

/// The request is wrong: usage, a spec, a text, or something that this build or machine cannot do. what() is the
/// mistakes as they are printed.
struct RequestError : std::runtime_error {
  explicit RequestError(std::vector<Mistake> found)
      : std::runtime_error(printed(found)), mistakes(std::move(found)) {}
  std::vector<Mistake> mistakes;  ///< at least one
};

/// Throws the RequestError of one mistake.
[[noreturn]] void refuse(const Place& place, const std::string& problem, const std::string& expected = {},
                         const std::string& suggestion = {});
/// The same of a name that is none of those there are, the nearest of which is suggested.
[[noreturn]] void refuse_unknown(const Place& place, const std::string& problem, const std::string& typed,
                                 std::span<const std::string> names);

}  // namespace livens
