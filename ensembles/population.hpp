#pragma once
// The arrays of some instances of an ensemble, and how they get their initial values: parameters and steps of
// every instance, the system's own initial state for them, what the spec says about q, v, p, and consistency,
// in this order.

#include <cstdint>
#include <optional>
#include <vector>

#include "ensembles/backend.hpp"
#include "ensembles/draws.hpp"
#include "ensembles/large_array.hpp"
#include "ensembles/range.hpp"
#include "ensembles/request.hpp"
#include "ensembles/result.hpp"
#include "ensembles/stages.hpp"

namespace livens::ensembles {

/// Owns what a Batch refers to. All arrays are padded to a multiple of tile_size by repeating the last
/// instance.
class Population {
 public:
  /// Everything up to consistent q, v, p and their statuses for the instances of `range`, which begins a
  /// tile; there is room for the records. Throws std::invalid_argument as grid_points() does, and
  /// for an empty range. `spare`: where the arrays of p and of the records come from and go to, and outlives
  /// it.
  Population(const Request& request, Range range, Backend& backend, SpareArrays* spare = nullptr);
  ~Population();
  Population(const Population&) = delete;
  Population& operator=(const Population&) = delete;

  /// Makes the records. To be called once at most.
  Motion start(const Settings& settings) { return std::move(*states_).start(settings, status_.data()); }

  const Batch& batch() const { return batch_; }
  std::int64_t size() const { return size_; }                          ///< N, without padding
  const std::vector<std::uint8_t>& status() const { return status_; }  ///< of the initial values, padded

  /// The value used of an entry that varies: what take_varied() has of it, before it is taken.
  double varied(Target target, int entry, std::int64_t instance) const;

  /// The value used of every varied entry, in the order of the spec, and behind them of every parameter that
  /// was taken over from another result; initial.* before projection. Moves them out.
  std::vector<Instances::Varied> take_varied() { return std::move(recorded_); }

  /// Initial q and v, N,d. Moves them out of the batch, which is of no use afterwards.
  void take_initial_states(std::vector<double>& q, std::vector<double>& v);

 private:
  void make_room();
  void set_base_parameters(const Request& request, Parameters& parameters);
  void set_base_states(const Request& request, InitialStates& states);
  void keep_given(InitialStates& states);
  void vary(Target target, const Request& request, Drawing& drawing);
  void refuse_uncountable_steps(std::int64_t most);
  void leave_out_failed(const Request& request);

  std::int64_t size_;
  std::int64_t coordinates_;
  Draws taken_over_, draws_;
  std::vector<std::int64_t> numbers_;  // of a list of instances, padded; else empty
  std::vector<double> shared_parameters_;
  std::vector<std::vector<double>> varied_parameters_;  // per scalar parameter; empty where it is shared
  std::vector<double*> varied_pointers_;
  std::vector<double> varied_step_;
  std::vector<std::int64_t> steps_per_beat_;
  std::vector<double> q_, v_, p_, records_;
  std::vector<double> given_q_,
      given_v_;  // before they are made consistent; empty unless derivatives are asked for
  SpareArrays* spare_;
  std::vector<std::uint8_t> status_;
  std::vector<const Variation*> recorded_entries_;
  std::vector<Instances::Varied> recorded_;  // one an entry of these
  Batch batch_{};
  std::optional<ConsistentStates> states_;
};

/// What /instances/parameters has: the entries of the spec, and parameters taken over from another result
/// that are not among them.
std::vector<const Variation*> recorded_entries(const Request& request);

/// How far projection moves the base state, over the entries of q and of v, and how large these are.
struct BaseMoved {
  double q = 0.0, v = 0.0, largest_q = 0.0, largest_v = 0.0;
};
BaseMoved base_moved(const Request& request, Backend& backend);

/// Throws InconsistentBase.
void require_consistent_base(const Request& request, Backend& backend);

}  // namespace livens::ensembles
