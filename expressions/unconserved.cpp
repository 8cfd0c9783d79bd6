// A momentum map J(q, p) is conserved where
//   (a) D_q J . v + D_p J . (D_q T - D V) = 0      T, V are symmetric
//   (b) D_p J . D g_k = 0                          no constraint force has a part in it
// for p = M v. Both are sums of products that cancel: they are compared with the sum of the magnitudes.

#include <algorithm>
#include <cmath>

#include "expressions/derivatives.hpp"
#include "expressions/mechanics.hpp"
#include "expressions/random_state.hpp"

namespace livens::expressions {
namespace {

struct Cancelling {
  double sum = 0.0, size = 0.0;
  void add(double product) {
    sum += product;
    size += std::abs(product);
  }
  /// Round-off of some hundred operations is a thousand times smaller; a map that is not conserved is off by
  /// a part of its size. What is not a number at a random state says nothing.
  bool vanishes() const { return !(std::abs(sum) > 1e-10 * size); }
};

}  // namespace

std::vector<std::string> unconserved(const Description& description, Mechanics& mechanics) {
  const int d = mechanics.facts.coordinates;
  const auto n = static_cast<std::size_t>(d);
  Graph& g = mechanics.graph;
  const std::vector<NodeId> DT = gradient(g, mechanics.kinetic, Leaf::position, d);
  std::vector<std::string> result;
  for (std::size_t k = 0; k < mechanics.momentum.size(); ++k) {
    const std::vector<NodeId> by_q = gradient(g, mechanics.momentum[k], Leaf::position, d);
    const std::vector<NodeId> by_p = gradient(g, mechanics.momentum[k], Leaf::momentum, d);
    RandomState random(description);
    bool motion = true, constraints = true;
    for (int trial = 0; trial < 4; ++trial) {
      const auto parameters = random.parameters(), q = random.vector(d), v = random.vector(d);
      Values at;
      at.position = q;
      at.velocity = v;
      at.parameters = parameters;
      const auto M = evaluate(g, mechanics.mass, at);
      std::vector<double> p(n);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) p[i] += M[i * n + j] * v[j];
      at.momentum = p;
      const auto J_q = evaluate(g, by_q, at), J_p = evaluate(g, by_p, at), T_q = evaluate(g, DT, at),
                 V_q = evaluate(g, mechanics.potential_gradient, at),
                 G = evaluate(g, mechanics.constraint_jacobian, at);
      Cancelling a;
      for (std::size_t i = 0; i < n; ++i) {
        a.add(J_q[i] * v[i]);
        a.add(J_p[i] * T_q[i]);
        a.add(-J_p[i] * V_q[i]);
      }
      motion = motion && a.vanishes();
      for (std::size_t row = 0; row < G.size(); row += n) {
        Cancelling b;
        for (std::size_t i = 0; i < n; ++i) b.add(J_p[i] * G[row + i]);
        constraints = constraints && b.vanishes();
      }
    }
    const Place& place = description.momentum[k].place;
    if (!motion)
      result.push_back(complaint(place, "is not conserved: the energies are not symmetric under it"));
    else if (!constraints)
      result.push_back(complaint(place, "is not conserved: the constraints are not symmetric under it"));
    else if (mechanics.facts.nonholonomic)
      result.push_back(complaint(place, "nothing is known of its conservation under nonholonomic rows"));
  }
  return result;
}

}  // namespace livens::expressions
