#pragma once
// The parts of a run put together: statistics by the fixed tree, trajectories by their instances.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ensembles/journal.hpp"
#include "ensembles/request.hpp"
#include "ensembles/result.hpp"

namespace livens::ensembles {

/// The shape of a run's datasets: all that is known of them before anything is integrated.
struct Shape {
  int coordinates, constraints, momentum_maps;  ///< d, m, s
  Range range;                                  ///< instances of the run
  std::vector<double> time;                     ///< K, s
  std::vector<double> quantile_levels;          ///< Q
  std::vector<std::int64_t> followed;  ///< R, numbers in the ensemble of the first R instances of the range
  struct Named {
    std::string name, unit, description;
  };
  std::vector<Named> observables;  ///< with statistics, in the order of their names
  std::vector<Named> observed;     ///< in /trajectories beside the state
  std::vector<Joint> joints;
  std::vector<std::string> wrt = {};    ///< labels of what derivatives are taken of
  std::vector<Quantity> tangents = {};  ///< those in /tangent/trajectories, without values
  Labels labels = {};
};

/// Throws as make_schedule() does.
Shape shape_of(const Request& request, const SystemInfo& system, Range range);

class JoinedParts {
 public:
  explicit JoinedParts(Shape shape);

  /// Parts may come in any order. Throws std::logic_error for one that does not belong, or came before.
  void add(const SamplePart& part);

  /// Sets time, ok, statistics, trajectories, dimensions and size of a Result. Throws std::logic_error when a
  /// part is missing.
  void finish(Result& result);

 private:
  void place(const Trajectories& followed, Range range, std::int64_t sample);
  ObservableStatistics statistics_of(std::size_t observable) const;
  void add_joints(const SamplePart& part);
  JointStatistics joint_of(std::size_t joint) const;

  Shape shape_;
  std::int64_t samples_, followed_;                             // K, R
  std::vector<std::int64_t> ok_;                                // K
  std::vector<std::vector<SummaryTree>> trees_;                 // K, one an observable
  std::vector<std::map<std::int64_t, JointHistogram>> joints_;  // one a joint, by its samples
  Trajectories trajectories_;
};

}  // namespace livens::ensembles
