#include "expressions/dependent_rows.hpp"

#include <algorithm>
#include <cmath>

#include "expressions/random_state.hpp"

namespace livens::expressions {
namespace {

using Numbers = std::vector<double>;

double product(const Numbers& a, const Numbers& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
void add_to(Numbers& a, double factor, const Numbers& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += factor * b[i];
}
double norm(const Numbers& a) { return std::sqrt(product(a, a)); }

/// What a row loses of its length when those before it are taken out of it, below which nothing is left: far
/// above the rounding of a gradient and of a state on the constraints (1e-13), far below what different
/// units of the coordinates make of independent rows (columns are scaled first).
constexpr double nothing_left = 1e-9;

/// Rows of a matrix made orthonormal one after the other (Gram and Schmidt, twice for each).
class Basis {
 public:
  struct Member {
    int row;
    Numbers direction;
    Numbers parts;  ///< of the scaled row along the members so far, itself the last
  };

  /// `columns`: how large the entries of each are elsewhere, of rows of the length 1.
  Basis(std::vector<Numbers> rows, const Numbers& columns, double nothing = nothing_left) {
    scale(rows, columns);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      Numbers rest = rows[r], parts(members.size());
      for (int pass = 0; pass < 2; ++pass)
        for (std::size_t k = 0; k < members.size(); ++k) {
          const double part = product(members[k].direction, rest);
          parts[k] += part;
          add_to(rest, -part, members[k].direction);
        }
      const double left = norm(rest);
      if (!(left > nothing)) {
        if (!dependent) dependent = DependentRow{static_cast<int>(r), combined(parts)};
        continue;
      }
      for (double& entry : rest) entry /= left;
      parts.push_back(left);
      members.push_back({static_cast<int>(r), std::move(rest), std::move(parts)});
    }
  }

  std::optional<DependentRow> dependent;
  std::vector<Member> members;
  Numbers row_scale, column_scale;

 private:
  /// Columns to the same size, then rows to the length 1; a zero stays one.
  void scale(std::vector<Numbers>& rows, const Numbers& columns) {
    column_scale.assign(rows.empty() ? 0 : rows.front().size(), 1.0);
    for (Numbers& row : rows) {
      const double length = norm(row);
      row_scale.push_back(length > 0.0 ? 1.0 / length : 1.0);
      for (double& entry : row) entry *= row_scale.back();
    }
    for (std::size_t c = 0; c < column_scale.size(); ++c) {
      double size = columns[c];
      for (const Numbers& row : rows) size = std::max(size, std::abs(row[c]));
      if (size > 0.0) column_scale[c] = 1.0 / size;
      for (Numbers& row : rows) row[c] *= column_scale[c];
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const double length = norm(rows[r]);
      if (!(length > 0.0)) continue;
      row_scale[r] /= length;
      for (double& entry : rows[r]) entry /= length;
    }
  }
  /// The rows of which a row with these parts is a combination: back substitution.
  std::vector<int> combined(Numbers parts) const {
    std::vector<int> rows;
    for (std::size_t k = members.size(); k-- > 0;) {
      const double factor = parts[k] / members[k].parts[k];
      if (std::abs(factor) > 1e-6) rows.push_back(members[k].row);
      for (std::size_t j = 0; j < k; ++j) parts[j] -= factor * members[k].parts[j];
    }
    std::ranges::reverse(rows);
    return rows;
  }
};

class Search {
 public:
  Search(const Description& description, const Mechanics& mechanics)
      : description_(description),
        m_(mechanics),
        d_(static_cast<std::size_t>(mechanics.facts.coordinates)),
        parameters_(default_parameters(description)),
        columns_(d_) {}

  std::optional<DependentRow> run() {
    Values at;
    at.parameters = parameters_;
    const Numbers start = evaluate(m_.graph, m_.initial_position, at);
    for (const Numbers& q : near(start)) note_columns(q);
    if (is_finite(start) && is_finite(jacobian(start)) && !at_or_below(start)) return std::nullopt;
    std::optional<DependentRow> dependent;
    for (const Numbers& q : near(start)) {
      const std::optional<DependentRow> here = at_or_below(q);
      if (!here && !is_finite(jacobian(q))) continue;  // outside the domain of a function
      if (!here) return std::nullopt;
      if (!dependent) dependent = here;
    }
    return dependent;
  }

