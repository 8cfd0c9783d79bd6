#pragma once
// The C++ header of a system: the same class template that a header of kernels/systems has, from the nodes of
// its mechanics. No character of the text goes into it but those of `info`.

#include <string>

#include "expressions/mechanics.hpp"

namespace livens::expressions {

/// The discrete gradients that schemes take: those along the text, or those that a spec chooses, of which these are one.
enum class Gradients { of_the_text, chosen };

/// `class_name` is an identifier. Adds the derivatives it needs to the graph.
std::string header_of(Mechanics& mechanics, const std::string& class_name, const SystemInfo& info,
                      Gradients gradients);

}  // namespace livens::expressions
