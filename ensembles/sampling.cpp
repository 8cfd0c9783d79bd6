#include "ensembles/sampling.hpp"

#include <stdexcept>

namespace livens::ensembles {

std::int64_t grid_points(const std::vector<Variation>& variations) {
  constexpr std::int64_t limit = std::int64_t{1} << 62;
  std::int64_t product = 1;
  for (const Variation& variation : variations) {
    if (!variation.is_grid()) continue;
    const auto count = static_cast<std::int64_t>(variation.points.size());
    if (count == 0) throw std::invalid_argument(variation.what + ": a grid law needs at least one point");
    if (count > limit / product) throw std::invalid_argument("the grid laws span more than 2^62 points");
    product *= count;
  }
  return product;
}

Sampler::Sampler(const std::vector<Variation>& variations, std::uint64_t seed) {
  const std::int64_t period = grid_points(variations);
  for (const Variation& variation : variations) {
    draws_.push_back({.target = variation.target,
                      .first = variation.first,
                      .count = variation.count,
                      .law = variation.law,
                      .mode = variation.mode,
                      .a = variation.a,
                      .b = variation.b,
                      .seed = seed,
                      .entry = static_cast<std::uint32_t>(draws_.size())});
    if (!variation.is_grid()) continue;
    draws_.back().points = variation.points.data();
    draws_.back().point_count = static_cast<std::int64_t>(variation.points.size());
  }
  // The last grid law is the fastest.
  std::int64_t stride = 1;
  for (auto draw = draws_.rbegin(); draw != draws_.rend(); ++draw) {
    if (draw->points == nullptr) continue;
    draw->stride = stride;
    draw->period = period;
    stride *= draw->point_count;
  }
}

}  // namespace livens::ensembles
