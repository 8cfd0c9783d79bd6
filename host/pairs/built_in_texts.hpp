#pragma once
// The systems of livens as text: those of examples/systems that are built in, too. The texts are part of the
// program. A text has the parameters of its system, entry for entry, and q, the rows of constraints and the
// momentum maps in the same order, so that what is said of the one holds for the other.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expressions/text_system.hpp"

namespace livens::host {

/// A file of examples/systems without its ending, and what it says.
struct EmbeddedText {
  std::string_view system, text;
};
/// All of them, from the table that CMake writes.
std::span<const EmbeddedText> embedded_texts();

/// True for a system of livens that is there as text.
bool has_text(std::string_view system);

/// The text of that system, or null. Read when it is first asked for, it lives as long as the program.
const TextSystem* built_in_text(std::string_view system);

/// What the system evaluates of its own at a node, in the order of SystemInfo::sampled, as expressions over
/// expressions::names_at_nodes().
std::vector<std::string> own_expressions(const SystemInfo& system);

}  // namespace livens::host
