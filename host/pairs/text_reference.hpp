#pragma once
// Systems written as text, for the reference and the true motion. They get the strings alone: what these say,
// the reference reads for itself. What it has read belongs to whoever asked: runs in other threads may have
// texts of the same name.

#include <memory>

#include "expressions/text_system.hpp"

namespace livens::reference {
class TextSystem;
}

namespace livens::host {

/// Null where the reference does not understand the text, and where the program was built without one.
#if defined(LIVENS_WITH_CHECKS)
std::shared_ptr<const reference::TextSystem> read_by_reference(const TextSystem& text);
#else
inline std::shared_ptr<const reference::TextSystem> read_by_reference(const TextSystem&) { return nullptr; }
#endif

}  // namespace livens::host
