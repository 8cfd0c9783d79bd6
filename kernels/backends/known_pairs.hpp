#pragma once
// The systems and pairs that the sources of livens have, whether or not they are compiled into a program:
// enough to choose a form, and to compile it where it is needed (host/compilation). The tables are generated,
// as those of registry.hpp.

#include <span>

#include "kernels/description/interface.hpp"

namespace livens {

struct KnownSystem {
  const SystemInfo* info;
  Capabilities capabilities;
  const char* header;      ///< "kernels/systems/heavy_top.hpp"; of what is beside a text, or empty
  const char* class_name;  ///< of the class template
  bool from_text;          ///< the class is made of the system's text
};

/// A form of a pair, as PairKernels has it.
struct KnownPair {
  const KnownSystem* system;
  const SchemeInfo* scheme;
  const char* form;
  int unknowns;
  bool damped, compensated, fixed_options;
  bool lower;              ///< offered in mixed and single precision
  const char* header;      ///< "kernels/schemes/ems.hpp"
  const char* class_name;  ///< of the class template in it
};

/// True for a number of unknowns with which mixed and single precision are offered (decision 15).
bool few_enough_for_lower(int unknowns);

std::span<const KnownSystem> known_systems();
/// The forms of a pair in the order of preference, those of a system together.
std::span<const KnownPair> known_pairs();

}  // namespace livens
