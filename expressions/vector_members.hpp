#pragma once
// What a generated class has as a system in vector form (kernels/systems/shared/vector_form.hpp): vector_form(),
// to_vectors(), from_vectors(), coordinate_metric() and, where a point is tied to a frame, tied_point().

#include "expressions/class_body.hpp"
#include "expressions/mechanics.hpp"

namespace livens::expressions {

class VectorMembers : public ClassBody {
 protected:
  using ClassBody::ClassBody;
  void vectors(const Mechanics& mechanics);

 private:
  /// "Inertia(Vec<...>{{...}})" of a matrix of parameters alone, on blocks of a dimension.
  std::string inertia_of_vectors(const VectorParts& parts, const std::vector<NodeId>& matrix);
  std::string inertia_type(const VectorParts& parts) const;
  void form(const VectorParts& parts, bool damped);
  void to_vectors(const VectorParts& parts);
  void from_vectors(const VectorParts& parts);
};

}  // namespace livens::expressions
