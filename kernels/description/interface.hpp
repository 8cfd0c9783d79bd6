#pragma once
// A compiled pair (system, scheme) as the run-time world sees it: plain data and functions, the same for
// every instruction set and for CUDA. Nothing here depends on how an instance is integrated.

#include <cstdint>
#include <iterator>
#include <span>

#include "kernels/description/compositions.hpp"
#include "kernels/description/faces.hpp"
#include "kernels/description/quantity_table.hpp"
#include "kernels/description/scheme_options.hpp"

namespace livens {

/// How an instance ended. The numbers are those of /instances/status.
enum class Status : std::uint8_t {
  ok = 0,
  newton_diverged = 1,
  singular_matrix = 2,
  not_finite = 3,
  wrong_branch = 4,
  inconsistent_initial = 5,
  invalid_parameter = 6,
  energy_balance = 7,
  stopped = 8,
};

/// True for an instance that did not do what was asked of it; to meet a stop condition is no failure.
constexpr bool is_failure(Status status) { return status != Status::ok && status != Status::stopped; }

/// A status in words: its name in result files and messages, and what an instance with it did.
struct StatusRow {
  Status status;
  const char* name;
  const char* meaning;
};
inline constexpr StatusRow status_rows[] = {
    {Status::ok, "ok", "reached the end"},
    {Status::newton_diverged, "newton_diverged", "Newton's method did not converge, with substeps neither"},
    {Status::singular_matrix, "singular_matrix", "its matrix was singular, with pivoting too"},
    {Status::not_finite, "not_finite", "a value given, drawn or computed was not finite"},
    {Status::wrong_branch, "wrong_branch", "only roots that do not continue the motion were found"},
    {Status::inconsistent_initial, "inconsistent_initial",
     "its initial state violates the constraints and could not be projected, or may not be"},
    {Status::invalid_parameter, "invalid_parameter",
     "a varied value is outside its domain, or `scheme.step` so small that the steps to the end are more "
     "than 2^53, or damping so strong that `scheme.order` does not admit it in steps of that length"},
    {Status::energy_balance, "energy_balance", "its energy error exceeded `scheme.energy_balance`"},
    {Status::stopped, "stopped",
     "met a condition of `output.stop`, at `stop_time`; no failure: it keeps the node before"},
};
inline constexpr int status_count = static_cast<int>(std::size(status_rows));

static_assert(
    [] {
      for (int code = 0; code < status_count; ++code)
        if (status_rows[code].status != static_cast<Status>(code)) return false;
      return true;
    }(),
    "the rows stand in the order of the enumerators");

/// Values a parameter may take.
enum class Domain : std::uint8_t { real, non_negative, positive };

/// One parameter of a system; an array where it has several defaults.
struct ParameterInfo {
  const char* name;     ///< key in [system]
  const char* symbol;   ///< the paper's letter
  const char* unit;     ///< SI
  const char* meaning;  ///< one line
  Domain domain;
  std::span<const double> defaults;  ///< NaN: follows from other parameters
  const char* derived = nullptr;     ///< an expression of those before, where the default is NaN
  bool damps = false;  ///< dissipates energy where it is not zero: enters C, or is alpha of -alpha z

  constexpr int size() const { return static_cast<int>(defaults.size()); }
};

/// A quantity of a system's own: one number per instance.
struct ObservableInfo {
  const char* name;     ///< of a dataset
  const char* unit;     ///< SI
  const char* meaning;  ///< one line
};

/// The domain of entry i as check_values() wants it; with this bit NaN stands for "follows from others".
inline constexpr std::uint8_t may_follow = 0x80;
constexpr std::uint8_t domain_code(const ParameterInfo& parameter, int i) {
  const bool follows = parameter.defaults[i] != parameter.defaults[i];
  return static_cast<std::uint8_t>(static_cast<int>(parameter.domain) | (follows ? may_follow : 0));
}

struct SystemInfo {
  const char* name;
  const char* meaning;        ///< one line
  const char* paper;          ///< document the system is taken from
  const char* layout;         ///< what q holds, in order
  int coordinates;            ///< d
  int constraints = 0;        ///< m
  int momentum_maps = 0;      ///< s
  bool nonholonomic = false;  ///< constraints A(q) v + b(q) = 0 instead of g(q) = 0
  std::span<const ParameterInfo> parameters;
  const char* default_scheme;
  double default_step;                               ///< s
  double default_end;                                ///< s
  bool singular_mass = false;                        ///< M has no inverse: momenta do not give velocities
  std::span<const ObservableInfo> observables = {};  ///< followed through every step, in /instances
  double energy_balance = 0.0;                       ///< standard limit of Settings::energy_balance
  std::span<const ObservableInfo> sampled = {};      ///< evaluated at nodes, where output.observe names them
  bool to_round_off = false;                         ///< the standard tolerance is 0
};

/// Number of scalar parameters of a system: the length of a flattened parameter array.
constexpr int parameter_count(const SystemInfo& system) {
  int count = 0;
  for (const ParameterInfo& parameter : system.parameters) count += parameter.size();
  return count;
}

inline Extents extents_of(const SystemInfo& system) {
  return {system.coordinates, system.constraints, system.momentum_maps, system.nonholonomic,
          static_cast<int>(system.sampled.size())};
}

/// The treatment of initial values that violate the constraints.
enum class Consistency : std::uint8_t { project, require, keep };

/// Numbers of a step: all in double precision; the Newton matrix solved in single, residual and state in
/// double; all in single.
enum class Precision : std::uint8_t { full, mixed, single };

/// The part of a spec that is about the stepping, the same for all instances.
struct Settings {
  double tolerance = 1e-10;     ///< infinity norm of the scaled residual; 0: to round-off
  int max_iterations = 25;      ///< of one Newton solve
  int retry = 2;                ///< a failed step is redone as 2, 4, ..., 2^retry substeps
  bool compensated = false;     ///< two-sum state updates
  double energy_balance = 0.0;  ///< largest |energy error| over energy_scale before an instance is marked; 0:
                                ///< any
  Precision precision = Precision::full;
  bool largest_violations = true;    ///< of constraints and momentum maps, over all nodes, are kept
  std::uint8_t order = 0;            ///< 4, 6 or 8 by composition; 0: the scheme's own
  double options[max_options] = {};  ///< of the scheme, in the order of its list

