#pragma once
// A failure as the program says it, and the exit status it ends with.

#include <exception>
#include <string>

namespace livens::host {

struct Complaint {
  int status;
  std::string message;  ///< one line, without control characters
};

/// Rethrows what the contract has no exit status for: a fault of the program.
Complaint complaint_about(std::exception_ptr problem);

}  // namespace livens::host
