#pragma once
// What the expressions of a text say as mechanics: M, V, C, g and their derivatives as nodes of one graph,
// and the facts that follow from their form. Everything here is known without compiling and without numbers,
// but for two things: whether M has an inverse, and whether momentum maps are conserved, are tried on some.

#include <string>
#include <vector>

#include "expressions/description.hpp"
#include "expressions/graph.hpp"
#include "expressions/parser.hpp"
#include "expressions/vector_parts.hpp"

namespace livens::expressions {

/// A scalar row of what is a list in the text, and the expression that it is an entry of.
struct Row {
  NodeId node;
  const Expression* text;  ///< in the description
  int entry = -1;          ///< of a vector
};
using Rows = std::vector<Row>;
std::vector<NodeId> nodes_of(const Rows& rows);

struct Mechanics {
  Graph graph;
  TextFacts facts;
  /// By entry of all parameters: it makes C, or alpha.
  std::vector<bool> damps;

  NodeId kinetic = none, potential = none;        ///< of position, velocity, time and parameter leaves
  NodeId lagrangian = none;                       ///< T - V
  std::vector<NodeId> shift;                      ///< a of T = 1/2 v.M v + a.v + c, d
  NodeId offset = none;                           ///< c
  std::vector<NodeId> mass;                       ///< d x d, symmetric to the node
  std::vector<NodeId> potential_terms;            ///< V_k without their signs: V is their sum
  std::vector<NodeId> potential_gradient;         ///< d
  NodeId dissipation = none;                      ///< Rayleigh's function, where there is one
  std::vector<NodeId> damping;                    ///< d x d, or empty
  std::vector<std::pair<int, NodeId>> following;  ///< entries of parameters, and what they follow from
  Rows constraints;                               ///< m
  Rows dropped;                                   ///< rows of g that depend on those, and are none
  std::vector<NodeId> constraint_jacobian;        ///< G, rows of g x d
  std::vector<NodeId> constraint_rate;            ///< g_t
  std::vector<NodeId> curvature;                  ///< m x d x d
  Rows rates;                                     ///< A v + b, m
  std::vector<NodeId> rate_matrix, rate_offset;   ///< A, m x d; b, m
  NodeId dissipation_rate = none;                 ///< alpha, where there are such rows
  Rows momentum;                                  ///< s, of position, momentum and parameter leaves
  std::vector<NodeId> force;                      ///< d, or empty
  std::vector<NodeId> gaps, restitutions;         ///< of every impact
  std::vector<NodeId> initial_position, initial_velocity;  ///< d each, of parameters
  VectorParts vectors;                                     ///< where the mechanism is nothing else

  NodeId mass_entry(int i, int j) const { return mass[static_cast<std::size_t>(i * facts.coordinates + j)]; }
};

/// Throws RequestError where the text says nothing that a scheme could run.
Mechanics mechanics_of(const Description& description);

/// 1/2 [T(q, v, t) + T(q, w, t)] - V(q, t), with w the leaves of Leaf::end_velocity.
NodeId mean_lagrangian(Mechanics& mechanics);

/// What the description calls its coordinates and parameters.
std::vector<Scope::Name> names_of(const Description& description);

/// A complaint for every momentum map that is not conserved by the free motion, tried at random states.
std::vector<std::string> unconserved(const Description& description, Mechanics& mechanics);

}  // namespace livens::expressions
