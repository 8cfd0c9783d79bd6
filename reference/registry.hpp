#pragma once
// The systems, assemblies and schemes a program compares with. Their tables are generated from the names of
// files (registry.cpp.in): a system or an assembly is a function of the file's name that takes Parameters&, a
// scheme one that takes nothing. Systems may be added while a program runs.

#include <functional>

#include "assembly/parts.hpp"
#include "parameters.hpp"
#include "scheme.hpp"

namespace livens::reference {

struct SystemEntry {
  std::string name;
  std::function<System(Parameters& given)> make;
};

struct AssemblyEntry {
  std::string name;
  std::function<Assembly(Parameters& given)> make;
};

const std::vector<SystemEntry>& built_in_systems();
const std::vector<AssemblyEntry>& assembly_table();
const std::vector<Scheme>& scheme_table();

/// Throws std::invalid_argument for an unknown name.
const Scheme& find_scheme(const std::string& name);

/// The built-in ones, then those added.
const std::vector<SystemEntry>& system_table();

/// In place of one of that name added before. Throws std::invalid_argument for the name of a built-in one.
/// Not while another thread looks a system up; integrators that are under way keep theirs.
void add_system(const SystemEntry& entry);

}  // namespace livens::reference
