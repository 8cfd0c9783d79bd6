#pragma once
// What a generated class has as a system in vector form (kernels/systems/shared/vector_form.hpp): vector_form(),
// to_vectors(), from_vectors(), coordinate_metric() and, where a point is tied to a frame, tied_point().

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "expressions/class_body.hpp"
#include "expressions/mechanics.hpp"

namespace livens::expressions {

class VectorMembers : public ClassBody {
 protected:
  using ClassBody::ClassBody;
  void vectors(const Mechanics& mechanics);

 private:
  /// "Inertia(Vec<...>{{...}})" of a matrix of parameters alone, on blocks of a dimension.
  static std::string inertia_of_vectors(const VectorParts& parts, std::span<const std::string> matrix,
                                        bool coupled);
  /// There are as many vectors as blocks of q.
  bool is_square(const VectorParts& parts) const { return parts.count() * parts.dimension == d_; }
  void form(const VectorParts& parts, bool damped);
  /// The class of f(sigma), equal ones once, and its constants.
  std::pair<std::string, std::vector<NodeId>> law(NodeId f);
  /// coordinate_slip().
  void slip(const VectorParts& parts);
  /// The sum over blocks of factor(block) times a component of theirs.
  NodeId sum_of(Leaf kind, int dimension, int component, const std::function<NodeId(int)>& factor);
  void to_vectors(const VectorParts& parts);
  void from_vectors(const VectorParts& parts);

  std::vector<std::string> laws_;
};

}  // namespace livens::expressions
