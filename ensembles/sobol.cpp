#include "ensembles/sobol.hpp"

#include <boost/random/sobol.hpp>
#include <stdexcept>

#include "ensembles/draws.hpp"

namespace livens::ensembles {

std::vector<std::uint64_t> sobol_directions(int dimensions) {
  if (dimensions == 0) return {};
  if (dimensions > most_sobol_dimensions)
    throw std::invalid_argument("Sobol's sequence has direction numbers for " +
                                std::to_string(most_sobol_dimensions) + " values of an instance, not for " +
                                std::to_string(dimensions));
  const auto d = static_cast<std::size_t>(dimensions);
  boost::random::sobol_engine<std::uint64_t, 64> engine(d);
  std::vector<std::uint64_t> directions(64 * d), point(d);
  for (int bit = 0; bit < 64; ++bit) {
    // Boost leaves out point 0. Of number 2^(bit+1) - 1 Gray's code has this bit alone.
    engine.seed((std::uint64_t{1} << bit) - 1 + ((std::uint64_t{1} << bit) - 1));
    engine.generate(point.begin(), point.end());
    for (std::size_t k = 0; k < d; ++k) directions[64 * k + static_cast<std::size_t>(bit)] = point[k];
  }
  return directions;
}

}  // namespace livens::ensembles
