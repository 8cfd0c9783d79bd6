#pragma once
// Systems written as text, for the reference and the true motion, which look systems up by their names. They get the
// strings alone: what these say, the reference reads for itself.

#include "expressions/text_system.hpp"

namespace livens::host {

/// From now on the reference has the system. Throws RequestError for what it does not understand.
void add_to_reference(const TextSystem& text);

}  // namespace livens::host
