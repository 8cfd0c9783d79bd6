#pragma once
// The progress of a run, on the standard error.

#include <string>

#include "ensembles/ensemble.hpp"

namespace livens::host {

enum class ProgressStyle { automatic, bar, json, none };

/// A bar that is redrawn, or one JSON object a line: {"done","total","failed","seconds","seconds_left"}, or
/// nothing; automatic: a bar where the standard error is a terminal. Empty for nothing.
ensembles::Progress make_progress(ProgressStyle style);

/// The bar's line, without the carriage return.
std::string bar(std::int64_t done, std::int64_t total, std::int64_t failed, double seconds);

/// The JSON line.
std::string json_line(std::int64_t done, std::int64_t total, std::int64_t failed, double seconds);

}  // namespace livens::host
