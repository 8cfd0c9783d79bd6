#pragma once
// The C++ header of a system: the same class template that a header of kernels/systems has, from the nodes of
// its mechanics. No character of the user's text goes into it.

#include <string>

#include "expressions/mechanics.hpp"

namespace livens::expressions {

/// `class_name` is an identifier. Adds the derivatives it needs to the graph.
std::string header_of(const Description& description, Mechanics& mechanics, const std::string& class_name,
                      const SystemInfo& info);

}  // namespace livens::expressions
