#pragma once
// What a system is, in words and numbers.

#include <array>
#include <cstdint>
#include <span>

#include "kernels/description/quantity_table.hpp"

namespace livens {

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

/// An axis of a quantity that has several entries.
struct EntryAxis {
  const char* name;
  int length;
};

/// A quantity of a system's own: one number per instance, or an array with these axes.
struct ObservableInfo {
  const char* name;        ///< of a dataset
  const char* unit;        ///< SI
  const char* meaning;     ///< one line
  EntryAxis axes[3] = {};  ///< those that are there first; the last one runs fastest

  constexpr int size() const {
    int entries = 1;
    for (const EntryAxis& axis : axes)
      if (axis.name != nullptr) entries *= axis.length;
    return entries;
  }
};
/// Columns of a record that these take.
constexpr int entries_of(std::span<const ObservableInfo> observables) {
  int entries = 0;
  for (const ObservableInfo& one : observables) entries += one.size();
  return entries;
}

/// What a record keeps of the impacts of every instance (kernels/stepping/impacts.hpp): how many, and the
/// times of the first ones.
inline constexpr int standard_kept_impacts = 16;
constexpr std::array<ObservableInfo, 2> impact_observables(int impacts, int kept) {
  return {{{"impact_count", "1", "impacts on each wall", {{"impact", impacts}}},
           {"impact_time",
            "s",
            "times of the first impacts on each wall; NaN behind the last",
            {{"impact", impacts}, {"hit", kept}}}}};
}

/// Entries [first, first + size) of q by a name of their own.
struct CoordinateInfo {
  const char* name;
  int first, size;
  bool is_vector;  ///< has indices, also where it has one entry
};

/// Which changes of sign of an expression are an event, and what a record keeps of the first ones: their
/// number, times, and with `state` also q and v there.
struct EventInfo {
  int direction;  ///< -1: from positive to negative, 1: the other way, 0: both
  int keep;
  bool state;

  /// Columns of a record.
  constexpr int size(int coordinates) const { return 1 + keep * (state ? 1 + 2 * coordinates : 1); }
};

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
  std::span<const CoordinateInfo> names = {};        ///< of the entries of q, where it is a text's
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

}  // namespace livens
