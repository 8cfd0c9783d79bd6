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

/// At time 0.
Numbers values_at_rest(const Mechanics& mechanics, const std::vector<NodeId>& nodes, const Numbers& q,
                       const Numbers& parameters) {
  const Numbers still(q.size());
  Values at;
  at.position = q;
  at.velocity = still;
  at.parameters = parameters;
  return evaluate(mechanics.graph, nodes, at);
}

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
    return values_at_rest(m_, nodes, q, parameters_);
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

/// The rows of g in the metric of M^-1, and which of them depend on those before them.
class Redundancy {
 public:
  Redundancy(const Description& description, const Mechanics& mechanics)
      : description_(description),
        m_(mechanics),
        d_(static_cast<std::size_t>(mechanics.facts.coordinates)),
        parameters_(default_parameters(description)) {
    Values at;
    at.parameters = parameters_;
    start_ = evaluate(m_.graph, m_.initial_position, at);
    factorise_mass();
  }

  std::vector<bool> run() {
    expect_to_hold(project(start_));
    std::vector<bool> dependent = dependent_at(start_);
    if (std::ranges::count(dependent, true) == 0) return dependent;
    // In other positions, along directions that no row forbids and back onto g = 0.
    RandomState random(description_);
    double size = 0.0;
    for (const double q : start_) size = std::max(size, std::abs(q));
    for (const double distance : {0.01, 0.02, 0.05}) {
      Numbers q = start_, direction = free_direction(random.vector(static_cast<int>(d_)));
      add_to(q, distance * size, direction);
      if (!project(q).holds()) continue;
      const std::vector<bool> here = dependent_at(q);
      for (std::size_t k = 0; k < here.size(); ++k) dependent[k] = dependent[k] && here[k];
    }
    return dependent;
  }

 private:
  /// Of its length, what is left of a row that depends on others; and of one that serves to come onto g = 0.
  static constexpr double left_of_dependent = 1e-8, left_of_useful = 1e-4;

  void factorise_mass() {
    const bool is_metric = m_.facts.constant_mass && !m_.facts.singular_mass;
    lower_.assign(d_ * d_, 0.0);
    for (std::size_t i = 0; i < d_; ++i) lower_[i * d_ + i] = 1.0;
    if (!is_metric) return;
    const Numbers M = values(m_.mass, start_);
    for (std::size_t j = 0; j < d_; ++j)
      for (std::size_t i = j; i < d_; ++i) {
        double sum = M[i * d_ + j];
        for (std::size_t k = 0; k < j; ++k) sum -= lower_[i * d_ + k] * lower_[j * d_ + k];
        lower_[i * d_ + j] = i == j ? std::sqrt(sum) : sum / lower_[j * d_ + j];
      }
  }
  Numbers values(const std::vector<NodeId>& nodes, const Numbers& q) const {
    return values_at_rest(m_, nodes, q, parameters_);
  }
  /// L^-1 G^T by rows, of length one, M = L L^T; and the lengths.
  std::vector<Numbers> scaled_rows(const Numbers& q, Numbers& lengths) const {
    const Numbers G = values(m_.constraint_jacobian, q);
    std::vector<Numbers> rows;
    lengths.clear();
    for (std::size_t k = 0; k * d_ < G.size(); ++k) {
      Numbers row(G.begin() + static_cast<std::ptrdiff_t>(k * d_),
                  G.begin() + static_cast<std::ptrdiff_t>((k + 1) * d_));
      for (std::size_t i = 0; i < d_; ++i) {
        for (std::size_t j = 0; j < i; ++j) row[i] -= lower_[i * d_ + j] * row[j];
        row[i] /= lower_[i * d_ + i];
      }
      lengths.push_back(norm(row));
      for (double& entry : row) entry /= lengths.back() > 0.0 ? lengths.back() : 1.0;
      rows.push_back(std::move(row));
    }
    return rows;
  }
  /// L^-T x.
  Numbers unscaled(Numbers x) const {
    for (std::size_t i = d_; i-- > 0;) {
      for (std::size_t j = i + 1; j < d_; ++j) x[i] -= lower_[j * d_ + i] * x[j];
      x[i] /= lower_[i * d_ + i];
    }
    return x;
  }
  static void take_out(Numbers& row, const std::vector<Numbers>& directions) {
    for (int pass = 0; pass < 2; ++pass)
      for (const Numbers& direction : directions) add_to(row, -product(direction, row), direction);
  }
  std::vector<bool> dependent_at(const Numbers& q) const {
    Numbers lengths;
    std::vector<Numbers> directions;
    std::vector<bool> dependent;
    for (Numbers row : scaled_rows(q, lengths)) {
      take_out(row, directions);
      const double left = norm(row);
      dependent.push_back(!(left >= left_of_dependent));
      if (dependent.back()) continue;
      for (double& entry : row) entry /= left;
      directions.push_back(std::move(row));
    }
    return dependent;
  }
  /// The part of a vector that no row forbids at the start, of length one; 0 where they forbid all.
  Numbers free_direction(Numbers x) const {
    Numbers lengths;
    std::vector<Numbers> directions;
    for (Numbers row : scaled_rows(start_, lengths)) {
      take_out(row, directions);
      const double left = norm(row);
      if (!(left >= left_of_useful)) continue;
      for (double& entry : row) entry /= left;
      directions.push_back(std::move(row));
    }
    const double before = norm(x);
    take_out(x, directions);
    if (!(norm(x) > 1e-6 * before)) return Numbers(d_);
    x = unscaled(std::move(x));
    const double length = norm(x);
    for (double& entry : x) entry /= length;
    return x;
  }

