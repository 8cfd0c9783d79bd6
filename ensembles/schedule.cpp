#include "ensembles/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace livens::ensembles {

Pieces pieces_of(double whole, double piece) {
  // Decimals become doubles with one rounding each, and so does their quotient: three parts in 2^53 of it,
  // and one more for what their products are off by. A billionth of a piece is no part of one that anybody
  // means, as where a third was typed with ten digits.
  const double quotient = whole / piece, nearest = std::rint(quotient);
  if (std::abs(quotient - nearest) <= std::max(0x1p-51 * quotient, 1e-9)) return {nearest, true};
  return {std::floor(quotient), false};
}

bool varies_step(const Request& request) {
  return std::any_of(request.variations.begin(), request.variations.end(),
                     [](const Variation& variation) { return variation.target == Target::step; });
}

std::vector<std::int64_t> linear_samples(std::int64_t beats, std::int64_t every) {
  if (every < 1) throw std::invalid_argument("output.every: expected at least 1");
  std::vector<std::int64_t> samples = {0};
  while (beats - samples.back() > every) samples.push_back(samples.back() + every);
  if (beats > 0) samples.push_back(beats);
  return samples;
}

std::vector<std::int64_t> log_samples(std::int64_t beats) {
  // 10^(k/16) from a table: std::pow is not the same on every machine, and powers of ten are exact up to
  // 10^22.
  constexpr double sixteenths[16] = {1.0,
                                     1.1547819846894583,
                                     1.333521432163324,
                                     1.5399265260594921,
                                     1.7782794100389228,
                                     2.0535250264571461,
                                     2.3713737056616552,
                                     2.7384196342643614,
                                     3.1622776601683795,
                                     3.6517412725483771,
                                     4.216965034285822,
                                     4.8696752516586311,
                                     5.6234132519034912,
                                     6.4938163157621132,
                                     7.4989420933245583,
                                     8.659643233600653};
  std::vector<std::int64_t> samples = {0};
  for (double decade = 1.0; decade < static_cast<double>(beats); decade *= 10.0) {
    for (const double factor : sixteenths) {
      const std::int64_t sample = std::llround(decade * factor);
      if (sample > samples.back() && sample < beats) samples.push_back(sample);
    }
  }
  if (beats > 0) samples.push_back(beats);
  return samples;
}

std::int64_t beat_count(const Request& request) {
  if (!varies_step(request)) return request.steps;
  if (!(request.interval > 0.0 && std::isfinite(request.interval)))
    throw std::invalid_argument("output.interval: expected a positive time, as scheme.step varies");
  return static_cast<std::int64_t>(pieces_of(request.end, request.interval).count);
}

std::int64_t most_steps_per_beat(const Request& request) {
  return (std::int64_t{1} << 53) / std::max(beat_count(request), std::int64_t{1});
}

Schedule make_schedule(const Request& request) {
  const bool intervals = varies_step(request);
  Schedule schedule;
  schedule.beat = intervals ? request.interval : request.step;
  schedule.beats = beat_count(request);
  schedule.samples = request.sampling == Sampling::log
                         ? log_samples(schedule.beats)
                         : linear_samples(schedule.beats, intervals ? 1 : request.every);
  return schedule;
}

}  // namespace livens::ensembles
