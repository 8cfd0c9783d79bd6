#pragma once
// A compiled pair (system, scheme) as the run-time world sees it: plain data and functions, the same for
// every instruction set and for CUDA. Nothing here depends on how an instance is integrated.

#include <cstdint>

#include "kernels/description/batch.hpp"
#include "kernels/description/scheme_info.hpp"
#include "kernels/description/system_info.hpp"

namespace livens {

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
  /// inconsistent_initial. A CPU takes any `last`.
  void (*make_consistent)(const Batch&, Consistency, std::uint8_t* status, std::int64_t first,
                          std::int64_t last);
  Capabilities capabilities = {};
};

/// What of a pair is needed rarely, and takes as long to compile as its steps.
struct CarefulKernels {
  /// One step of one instance with pivoting, damping and substeps where it needs them.
  void (*step)(const Batch&, const Settings&, std::int64_t instance);
  /// Multipliers of a step that is composed, its stages taken once more.
  void (*multipliers)(const Batch&, const LastStep&, std::int64_t instance, NodeView&);
};

/// Functions of a pair in one form, for instances [first, last), both multiples of tile_size.
struct PairKernels {
  const SystemKernels* system;
  const SchemeInfo* scheme;
  const char* form;    ///< "reduced", "condensed" or "full"
  int unknowns;        ///< of the Newton iteration; 0: none
  bool damped;         ///< handles viscous damping
  bool compensated;    ///< offers compensated updates
  bool fixed_options;  ///< knows only the standard values of the scheme's options
  int record_width;    ///< columns of a record
  /// Fills the records from q, v, p; instances whose status is not ok are born failed (failed_step 0).
  void (*start)(const Batch&, const Settings&, const std::uint8_t* status, std::int64_t first,
                std::int64_t last);
  /// Integrates every instance i from where it stands to beat `to`, its step `to` s_i. Failed instances keep
  /// their last good state. In mixed precision only where `advance_mixed` is not null.
  void advance(const Batch& batch, const Settings& settings, std::int64_t to, std::int64_t first,
               std::int64_t last) const;
  /// State of one instance. `last`: for the multipliers of that step, or null.
  void node(const Batch& batch, const LastStep* last, std::int64_t instance, NodeView& view) const;
  /// As advance(), but an instance may be left before a difficult step.
  void (*advance_straight)(const Batch&, const Settings&, std::int64_t to, std::int64_t first,
                           std::int64_t last);
  void (*advance_mixed)(const Batch&, const Settings&, std::int64_t to, std::int64_t first,
                        std::int64_t last);
  /// As node(), without multipliers of a step that is composed.
  void (*plain_node)(const Batch&, const LastStep* last, std::int64_t instance, NodeView&);
  Precision precision = Precision::full;  ///< full, with which a Newton matrix may be mixed, or single
  /// careful(careful_of): at hand, or compiled by the first who asks.
  const CarefulKernels& (*careful)(const void* careful_of) = nullptr;
  const void* careful_of = nullptr;
};

inline void PairKernels::advance(const Batch& batch, const Settings& settings, std::int64_t to,
                                 std::int64_t first, std::int64_t last) const {
  const auto advance_many = settings.precision == Precision::mixed ? advance_mixed : advance_straight;
  // Tile by tile, so that a record is still in the cache when it is looked at.
  for (std::int64_t tile = first; tile < last; tile += tile_size) {
    bool any_left = true;
    while (any_left) {
      advance_many(batch, settings, to, tile, tile + tile_size);
      any_left = false;
      for (std::int64_t i = tile; i < tile + tile_size; ++i)
        if (is_left(batch, record_width, to, i)) {
          careful(careful_of).step(batch, settings, i);
          any_left = true;
        }
    }
  }
}

inline void PairKernels::node(const Batch& batch, const LastStep* last, std::int64_t instance,
                              NodeView& view) const {
  plain_node(batch, last, instance, view);
  if (last != nullptr && batch.composition.stages > 1 && system->info->constraints > 0)
    careful(careful_of).multipliers(batch, *last, instance, view);
}

}  // namespace livens
