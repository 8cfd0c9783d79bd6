#pragma once
// A scheme is one function: from what a step starts with to what the next one starts with.

#include "newton.hpp"
#include "system.hpp"

namespace livens::reference {

/// The values that a step hands on to the next.
struct Point {
  long step = 0;      // index n of the node
  double time = 0.0;  // n h, or that of a stage
  bool first = true;  // p is the momentum of a node, whatever the scheme keeps of a step before
  VectorXd q;
  VectorXd p;              // enters the next step: p^n, or what a two-step scheme keeps of the step before
  VectorXd v;              // M^-1 p, the scheme's own, or the mean of the step before; Newton's start
  VectorXd lambda, gamma;  // of the step that ended here, unscaled; NaN where there is none
  double z = 0.0;
  double dissipated = 0.0, work = 0.0;       // since node 0
  int newton_iterations = 0;                 // of the step that ended here
  MatrixXd newton_matrix;                    // its last one, scaled
  VectorXd last_lambda;                      // of a composed step, its last stage
  std::vector<bool> touched;                 // the walls that are rows of g
  std::vector<std::vector<double>> impacts;  // their times, of every wall
};

struct Momentum {
  VectorXd p, v;
};

struct Assembly;
class AssembledSolver;

struct Scheme {
  std::string name;
  /// True where the system offers what the scheme needs.
  bool (*runs)(const System&);
  /// From node n to n+1; throws NewtonFailure.
  Point (*step)(const System&, const Options&, const Point&);
  /// p^n and v^n from point n and, if the scheme looks ahead, n+1. Null: the point's own p and v.
  Momentum (*legendre)(const System&, double h, const Point& here, const Point& ahead) = nullptr;
  /// The kinetic part of the energy at a node. Null: 1/2 p.M^-1 p.
  double (*kinetic_energy)(const System&, const VectorXd& q, const VectorXd& p, const VectorXd& v,
                           double t) = nullptr;
  bool looks_ahead = false;
  bool meets_walls = false;
  bool has_action = false;  // whether z is integrated
  /// The step of an assembly of parts, from the most iterations of Newton's method. Null: it runs none.
  std::unique_ptr<AssembledSolver> (*assembled)(const Assembly&, int max_iterations) = nullptr;
  /// Options it knows, with the words that each may be; none: it is a number.
  std::map<std::string, std::vector<std::string>> options = {};
};

/// A multiplier to start Newton's method from: that of the step before, zero at the first step.
inline VectorXd guess(const VectorXd& multiplier) {
  return multiplier.allFinite() ? multiplier : VectorXd::Zero(multiplier.size());
}

/// (F(q,v,t0) + F(q,v,t1))/2, d entries. The work of a step is that, at q_m and Dq/h, times Dq.
template <class S>
Vector<S> mean_force(const System& system, const Vector<S>& q, const Vector<S>& v, double t0, double t1) {
  return 0.5 * (applied_force(system, q, v, t0) + applied_force(system, q, v, t1));
}

}  // namespace livens::reference
