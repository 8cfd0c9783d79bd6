#pragma once
// Taylor steps of `count` instances side by side, each with a length of its own, in memory that somebody else
// has: a group's (taylor/group.hpp), or one of its lanes, which is what a thread of a GPU has (count = 1).
// What an instance has beside its parameters is the series that it follows at present: so a record can keep
// it, and the motion goes on from there to the bit. No instance depends on its neighbours.

#include "kernels/math/scalar.hpp"
#include "taylor/agenda.hpp"

namespace livens::taylor {

/// An entry of every lane that is computed.
template <int count>
LIVENS_HD void copy_entry(const double* from, double* to) {
  memcpy(to, from, count * sizeof(double));
}

/// `Arithmetic` has the functions of Recurrences.
template <class Arithmetic, int count>
class Steps {
 public:
  /// All outlive the steps.
  LIVENS_BOTH Steps(const Agenda& agenda, const Room& room, const Arithmetic& arithmetic)
      : agenda_(agenda), room_(room), arithmetic_(arithmetic) {}

  /// What is the same in all motions of the agenda; the room holds anything before.
  LIVENS_BOTH void prepare() {
    const std::ptrdiff_t places = static_cast<std::ptrdiff_t>(agenda_.motion_rows) * row_length;
    const auto write = [](const List<Tape::Number>& numbers, double* rows, std::ptrdiff_t length) {
      for (const Tape::Number* number = numbers.first; number != numbers.last; ++number)
        for (int lane = 0; lane < count; ++lane) rows[number->row * length * lanes + lane] = number->value;
    };
    for (double* tape : {room_.followed, room_.work}) {
      for (std::ptrdiff_t c = 0; c < places; ++c)
        for (int lane = 0; lane < count; ++lane) tape[c * lanes + lane] = 0.0;
      write(agenda_.motion_numbers, tape, row_length);
      for (int lane = 0; lane < count; ++lane) place(tape, agenda_.time, 1)[lane] = 1.0;
    }
    write(agenda_.measured_numbers, room_.measured, 1);
    for (int lane = 0; lane < count; ++lane) room_.obstacle[lane] = static_cast<double>(Obstacle::none);
  }

  /// All parameters of a lane, one after another, SI units; then once for all lanes begin().
  LIVENS_BOTH void set_parameter(int lane, int k, double value) {
    const int r = agenda_.parameter + k;
    place(room_.followed, r)[lane] = row(r)[lane] = measured_row(r)[lane] = value;
  }
  LIVENS_BOTH void begin() {
    for (double* tape : {room_.followed, room_.work})
      arithmetic_.run(agenda_.motion_of_parameters, 0, tape, row_length);
    arithmetic_.run(agenda_.measured_of_parameters, 0, room_.measured, 1);
  }

  /// Calls visit(c, entry) for the numbers of the series that the lanes follow: that of a lane is
  /// entry[lane].
  template <class Visit>
  LIVENS_BOTH void for_each_entry(const Visit& visit) {
    int c = 0;
    for (; c < series_header; ++c) visit(c, entry(c));
    for (int r = 0; r < agenda_.state_rows(); ++r)
      for (int k = 0; k <= agenda_.order; ++k) visit(c++, place(room_.followed, r, k));
  }
  /// A lane's series is the state alone, at time 0: q, v of d entries.
  LIVENS_BOTH void set_state(int lane, const double* q, const double* v) {
    for_each_entry([&](int, double* entry) { entry[lane] = 0.0; });
    for (int i = 0; i < plan().d; ++i) {
      place(room_.followed, plan().position + i)[lane] = q[i];
      place(room_.followed, plan().velocity + i)[lane] = v[i];
    }
  }

  /// The state at the end of every lane's series, on the constraints of both levels to round-off: q by the
  /// M-nearest, v M-orthogonally. Where the acceleration that follows is not the slope of the series, this is
  /// shortened. Lanes that are not `active` are left as they are.
  LIVENS_BOTH void arrive(const bool* active) {
    double *const start = entry(start_entry), *const length = entry(length_entry);
    for (int attempt = 0; attempt <= most_halvings; ++attempt) {
      arithmetic_.end(plan(), agenda_.order, room_.followed, length, room_.state, room_.slope);
      for (int r = 0; r < 2 * plan().d; ++r) copy_entry<count>(state(r), row(r));
      for (int lane = 0; lane < count; ++lane) row(agenda_.time)[lane] = start[lane] + length[lane];
      if (agenda_.has_energies()) take_energies(length);
      arithmetic_.project(plan(), room_.factors, room_.work, room_.order);
      expand_to(0, 1);
      double found[count];
      arithmetic_.arrival(plan(), agenda_.tolerance, room_.header, room_.state, room_.slope, room_.factors,
                          room_.work, found);
      bool again = false;
      for (int lane = 0; lane < count; ++lane) {
        if (active[lane]) room_.obstacle[lane] = found[lane];
        const bool halved = active[lane] && found[lane] != 0.0 && length[lane] > 0.0;
        again = again || halved;
        if (halved) length[lane] = (start[lane] + 0.5 * length[lane]) - start[lane];
      }
      if (!again) return;
    }
  }
  /// Of a lane that was active.
  LIVENS_BOTH Obstacle obstacle(int lane) const {
    return static_cast<Obstacle>(static_cast<int>(room_.obstacle[lane]));
  }

