#include "ensembles/tangents.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace livens::ensembles {

bool has_covariance(const Request& request) { return request.tangent && !request.tangent->spreads.empty(); }

Quantity covariance_of(const std::string& name, const std::string& of, const SystemInfo& system) {
  const std::int64_t size = 2 * system.coordinates;
  return {name,
          "SI",
          "covariance of " + of + ", of the draws' laws by derivatives",
          {},
          {{covariance_axes[0], size}, {covariance_axes[1], size}}};
}

void propagate_covariance(const Tangent& tangent, int coordinates, const double* by_q, const double* by_p,
                          double* covariance) {
  const auto directions = static_cast<std::size_t>(tangent.directions()),
             d = static_cast<std::size_t>(coordinates);
  std::fill_n(covariance, 4 * d * d, 0.0);
  std::vector<double> moved(2 * d);
  for (const std::vector<double>& spread : tangent.spreads) {
    for (std::size_t row = 0; row < 2 * d; ++row) {
      const double* const phi = (row < d ? by_q : by_p) + row % d * directions;
      moved[row] = 0.0;
      for (std::size_t k = 0; k < directions; ++k)
        if (spread[k] != 0.0) moved[row] += phi[k] * spread[k];
    }
    for (std::size_t row = 0; row < 2 * d; ++row)
      for (std::size_t column = 0; column < 2 * d; ++column)
        covariance[row * 2 * d + column] += moved[row] * moved[column];
  }
}

std::vector<FollowedTangents> followed_tangents(const SystemInfo& system, const Request& request) {
  const std::string_view begin = tangent_of_final;
  std::vector<FollowedTangents> followed;
  int column = column_count + system.momentum_maps;
  for (const ObservableInfo& own : system.observables) {
    if (std::string_view(own.name).starts_with(begin)) {
      Quantity quantity = own_quantity(own);
      quantity.name.erase(0, begin.size());
      quantity.description = "derivatives of " + quantity.name;
      followed.push_back({column, std::move(quantity)});
    }
    column += own.size();
  }
  if (has_covariance(request))
    followed.push_back({-1, covariance_of(followed_covariance, "q and then p", system)});
  std::ranges::sort(followed, {}, [](const FollowedTangents& one) { return one.quantity.name; });
  return followed;
}

}  // namespace livens::ensembles
