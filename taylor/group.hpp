#pragma once
// Taylor steps of a group of instances side by side, each with a length of its own. What an instance has
// beside its parameters is the series that it follows at present: so a record can keep it, and the motion
// goes on from there to the bit. No instance depends on its neighbours.

#include <array>
#include <cstdint>
#include <vector>

#include "taylor/equations.hpp"
#include "taylor/recurrences.hpp"

namespace livens::taylor {

/// The order that gives a tolerance in steps of a quarter of the radius of convergence.
int order_of(double tolerance);

/// Why a lane cannot go on.
enum class Obstacle : std::uint8_t {
  none,
  singular,    ///< (M A^T; A 0) has no inverse in double precision
  not_finite,  ///< a value is not
  unresolved   ///< no step, or none of a length that leads on, ends with the acceleration that is there
};

/// A bit for each lane.
using LaneMask = std::array<bool, lanes>;

/// Numbers of which every lane has its own; a register loads those of all lanes at once.
class LaneArray {
 public:
  explicit LaneArray(std::ptrdiff_t entries) : entries_(static_cast<std::size_t>(entries)) {}
  /// The lanes of an entry; those of the next follow.
  double* operator[](std::ptrdiff_t entry) { return entries_[static_cast<std::size_t>(entry)].of; }
  const double* operator[](std::ptrdiff_t entry) const {
    return entries_[static_cast<std::size_t>(entry)].of;
  }

 private:
  struct alignas(lanes * sizeof(double)) Entry {
    double of[lanes];
  };
  std::vector<Entry> entries_;
};

class Group {
 public:
  /// All three outlive the group. `tolerance`: relative error of a step, in (0, 1).
  Group(const Equations& equations, const Recurrences& recurrences, double tolerance);

  /// Numbers that an instance is kept by.
  static int series_size(const Equations& equations, double tolerance);
  /// Those of all lanes: number c of a lane is series()[c * lanes + lane].
  double* series() { return series_[0]; }

  /// All parameters of a lane, one after another, SI units; then once for all lanes begin().
  void set_parameter(int lane, int k, double value);
  void begin();

  /// A lane's series is the state alone, at time 0: q, v of d entries.
  void set_state(int lane, const double* q, const double* v);

  /// The state at the end of every lane's series, on the constraints of both levels to round-off: q by the
  /// M-nearest, v M-orthogonally. Where the acceleration that follows is not the slope of the series, this is
  /// shortened. Lanes that are not `active` are left as they are.
  void arrive(const LaneMask& active);
  Obstacle obstacle(int lane) const { return obstacle_[static_cast<std::size_t>(lane)]; }

  /// The next series of the active lanes, from where they have arrived. `step`: how long a series of a motion
  /// is that is a polynomial, s.
  void expand(const LaneMask& active, const double* step);

  double end(int lane) const;  ///< of the series, s

  /// Evaluates the series at a time of each lane's own, s, and what is measured there.
  void evaluate(const double* times);
  double position(int i, int lane) const { return state_value(rows_.position() + i, lane); }
  double velocity(int i, int lane) const { return state_value(rows_.velocity() + i, lane); }
  double multiplier(int k, int lane) const { return state_value(rows_.multiplier() + k, lane); }
  double dissipated(int lane) const { return state_value(rows_.dissipated(), lane); }
  double work(int lane) const { return state_value(rows_.work(), lane); }
  /// A row of Equations::measured.
  double measured(int row, int lane) const { return measured_[row][lane]; }

 private:
  /// What a series has before the rows of its coefficients: start and length of the step, the length that was
  /// proposed, the steps in a row that became shorter than that.
  enum { start_entry, length_entry, proposed_entry, halved_entry, header };
  double* row(int r) { return work_[r * (order_ + 1)]; }
  double* series_row(int r) { return series_[header + r * (order_ + 1)]; }
  double state_value(int r, int lane) const { return state_[r][lane]; }
  Factors factors();
  void expand_to(int from, int to);
  Obstacle obstacle_at_end(int lane, double proposed) const;
  bool resolved(int lane, double proposed) const;

  const Equations& equations_;
  const Recurrences& recurrences_;
  Plan plan_;
  StateRows rows_;
  double tolerance_;
  int order_;
  std::ptrdiff_t stride_;
  LaneArray series_;
  LaneArray work_;      ///< rows of the tape of the motion
  LaneArray measured_;  ///< those of what is measured
  LaneArray state_;     ///< rows of the state where it was evaluated last
  LaneArray matrix_, scale_, pivots_, exchanged_, regular_;  ///< of Factors
  LaneArray right_;                                          ///< side of the linear equations
  LaneArray slope_;                                          ///< of v at the end of the series
  std::array<Obstacle, lanes> obstacle_{};
};

}  // namespace livens::taylor
