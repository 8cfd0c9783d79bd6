// What follows from texts, by the graph that is compiled and by the reference's own derivatives, and where the motion
// begins to go by Taylor's series: random_mechanisms.py compares all of it with its own. From the standard input, a
// line each:
//   text FILE
//   at NUMBERS     two positions q, q1, velocity v, momentum p, multipliers, times t, t1
//   motion         of the text's own start
//   true T         the motion to the time T, by Taylor's series and by SUNDIALS
//   judge T        the same by SUNDIALS alone
//   steps SCHEME H N   the reference's own scheme
// To the standard output: "read d m rows constant_mass mass_of_reference", or "refused: why"; then for every place lines
// "NAME graph... | reference..."; of the motion q and v as they are projected, and the acceleration and multipliers there;
// of motions q, v, and "energies E_0 E D W". Parameters are the text's own. Behind every answer stands a line "end".

#include <algorithm>
#include <cstdio>
#include <functional>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>

#include "expressions/derivatives.hpp"
#include "expressions/mechanics.hpp"
#include "host/errors.hpp"
#include "host/pairs/text_reference.hpp"
#include "host/spec/spec_text.hpp"
#include "reference/equations_of_motion.hpp"
#include "reference/system.hpp"
#include "tests/taylor/motion.hpp"
#include "true_motion/true_motion.hpp"

namespace {

using namespace livens;
using expressions::Graph;
using expressions::Leaf;
using expressions::NodeId;
using reference::MatrixXd;
using reference::VectorXd;
using Numbers = std::vector<double>;
using Nodes = std::vector<NodeId>;

struct Place {
  Numbers q, q1, v, p, lambda, times;
};

VectorXd vector_of(const Numbers& values) {
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}
VectorXd with_time(const Numbers& q, double t) {
  VectorXd place(q.size() + 1);
  place << vector_of(q), t;
  return place;
}

void print(const char* between, const Numbers& numbers) {
  std::printf("%s", between);
  for (const double x : numbers) std::printf(" %.17g", x);
}
void print(const char* between, const MatrixXd& matrix) {
  std::printf("%s", between);
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) std::printf(" %.17g", matrix(i, j));
}

/// Nodes of the graph, and the same by the reference.
struct Quantity {
  const char* name;
  Nodes nodes;
  std::function<MatrixXd(const reference::System&, const Place&)> judged;
};

/// d nodes[i]/d leaf, row by row.
Nodes jacobian(Graph& g, const Nodes& nodes, Leaf kind, int d) {
  Nodes matrix(nodes.size() * static_cast<std::size_t>(d));
  for (int j = 0; j < d; ++j) {
    const Nodes column = derivative(g, nodes, kind, j);
    for (std::size_t i = 0; i < nodes.size(); ++i)
      matrix[i * static_cast<std::size_t>(d) + static_cast<std::size_t>(j)] = column[i];
  }
  return matrix;
}

/// D_x f(x), column by column, of a vector by the reference.
template <class Function>
MatrixXd slope(const Function& f, const Numbers& x) {
  return reference::jacobian(f, vector_of(x));
}

