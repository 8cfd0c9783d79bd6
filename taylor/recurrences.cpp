// What is compiled once for every instruction set, with its flags and LIVENS_ISA its name, and the table of
// it. No templates of the standard library are instantiated here: the linker keeps one copy of each, and must
// not take one of these.

#include "taylor/recurrences.hpp"

#include "taylor/group_functions.hpp"

namespace livens::inline LIVENS_ISA {

/// Declared by taylor/instruction_sets.cpp.
extern const taylor::Recurrences taylor_recurrences;
const taylor::Recurrences taylor_recurrences = {run_lanes, project_lanes, expand_lanes, value,
                                                end,       arrival,       begin,        keep};

}  // namespace livens::inline LIVENS_ISA
