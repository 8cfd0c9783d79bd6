#pragma once
// The parts an integration hands over as it goes, and the standing from which an interrupted one goes on.

#include <cstdint>
#include <vector>

#include "ensembles/joint_histogram.hpp"
#include "ensembles/observables.hpp"
#include "ensembles/range.hpp"
#include "ensembles/result.hpp"

namespace livens::ensembles {

/// The contribution of a range of instances to a sample.
struct SamplePart {
  Range range;
  std::int64_t sample;  ///< 0 .. K-1
  SampleStatistics statistics;
  Trajectories followed;                    ///< K = 1, of those instances of the range that are followed
  std::vector<JointHistogram> joints = {};  ///< of the Joints that are at this sample, in their order
};

/// The contribution of a range of instances to /instances, once they are done.
struct InstancesPart {
  Range range;
  Instances instances;
};

/// The standing of an integration: all that is carried on and does not follow from the request.
struct Standing {
  Range chunk;                         ///< being integrated; empty, at the end of the range, when all is done
  std::int64_t tick = 0;               ///< its time, see Ticks
  std::int64_t samples = 0;            ///< of this chunk handed over so far
  std::int64_t failed = 0;             ///< instances of the chunks before
  double wall_seconds = 0.0;           ///< of stepping so far, all chunks
  std::vector<double> records;         ///< of its batch
  std::vector<double> bound_exceeded;  ///< as in Instances, so far
  std::vector<double> extremes;        ///< so far, as Extremes has them
};

/// Takes what is handed over. Parts of a range come in the order of their samples, then its instances; ranges
/// in the order of their instances. One call at a time, on different threads; wants_standing() alone may be
/// asked beside an add() or done().
class Journal {
 public:
  virtual ~Journal() = default;
  virtual void add(const SamplePart&) = 0;
  virtual void add(InstancesPart) = 0;
  /// Asked several times a second: whether a Standing is wanted now.
  virtual bool wants_standing() = 0;
  /// Everything handed over so far and this Standing are enough to go on from.
  virtual void keep(const Standing&) = 0;
  /// The same, at the end of a chunk: a Standing to fall back to should the next one come to nothing.
  virtual void done(const Standing&) {}
};

}  // namespace livens::ensembles