std::vector<Quantity> quantities(expressions::Mechanics& m) {
  using reference::constant;
  using reference::System;
  using reference::Vector;
  const int d = m.facts.coordinates, positions = static_cast<int>(m.constraints.size());
  Graph& g = m.graph;
  std::vector<Quantity> all;
  const auto add = [&](const char* name, Nodes nodes, auto judged) {
    all.push_back({name, std::move(nodes), judged});
  };
  const auto one = [](double value) { return MatrixXd(MatrixXd::Constant(1, 1, value)); };
  const Nodes momentum = gradient(g, m.kinetic, Leaf::velocity, d);
  add("T", {m.kinetic}, [one](const System& s, const Place& at) {
    return one(s.kinetic_energy(vector_of(at.q), vector_of(at.v), at.times[0]));
  });
  add("V", {m.potential}, [one](const System& s, const Place& at) {
    return one(potential_energy(s, vector_of(at.q), at.times[0]));
  });
  add("p", momentum, [](const System& s, const Place& at) -> MatrixXd {
    return momentum_of(s, vector_of(at.q), vector_of(at.v), at.times[0]);
  });
  add("M", m.mass,
      [](const System& s, const Place& at) { return mass_matrix(s, vector_of(at.q), at.times[0]); });
  add("a", m.shift, [](const System& s, const Place& at) -> MatrixXd {
    return field_momentum(s, vector_of(at.q), at.times[0]);
  });
  add("c", {m.offset}, [one](const System& s, const Place& at) {
    if (!s.has_field) return one(0.0);
    return one(
        s.kinetic_energy(vector_of(at.q), reference::zero<double>(vector_of(at.q).size()), at.times[0]));
  });
  add("T_q", gradient(g, m.kinetic, Leaf::position, d), [](const System& s, const Place& at) -> MatrixXd {
    return kinetic_gradient(s, vector_of(at.q), vector_of(at.v), at.times[0]);
  });
  add("p_q", jacobian(g, momentum, Leaf::position, d), [](const System& s, const Place& at) {
    return slope(
        [&]<class R>(const Vector<R>& q) {
          return momentum_of(s, q, constant<R>(vector_of(at.v)), R(at.times[0]));
        },
        at.q);
  });
  add("V_q", m.potential_gradient, [](const System& s, const Place& at) -> MatrixXd {
    return potential_gradient(s, vector_of(at.q), at.times[0]);
  });
  add("V_qq", jacobian(g, m.potential_gradient, Leaf::position, d), [](const System& s, const Place& at) {
    return slope([&]<class R>(const Vector<R>& q) { return potential_gradient(s, q, R(at.times[0])); }, at.q);
  });
  add("L_t", derivative(g, std::span(&m.lagrangian, 1), Leaf::time, 0),
      [one](const System& s, const Place& at) {
        return one(lagrangian_rate(s, vector_of(at.q), vector_of(at.v), at.times[0]));
      });
  add("Dbar_T", discrete_gradient_in_time(g, m.kinetic, d), [](const System& s, const Place& at) -> MatrixXd {
    return s.discrete_kinetic_gradient(with_time(at.q, at.times[0]), with_time(at.q1, at.times[1]),
                                       vector_of(at.v));
  });
  add("Dbar_V", discrete_gradient_in_time(g, m.potential, d),
      [](const System& s, const Place& at) -> MatrixXd {
        return s.discrete_potential_gradient(with_time(at.q, at.times[0]), with_time(at.q1, at.times[1]));
      });
  if (m.dissipation != expressions::none) {
    const Nodes force = gradient(g, m.dissipation, Leaf::velocity, d);
    add("R", {m.dissipation}, [one](const System& s, const Place& at) {
      return one(s.rayleigh(vector_of(at.q), vector_of(at.v), at.times[0]));
    });
    add("R_v", force, [](const System& s, const Place& at) -> MatrixXd {
      return viscous_force(s, vector_of(at.q), vector_of(at.v), at.times[0]);
    });
    add("R_vv", jacobian(g, force, Leaf::velocity, d), [](const System& s, const Place& at) {
      return slope(
          [&]<class R>(const Vector<R>& v) {
            return viscous_force(s, constant<R>(vector_of(at.q)), v, R(at.times[0]));
          },
          at.v);
    });
  }
  if (m.facts.forced) {
    add("F", m.force, [](const System& s, const Place& at) -> MatrixXd {
      return applied_force(s, vector_of(at.q), vector_of(at.v), at.times[0]);
    });
    for (const auto& [name, leaf] : {std::pair{"F_q", Leaf::position}, {"F_v", Leaf::velocity}})
      add(name, jacobian(g, m.force, leaf, d),
          [leaf = leaf, d](const System& s, const Place& at) -> MatrixXd {
            if (!s.force) return MatrixXd::Zero(d, d);
            const bool by_q = leaf == Leaf::position;
            return slope(
                [&]<class R>(const Vector<R>& x) {
                  return by_q ? s.force(x, constant<R>(vector_of(at.v)), R(at.times[0]))
                              : s.force(constant<R>(vector_of(at.q)), x, R(at.times[0]));
                },
                by_q ? at.q : at.v);
          });
  }
  if (positions > 0) {
    add("g", nodes_of(m.constraints), [](const System& s, const Place& at) -> MatrixXd {
      return s.constraint(vector_of(at.q), at.times[0]);
    });
    add("G", m.constraint_jacobian, [](const System& s, const Place& at) {
      return constraint_jacobian(s, vector_of(at.q), at.times[0]);
    });
    add("g_t", m.constraint_rate, [](const System& s, const Place& at) -> MatrixXd {
      return support_rate(s, vector_of(at.q), at.times[0]);
    });
    Nodes sum(static_cast<std::size_t>(d + 1), g.constant(0.0)),
        force(static_cast<std::size_t>(d), g.constant(0.0));
    for (int k = 0; k < positions; ++k) {
      const auto row = discrete_gradient_in_time(g, m.constraints[static_cast<std::size_t>(k)].node, d);
      const NodeId lambda = g.leaf(Leaf::argument, k);
      for (std::size_t i = 0; i < row.size(); ++i) sum[i] = g.add(sum[i], g.multiply(lambda, row[i]));
      for (std::size_t i = 0; i < force.size(); ++i)
        force[i] =
            g.add(force[i], g.multiply(lambda, m.constraint_jacobian[static_cast<std::size_t>(k * d) + i]));
    }
    // The multipliers stand in the place of momenta.
    const auto with_multipliers = [&](const Nodes& nodes) {
      return substitute(g, nodes, Leaf::argument, [&](int k) { return g.leaf(Leaf::momentum, k); });
    };
    add("Dbar_g", with_multipliers(sum), [](const System& s, const Place& at) -> MatrixXd {
      return s.discrete_constraint_force(with_time(at.q, at.times[0]), with_time(at.q1, at.times[1]),
                                         vector_of(at.lambda));
    });
    add("g_qq", jacobian(g, with_multipliers(force), Leaf::position, d),
        [](const System& s, const Place& at) {
          return slope(
              [&]<class R>(const Vector<R>& q) {
                return constraint_force(s, q, constant<R>(vector_of(at.lambda)), R(at.times[0]));
              },
              at.q);
        });
  }
  if (m.facts.velocity_rows > 0) {
    add("rates", nodes_of(m.rates), [](const System& s, const Place& at) -> MatrixXd {
      return nonholonomic_rate(s, vector_of(at.q), vector_of(at.v), at.times[0]);
    });
    add("A", m.rate_matrix, [](const System& s, const Place& at) {
      return nonholonomic_jacobian(s, vector_of(at.q), at.times[0]);
    });
    add("b", m.rate_offset, [](const System& s, const Place& at) -> MatrixXd {
      return nonholonomic_drift(s, vector_of(at.q), at.times[0]);
    });
  }
  if (m.facts.momentum_maps > 0)
    add("J", nodes_of(m.momentum), [](const System& s, const Place& at) -> MatrixXd {
      return s.momentum(vector_of(at.q), vector_of(at.p));
    });
  return all;
}

