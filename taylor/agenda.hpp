#pragma once
// What a motion is computed by from step to step, and what is measured of it at a node, as plain data: for a
// processor where the equations have their lists, for a device where a copy of them is.

#include <cstddef>
#include <vector>

#include "taylor/on_both.hpp"
#include "taylor/recurrences.hpp"
#include "taylor/tape.hpp"

namespace livens::taylor {

struct Equations;

/// Rows of what is measured have the numbers of Equations::measured.
struct Agenda {
  Plan plan;
  double tolerance;
  int order;
  double part_of_radius;            ///< the length of a step: terms fall to the tolerance
  int time, parameter, parameters;  ///< rows on both tapes, and how many of the last
  int motion_rows, measured_rows;
  List<Tape::Number> motion_numbers, measured_numbers;
  List<Instruction> motion_of_parameters, measured_of_parameters;  ///< once for all
  List<Instruction> measured_of_position, measured_of_velocity;
  int kinetic, potential;
  List<int> potential_terms, constraints, rates, momentum, maps, observed, stops;

  LIVENS_BOTH int state_rows() const { return plan.work + 1; }
  LIVENS_BOTH int unknowns() const { return plan.d + plan.m; }
  /// False where D and W stay zero.
  LIVENS_BOTH bool has_energies() const {
    return plan.dissipation != no_row || plan.power != no_row || length_of(plan.drift) > 0;
  }
};

/// The one that gives a tolerance in steps of a quarter of the radius of convergence, or more: even, since
/// orders are computed two by two, and 8 at least.
int order_of(double tolerance);

/// Its lists are those of the equations. `tolerance`: relative error of a step, in (0, 1).
Agenda agenda_of(const Equations& equations, double tolerance);

/// The lists of an agenda in one piece of memory, to be copied as it is.
class PackedLists {
 public:
  explicit PackedLists(const Agenda& agenda);
  const std::vector<std::byte>& bytes() const { return bytes_; }
  /// The agenda whose lists are in a copy of the bytes, at an address that any type may have.
  Agenda agenda_in(const void* copy) const;

 private:
  Agenda agenda_;
  std::vector<std::byte> bytes_;
};

/// Numbers that an instance is kept by: those of SeriesEntry, and the coefficients of the state, row by row.
LIVENS_BOTH inline std::ptrdiff_t series_size(const Agenda& agenda) {
  return series_header + static_cast<std::ptrdiff_t>(agenda.state_rows()) * (agenda.order + 1);
}

/// The memory of a group: arrays of entries of `lanes` numbers. The pointers are those of the first lane that
/// is computed.
struct Room {
  double* header;    ///< of the series that the lanes follow at present
  double* followed;  ///< tape of the motion that has its rows
  double* work;      ///< the same of the series that is made
  double* measured;  ///< those of what is measured
  double* state;     ///< rows of the state where it was evaluated last
  double* slope;     ///< of v at the end of the series
  double* obstacle;  ///< an Obstacle, as a number
  double* order;     ///< what an order takes
  double* before;    ///< values of the stop conditions at the node before
  double* zero;      ///< when one was zero since then, -1 if never
  Factors factors;
};

/// Calls visit(pointer, entries) for every array.
template <class Visit>
LIVENS_BOTH void for_each_array(const Agenda& agenda, Room& room, const Visit& visit) {
  const std::ptrdiff_t n = agenda.unknowns();
  visit(room.header, static_cast<std::ptrdiff_t>(series_header));
  for (double** tape : {&room.followed, &room.work})
    visit(*tape, static_cast<std::ptrdiff_t>(agenda.motion_rows) * row_length);
  visit(room.measured, static_cast<std::ptrdiff_t>(agenda.measured_rows));
  visit(room.state, static_cast<std::ptrdiff_t>(agenda.state_rows()));
  visit(room.slope, static_cast<std::ptrdiff_t>(agenda.plan.d));
  visit(room.obstacle, std::ptrdiff_t{1});
  visit(room.order, agenda.plan.room_entries());
  for (double** values : {&room.before, &room.zero})
    visit(*values, static_cast<std::ptrdiff_t>(length_of(agenda.stops)));
  visit(room.factors.matrix, n * n);
  visit(room.factors.scale, n);
  visit(room.factors.row_scale, n);
  visit(room.factors.pivots, n);
  visit(room.factors.exchanged, std::ptrdiff_t{1});
  visit(room.factors.regular, std::ptrdiff_t{1});
}
/// Entries of all of them.
LIVENS_BOTH inline std::ptrdiff_t room_entries(const Agenda& agenda) {
  Room room;
  std::ptrdiff_t all = 0;
  for_each_array(agenda, room, [&](double*, std::ptrdiff_t entries) { all += entries; });
  return all;
}
/// One behind the other from `memory` on.
LIVENS_BOTH inline Room room_in(const Agenda& agenda, double* memory) {
  Room room;
  for_each_array(agenda, room, [&](double*& array, std::ptrdiff_t entries) {
    array = memory;
    memory += entries * lanes;
  });
  return room;
}

}  // namespace livens::taylor
