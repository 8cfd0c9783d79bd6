#pragma once
// The processes that share one run: those of `mpirun`, or this one alone.

namespace livens::host {

/// Number of this process among those that a launcher has started on this machine; 0 where there is none. It
/// chooses the GPU.
int local_rank();

class Ranks {
 public:
  /// Joins the processes that a launcher of MPI has started. Throws RequestError where there are several and
  /// this program was built without MPI.
  Ranks();
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return rank_; }
  int count() const { return count_; }
  bool first() const { return rank_ == 0; }

  /// The largest of a number over all ranks, once all have come here.
  int largest(int value) const;
  double sum(double value) const;

 private:
  int rank_ = 0, count_ = 1;
};

}  // namespace livens::host
