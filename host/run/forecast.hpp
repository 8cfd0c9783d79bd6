#pragma once
// A run before it is run (livens run --dry-run): how large its result becomes, and what it takes.

#include <algorithm>
#include <cstdint>
#include <string>

#include "host/livens.hpp"
#include "host/results/result_size.hpp"
#include "host/run/run_memory.hpp"
#include "host/spec/spec.hpp"

namespace livens::host {

struct Forecast {
  std::string path, system, scheme, form, backend, device;
  std::int64_t instances, samples, trajectories;
  double end;             ///< s
  double steps;           ///< of all instances; where scheme.step varies, of the base step
  double reading_memory;  ///< bytes, at most so far: tables take more while they are read
  double program_memory;  ///< bytes, beside those of `memory`
  RunMemory memory;
  ResultSize file;
  double seconds;  ///< to the last step and sample; an estimate

  double peak_memory() const { return std::max(reading_memory, program_memory + memory.peak); }
};

/// `at_a_time`: instances of a chunk. Integrates a few of them for a moment; throws as
/// ensembles::integrate().
Forecast make_forecast(const Spec& spec, ensembles::Backend& backend, ensembles::Range range,
                       const RunOptions& options, std::int64_t at_a_time, const std::string& output);

/// As text of a dozen lines, or as JSON.
std::string as_text(const Forecast& forecast);
std::string as_json(const Forecast& forecast);

}  // namespace livens::host