class Judged {
 public:
  explicit Judged(const std::string& file)
      : text_(host::read_text_file(file)),
        parameters_(taylor::default_parameters(text_)),
        mechanics_(text_.mechanics()),
        d_(mechanics_.facts.coordinates),
        m_(mechanics_.facts.constraints) {
    const auto read = host::read_by_reference(text_);
    if (!read) refuse({file}, "the reference does not understand the text");
    model_ = {text_.name(), {}, read};
    system_ = make_system(model_);
    quantities_ = quantities(mechanics_);
    std::printf("read %d %d %d %d %d\n", d_, m_, mechanics_.facts.velocity_rows,
                mechanics_.facts.constant_mass, system_.mass_coordinates == 0 && !system_.mass_moves);
    print("q0", text_.initial_position(parameters_));
    print(" |", MatrixXd(system_.initial.q));
    print("\nv0", text_.initial_velocity(parameters_));
    print(" |", MatrixXd(system_.initial.v));
    std::printf("\n");
  }

  void at(std::istream& numbers) {
    const auto some = [&](int count) {
      Numbers values(static_cast<std::size_t>(count));
      for (double& x : values) numbers >> x;
      return values;
    };
    const Numbers q = some(d_), q1 = some(d_), v = some(d_), p = some(d_),
                  lambda = some(m_ - mechanics_.facts.velocity_rows);
    const Place place{q, q1, v, p, lambda, some(2)};
    Numbers multipliers = lambda;
    multipliers.resize(static_cast<std::size_t>(std::max(d_, m_)));
    for (const Quantity& quantity : quantities_) {
      expressions::Values values;
      const std::string name = quantity.name;
      values.position = place.q;
      values.end = place.q1;
      values.velocity = place.v;
      values.momentum = name == "J" ? place.p : multipliers;
      values.parameters = parameters_;
      values.time = place.times[0];
      values.end_time = place.times[1];
      print(quantity.name, evaluate(mechanics_.graph, quantity.nodes, values));
      print(" |", quantity.judged(system_, place));
      std::printf("\n");
    }
  }

