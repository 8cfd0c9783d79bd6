#pragma once
// A failure as the program says it, and the exit status it ends with.

#include <exception>
#include <vector>

#include "expressions/mistake.hpp"

namespace livens::host {

struct Complaint {
  int status;
  std::vector<Mistake> mistakes;  ///< at least one; with no control characters
};

/// Rethrows what the contract has no exit status for: a fault of the program.
Complaint complaint_about(std::exception_ptr problem);

}  // namespace livens::host
