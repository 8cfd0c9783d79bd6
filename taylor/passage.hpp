#pragma once
// What the records of instances say, and what they get of the steps that their motions take: of `count`
// neighbours in a tile, on a processor those of a group, on a GPU the one of a thread.

#include "kernels/description/plain_record.hpp"
#include "kernels/math/root.hpp"
#include "taylor/steps.hpp"

namespace livens::taylor {

static_assert(tile_size % lanes == 0);

LIVENS_BOTH inline Status status_of(Obstacle obstacle) {
  switch (obstacle) {
    case Obstacle::singular:
      return Status::singular_matrix;
    case Obstacle::not_finite:
      return Status::not_finite;
    default:
      return Status::newton_diverged;
  }
}

/// How far the instances are to go.
struct Destination {
  std::int64_t beat;      ///< of Batch::steps_per_beat
  double energy_balance;  ///< Settings::energy_balance
};

template <class Arithmetic, int count>
class Passage {
 public:
  /// The instances first, ..., first + count - 1. `kept`: columns of a record before those of the series.
  LIVENS_BOTH Passage(const Batch& batch, int kept, std::int64_t first, Steps<Arithmetic, count>& steps)
      : agenda_(steps.agenda()),
        batch_(batch),
        steps_(steps),
        first_(first),
        width_(kept + static_cast<int>(series_size(agenda_))),
        kept_(kept) {}

  LIVENS_BOTH double* record(int lane) const { return record_of(batch_, first_ + lane, width_); }
  LIVENS_BOTH double& value(int lane, Column c) const { return column(record(lane), c); }
  LIVENS_BOTH double& initial_map(int lane, int s) const {
    return record(lane)[(column_count + s) * tile_size];
  }
  LIVENS_BOTH bool is_ok(int lane) const { return value(lane, Column::status) == 0.0; }
  LIVENS_BOTH bool is_behind(int lane, const Destination& to) const {
    return is_ok(lane) && value(lane, Column::steps) < steps_to(lane, to);
  }

  /// The series of the records, into the steps and back.
  LIVENS_BOTH void load() {
    const double* const columns = record(0) + kept_ * tile_size;
    steps_.for_each_entry([&](int c, double* entry) { copy_entry<count>(columns + c * tile_size, entry); });
  }
  LIVENS_BOTH void save(const bool* saved) {
    double* const columns = record(0) + kept_ * tile_size;
    bool all = true;
    for (int lane = 0; lane < count; ++lane) all = all && saved[lane];
    if (all) {
      steps_.for_each_entry(
          [&](int c, const double* entry) { copy_entry<count>(entry, columns + c * tile_size); });
      return;
    }
    steps_.for_each_entry([&](int c, const double* entry) {
      for (int lane = 0; lane < count; ++lane)
        if (saved[lane]) columns[c * tile_size + lane] = entry[lane];
    });
  }

  /// Evaluates every lane at the node that its record says, or some steps after it.
  LIVENS_BOTH void evaluate_nodes(double later) {
    double times[count];
    for (int lane = 0; lane < count; ++lane) times[lane] = node_time(lane, later);
    steps_.evaluate(times);
  }

  /// Takes the lanes that are behind to their destination, or as far as they come. Calls pause() before every
  /// step; records then stand at nodes.
  template <class Pause>
  LIVENS_BOTH void advance(const Destination& to, const Pause& pause) {
    bool active[count];
    double lengths[count];
    for (int lane = 0; lane < count; ++lane) {
      active[lane] = is_behind(lane, to);
      lengths[lane] = step(lane);
    }
    if (!any_of(active)) return;
    load();
    evaluate_nodes(0.0);
    for (int lane = 0; lane < count; ++lane) watch_from_here(lane);
    take_nodes(to, active);
    if (!any_of(active)) return;
    steps_.arrive(active);  // as before in another call: the next series begins there
    while (true) {
      drop_stuck(active);
      if (!any_of(active)) return;
      pause();
      watch_ends(active);
      steps_.expand(active, lengths);
      drop_stuck(active);
      steps_.arrive(active);
      take_nodes(to, active);
    }
  }

