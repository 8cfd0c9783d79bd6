#include "quadratic.hpp"

#include <algorithm>

namespace livens::reference {

SpatialVector position(int body) {
  SpatialVector phi;
  if (body != ground) phi.terms = {{12 * body, 1.0}};
  return phi;
}

SpatialVector director(int body, int number) {
  if (body == ground) return {Vector3d::Unit(number), {}};
  return {Vector3d::Zero(), {{12 * body + 3 + 3 * number, 1.0}}};
}

SpatialVector point(const Place& place) {
  SpatialVector result = position(place.body);
  for (int k = 0; k < 3; ++k) {
    if (place.at[k] != 0.0) result = result + place.at[k] * director(place.body, k);
  }
  return result;
}

Quadratic dot(const std::vector<std::pair<SpatialVector, SpatialVector>>& pairs, double offset) {
  Quadratic s;
  for (const auto& [a, b] : pairs) {
    for (const SpatialVector* factor : {&a, &b}) {
      for (const auto& [i, c] : factor->terms) {
        for (int k = 0; k < 3; ++k) s.variables.push_back(i + k);
      }
    }
  }
  std::sort(s.variables.begin(), s.variables.end());
  s.variables.erase(std::unique(s.variables.begin(), s.variables.end()), s.variables.end());
  const auto local = [&](Eigen::Index i) {
    return std::lower_bound(s.variables.begin(), s.variables.end(), i) - s.variables.begin();
  };
  const auto size = static_cast<Eigen::Index>(s.variables.size());
  s.A = MatrixXd::Zero(size, size);
  s.b = VectorXd::Zero(size);
  s.c = -offset;
  for (const auto& [a, b] : pairs) {
    s.c += a.constant.dot(b.constant);
    for (int k = 0; k < 3; ++k) {
      for (const auto& [i, c] : a.terms) s.b[local(i + k)] += c * b.constant[k];
      for (const auto& [j, c] : b.terms) s.b[local(j + k)] += c * a.constant[k];
      for (const auto& [i, ci] : a.terms) {
        for (const auto& [j, cj] : b.terms) {
          s.A(local(i + k), local(j + k)) += ci * cj;
          s.A(local(j + k), local(i + k)) += ci * cj;
        }
      }
    }
  }
  return s;
}

}  // namespace livens::reference
