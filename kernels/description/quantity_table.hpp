#pragma once
// The quantities of an instance, a row each. What a record keeps of them and how it is brought up to date,
// the datasets of a result with their units, the statistics, what output.observe may name and the table in
// docs/contract.md follow from the rows. One more is an enumerator and a row here, and its formula in
// kernels/newton/measured.hpp.

#include <cstdint>

namespace livens {

/// The part of a system that a quantity needs; without it the quantity is not there, its column stays zero.
enum class Needs : std::uint8_t { nothing, constraints, momentum_maps };
/// True for a system of m constraints and s momentum maps that has what a quantity needs.
constexpr bool met(Needs needs, int m, int s) {
  return needs == Needs::nothing || (needs == Needs::constraints && m > 0) ||
         (needs == Needs::momentum_maps && s > 0);
}

/// The origin of the values of a record's column.
enum class Kind : std::uint8_t {
  code,               ///< why it stands where it stands
  count,              ///< of steps and iterations; as the codes, advance_record has it in its own hands
  initial,            ///< taken once, at node 0
  scale,              ///< the largest so far of what others are relative to; as the counts
  at_node,            ///< of the node where the instance stands
  change,             ///< the same, since node 0: zero there
  added_up,           ///< over the steps so far: zero at node 0
  largest,            ///< of the column `of`, over all nodes
  largest_magnitude,  ///< the same of its magnitude
  mean_square         ///< the sum of the squares of `of` over the steps; a result has the root of its mean
};

/// Leading columns of an instance's record, the same for every pair; the pair's own columns follow.
/// All columns are doubles: counts and codes are exact in them.
enum class Column : int {
  status,
  failed_step,  ///< index of the step that failed = number of good steps before it; -1 if none
  steps,        ///< good steps so far
  newton_iterations,
  retried_steps,
  initial_energy,
  energy_scale,
  max_energy_error,
  sum_squared_energy_error,
  max_constraint,
  max_velocity_constraint,
  max_momentum_error,
  energy_error,
  constraint,
  velocity_constraint,
  momentum_error,
  dissipated_energy,
  work,
  count
};

/// A column of the records. Codes and counts are datasets of their own types; the rest goes to /instances
/// where it is final, and to /statistics where it belongs to a node.
struct ColumnRow {
  Column column;
  Kind kind;
  Needs needs;
  const char* name;  ///< of the dataset
  const char* unit;  ///< SI
  const char* meaning;
  Column of = Column::count;           ///< of kinds that follow another column
  bool standard = true;                ///< in /statistics without being asked for
  const char* nonholonomic = nullptr;  ///< the meaning where constraints are A(q) v + b(q) = 0
};

inline constexpr ColumnRow columns[] = {
    {Column::status, Kind::code, Needs::nothing, "status", "1", "how the instance ended"},
    {Column::failed_step, Kind::count, Needs::nothing, "failed_step", "1", "step that failed, -1 if none"},
    {Column::steps, Kind::count, Needs::nothing, "steps", "1", "good steps"},
    {Column::newton_iterations, Kind::count, Needs::nothing, "newton_iterations", "1",
     "Newton iterations, each with a matrix, total"},
    {Column::retried_steps, Kind::count, Needs::nothing, "retried_steps", "1",
     "steps redone as substeps, total"},
    {Column::initial_energy, Kind::initial, Needs::nothing, "initial_energy", "J", "energy at time 0"},
    {Column::energy_scale, Kind::scale, Needs::nothing, "energy_scale", "J",
     "max(|E_0|, T_0 + sum |V_k(q_0)|), or the largest T_n + |dissipated energy - work| where that is more"},
    {Column::max_energy_error, Kind::largest_magnitude, Needs::nothing, "max_energy_error", "J",
     "largest |energy error| of all steps", Column::energy_error},
    {Column::sum_squared_energy_error, Kind::mean_square, Needs::nothing, "rms_energy_error", "J",
     "root mean square of the energy error", Column::energy_error},
    {Column::max_constraint, Kind::largest, Needs::constraints, "max_constraint", "SI",
     "largest violation of the constraints", Column::constraint},
    {Column::max_velocity_constraint, Kind::largest, Needs::constraints, "max_velocity_constraint", "SI",
     "largest violation of the constraints on the velocity", Column::velocity_constraint},
    {Column::max_momentum_error, Kind::largest, Needs::momentum_maps, "max_momentum_error", "SI",
     "largest change of the momentum maps", Column::momentum_error},
    {Column::energy_error, Kind::change, Needs::nothing, "energy_error", "J",
     "E_n - E_0, plus dissipated energy, minus the work of loads and of the affine part of a constraint"},
    {Column::constraint, Kind::at_node, Needs::constraints, "constraint", "SI", "infinity norm of g(q_n)"},
    {Column::velocity_constraint, Kind::at_node, Needs::constraints, "velocity_constraint", "SI",
     "infinity norm of G(q_n) v_n", Column::count, true, "infinity norm of A(q_n) v_n + b(q_n)"},
    {Column::momentum_error, Kind::change, Needs::momentum_maps, "momentum_error", "SI",
     "infinity norm of J_n - J_0"},
    {Column::dissipated_energy, Kind::added_up, Needs::nothing, "dissipated_energy", "J",
     "energy dissipated so far"},
    {Column::work, Kind::added_up, Needs::nothing, "work", "J",
     "work so far of the loads and of the affine part of a constraint", Column::count, false},
};
inline constexpr int column_count = static_cast<int>(Column::count);

static_assert(
    [] {
      if (sizeof columns != column_count * sizeof columns[0]) return false;
      for (int c = 0; c < column_count; ++c)
        if (columns[c].column != static_cast<Column>(c)) return false;
      return true;
    }(),
    "the rows stand in the order of the enumerators");

/// True for a column that is brought up to date at every node, by a formula of its own.
constexpr bool has_formula(Kind kind) {
  return kind == Kind::at_node || kind == Kind::change || kind == Kind::added_up;
}

/// True for a column that is a count or a sum over the steps: in double precision always, since floats stop
/// counting at 2^24. One number, since the memory of a device has no rows.
constexpr bool is_sum(Column c) {
  constexpr std::uint64_t sums = [] {
    std::uint64_t bits = 0;
    for (const ColumnRow& row : columns)
      if (row.kind == Kind::count || row.kind == Kind::mean_square || row.kind == Kind::added_up)
        bits |= std::uint64_t{1} << static_cast<int>(row.column);
    return bits;
  }();
  return (sums >> static_cast<int>(c) & 1) != 0;
}

/// A quantity that no record keeps: it follows from the state at a node and is evaluated where it is sampled.
enum class Sampled : int {
  energy,
  kinetic_energy,
  potential_energy,
  total_energy,
  q,
  v,
  p,
  momentum,
  constraint,
  velocity_constraint,
  own,
  count
};

/// The number of entries of a sampled quantity.
enum class EntryCount : std::uint8_t {
  one,
  coordinates,           ///< d
  momentum_maps,         ///< s
  constraints,           ///< m
  position_constraints,  ///< m, or none where they are on the velocity alone
  own                    ///< as many as the system evaluates of its own
};

/// Entry i of a quantity of several is called name[i]; the system's own have their own rows
/// (SystemInfo::sampled).
struct SampledRow {
  Sampled quantity;
  EntryCount entries;
  const char* name;
  const char* unit;  ///< SI
  const char* meaning;
  const char* nonholonomic = nullptr;  ///< as above
};

inline constexpr SampledRow sampled_rows[] = {
    {Sampled::energy, EntryCount::one, "energy", "J", "energy of the scheme"},
    {Sampled::kinetic_energy, EntryCount::one, "kinetic_energy", "J", "T(q_n, v_n)"},
    {Sampled::potential_energy, EntryCount::one, "potential_energy", "J", "V(q_n)"},
    {Sampled::total_energy, EntryCount::one, "total_energy", "J", "T(q_n, v_n) + V(q_n)"},
    {Sampled::q, EntryCount::coordinates, "q", "SI", "a coordinate"},
    {Sampled::v, EntryCount::coordinates, "v", "SI", "a velocity"},
    {Sampled::p, EntryCount::coordinates, "p", "SI", "a momentum"},
    {Sampled::momentum, EntryCount::momentum_maps, "momentum", "SI", "a momentum map"},
    {Sampled::constraint, EntryCount::position_constraints, "constraint", "SI", "a component of g(q_n)"},
    {Sampled::velocity_constraint, EntryCount::constraints, "velocity_constraint", "SI",
     "a component of G(q_n) v_n", "a component of A(q_n) v_n + b(q_n)"},
    {Sampled::own, EntryCount::own, "", "", ""},
};
inline constexpr int sampled_count = static_cast<int>(Sampled::count);

static_assert(
    [] {
      if (sizeof sampled_rows != sampled_count * sizeof sampled_rows[0]) return false;
      for (int r = 0; r < sampled_count; ++r)
        if (sampled_rows[r].quantity != static_cast<Sampled>(r)) return false;
      return true;
    }(),
    "the rows stand in the order of the enumerators");

/// The sizes of a system that the number of entries depends on.
struct Extents {
  int coordinates, constraints, momentum_maps;  ///< d, m, s
  bool nonholonomic;
  int own;  ///< SystemInfo::sampled
};
constexpr int entries_of(EntryCount entries, const Extents& of) {
  switch (entries) {
    case EntryCount::one:
      return 1;
    case EntryCount::coordinates:
      return of.coordinates;
    case EntryCount::momentum_maps:
      return of.momentum_maps;
    case EntryCount::constraints:
      return of.constraints;
    case EntryCount::position_constraints:
      return of.nonholonomic ? 0 : of.constraints;
    case EntryCount::own:
      return of.own;
  }
  return 0;
}

/// Entries of all rows, and of those before a row.
constexpr int sampled_entries(const Extents& of, Sampled before = Sampled::count) {
  int entries = 0;
  for (int r = 0; r < static_cast<int>(before); ++r) entries += entries_of(sampled_rows[r].entries, of);
  return entries;
}

}  // namespace livens
