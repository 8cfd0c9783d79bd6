#include "host/checks/derivatives_of_text.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "expressions/derivatives.hpp"
#include "expressions/mechanics.hpp"
#include "expressions/random_state.hpp"
#include "expressions/toml_text.hpp"
#include "expressions/without_bodies.hpp"
#include "host/errors.hpp"
#include "host/pairs/text_reference.hpp"
#include "reference/system.hpp"

namespace livens::host {
namespace {

using expressions::Graph;
using expressions::Leaf;
using expressions::NodeId;
using reference::MatrixXd;
using reference::VectorXd;

constexpr double eps = std::numeric_limits<double>::epsilon();

/// A point at which derivatives are taken: two positions, velocities and times, multipliers, parameters.
struct Place {
  std::vector<double> q, q1, v, v1, lambda, parameters, times;

  double t() const { return times[0]; }
  double t1() const { return times[1]; }
  /// With every number changed by a random part of it, up to `size`.
  Place changed(expressions::RandomState& random, double size) const {
    Place place = *this;
    for (std::vector<double>* values :
         {&place.q, &place.q1, &place.v, &place.v1, &place.lambda, &place.parameters, &place.times}) {
      const auto direction = random.vector(static_cast<int>(values->size()));
      for (std::size_t i = 0; i < values->size(); ++i) (*values)[i] *= 1.0 + size * direction[i];
    }
    return place;
  }
};

VectorXd vector_of(const std::vector<double>& values) {
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}
/// q and t in one vector.
VectorXd with_time(const std::vector<double>& q, double t) {
  VectorXd place(q.size() + 1);
  place << vector_of(q), t;
  return place;
}
/// Row by row.
std::vector<double> list_of(const MatrixXd& matrix) {
  std::vector<double> values;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) values.push_back(matrix(i, j));
  return values;
}

/// One kind of derivative: its nodes, and the same by the reference at a place.
struct Derivative {
  const char* name;
  std::vector<NodeId> nodes;
  std::function<MatrixXd(const reference::System&, const Place&)> judged;
};

/// d nodes[i]/d leaf, row by row.
std::vector<NodeId> jacobian(Graph& graph, const std::vector<NodeId>& nodes, Leaf kind, int d) {
  std::vector<NodeId> matrix(nodes.size() * static_cast<std::size_t>(d));
  for (int j = 0; j < d; ++j) {
    const auto column = derivative(graph, nodes, kind, j);
    for (std::size_t i = 0; i < nodes.size(); ++i)
      matrix[i * static_cast<std::size_t>(d) + static_cast<std::size_t>(j)] = column[i];
  }
  return matrix;
}

std::vector<Derivative> derivatives(expressions::Mechanics& m) {
  using reference::System;
  const int d = m.facts.coordinates;
  Graph& g = m.graph;
  std::vector<Derivative> all;
  const auto add = [&](const char* name, std::vector<NodeId> nodes, auto judged) {
    all.push_back({name, std::move(nodes), judged});
  };
  add("M", m.mass, [](const System& s, const Place& at) { return mass_matrix(s, vector_of(at.q), at.t()); });
  add("D_q T", gradient(g, m.kinetic, Leaf::position, d), [](const System& s, const Place& at) -> MatrixXd {
    return kinetic_gradient(s, vector_of(at.q), vector_of(at.v), at.t());
  });
  add("DV", m.potential_gradient, [](const System& s, const Place& at) -> MatrixXd {
    return potential_gradient(s, vector_of(at.q), at.t());
  });
  add("D^2 V", jacobian(g, m.potential_gradient, Leaf::position, d), [](const System& s, const Place& at) {
    return reference::jacobian(
        [&]<class R>(const reference::Vector<R>& q) { return potential_gradient(s, q, R(at.t())); },
        vector_of(at.q));
  });
  add("Dbar V", discrete_gradient_in_time(g, m.potential, d),
      [](const System& s, const Place& at) -> MatrixXd {
        return s.discrete_potential_gradient(with_time(at.q, at.t()), with_time(at.q1, at.t1()));
      });
  if (!m.facts.general)
    add("D Dbar V", jacobian(g, discrete_gradient(g, m.potential, d), Leaf::end, d),
        [](const System& s, const Place& at) {
          const VectorXd q = vector_of(at.q);
          return reference::jacobian(
              [&]<class R>(const reference::Vector<R>& q1) {
                return s.discrete_potential_gradient(reference::constant<R>(q), q1);
              },
              vector_of(at.q1));
        });
  add("Dbar T", discrete_gradient_in_time(g, m.kinetic, d), [](const System& s, const Place& at) -> MatrixXd {
    return s.discrete_kinetic_gradient(with_time(at.q, at.t()), with_time(at.q1, at.t1()), vector_of(at.v));
  });
  if (m.facts.general)
    add("mean Dbar L", discrete_gradient_in_time(g, mean_lagrangian(m), d),
        [](const System& s, const Place& at) -> MatrixXd {
          const VectorXd z0 = with_time(at.q, at.t()), z1 = with_time(at.q1, at.t1());
          return 0.5 * (s.discrete_kinetic_gradient(z0, z1, vector_of(at.v)) +
                        s.discrete_kinetic_gradient(z0, z1, vector_of(at.v1))) -
                 s.discrete_potential_gradient(z0, z1);
        });
  add("a", m.shift, [](const System& s, const Place& at) -> MatrixXd {
    return field_momentum(s, vector_of(at.q), at.t());
  });
  add("L_t", derivative(g, std::span(&m.lagrangian, 1), Leaf::time, 0),
      [](const System& s, const Place& at) -> MatrixXd {
        return VectorXd::Constant(1, lagrangian_rate(s, vector_of(at.q), vector_of(at.v), at.t()));
      });
  if (m.dissipation != expressions::none)
    add(m.facts.general ? "D_v R" : "C v", gradient(g, m.dissipation, Leaf::velocity, d),
        [](const System& s, const Place& at) -> MatrixXd {
          return viscous_force(s, vector_of(at.q), vector_of(at.v), at.t());
        });
  if (m.facts.forced)
    add("F", m.force, [](const System& s, const Place& at) -> MatrixXd {
      return applied_force(s, vector_of(at.q), vector_of(at.v), at.t());
    });
  if (m.facts.velocity_rows > 0) {
    add("A", m.rate_matrix,
        [](const System& s, const Place& at) { return nonholonomic_jacobian(s, vector_of(at.q), at.t()); });
    add("b", m.rate_offset, [](const System& s, const Place& at) -> MatrixXd {
      return nonholonomic_drift(s, vector_of(at.q), at.t());
    });
    std::vector<NodeId> rates = m.rate_offset;
    for (std::size_t k = 0; k < m.rate_matrix.size(); ++k) {
      NodeId& rate = rates[k / static_cast<std::size_t>(d)];
      const NodeId v = g.leaf(Leaf::velocity, static_cast<int>(k) % d);
      rate = g.add(rate, g.multiply(m.rate_matrix[k], v));
    }
    add("D(A v + b)", jacobian(g, rates, Leaf::position, d), [](const System& s, const Place& at) {
      const VectorXd v = vector_of(at.v);
      return reference::jacobian(
          [&]<class R>(const reference::Vector<R>& q) {
            return s.velocity_constraint(q, reference::constant<R>(v), R(at.t()));
          },
          vector_of(at.q));
    });
  }
  if (m.constraints.empty()) return all;
  add("G", m.constraint_jacobian,
      [](const System& s, const Place& at) { return constraint_jacobian(s, vector_of(at.q), at.t()); });
  add("g_t", m.constraint_rate,
      [](const System& s, const Place& at) -> MatrixXd { return support_rate(s, vector_of(at.q), at.t()); });
  add("D(G v)", jacobian(g, m.constraint_jacobian, Leaf::position, d), [d](const System& s, const Place& at) {
    // Row i of G, entry by entry: D_q (G e_j), as many as the graph has, of the rate with e_j less that with 0.
    const auto slope_of_rate = [&](const VectorXd& u) -> MatrixXd {
      return reference::jacobian(
          [&]<class R>(const reference::Vector<R>& q) {
            return constraint_rate(s, q, reference::constant<R>(u), R(at.t()));
          },
          vector_of(at.q));
    };
    const MatrixXd still = slope_of_rate(VectorXd::Zero(d));
    MatrixXd all(still.rows() * d, d);
    for (int j = 0; j < d; ++j) {
      const MatrixXd slope = slope_of_rate(VectorXd::Unit(d, j)) - still;
      for (Eigen::Index k = 0; k < still.rows(); ++k) all.row(k * d + j) = slope.row(k);
    }
    return all;
  });
  if (m.facts.has_general_terms()) {
    std::vector<NodeId> sum(static_cast<std::size_t>(d + 1), g.constant(0.0));
    for (std::size_t k = 0; k < m.constraints.size(); ++k) {
      const auto row = discrete_gradient_in_time(g, m.constraints[k].node, d);
      const NodeId lambda = g.leaf(Leaf::momentum, static_cast<int>(k));
      for (std::size_t i = 0; i < row.size(); ++i) sum[i] = g.add(sum[i], g.multiply(lambda, row[i]));
    }
    add("lambda.Dbar g", sum, [](const System& s, const Place& at) -> MatrixXd {
      return s.discrete_constraint_force(with_time(at.q, at.t()), with_time(at.q1, at.t1()),
                                         vector_of(at.lambda));
    });
  }
  return all;
}

reference::System system_of(const TextSystem& text, const std::shared_ptr<const reference::TextSystem>& read,
                            const std::vector<double>& parameters) {
  reference::Model model{text.name(), {}, read};
  auto value = parameters.begin();
  for (const ParameterInfo& parameter : text.info().parameters) {
    model.parameters[parameter.name] = std::vector<double>(value, value + parameter.size());
    value += parameter.size();
  }
  return make_system(model);
}

double largest(const std::vector<double>& values) {
  double size = 0.0;
  for (const double x : values) size = std::max(size, std::abs(x));
  return size;
}
/// Not a number where an entry is on one side alone; a place without a value on either side says nothing.
double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double size = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) != std::isnan(b[i])) return std::numeric_limits<double>::quiet_NaN();
    if (!std::isnan(a[i])) size = std::max(size, std::abs(a[i] - b[i]));
  }
  return a.size() == b.size() ? size : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::vector<Finding> derivatives_of_text(const TextSystem& text, const TextSystem& judge) {
  const expressions::Description description = expressions::without_bodies(
      expressions::describe(parse_toml(text.identity(), text.name()), text.name()));
  expressions::Mechanics mechanics = mechanics_of(description);
  const int d = mechanics.facts.coordinates;
  const auto read = read_by_reference(judge);
  if (!read) refuse({judge.name()}, "the reference does not understand the text");
  std::vector<Finding> findings;
  for (const Derivative& derivative : derivatives(mechanics)) {
    const auto evaluated = [&](const Place& at) {
      expressions::Values values;
      values.position = at.q;
      values.end = at.q1;
      values.velocity = at.v;
      values.end_velocity = at.v1;
      values.momentum = at.lambda;
      values.parameters = at.parameters;
      values.time = at.t();
      values.end_time = at.t1();
      return evaluate(mechanics.graph, derivative.nodes, values);
    };
    // Every operation rounds once, what it makes or is made of: together they do no more than as many changes
    // in the last place of everything that goes in, and of the result.
    const auto marks = reachable(mechanics.graph, derivative.nodes);
    const double operations = static_cast<double>(std::ranges::count(marks, true));
    constexpr double change = 1e-9;
    Finding worst{std::string("derivatives: ") + derivative.name, "-", 0.0, 0.0};
    double share = -1.0;
    expressions::RandomState random(description);
    for (int trial = 0; trial < 8; ++trial) {
      const auto parameters = random.parameters();
      const Place at{random.vector(d),
                     random.vector(d),
                     random.vector(d),
                     random.vector(d),
                     random.vector(mechanics.facts.constraints),
                     parameters,
                     random.vector(2)};
      const std::vector<double> values = evaluated(at);
      double sensitivity = 0.0;
      for (int k = 0; k < 4; ++k)
        sensitivity = std::max(sensitivity, distance(evaluated(at.changed(random, change)), values) / change);
      const reference::System system = system_of(judge, read, at.parameters);
      const double difference = distance(values, list_of(derivative.judged(system, at)));
      const double bound = eps * operations * (sensitivity + largest(values));
      if (difference <= share * bound) continue;
      worst.value = difference;
      worst.bound = bound;
      if (!worst.holds()) break;
      share = difference > 0.0 ? difference / bound : 0.0;
    }
    // Zero on both sides is nothing to list.
    const bool zero =
        std::ranges::all_of(derivative.nodes, [&](NodeId id) { return mechanics.graph.is_zero(id); });
    if (!zero || !worst.holds()) findings.push_back(worst);
  }
  return findings;
}

}  // namespace livens::host
