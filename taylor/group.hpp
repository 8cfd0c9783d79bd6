#pragma once
// Taylor steps of a group of instances side by side, with the memory that they take.

#include <array>
#include <vector>

#include "taylor/equations.hpp"
#include "taylor/steps.hpp"

namespace livens::taylor {

/// A bit for each lane.
using LaneMask = std::array<bool, lanes>;

/// Entries of which every lane has its own number; a register loads those of all lanes at once.
class LaneArray {
 public:
  explicit LaneArray(std::ptrdiff_t entries) : entries_(static_cast<std::size_t>(entries)) {}
  double* data() { return entries_.data()->of; }

 private:
  struct alignas(lanes * sizeof(double)) Entry {
    double of[lanes];
  };
  std::vector<Entry> entries_;
};

/// What the steps of a group are in; it stands before them.
struct GroupMemory {
  Agenda whole;
  LaneArray memory;
};

class Group : private GroupMemory, public Steps<Recurrences, lanes> {
 public:
  /// Equations and recurrences outlive the group. `tolerance`: relative error of a step, in (0, 1).
  Group(const Equations& equations, const Recurrences& recurrences, double tolerance)
      : Group(agenda_of(equations, tolerance), recurrences) {}
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  /// Numbers that an instance is kept by.
  static int series_size(const Equations& equations, double tolerance) {
    return static_cast<int>(taylor::series_size(agenda_of(equations, tolerance)));
  }

  void arrive(const LaneMask& active) { Steps::arrive(active.data()); }
  void expand(const LaneMask& active, const double* step) { Steps::expand(active.data(), step); }

 private:
  Group(const Agenda& agenda, const Recurrences& recurrences)
      : GroupMemory{agenda, LaneArray(room_entries(agenda))},
        Steps(whole, room_in(agenda, memory.data()), recurrences) {
    prepare();
  }
};

}  // namespace livens::taylor
