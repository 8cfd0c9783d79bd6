#include "reparametrisation.hpp"

#include <stdexcept>

namespace livens::reference {

Reparametrisation::Reparametrisation(const Assembly& assembly) {
  const int bodies = static_cast<int>(assembly.bodies.size());
  std::vector<Placed> of_body;
  for (int body = 0; body < bodies; ++body) {
    Placed placed{body, {}, unknowns_, {}};
    for (const Joint& joint : assembly.joints) {
      if (joint.of.body != body) continue;
      if (placed.joint) throw std::invalid_argument("null space: two joints carry one body");
      placed.joint = joint;
    }
    if (placed.joint && placed.joint->axis) {
      placed.turns = {{unknowns_, director(placed.joint->on.body, *placed.joint->axis)}};
      unknowns_ += 1;  // (c)
    } else {
      placed.turns = {{placed.joint ? unknowns_ : unknowns_ + 3, {}}};
      unknowns_ += placed.joint ? 3 : 6;  // (b), (a)
    }
    of_body.push_back(placed);
  }
  // In rounds: a body follows once what carries it stands.
  std::vector<int> place(bodies, -1);
  while (static_cast<int>(placed_.size()) < bodies) {
    const std::size_t before = placed_.size();
    for (Placed& placed : of_body) {
      const int on = placed.joint ? placed.joint->on.body : ground;
      if (place[placed.body] >= 0 || (on != ground && place[on] < 0)) continue;
      if (on != ground && placed.joint->axis) {
        const std::vector<Turn>& carried = placed_[place[on]].turns;
        placed.turns.insert(placed.turns.end(), carried.begin(), carried.end());
      }
      place[placed.body] = static_cast<int>(placed_.size());
      placed_.push_back(placed);
    }
    if (placed_.size() == before) throw std::invalid_argument("null space: joints carry each other");
  }
}

MatrixXd Reparametrisation::null_space(const VectorXd& u) const {
  return jacobian([&](const auto& w) { return increment(u, w); }, VectorXd::Zero(unknowns()));
}

}  // namespace livens::reference
