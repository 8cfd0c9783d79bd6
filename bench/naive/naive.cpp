#include "naive.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "pairs/pairs.hpp"

namespace livens::naive {
namespace {

std::vector<Pair> collect() {
  std::vector<Pair> all;
  for (const auto part : {four_particle_pairs(), heavy_top_pairs(), double_four_bar_pairs(),
                          double_spherical_pendulum_pairs(), unit_circle_pairs(), other_pairs()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

const Pair* find(std::string_view system, std::string_view scheme) {
  const auto found =
      std::ranges::find_if(pairs(), [&](const Pair& p) { return p.system == system && p.scheme == scheme; });
  return found == pairs().end() ? nullptr : &*found;
}

}  // namespace

std::span<const Pair> pairs() {
  static const std::vector<Pair> all = collect();
  return all;
}

bool available(std::string_view system, std::string_view scheme) { return find(system, scheme) != nullptr; }

Result run(std::string_view system, std::string_view scheme, double step, std::int64_t steps,
           double tolerance) {
  const Pair* found = find(system, scheme);
  if (found == nullptr) {
    throw std::invalid_argument("no naive loop for " + std::string(system) + " with " + std::string(scheme));
  }
  return found->integrate(step, steps, tolerance);
}

}  // namespace livens::naive
