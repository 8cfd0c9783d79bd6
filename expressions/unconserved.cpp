// A momentum map J(q, p) is conserved where
//   (a) D_q J . v + D_p J . (D_q T - D V) = 0      T, V are symmetric
//   (b) D_p J . D g_k = 0  where g(q) = 0          no constraint force has a part in it
// for p = M v + a, without forces. Both are sums of products that cancel: they are compared with the sum of the magnitudes.

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

/// b = A^-1 b for a symmetric positive definite A, row by row; not a number where it has no inverse.
void solve(std::vector<double>& A, std::vector<double>& b) {
  const std::size_t m = b.size();
  for (std::size_t k = 0; k < m; ++k)
    for (std::size_t i = k + 1; i < m; ++i) {
      const double factor = A[i * m + k] / A[k * m + k];
      for (std::size_t j = k; j < m; ++j) A[i * m + j] -= factor * A[k * m + j];
      b[i] -= factor * b[k];
    }
  for (std::size_t k = m; k-- > 0;) {
    for (std::size_t j = k + 1; j < m; ++j) b[k] -= A[k * m + j] * b[j];
    b[k] /= A[k * m + k];
  }
}

/// Brings q to g(q) = 0 by Newton's method, along G^T; false where it does not come there.
bool bring_onto_constraints(const Mechanics& mechanics, const std::vector<double>& parameters, double time,
                            std::vector<double>& q) {
  const std::size_t n = q.size(), m = mechanics.constraints.size();
  for (int iteration = 0; iteration < 50; ++iteration) {
    Values at;
    at.position = q;
    at.parameters = parameters;
    at.time = time;
    std::vector<double> g = evaluate(mechanics.graph, nodes_of(mechanics.constraints), at);
    const auto G = evaluate(mechanics.graph, mechanics.constraint_jacobian, at);
    double largest = 0.0;
    for (const double value : g) largest = std::max(largest, std::abs(value));
    if (largest < 1e-14) return true;
    std::vector<double> S(m * m);
    for (std::size_t k = 0; k < m; ++k)
      for (std::size_t l = 0; l < m; ++l)
        for (std::size_t i = 0; i < n; ++i) S[k * m + l] += G[k * n + i] * G[l * n + i];
    solve(S, g);
    for (std::size_t k = 0; k < m; ++k)
      for (std::size_t i = 0; i < n; ++i) q[i] -= G[k * n + i] * g[k];
  }
  return false;
}

}  // namespace

std::vector<std::string> unconserved(const Description& description, Mechanics& mechanics) {
  const int d = mechanics.facts.coordinates;
  const auto n = static_cast<std::size_t>(d);
  Graph& g = mechanics.graph;
  const std::vector<NodeId> DT = gradient(g, mechanics.kinetic, Leaf::position, d);
  std::vector<std::string> result;
  for (const auto& [J, text, entry] : mechanics.momentum) {
    const std::vector<NodeId> by_q = gradient(g, J, Leaf::position, d);
    const std::vector<NodeId> by_p = gradient(g, J, Leaf::momentum, d);
    RandomState random(description);
    bool motion = true, constraints = true;
    for (int trial = 0; trial < 4; ++trial) {
      const auto parameters = random.parameters(), v = random.vector(d);
      auto q = random.vector(d);
      const bool on_constraints = bring_onto_constraints(mechanics, parameters, std::abs(v.front()), q);
      Values at;
      at.position = q;
      at.velocity = v;
      at.parameters = parameters;
      at.time = std::abs(v.front());
      const auto M = evaluate(g, mechanics.mass, at);
      std::vector<double> p = evaluate(g, mechanics.shift, at);
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
      for (std::size_t row = 0; on_constraints && row < G.size(); row += n) {
        Cancelling b;
        for (std::size_t i = 0; i < n; ++i) b.add(J_p[i] * G[row + i]);
        constraints = constraints && b.vanishes();
      }
    }
    const Place& place = text->place;
    if (!motion)
      result.push_back(printed(Mistake{place, "is not conserved: the energies are not symmetric under it"}));
    else if (!constraints)
      result.push_back(
          printed(Mistake{place, "is not conserved: the constraints are not symmetric under it"}));
    else if (mechanics.facts.nonholonomic)
      result.push_back(
          printed(Mistake{place, "nothing is known of its conservation under nonholonomic rows"}));
  }
  return result;
}

}  // namespace livens::expressions
