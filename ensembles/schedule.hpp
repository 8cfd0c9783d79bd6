#pragma once
// When an ensemble is looked at: the sample points, and what one beat of advance() is.

#include <cstdint>
#include <vector>

#include "ensembles/request.hpp"

namespace livens::ensembles {

/// A beat is a step where all instances share h, and an output interval where scheme.step varies.
struct Schedule {
  std::int64_t beats = 0;  ///< in all
  double beat = 0.0;       ///< s
  std::vector<std::int64_t>
      samples;  ///< K sample points in beats, ascending; the first is 0, the last is `beats`

  double time(std::size_t sample) const { return static_cast<double>(samples[sample]) * beat; }
};

/// How often a length of time, both in s, goes into another.
struct Pieces {
  double count;  ///< whole
  bool fit;      ///< nothing is left over but what rounding leaves
};
Pieces pieces_of(double whole, double piece);

/// True where a request varies scheme.step.
bool varies_step(const Request& request);

/// Beats of a run: steps, or output intervals where scheme.step varies. Throws as make_schedule().
std::int64_t beat_count(const Request& request);

/// Steps that an instance may make in a beat: the counts of a run are exact as doubles, up to 2^53.
std::int64_t most_steps_per_beat(const Request& request);

/// 0, every, 2 every, ... and `beats`. Throws std::invalid_argument unless every >= 1.
std::vector<std::int64_t> linear_samples(std::int64_t beats, std::int64_t every);

/// 0, the integers nearest to 10^(k/16) for k = 0, 1, ... as far as they are distinct, and `beats`.
std::vector<std::int64_t> log_samples(std::int64_t beats);

/// The schedule of a request. With sampling = "log" `every` has no say; where scheme.step varies every
/// interval is a candidate. Throws std::invalid_argument when scheme.step varies and there is no output
/// interval.
Schedule make_schedule(const Request& request);

}  // namespace livens::ensembles
