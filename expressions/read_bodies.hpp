#pragma once
// [bodies], [joints], and what [force] and [initial] say of bodies, as they are typed.

#include <string>
#include <vector>

#include "expressions/description.hpp"
#include "expressions/text_table.hpp"

namespace livens::expressions {

/// Both check names against all that the description has so far.
void read_bodies(const Table& table, Description& result);
void read_joints(const Table& table, Description& result);

/// The parts of a body that a table may speak of.
using PartsOfBodies = std::vector<std::string>;
/// Reads what a key says of a body: "crank" with a table, or "crank.x". False where it names no body.
bool read_of_body(const Table& table, const std::string& key, const Description& so_far,
                  const PartsOfBodies& parts, std::vector<OfBody>& result);
/// Of [initial] itself.
void read_initial_of_bodies(const Table& table, Description& result);

}  // namespace livens::expressions
