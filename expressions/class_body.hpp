#pragma once
// The body of a generated class: its functions as they are written, one after another, from nodes.

#include <string>
#include <vector>

#include "expressions/code.hpp"

namespace livens::expressions {

std::string text(int i);
/// "a, b, c".
std::string joined(const std::vector<std::string>& parts);
/// The lines of a C++ text with those that are too long broken after a comma.
std::string wrapped(const std::string& lines);

/// A member function; of `arguments`, "const Position& q, ...", what the body does not mention has no name. An argument
/// "const Vec<Q, 3>& q" makes it a template over the type of its numbers.
std::string member_function(const std::string& head, const std::string& arguments, const std::string& body);

/// What a matrix has beside the entries that may not be zero: zeros, or, where all readers look at the pattern, nothing
/// that may be read.
enum class Others { zero, unspecified };

class ClassBody {
 protected:
  /// d: coordinates.
  ClassBody(Graph& graph, int d) : g_(graph), d_(d) {}

  bool is_zero(NodeId id) const { return g_.is_zero(id); }
  std::vector<bool> nonzero(const std::vector<NodeId>& nodes) const;
  /// D_x of `nodes`, row by row, x the coordinates of one kind.
  std::vector<NodeId> jacobian(const std::vector<NodeId>& nodes, Leaf kind);
  /// An expression of parameters alone.
  std::string one(NodeId id) { return code_of(g_, std::span(&id, 1), names_, &members_).values.front(); }

  /// The names of leaves with the types that these arguments give to their numbers.
  LeafNames names_among(const std::string& arguments) const;
  /// "const Vec<Q, 3>& q".
  std::string moved(char number, const char* name) const {
    return std::string("const Vec<") + number + ", " + text(d_) + ">& " + name;
  }
  /// One more member function.
  void function(const std::string& head, const std::string& arguments, const std::string& body);
  /// Functions that return a scalar, a vector, a matrix with a row for every d roots.
  void scalar(const char* name, const std::string& arguments, NodeId root);
  void vector(const std::string& name, const std::string& arguments, const std::vector<NodeId>& roots) {
    of_values(name, arguments, "Vec", text(static_cast<int>(roots.size())), roots);
  }
  void matrix(const char* name, const std::string& arguments, const std::vector<NodeId>& roots,
              Others others = Others::zero);
  /// One that returns a PatternedMat with a row for every `columns` roots.
  void patterned_matrix(const std::string& name, const std::string& arguments,
                        const std::vector<NodeId>& roots, int columns);
  /// "stiff(int i, int j)": entry j of row `row`, an expression of the other indices, is not zero.
  void pattern(const std::string& head, const std::string& row, const std::vector<bool>& nonzero) {
    pattern(head, row, nonzero, d_);
  }
  void pattern(const std::string& head, const std::string& row, const std::vector<bool>& nonzero,
               int columns);
  /// name(i) for i = 0..d-1.
  void listed(const char* name, const std::vector<bool>& holds);
  /// Entries of parameters alone, asked for by indices of which the last is j: a mask for every value there
  /// is.
  void by_value(const std::string& name, const std::string& indices, const std::string& row,
                const std::vector<NodeId>& nodes);

  /// One that returns Type<Number, sizes>{{roots}}.
  void of_values(const std::string& name, const std::string& arguments, const char* type,
                 const std::string& sizes, const std::vector<NodeId>& roots);

  Graph& g_;
  int d_;
  LeafNames names_;
  Members members_;
  std::string set_members_;  ///< by the constructor, behind k0, k1, ...
  std::string body_;
};

}  // namespace livens::expressions