  // At the node where a lane was evaluated.

  LIVENS_BOTH double energy(int lane) const {
    return steps_.measured(agenda_.kinetic, lane) + steps_.measured(agenda_.potential, lane);
  }
  /// True for a node that an instance may stand at and be called ok.
  LIVENS_BOTH bool is_finite(int lane) const {
    double total = energy(lane) + steps_.dissipated(lane) + steps_.work(lane);
    for (int i = 0; i < agenda_.plan.d; ++i) total += steps_.position(i, lane) + steps_.velocity(i, lane);
    for (const List<int>* rows : {&agenda_.momentum, &agenda_.maps, &agenda_.constraints, &agenda_.rates})
      total += sum(*rows, lane);
    return finite(total);
  }
  LIVENS_BOTH Measures measures(int lane) const {
    const double dissipated = steps_.dissipated(lane), work = steps_.work(lane);
    double momentum_error = 0.0;
    for (int s = 0; s < length_of(agenda_.maps); ++s)
      momentum_error =
          max(abs(steps_.measured(agenda_.maps.first[s], lane) - initial_map(lane, s)), momentum_error);
    return {energy(lane) - value(lane, Column::initial_energy) + dissipated - work,
            largest(agenda_.constraints, lane),
            largest(agenda_.rates, lane),
            momentum_error,
            dissipated,
            work};
  }

 private:
  LIVENS_BOTH static bool any_of(const bool* active) {
    for (int lane = 0; lane < count; ++lane)
      if (active[lane]) return true;
    return false;
  }
  LIVENS_BOTH double step(int lane) const {
    return batch_.varied_step ? batch_.varied_step[first_ + lane] : batch_.shared_step;
  }
  LIVENS_BOTH double steps_to(int lane, const Destination& to) const {
    return static_cast<double>(to.beat * (batch_.steps_per_beat ? batch_.steps_per_beat[first_ + lane] : 1));
  }
  LIVENS_BOTH double node_time(int lane, double later) const {
    return (value(lane, Column::steps) + later) * step(lane);
  }
  LIVENS_BOTH double stop_value(int k, int lane) const {
    return steps_.measured(agenda_.stops.first[k], lane);
  }
  /// At the node where a lane was evaluated.
  LIVENS_BOTH void watch_from_here(int lane) {
    for (int k = 0; k < length_of(agenda_.stops); ++k) {
      steps_.before(k, lane) = stop_value(k, lane);
      steps_.zero(k, lane) = -1.0;
    }
  }
  /// A stop condition that has changed its sign since the node before, or changed it back, in the series that the active
  /// lanes are about to leave.
  LIVENS_BOTH void watch_ends(const bool* active) {
    double ends[count];
    for (int lane = 0; lane < count; ++lane) ends[lane] = steps_.end(lane);
    for (int k = 0; k < length_of(agenda_.stops); ++k) {
      steps_.evaluate(ends);
      bool crosses[count];
      for (int lane = 0; lane < count; ++lane) {
        const double f0 = steps_.before(k, lane), f1 = stop_value(k, lane);
        const bool other = (f0 > 0.0 && f1 <= 0.0) || (f0 < 0.0 && f1 >= 0.0);
        crosses[lane] = active[lane] && other && steps_.zero(k, lane) < 0.0;
        if (!other) steps_.zero(k, lane) = -1.0;
      }
      for (int lane = 0; lane < count; ++lane)
        if (crosses[lane]) steps_.zero(k, lane) = zero_in_series(k, lane, ends[lane]);
    }
  }
  /// When a stop condition is zero between the node before, or the start of the series, and `end` of this step or series,
  /// where it has another sign.
  LIVENS_BOTH double zero_in_series(int k, int lane, double end) {
    const double node = node_time(lane, 0.0), begin = max(node, steps_.start(lane));
    const auto value_after = [&](double since) {
      double times[count];
      for (int other = 0; other < count; ++other) times[other] = steps_.end(other);
      times[lane] = begin + since;
      steps_.evaluate(times);
      return stop_value(k, lane);
    };
    const double length = end - begin, f0 = begin == node ? steps_.before(k, lane) : value_after(0.0),
                 f1 = value_after(length), root = root_between(value_after, 0.0, f0, length, f1);
    return begin + (finite(root) ? root : length * (f0 / (f0 - f1)));  // where it has no value: on the line
  }
  /// The same of the step that ends where the lanes are evaluated.
  LIVENS_BOTH double stop_time(int k, int lane) {
    if (steps_.zero(k, lane) >= 0.0) return steps_.zero(k, lane);
    const double time = zero_in_series(k, lane, node_time(lane, 1.0));
    evaluate_nodes(1.0);
    return time;
  }
  LIVENS_BOTH double largest(const List<int>& rows, int lane) const {
    double size = 0.0;
    for (const int* row = rows.first; row != rows.last; ++row)
      size = max(abs(steps_.measured(*row, lane)), size);
    return size;
  }
  /// Finite where all entries are, but for sums beyond the largest double.
  LIVENS_BOTH double sum(const List<int>& rows, int lane) const {
    double total = 0.0;
    for (const int* row = rows.first; row != rows.last; ++row) total += steps_.measured(*row, lane);
    return total;
  }

