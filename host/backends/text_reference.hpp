#pragma once
// Systems written as text, for the reference and the true motion, which look systems up by their names. They
// get the strings alone: what these say, the reference reads for itself.

#include "expressions/text_system.hpp"

namespace livens::host {

/// From now on the reference has the system of that name. False where it does not understand the text, and
/// where the program was built without a reference.
#if defined(LIVENS_WITH_CHECKS)
bool add_to_reference(const TextSystem& text);
#else
inline bool add_to_reference(const TextSystem&) { return false; }
#endif

}  // namespace livens::host
