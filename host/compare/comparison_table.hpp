#pragma once
// A comparison as a table: for files, and for a terminal.

#include <string>
#include <vector>

#include "host/compare/orders.hpp"

namespace livens::host {

/// A line for every run, comma-separated with a line of names above: the file, the values of the keys,
/// instances by status, mean and largest errors, exponents with their intervals, seconds. Numbers are the
/// shortest that read back to the same; what there is not is empty.
std::string table_as_csv(const std::vector<Sweep>& sweeps, const std::vector<ComparedRun>& runs);

/// The same in at most 80 columns, with the largest errors alone and the orders below; columns that do not
/// fit follow under the first ones.
std::string table_as_text(const std::vector<Sweep>& sweeps, const std::vector<ComparedRun>& runs);

}  // namespace livens::host