  LIVENS_BOTH void fail_at_node(int lane, Status status) {
    fail(record(lane), status, static_cast<std::int64_t>(value(lane, Column::steps)));
  }
  /// Ends the active lanes that cannot go on.
  LIVENS_BOTH void drop_stuck(bool* active) {
    for (int lane = 0; lane < count; ++lane) {
      if (!active[lane] || steps_.obstacle(lane) == Obstacle::none) continue;
      fail_at_node(lane, status_of(steps_.obstacle(lane)));
      active[lane] = false;
    }
  }

  /// Brings every lane to the last node within its series, or to its end; saves the series of those that
  /// came to a node.
  LIVENS_BOTH void take_nodes(const Destination& to, bool* active) {
    bool moved[count] = {};
    while (true) {
      bool here[count];
      for (int lane = 0; lane < count; ++lane)
        here[lane] = active[lane] && node_time(lane, 1.0) <= steps_.end(lane);
      if (!any_of(here)) break;
      evaluate_nodes(1.0);
      for (int lane = 0; lane < count; ++lane) {
        if (!here[lane]) continue;
        active[lane] = take_node(to, lane);
        if (is_ok(lane)) moved[lane] = true;
        if (value(lane, Column::steps) >= steps_to(lane, to)) active[lane] = false;
      }
    }
    if (any_of(moved)) save(moved);
  }

  /// False where the lane stays at the node before.
  LIVENS_BOTH bool take_node(const Destination& to, int lane) {
    const int conditions = length_of(agenda_.stops);
    bool good = is_finite(lane);
    for (int k = 0; k < conditions; ++k)
      good = good && finite(steps_.before(k, lane)) && finite(stop_value(k, lane));
    if (!good) {
      fail_at_node(lane, Status::not_finite);
      return false;
    }
    const Measures node = measures(lane);
    const double scale = max(steps_.measured(agenda_.kinetic, lane) + abs(node.dissipated - node.work),
                             value(lane, Column::energy_scale));
    if (to.energy_balance > 0.0 && abs(node.energy_error) > to.energy_balance * scale) {
      fail_at_node(lane, Status::energy_balance);
      return false;
    }
    if (meets_stop(
            record(lane), length_of(agenda_.maps), conditions, [&](int k) { return steps_.before(k, lane); },
            [&](int k) { return stop_value(k, lane); }, [&](int k) { return stop_time(k, lane); })) {
      value(lane, Column::status) = static_cast<double>(Status::stopped);
      return false;
    }
    value(lane, Column::steps) += 1.0;
    value(lane, Column::energy_scale) = scale;
    write_node(record(lane), node);
    watch_from_here(lane);
    return true;
  }

  const Agenda& agenda_;
  const Batch& batch_;
  Steps<Arithmetic, count>& steps_;
  std::int64_t first_;
  int width_, kept_;
};

}  // namespace livens::taylor