 private:
  /// States around one, off the constraints.
  std::vector<Numbers> near(const Numbers& start) const {
    RandomState random(description_);
    double size = 0.0;
    for (const double q : start) size = std::max(size, std::isfinite(q) ? std::abs(q) : 0.0);
    std::vector<Numbers> states;
    for (const double distance : {0.1, 0.3, 1.0, 0.1, 0.3, 1.0}) {
      Numbers& q = states.emplace_back(random.vector(static_cast<int>(d_)));
      for (std::size_t i = 0; i < d_; ++i)
        q[i] = (std::isfinite(start[i]) ? start[i] : 0.0) + distance * (size > 0.0 ? size : 1.0) * q[i];
    }
    return states;
  }
  /// Where gradients come in line their other entries vanish, and their size there says nothing of units.
  void note_columns(const Numbers& q) {
    if (!is_finite(jacobian(q))) return;
    for (const Numbers& row : rows(q)) {
      const double length = norm(row);
      for (std::size_t c = 0; length > 0.0 && c < d_; ++c)
        columns_[c] = std::max(columns_[c], std::abs(row[c]) / length);
    }
  }
  static bool is_finite(const Numbers& row) {
    return std::ranges::all_of(row, [](double x) { return std::isfinite(x); });
  }
  Numbers values(const std::vector<NodeId>& nodes, const Numbers& q) const {
    const Numbers still(d_);
    Values at;
    at.position = q;
    at.velocity = still;
    at.parameters = parameters_;
    return evaluate(m_.graph, nodes, at);
  }
  Numbers jacobian(const Numbers& q) const {
    Numbers all = values(m_.constraint_jacobian, q);
    const Numbers of_rates = values(m_.rate_matrix, q);
    all.insert(all.end(), of_rates.begin(), of_rates.end());
    return all;
  }
  std::vector<Numbers> rows(const Numbers& q) const {
    const Numbers all = jacobian(q);
    std::vector<Numbers> result;
    for (auto entry = all.begin(); entry != all.end(); entry += static_cast<std::ptrdiff_t>(d_))
      result.emplace_back(entry, entry + static_cast<std::ptrdiff_t>(d_));
    return result;
  }
  std::optional<DependentRow> at_state(const Numbers& q, double nothing) const {
    return is_finite(jacobian(q)) ? Basis(rows(q), columns_, nothing).dependent : std::nullopt;
  }
  /// At this state, or where it comes onto g(q) = 0.
  std::optional<DependentRow> at_or_below(Numbers q) const {
    std::optional<DependentRow> found = at_state(q, nothing_left);
    if (found || m_.facts.velocity_rows > 0) return found;
    // Surfaces that touch have their gradients in line at the common point alone, of which Newton's method
    // knows no more than the root of a rounding: off by as much, in units of how they bend, is what rows
    // there are.
    if (const std::optional<double> off = project(q))
      found = at_state(q, std::max(nothing_left, 100.0 * *off));
    return found;
  }

  /// Newton's method to g(q) = 0 with the shortest updates, from rows that may depend on each other. How far
  /// off it is at the end, relative to q; nothing where it has not come there.
  std::optional<double> project(Numbers& q) const {
    const std::vector<NodeId> constraints = nodes_of(m_.constraints);
    double before = 0.0;
    for (int iteration = 0; iteration < 300; ++iteration) {
      const Numbers g = values(constraints, q);
      if (!is_finite(g) || !is_finite(jacobian(q))) return std::nullopt;
      const Basis basis(rows(q), columns_);
      Numbers update(d_), y;
      for (const Basis::Member& member : basis.members) {
        const auto r = static_cast<std::size_t>(member.row);
        double right = -g[r] * basis.row_scale[r];
        for (std::size_t k = 0; k < y.size(); ++k) right -= member.parts[k] * y[k];
        y.push_back(right / member.parts.back());
        add_to(update, y.back(), member.direction);
      }
      double change = 0.0, size = 0.0;
      for (std::size_t i = 0; i < d_; ++i) {
        q[i] += update[i] * basis.column_scale[i];
        change = std::max(change, std::abs(update[i] * basis.column_scale[i]));
        size = std::max(size, std::abs(q[i]));
      }
      // From independent rows it takes a few iterations, from surfaces that touch it halves the distance in
      // each.
      if (iteration > 0 && change <= 1e-13 * size) return iteration < 15 ? 0.0 : before;
      before = change / size;
    }
    return before < 1e-5 ? std::optional(before) : std::nullopt;
  }

  const Description& description_;
  const Mechanics& m_;
  std::size_t d_;
  Numbers parameters_, columns_;
};

}  // namespace

std::optional<DependentRow> dependent_row(const Description& description, const Mechanics& mechanics) {
  if (mechanics.facts.constraints == 0) return std::nullopt;
  return Search(description, mechanics).run();
}

}  // namespace livens::expressions
