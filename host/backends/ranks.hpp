#pragma once
// The processes that share one run: those of `mpirun`, or this one alone. One of them may fail at any moment,
// so none waits for another without listening for that.

#include <optional>
#include <string>
#include <vector>

#include "ensembles/backend.hpp"

namespace livens::host {

/// Number of this process among those that a launcher has started on this machine; 0 where there is none. It
/// chooses the GPU.
int local_rank();

/// Another rank has failed, and has said why.
struct OtherRankFailed {
  int status;  ///< exit status of the run
};

class Ranks {
 public:
  /// This process alone.
  Ranks() = default;
  /// Joins the processes that a launcher of MPI has started; waiting ends when `interrupted` says so. Throws
  /// RequestError where there are several and this program was built without MPI.
  explicit Ranks(ensembles::StopAsked interrupted);
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  static constexpr double patience = 5.0;  ///< s

  int rank() const { return rank_; }
  int count() const { return count_; }
  bool first() const { return rank_ == 0; }

  /// The strings of all ranks, in their order, on the first one; nothing on the others, who need not wait.
  std::vector<std::string> gather(const std::string& mine) const;
  /// The string of the first one, on all.
  std::string spread(const std::string& said) const;
  // Both throw OtherRankFailed as soon as that is so, and Interrupted.

  /// Ends the run: the others learn of it where they wait, or from failure().
  void fail(int status);
  /// Exit status with which this run has failed, on whatever rank.
  std::optional<int> failure() const;
  /// After a failure: returns when all ranks have come here, and ends those that do not within `patience`.
  void part() const;

 private:
  std::string receive(int from) const;

  int rank_ = 0, count_ = 1;
  ensembles::StopAsked interrupted_;
  mutable std::optional<int> failure_;
};

}  // namespace livens::host