  /// The series' own first coefficients.
  void motion() const {
    taylor::Motion motion(text_);
    motion.to(0.0);
    taylor::Group group(motion.equations(), *taylor::recurrences("plain"), 1e-15);
    for (std::size_t k = 0; k < parameters_.size(); ++k)
      group.set_parameter(0, static_cast<int>(k), parameters_[k]);
    group.begin();
    const Numbers q = text_.initial_position(parameters_), v = text_.initial_velocity(parameters_);
    group.set_state(0, q.data(), v.data());
    const taylor::LaneMask first{true};
    group.arrive(first);
    const std::array<double, taylor::lanes> step = {1.0};
    if (group.obstacle(0) == taylor::Obstacle::none) group.expand(first, step.data());
    if (group.obstacle(0) != taylor::Obstacle::none) {
      std::printf("obstacle %d\n", static_cast<int>(group.obstacle(0)));
      return;
    }
    Numbers series;
    group.for_each_entry([&](int, const double* entry) { series.push_back(entry[0]); });
    const taylor::StateRows& rows = motion.equations().state;
    const std::size_t length =
        (series.size() - taylor::series_header) / static_cast<std::size_t>(rows.count());
    const auto coefficient = [&](int row, std::size_t k) {
      return series[taylor::series_header + static_cast<std::size_t>(row) * length + k];
    };
    Numbers position, velocity, acceleration, multiplier;
    for (int i = 0; i < d_; ++i) {
      position.push_back(coefficient(rows.position() + i, 0));
      velocity.push_back(coefficient(rows.velocity() + i, 0));
      acceleration.push_back(coefficient(rows.velocity() + i, 1));
    }
    for (int k = 0; k < m_; ++k) multiplier.push_back(coefficient(rows.multiplier() + k, 0));
    const reference::Motion judged = equations_of_motion(system_, {vector_of(position), vector_of(velocity)});
    print("q", position);
    print("\nv", velocity);
    print("\nacceleration", acceleration);
    print(" |", MatrixXd(judged.acceleration));
    print("\nmultipliers", multiplier);
    print(" |", MatrixXd(judged.lambda));
    std::printf("\n");
  }

  /// By SUNDIALS alone: a text with a table has no series.
  void judge(double end) const {
    true_motion::Integrator judge = judge_of(consistent_start(), end);
    const double first = judge.node().energy;
    const reference::Node& node = judge.advance();
    print("q", MatrixXd(node.q));
    print("\nv", MatrixXd(node.v));
    print("\nenergies", Numbers{first, node.energy, node.dissipated, node.work});
    std::printf("\n");
  }

