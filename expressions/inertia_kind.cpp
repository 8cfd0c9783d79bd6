#include "expressions/inertia_kind.hpp"

#include <algorithm>
#include <cmath>

#include "expressions/random_state.hpp"

namespace livens::expressions {
namespace {

/// The smallest pivot of Cholesky's elimination with diagonal pivoting, over the diagonal entry of its row;
/// NaN where M is not finite.
double smallest_pivot(std::vector<double> M, int d) {
  const auto at = [&](int i, int j) -> double& { return M[static_cast<std::size_t>(i * d + j)]; };
  std::vector<double> scale;
  std::vector<bool> done(static_cast<std::size_t>(d));
  for (int i = 0; i < d; ++i) scale.push_back(std::abs(at(i, i)));
  double smallest = 1.0;
  for (int step = 0; step < d; ++step) {
    int next = -1;
    double best = 0.0;
    for (int i = 0; i < d; ++i) {
      if (done[static_cast<std::size_t>(i)]) continue;
      const double relative = at(i, i) / scale[static_cast<std::size_t>(i)];
      if (!std::isfinite(relative)) return relative * 0.0;
      if (next < 0 || relative > best) {
        next = i;
        best = relative;
      }
      smallest = std::min(smallest, relative);
    }
    done[static_cast<std::size_t>(next)] = true;
    if (!(best > 1e-12)) break;  // nothing is left to eliminate with
    for (int i = 0; i < d; ++i)
      if (!done[static_cast<std::size_t>(i)])
        for (int j = 0; j < d; ++j)
          if (!done[static_cast<std::size_t>(j)]) at(i, j) -= at(i, next) * at(next, j) / at(next, next);
  }
  return smallest;
}

}  // namespace

InertiaKind inertia_kind(const Description& description, const Mechanics& mechanics) {
  // A pivot of a matrix that has no inverse is the round-off of d differences; one that has is taken for
  // singular when it has lost ten digits.
  constexpr double lost = 1e-10;
  constexpr int trials = 8;
  const int d = mechanics.facts.coordinates;
  RandomState random(description);
  bool regular = false;
  for (int trial = 0; trial < trials; ++trial) {
    const auto parameters = trial < trials / 2 ? default_parameters(description) : random.parameters();
    const auto q = random.vector(d);
    Values values;
    values.position = q;
    values.parameters = parameters;
    const double pivot = smallest_pivot(evaluate(mechanics.graph, mechanics.mass, values), d);
    if (trial < trials / 2 && pivot < -lost) return InertiaKind::indefinite;
    regular = regular || !(pivot < lost);
  }
  return regular ? InertiaKind::regular : InertiaKind::singular;
}

}  // namespace livens::expressions
