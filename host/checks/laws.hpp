#pragma once
// The laws of a scheme on a system written as text, tried on eight instances in short runs for `livens
// check`; tests/laws has the same laws for the pairs that are compiled in.

#include <functional>
#include <optional>
#include <vector>

#include "expressions/text_system.hpp"
#include "host/checks/finding.hpp"
#include "host/pairs/catalogue.hpp"

namespace livens::host {

struct Trial {
  const TextSystem& text;
  const TextSystem& judge;     ///< the text that the reference reads; has the same name and parameters
  const Catalogue& catalogue;  ///< with the text
  std::optional<double> step;  ///< s; of the system where it is left out
};

/// Tries every law that the scheme of `pair` promises on a system like this one, and hands over the findings
/// one by one. Compiles the pair for all instruction sets of this program and processor.
void try_laws(const Trial& trial, const PairKernels& pair, const std::function<void(const Finding&)>& found);

}  // namespace livens::host