  /// The next series of the active lanes, from where they have arrived. `step`: how long a series of a motion
  /// is that is a polynomial, s.
  LIVENS_BOTH void expand(const bool* active, const double* step) {
    expand_to(1, agenda_.order);
    double on[count], left[count];
    for (int lane = 0; lane < count; ++lane) on[lane] = active[lane] ? 1.0 : 0.0;
    arithmetic_.begin(plan(), agenda_.order, agenda_.part_of_radius, agenda_.time, room_.work, step, on,
                      room_.header, room_.obstacle, left);
    double lanes_left = 0.0;
    for (int lane = 0; lane < count; ++lane) lanes_left += left[lane];
    if (lanes_left > 0.0)
      arithmetic_.keep(room_.followed, agenda_.state_rows(), agenda_.order, left, room_.work);
    double* const made = room_.work;
    room_.work = room_.followed;
    room_.followed = made;
  }

  /// Of the series, s.
  LIVENS_BOTH double start(int lane) const { return entry(start_entry)[lane]; }
  LIVENS_BOTH double end(int lane) const { return entry(start_entry)[lane] + entry(length_entry)[lane]; }

  /// Evaluates the series at a time of each lane's own, s, and what is measured there.
  LIVENS_BOTH void evaluate(const double* times) {
    double since[count];
    for (int lane = 0; lane < count; ++lane) since[lane] = times[lane] - entry(start_entry)[lane];
    arithmetic_.value(room_.followed, agenda_.state_rows(), agenda_.order, since, room_.state);
    for (int r = 0; r < 2 * plan().d; ++r) copy_entry<count>(state(r), measured_row(r));
    copy_entry<count>(times, measured_row(agenda_.time));
    arithmetic_.run(agenda_.measured_of_position, 0, room_.measured, 1);
    arithmetic_.run(agenda_.measured_of_velocity, 0, room_.measured, 1);
  }
  /// Takes the multipliers from the equations, at the place that was evaluated last. The series has them, too, but
  /// its length is chosen for q and v alone, and there may be poles of the multipliers that are none of q and v.
  /// Another series needs another arrive() first.
  LIVENS_BOTH void solve_multipliers() {
    for (int r = 0; r < 2 * plan().d; ++r) copy_entry<count>(state(r), row(r));
    copy_entry<count>(measured_row(agenda_.time), row(agenda_.time));
    arithmetic_.project(plan(), room_.factors, room_.work, room_.order);
    expand_to(0, 1);
    for (int k = 0; k < plan().m; ++k)
      copy_entry<count>(row(plan().multiplier + k), state(plan().multiplier + k));
  }
  LIVENS_BOTH double position(int i, int lane) const { return state(plan().position + i)[lane]; }
  LIVENS_BOTH double velocity(int i, int lane) const { return state(plan().velocity + i)[lane]; }
  /// Behind solve_multipliers().
  LIVENS_BOTH double multiplier(int k, int lane) const { return state(plan().multiplier + k)[lane]; }
  LIVENS_BOTH double dissipated(int lane) const { return state(plan().dissipated)[lane]; }
  LIVENS_BOTH double work(int lane) const { return state(plan().work)[lane]; }
  /// A row of Equations::measured.
  LIVENS_BOTH double measured(int row, int lane) const { return room_.measured[row * lanes + lane]; }

  LIVENS_BOTH const Agenda& agenda() const { return agenda_; }
  /// Room for two values of every stop condition.
  LIVENS_BOTH double& before(int k, int lane) { return room_.before[k * lanes + lane]; }
  LIVENS_BOTH double& zero(int k, int lane) { return room_.zero[k * lanes + lane]; }

 private:
  static constexpr int most_halvings = 60;  // of one step

  LIVENS_BOTH const Plan& plan() const { return agenda_.plan; }
  /// Coefficient k of a row.
  LIVENS_BOTH static double* place(double* tape, int r, int k = 0) {
    return tape + (static_cast<std::ptrdiff_t>(r) * row_length + k) * lanes;
  }
  LIVENS_BOTH double* row(int r, int k = 0) const { return place(room_.work, r, k); }
  LIVENS_BOTH double* entry(int c) const { return room_.header + c * lanes; }
  LIVENS_BOTH double* state(int r) const { return room_.state + r * lanes; }
  LIVENS_BOTH double* measured_row(int r) const { return room_.measured + r * lanes; }
  LIVENS_BOTH void expand_to(int from, int to) {
    arithmetic_.expand(plan(), room_.factors, from, to, room_.work, room_.order);
  }

  /// D and W at the end of the series are where the next one begins.
  LIVENS_BOTH void take_energies(const double* length) {
    const int first = plan().dissipated;
    arithmetic_.value(place(room_.followed, first), 2, agenda_.order, length, state(first));
    for (int r = first; r < first + 2; ++r) copy_entry<count>(state(r), row(r));
  }

  const Agenda& agenda_;
  Room room_;
  const Arithmetic& arithmetic_;
};

}  // namespace livens::taylor