  /// settings.value<ViADescription::alpha>(): one of them, a double or the enumeration of its words.
  template <const auto& option>
  constexpr auto value() const {
    constexpr int place = option.place;
    return static_cast<typename std::remove_cvref_t<decltype(option)>::Value>(options[place]);
  }
};

/// What composition makes of a scheme.
struct Composable {
  int highest;      ///< order; 0: it has its own alone
  const char* why;  ///< it is no higher, in words; null: it is any of composed_orders
};
/// With these options, on a system whose mass matrix is constant and regular or is not.
using ComposableOn = Composable (*)(const Settings&, bool regular_mass);
/// Of a map that is its own adjoint, Phi_-h o Phi_h the identity, on all consistent states, and leads to
/// such.
constexpr Composable to_any_order(const Settings&, bool) { return {most_composed_order, nullptr}; }
constexpr Composable composable_unknown(const Settings&, bool) {
  return {0, "nothing says that it is its own adjoint"};
}

struct SchemeInfo {
  const char* name;
  const char* meaning;
  const char* paper;  ///< document and equation numbers
  const char* needs;  ///< what a system must have for it
  int order;
  OptionList options = {};
  std::span<const Faces> runs_on = {};  ///< `needs`, as sets of faces of which one must be had
  ComposableOn composable = composable_unknown;
  bool exact_energy = false;  ///< keeps the balance of energy to round-off; the standard tolerance is 0
};

/// Settings with the scheme's own standard options.
constexpr Settings standard_settings(const SchemeInfo& scheme, Settings settings = {}) {
  for (const SchemeOption& option : scheme.options) settings.options[option.place] = option.standard;
  return settings;
}

/// The order of a scheme with these options, where it is not composed. That of a map that is its own adjoint
/// is even, whatever it is with other options.
constexpr int own_order(const SchemeInfo& scheme, const Settings& settings) {
  return scheme.order == 1 && scheme.composable(settings, true).highest > 0 ? 2 : scheme.order;
}

/// Instances are stored in tiles of this many, structure of arrays inside a tile, on every backend.
inline constexpr int tile_size = 32;

/// The arrays of an ensemble. They belong to the caller; N is a multiple of tile_size (the last instance is
/// repeated).
struct Batch {
  std::int64_t size;  ///< N
  const double*
      shared_parameters;         ///< one value per scalar parameter of the system, in the order of its list
  double* const* varied;         ///< per scalar parameter: N values, or null where it is shared
  double shared_step;            ///< h, s
  double* varied_step;           ///< N values or null
  std::int64_t* steps_per_unit;  ///< per instance, or null: 1. advance() counts in these units
  double* q;                     ///< N,d initial coordinates, instance-major
  double* v;                     ///< N,d initial velocities
  double* p;                     ///< N,d initial momenta
  double* records;               ///< N/tile_size tiles of record_width columns of tile_size values
  std::int64_t first = 0, last = 0;       ///< the instances are [first, last) of the run, without the padding
  const std::int64_t* numbers = nullptr;  ///< N, what their draws are made from; null: their place in the run
  Composition composition = {};           ///< of a step: how it is cut into stages
};

/// The step that led to a node: the records at its start, and how it was taken.
struct LastStep {
  const double* records;
  Settings settings;
};

/// State of one instance at a node; every pointer has room for the width given.
struct NodeView {
  double *q, *v, *p;               ///< d each
  double *lambda, *gamma;          ///< m each, of the step that ends at the node; NaN where there is none
  double* momentum;                ///< s
  double energy, total_energy, z;  ///< J, J, J s (z: NaN unless the scheme has an action)
  double* sampled = nullptr;       ///< the entries of sampled_rows, one after another; null: not wanted
};

/// Row of a tile in the records: records + column_offset(...) is a column of tile_size consecutive instances.
constexpr std::int64_t column_offset(std::int64_t tile, int record_width, int column) {
  return (tile * record_width + column) * tile_size;
}

/// Some columns, [first, last), of the first `tiles` tiles of the records.
struct RecordPart {
  std::int64_t tiles;
  int first, last;
};

/// Functions of a system, for instances [first, last), both multiples of tile_size.
struct SystemKernels {
  const SystemInfo* info;
  /// q, v = the system's own initial state, from the parameters of each instance.
  void (*initial_states)(const Batch&, std::int64_t first, std::int64_t last);
  /// p = M(q) v.
  void (*momenta)(const Batch&, std::int64_t first, std::int64_t last);
  /// v = M(q)^-1 p.
  void (*velocities)(const Batch&, std::int64_t first, std::int64_t last);
  /// Makes q, v consistent (contract, section 2) and sets p = M v. Writes one Status per instance:
  /// not_finite, invalid_parameter (a parameter outside its domain, a step that is not positive),
  /// inconsistent_initial.
  void (*make_consistent)(const Batch&, Consistency, std::uint8_t* status, std::int64_t first,
                          std::int64_t last);
  Faces faces = {};
};

/// Functions of a pair in one form, for instances [first, last), both multiples of tile_size.
struct PairKernels {
  const SystemKernels* system;
  const SchemeInfo* scheme;
  const char* form;    ///< "reduced" or "full"
  int unknowns;        ///< of the Newton iteration; 0: none
  bool damped;         ///< handles viscous damping
  bool compensated;    ///< offers compensated updates
  bool fixed_options;  ///< knows only the standard values of the scheme's options
  int record_width;    ///< columns of a record
  /// Fills the records from q, v, p; instances whose status is not ok are born failed (failed_step 0).
  void (*start)(const Batch&, const Settings&, const std::uint8_t* status, std::int64_t first,
                std::int64_t last);
  /// Integrates every instance i from where it stands to unit `to`, its step `to` s_i. Failed instances keep
  /// their last good state. In mixed precision only where `advance_mixed` is not null.
  void advance(const Batch& batch, const Settings& settings, std::int64_t to, std::int64_t first,
               std::int64_t last) const;
  /// The same, but an instance may be left before a difficult step, for careful_step().
  void (*advance_straight)(const Batch&, const Settings&, std::int64_t to, std::int64_t first,
                           std::int64_t last);
  void (*advance_mixed)(const Batch&, const Settings&, std::int64_t to, std::int64_t first,
                        std::int64_t last);
  /// State of one instance. `last`: for the multipliers of that step, or null.
  void (*node)(const Batch&, const LastStep* last, std::int64_t instance, NodeView&);
  Precision precision = Precision::full;  ///< full, with which a Newton matrix may be mixed, or single
  /// One step of one instance with pivoting, damping and substeps where it needs them; null where no instance
  /// is left before a step.
  void (*careful_step)(const Batch&, const Settings&, std::int64_t instance) = nullptr;
};

/// A value of the record of instance i.
constexpr double recorded(const Batch& batch, int record_width, Column column, std::int64_t i) {
  return batch.records[column_offset(i / tile_size, record_width, static_cast<int>(column)) + i % tile_size];
}
constexpr bool is_ok(const Batch& batch, int record_width, std::int64_t i) {
  return recorded(batch, record_width, Column::status, i) == static_cast<double>(Status::ok);
}
constexpr bool has_failed(const Batch& batch, int record_width, std::int64_t i) {
  return is_failure(static_cast<Status>(recorded(batch, record_width, Column::status, i)));
}
/// True if instance i is good and has not come to unit `to`: it was left before a difficult step.
constexpr bool is_left(const Batch& batch, int record_width, std::int64_t to, std::int64_t i) {
  const std::int64_t per_unit = batch.steps_per_unit == nullptr ? 1 : batch.steps_per_unit[i];
  return is_ok(batch, record_width, i) &&
         recorded(batch, record_width, Column::steps, i) < static_cast<double>(to * per_unit);
}

inline void PairKernels::advance(const Batch& batch, const Settings& settings, std::int64_t to,
                                 std::int64_t first, std::int64_t last) const {
  const auto advance_many = settings.precision == Precision::mixed ? advance_mixed : advance_straight;
  // Tile by tile, so that a record is still in the cache when it is looked at.
  for (std::int64_t tile = first; tile < last; tile += tile_size) {
    bool any_left = true;
    while (any_left) {
      advance_many(batch, settings, to, tile, tile + tile_size);
      any_left = false;
      if (careful_step == nullptr) break;
      for (std::int64_t i = tile; i < tile + tile_size; ++i)
        if (is_left(batch, record_width, to, i)) {
          careful_step(batch, settings, i);
          any_left = true;
        }
    }
  }
}

}  // namespace livens
