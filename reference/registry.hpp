#pragma once
// The systems, assemblies and schemes a program compares with. Their tables are generated from the names of
// files (registry.cpp.in): a system or an assembly is a function of the file's name that takes Parameters&, a
// scheme one that takes nothing. Nothing is added to them: a system written as text comes with its Model.

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

}  // namespace livens::reference
