#pragma once
// A run whose result is a file: from a spec, portion by portion, through checkpoints, in one process or
// several.

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "ensembles/ensemble.hpp"
#include "ensembles/joined_parts.hpp"
#include "host/backends/device_choice.hpp"
#include "host/backends/ranks.hpp"
#include "host/checkpoint/join.hpp"
#include "host/livens.hpp"
#include "host/run/forecast.hpp"
#include "host/spec/spec.hpp"

namespace livens::host {

/// Somebody outside who may want a run to end; each of these may be empty.
struct Cancellation {
  ensembles::StopAsked asked;      ///< whether they do
  std::function<void()> heard;     ///< told by the run that it has heard them and ends in order from here
  std::function<void()> too_late;  ///< told that nobody asks any more: all is integrated
};

/// What is told of a sample; `times` of all of them.
Sample sample_of(const ensembles::SamplePart& part, const std::vector<double>& times);

/// The GPUs that options name, if they do.
std::optional<DeviceChoice> devices_of(const RunOptions& options);

/// The ranks of an MPI run: each integrates its share, the first one writes.
class RunOnDisk {
 public:
  /// `source`: the file of the spec, which the result must not replace. Throws RequestError, and FileError
  /// where the result cannot be written.
  RunOnDisk(Spec spec, const std::string& source, const FileOptions& to, const RunOptions& options,
            const Ranks& ranks, Cancellation cancellation);

  /// The common directory of the ranks' checkpoints.
  std::string common_directory() const;

  /// How large its result becomes and what it takes; a few instances are integrated for a moment, and nothing
  /// stays written. Throws RequestError where run() would not begin. A checkpoint to go on from is not looked
  /// into.
  Forecast forecast() const;

  /// Integrates and writes. Throws Interrupted, OtherRankFailed, and as above. On ranks that are not the
  /// first `summary` is empty.
  Written run();

 private:
  std::string directory(int rank) const;
  Identity identity() const;
  Destination destination() const;
  ensembles::Result about(double seconds) const;

  void begin(std::optional<Joiner>& result, const Checkpoint& checkpoint) const;
  bool end_wanted() const;
  bool end_heard() const;
  ensembles::Progress progress(const Checkpoint& checkpoint) const;
  double integrate(Checkpoint& checkpoint, std::optional<Joiner>& result) const;
  double together(double seconds) const;
  Joined write(Checkpoint& checkpoint, std::optional<Joiner>& result, double seconds) const;
  void expect_same_request() const;

  Spec spec_;
  FileOptions to_;
  const RunOptions& options_;
  const Ranks& ranks_;
  Cancellation cancellation_;
  mutable std::atomic<bool> other_rank_failed_ = false;
  mutable Progress reported_{0, 0, 0};
  std::string output_;
  ensembles::Range whole_, mine_;  // of the file, of this process
  std::unique_ptr<ensembles::Backend> backend_;
  double compiling_ = 0.0;  // s
  Provenance provenance_;
  ensembles::Shape shape_;
};

}  // namespace livens::host
