#pragma once
// The name of a process in that of a file, by which others on the same file system can tell that it has
// ended.

#include <string>
#include <string_view>

namespace livens::host {

/// Another one at every call, and never used again: what carries it can be removed by whoever finds that its
/// process has ended, without asking what has come in its place.
std::string new_process_mark();

/// True where that is certain: for a process of this machine, since it was started, in this space of process
/// numbers (a container has its own). Of any other, and of what is no mark, nothing is known.
bool has_ended(std::string_view mark);

/// "process 1234 on node7".
std::string described(std::string_view mark);

}  // namespace livens::host
