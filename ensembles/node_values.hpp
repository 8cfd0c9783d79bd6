#pragma once
// The observables of every instance of a batch at the node where it stands, whether a record keeps them or
// not. Nodes are evaluated here, on the host, one instance at a time, whatever the backend: the same bits
// everywhere. A device brings its records for it.

#include <vector>

#include "ensembles/observables.hpp"
#include "ensembles/stages.hpp"

namespace livens::ensembles {

/// A NodeView with room of its own.
class NodeRoom {
 public:
  explicit NodeRoom(const SystemInfo& system);
  NodeRoom(const NodeRoom&) = delete;
  NodeRoom& operator=(const NodeRoom&) = delete;

  NodeView view;

 private:
  std::vector<double> values_;
};

/// The value of an observable, given the records and the sampled entries of an instance.
double value_of(const Observable& observable, const double* records, int record_width, std::int64_t instance,
                const double* sampled);

/// Laid out as records are: the status, then a column an observable.
class NodeValues {
 public:
  /// Instances that could not start have no meaning here.
  NodeValues(const Nodes& nodes, std::int64_t size, const std::vector<Observable>& observables);

  bool ok(std::int64_t instance) const { return at(instance, 0) == static_cast<double>(Status::ok); }
  double value(std::int64_t instance, std::size_t observable) const {
    return at(instance, static_cast<int>(observable) + 1);
  }
  /// As Backend::observe() has it.
  std::vector<BlockStatistics> statistics(Backend& backend) const;

 private:
  double at(std::int64_t instance, int column) const {
    return records_[column_offset(instance / tile_size, width_, column) + instance % tile_size];
  }

  std::int64_t size_;
  int width_;
  std::vector<double> records_;
};

/// The least and the largest that an ensemble has met of what is observed, since it started.
class Extremes {
 public:
  Extremes() = default;
  Extremes(std::int64_t size, std::vector<Observable> observables);

  bool empty() const { return bounds_.empty(); }
  /// Takes the nodes where the instances stand, of those that are ok.
  void meet(Motion& motion);
  /// min_<name> and max_<name>, without what the records have under that name; NaN where nothing was met.
  std::vector<Quantity> quantities() const;

  /// The least and largest met so far, from which a later run can go on.
  const std::vector<double>& bounds() const { return bounds_; }
  void restore(const std::vector<double>& bounds) { bounds_ = bounds; }

 private:
  std::vector<Observable> observables_;
  std::int64_t size_ = 0;
  std::vector<double> bounds_;  // N, observables, 2: least, largest
};

}  // namespace livens::ensembles
