#include "ensembles/sampling.hpp"

#include <Random123/philox.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "kernels/math/elementary.hpp"

namespace livens::ensembles {
namespace {

// livens::exp is made for |x| < 700. Beyond, a draw is of no use as a parameter: infinity or 0 says so to the
// checks.
double exponential(double x) {
  if (!(x < 700.0)) return std::isnan(x) ? x : std::numeric_limits<double>::infinity();
  return x > -700.0 ? livens::exp(x) : 0.0;
}

}  // namespace

Words philox(const Words& counter, std::uint64_t key) {
  const r123::Philox4x32::ctr_type c = {{counter[0], counter[1], counter[2], counter[3]}};
  const r123::Philox4x32::key_type k = {
      {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)}};
  const r123::Philox4x32::ctr_type words = r123::Philox4x32()(c, k);
  return {words[0], words[1], words[2], words[3]};
}

Uniforms uniforms(std::uint64_t seed, std::int64_t instance, std::size_t entry) {
  const auto number = static_cast<std::uint64_t>(instance);
  const Words w = philox({static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32),
                          static_cast<std::uint32_t>(entry), 0},
                         seed);
  // The sum is rounded to even above 2^52, so u may be 1 but never 0: ln u1 stays finite.
  const auto uniform = [](std::uint32_t low, std::uint32_t high) {
    const std::uint64_t x = low | static_cast<std::uint64_t>(high) << 32;
    return (static_cast<double>(x >> 11) + 0.5) * 0x1p-53;
  };
  return {uniform(w[0], w[1]), uniform(w[2], w[3])};
}

double standard_normal(Uniforms u) { return std::sqrt(-2.0 * livens::log(u.u1)) * livens::cos_two_pi(u.u2); }

double combine(Mode mode, double base, double drawn) {
  if (mode == Mode::set) return drawn;
  return mode == Mode::add ? base + drawn : base * drawn;
}

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

Sampler::Sampler(const std::vector<Variation>& variations, std::uint64_t seed)
    : variations_(variations),
      seed_(seed),
      grid_points_(grid_points(variations)),
      strides_(variations.size(), 1) {
  std::int64_t stride = 1;
  for (std::size_t entry = variations.size(); entry-- > 0;) {
    if (!variations[entry].is_grid()) continue;
    strides_[entry] = stride;
    stride *= static_cast<std::int64_t>(variations[entry].points.size());
  }
}

double Sampler::draw(std::size_t entry, std::int64_t instance) const {
  const Variation& variation = variations_[entry];
  if (variation.is_grid()) {
    const auto count = static_cast<std::int64_t>(variation.points.size());
    const std::int64_t point = instance % grid_points_ / strides_[entry] % count;
    return variation.points[static_cast<std::size_t>(point)];
  }
  const Uniforms u = uniforms(seed_, instance, entry);
  if (variation.law == Law::uniform) return variation.a + (variation.b - variation.a) * u.u1;
  const double normal = variation.a + variation.b * standard_normal(u);
  return variation.law == Law::lognormal ? exponential(normal) : normal;
}

}  // namespace livens::ensembles