  void true_motion(double end) const {
    const reference::State start = consistent_start();
    taylor::Motion motion(text_);
    for (int lane = 0; lane < taylor::lanes; ++lane)
      motion.set(lane, parameters_, {start.q.begin(), start.q.end()}, {start.v.begin(), start.v.end()});
    const auto obstacle = [&] {
      const taylor::Obstacle found = motion.group().obstacle(0);
      if (found != taylor::Obstacle::none) std::printf("obstacle %d\n", static_cast<int>(found));
      return found != taylor::Obstacle::none;
    };
    motion.to(0.0);
    if (obstacle()) return;
    const double first = motion.energy();
    true_motion::Integrator judge = judge_of(start, end);
    const double first_judged = judge.node().energy;
    motion.to(end);
    if (obstacle()) return;
    const reference::Node& node = judge.advance();
    print("q", motion.q());
    print(" |", MatrixXd(node.q));
    print("\nv", motion.v());
    print(" |", MatrixXd(node.v));
    print("\nenergies",
          Numbers{first, motion.energy(), motion.group().dissipated(0), motion.group().work(0)});
    print(" |", Numbers{first_judged, node.energy, node.dissipated, node.work});
    std::printf("\nsteps %d\n", motion.steps());
  }

  void steps(const std::string& scheme, double h, int count) const {
    const reference::State start = consistent_start();
    reference::Integrator integrator(model_, {.scheme = scheme, .step = h}, start);
    const double first = integrator.node().energy;
    double condition = 1.0, violation = 0.0, rates = 0.0, terms = 0.0, moment = 0.0;
    for (int n = 0; n < count; ++n) {
      const reference::Node& node = integrator.advance();
      condition = std::max(condition, integrator.condition());
      violation = std::max(violation, node.constraint);
      rates = std::max(rates, node.velocity_constraint);
      moment = std::max(moment, node.q.cwiseAbs().dot(node.p.cwiseAbs()));
      terms = std::max(terms, std::abs(node.kinetic_energy) + std::abs(node.potential_energy) +
                                  std::abs(node.work) + std::abs(node.dissipated));
    }
    const reference::Node& node = integrator.node();
    print("q", MatrixXd(node.q));
    print("\nv", MatrixXd(node.v));
    print("\nenergies", Numbers{first, node.energy, node.dissipated, node.work});
    std::printf("\ncondition %.17g\nviolation %.17g\nrates %.17g\nterms %.17g\nmoment %.17g\n", condition,
                violation, rates, terms, moment);
  }

 private:
  reference::State consistent_start() const {
    return project(model_, {vector_of(text_.initial_position(parameters_)),
                            vector_of(text_.initial_velocity(parameters_))});
  }

  true_motion::Integrator judge_of(const reference::State& start, double end) const {
    constexpr double tolerance = 1e-12;
    const char* const scheme = m_ > 0 ? "reference_dae" : "reference_ode";
    // A motion that takes more than that is one of a force that is far from smooth.
    const auto has_had_enough = [asked = 0]() mutable { return ++asked > 5000; };
    return {model_, {scheme, end, tolerance, 1e-2 * tolerance, has_had_enough}, start};
  }

  TextSystem text_;
  Numbers parameters_;
  expressions::Mechanics mechanics_;
  int d_, m_;
  reference::Model model_;
  reference::System system_;
  std::vector<Quantity> quantities_;
};

}  // namespace

int main() {
  std::optional<Judged> judged;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string order, file;
    words >> order;
    try {
      if (order == "text") {
        judged.reset();
        words >> file;
        judged.emplace(file);
      } else if (judged && order == "at") {
        judged->at(words);
      } else if (judged && order == "motion") {
        judged->motion();
      } else if (judged && (order == "true" || order == "judge")) {
        double end = 0.0;
        words >> end;
        if (order == "true")
          judged->true_motion(end);
        else
          judged->judge(end);
      } else if (judged && order == "steps") {
        std::string scheme;
        double h = 0.0;
        int count = 0;
        words >> scheme >> h >> count;
        judged->steps(scheme, h, count);
      }
    } catch (const RequestError& refusal) {
      std::printf("refused: %s\n", refusal.what());
    } catch (const true_motion::Stopped&) {
      std::printf("failed: diverged\n");
    } catch (const std::runtime_error& failure) {
      std::printf("failed: %s\n", failure.what());
    } catch (const std::invalid_argument& refusal) {
      std::printf("refused: %s\n", refusal.what());
    }
    std::printf("end\n");
    std::fflush(stdout);
  }
}
