#pragma once
// The peak memory of a run to a file, by the arrays that are there at the same time: those of a chunk that is
// integrated, of the one before that is written meanwhile, of the parts that wait for a checkpoint, and of
// the samples, which stay to the end. New arrays of ensembles/ are added in ensembles/memory.hpp.

#include <span>
#include <string>

#include "ensembles/joined_parts.hpp"
#include "ensembles/request.hpp"
#include "host/run/pilot.hpp"

namespace livens::host {

/// Bytes that the parts of a run may take before they go to its segments, where its state may take
/// `gibibytes`. Four times as much, 1 GiB with the standard --memory: parts that reach the disk are written
/// twice, there and to the result, and the run ends when both are on the disk. A million instances of
/// four_particle have 0.6 GB ("held" of --dry-run).
inline double room_for_parts(double gibibytes) { return 4.0 * gibibytes * 0x1p30; }

/// All that the memory depends on.
struct RunInQuestion {
  const ensembles::Request& request;
  const ensembles::Backend& backend;
  const ensembles::Shape& shape;
  const Pilot& pilot;
  std::int64_t at_a_time;                 ///< instances of a chunk
  double room;                            ///< bytes that parts may take before they go to the segments
  double checkpoint_every;                ///< s; 0: off
  double seconds;                         ///< to the last step
  bool compared;                          ///< with the true motion
  std::span<const std::string> left_out;  ///< as of a ResultFile
};

/// Bytes that a run takes beside the program itself.
struct RunMemory {
  double instances;  ///< being integrated, and being written
  double held;       ///< parts that wait for a checkpoint
  double samples;    ///< statistics and trajectories
  double peak;       ///< largest sum of these at a time
};
RunMemory run_memory(const RunInQuestion& run);

/// Bytes that the program takes beside what it has before the first instance: of HDF5 and its caches, of the
/// threads, of the code that steps and writes. As measured for a thousand instances
/// (tests/program/dry_run.py).
inline constexpr double writing_memory = 0x1p23;

/// Bytes of this process that are in memory now ("VmRSS:"), or were at most ("VmHWM:"), of /proc/self/status.
/// (getrusage also counts what a process had before exec.)
double memory_of_process(const char* key);

}  // namespace livens::host
