#pragma once
// What of this machine livens can use, looked for as a run looks for it, and what to install for the rest.

#include <string>
#include <vector>

namespace livens::host {

enum class Found { ok, without, bad };  ///< `without`: runs do without it; `bad`: something that runs need

struct Finding {
  std::string name;
  Found state;
  std::string found, advice;
};

/// The processor, the compiler and the cache of what is compiled on first use, GPUs, what compiles for them, MPI, and what
/// results are compared with.
std::vector<Finding> look_at_machine();

}  // namespace livens::host