  /// Where updates have come to: on all rows, or off one of them, or nowhere.
  struct Projected {
    bool finite = true;
    std::optional<std::size_t> off = {};
    bool holds() const { return finite && !off; }
  };
  /// Gauss and Newton's method by the rows of which most is left beside the others.
  Projected project(Numbers& q) const {
    const std::vector<NodeId> nodes = nodes_of(m_.constraints);
    for (int iteration = 0;; ++iteration) {
      Numbers g = values(nodes, q), lengths;
      std::vector<Numbers> rows = scaled_rows(q, lengths);
      double size = 0.0;
      for (const double x : q) size = std::max(size, std::abs(x));
      std::optional<std::size_t> worst;
      for (std::size_t k = 0; k < g.size(); ++k) {
        if (!std::isfinite(g[k]) || !std::isfinite(lengths[k])) return {false, {}};
        g[k] /= lengths[k] > 0.0 ? lengths[k] : 1.0;
        if (!worst || std::abs(g[k]) > std::abs(g[*worst])) worst = k;
      }
      const double scale = (size > 0.0 ? size : 1.0) * std::sqrt(mass_scale());
      if (!worst || std::abs(g[*worst]) <= 1e-12 * scale) return {};
      if (iteration == 100) return {true, worst};
      add_to(q, 1.0, unscaled(update(std::move(rows), g)));
    }
  }
  /// The largest inertia, by which lengths in the metric are measured.
  double mass_scale() const {
    double largest = 0.0;
    for (std::size_t i = 0; i < d_; ++i) largest = std::max(largest, lower_[i * d_ + i] * lower_[i * d_ + i]);
    return largest;
  }
  /// The shortest x with rows x = -g, of the rows that are not almost combinations of others.
  Numbers update(std::vector<Numbers> rows, Numbers g) const {
    Numbers x(d_);
    for (;;) {
      std::size_t best = rows.size();
      double left = left_of_useful;
      for (std::size_t k = 0; k < rows.size(); ++k)
        if (const double length = norm(rows[k]); length > left) {
          best = k;
          left = length;
        }
      if (best == rows.size()) return x;
      Numbers direction = rows[best];
      for (double& entry : direction) entry /= left;
      const double along = -g[best] / left;
      add_to(x, along, direction);
      for (std::size_t k = 0; k < rows.size(); ++k) {
        const double part = product(rows[k], direction);
        add_to(rows[k], -part, direction);
        g[k] += part * along;
      }
      rows[best].assign(d_, 0.0);
    }
  }
  void expect_to_hold(const Projected& ended) const {
    if (!ended.finite)
      refuse({description_.source}, "the rows of constraints are not finite at the initial state");
    if (!ended.off) return;
    refuse(m_.constraints[*ended.off].text->place,
           "does not hold together with the other rows, near the initial state",
           "rows that can be satisfied, since redundant ones are dropped and not solved for");
  }

  const Description& description_;
  const Mechanics& m_;
  std::size_t d_;
  Numbers parameters_, start_, lower_;
};

}  // namespace

std::vector<bool> redundant_rows(const Description& description, const Mechanics& mechanics) {
  return mechanics.constraints.empty() ? std::vector<bool>() : Redundancy(description, mechanics).run();
}

std::optional<DependentRow> dependent_row(const Description& description, const Mechanics& mechanics) {
  if (mechanics.facts.constraints == 0) return std::nullopt;
  return Search(description, mechanics).run();
}

}  // namespace livens::expressions
