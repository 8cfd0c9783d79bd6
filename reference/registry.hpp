#pragma once
// The systems and schemes a program compares with. Their tables are generated from the names of files
// (registry.cpp.in): a system is a function of the file's name that takes Parameters&, a scheme one that
// takes nothing.

#include "parameters.hpp"
#include "scheme.hpp"

namespace livens::reference {

struct SystemEntry {
  std::string name;
  System (*make)(Parameters& given);
};

const std::vector<SystemEntry>& system_table();
const std::vector<Scheme>& scheme_table();

}  // namespace livens::reference
