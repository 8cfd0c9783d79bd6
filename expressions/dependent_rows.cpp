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
double largest(const Numbers& a) {
  double size = 0.0;
  for (const double x : a) size = std::max(size, std::isfinite(x) ? std::abs(x) : 0.0);
  return size;
}
bool is_finite(const Numbers& a) {
  return std::ranges::all_of(a, [](double x) { return std::isfinite(x); });
}

/// Of its length, what is left of a row that depends on others; and of one that serves to come onto g = 0.
constexpr double left_of_dependent = 1e-8, left_of_useful = 1e-4;

/// Rows made orthonormal one after the other (Gram and Schmidt, twice for each).
class Basis {
 public:
  /// The rows of which this one is a combination; nothing where it is none, and it is taken in then.
  std::optional<std::vector<int>> add(int number, Numbers row, double nothing) {
    Numbers parts(members_.size());
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t k = 0; k < members_.size(); ++k) {
        const double part = product(members_[k].direction, row);
        parts[k] += part;
        add_to(row, -part, members_[k].direction);
      }
    const double left = norm(row);
    least_left_ = std::min(least_left_, left >= nothing ? left : 1.0);
    if (!(left >= nothing)) return combined(std::move(parts));
    for (double& entry : row) entry /= left;
    parts.push_back(left);
    members_.push_back({number, std::move(row), std::move(parts)});
    return std::nullopt;
  }
  void take_out_of(Numbers& row) const {
    for (int pass = 0; pass < 2; ++pass)
      for (const Member& member : members_) add_to(row, -product(member.direction, row), member.direction);
  }
  /// Of all rows that were taken in.
  double least_left() const { return least_left_; }

 private:
  struct Member {
    int row;
    Numbers direction;
    Numbers parts;  ///< of the row along the members so far, itself the last
  };
  /// Back substitution.
  std::vector<int> combined(Numbers parts) const {
    std::vector<int> rows;
    for (std::size_t k = members_.size(); k-- > 0;) {
      const double factor = parts[k] / members_[k].parts[k];
      if (std::abs(factor) > 1e-6) rows.push_back(members_[k].row);
      for (std::size_t j = 0; j < k; ++j) parts[j] -= factor * members_[k].parts[j];
    }
    std::ranges::reverse(rows);
    return rows;
  }
  std::vector<Member> members_;
  double least_left_ = 1.0;
};

/// The rows of g and those of velocities in the metric of M^-1, and which of them depend on those before them.
class DependenceOfRows {
 public:
  /// By row, the rows of which it is a combination.
  using Found = std::vector<std::optional<std::vector<int>>>;

  DependenceOfRows(const Description& description, const Mechanics& mechanics)
      : description_(description),
        m_(mechanics),
        d_(static_cast<std::size_t>(mechanics.facts.coordinates)),
        parameters_(default_parameters(description)),
        random_(description),
        constraints_(nodes_of(mechanics.constraints)),
        all_rows_(mechanics.constraint_jacobian) {
    all_rows_.insert(all_rows_.end(), m_.rate_matrix.begin(), m_.rate_matrix.end());
    const Leaf time[] = {Leaf::time};
    const std::vector<bool> has_time = depends_on(m_.graph, time);
    const auto of_time = [&](NodeId id) { return has_time[static_cast<std::size_t>(id)]; };
    rows_move_ = std::ranges::any_of(all_rows_, of_time) || std::ranges::any_of(constraints_, of_time);
    Values at;
    at.parameters = parameters_;
    initial_ = evaluate(m_.graph, m_.initial_position, at);
    factorise_mass();
  }

  Found run(bool must_hold) {
    Place start{initial_};
    const Ended ended = project(start);
    // A start that is singular may hold Newton's method.
    const bool holds = ended.holds() || project_from_around(start);
    if (!holds) {
      if (must_hold) refuse_rows(ended);
      start = {initial_};
    }
    const std::optional<Found> at_start = found_at(start);
    if (at_start && count(*at_start) == 0) return *at_start;
    std::optional<Found> best;
    for (const Place& place : holds ? places_near(start) : places_around())
      if (std::optional<Found> here = found_at(place); here && (!best || count(*here) < count(*best)))
        best = std::move(here);
    if (best) return *best;
    return at_start ? *at_start : Found(all_rows_.size() / d_);
  }

 private:
  struct Place {
    Numbers q;
    double t = 0.0;
    double nothing = left_of_dependent;
  };
  static std::ptrdiff_t count(const Found& found) {
    return std::ranges::count_if(found, [](const auto& row) { return row.has_value(); });
  }

  void factorise_mass() {
    const bool is_metric = m_.facts.constant_mass && !m_.facts.singular_mass;
    lower_.assign(d_ * d_, 0.0);
    for (std::size_t i = 0; i < d_; ++i) lower_[i * d_ + i] = 1.0;
    if (!is_metric) return;
    const Numbers M = values(m_.mass, {initial_});
    for (std::size_t j = 0; j < d_; ++j)
      for (std::size_t i = j; i < d_; ++i) {
        double sum = M[i * d_ + j];
        for (std::size_t k = 0; k < j; ++k) sum -= lower_[i * d_ + k] * lower_[j * d_ + k];
        lower_[i * d_ + j] = i == j ? std::sqrt(sum) : sum / lower_[j * d_ + j];
      }
  }
  Numbers values(const std::vector<NodeId>& nodes, const Place& place) const {
    const Numbers still(d_);
    Values at;
    at.position = place.q;
    at.velocity = still;
    at.parameters = parameters_;
    at.time = place.t;
    return evaluate(m_.graph, nodes, at);
  }
  /// L^-1 of the rows' gradients, of length one, M = L L^T; and the lengths.
  std::vector<Numbers> scaled_rows(const std::vector<NodeId>& matrix, const Place& place,
                                   Numbers& lengths) const {
    const Numbers entries = values(matrix, place);
    std::vector<Numbers> rows;
    lengths.clear();
    for (std::size_t k = 0; k * d_ < entries.size(); ++k) {
      Numbers row(entries.begin() + static_cast<std::ptrdiff_t>(k * d_),
                  entries.begin() + static_cast<std::ptrdiff_t>((k + 1) * d_));
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

  /// Nothing outside the domain of a function.
  std::optional<Found> found_at(const Place& place) const {
    Numbers lengths;
    const std::vector<Numbers> rows = scaled_rows(all_rows_, place, lengths);
    if (!is_finite(lengths)) return std::nullopt;
    Basis basis;
    Found found;
    for (std::size_t k = 0; k < rows.size(); ++k)
      found.push_back(basis.add(static_cast<int>(k), rows[k], place.nothing));
    return found;
  }

  /// In other positions, along directions that no row of g forbids and back onto g = 0.
  std::vector<Place> places_near(const Place& start) {
    Numbers lengths;
    Basis useful;
    std::vector<Numbers> rows = scaled_rows(m_.constraint_jacobian, start, lengths);
    for (std::size_t k = 0; k < rows.size(); ++k) useful.add(static_cast<int>(k), rows[k], left_of_useful);
    Numbers drift(d_);  // the velocity that rows with t ask for
    if (rows_move_ && !constraints_.empty()) {
      Numbers rates = values(m_.constraint_rate, start);
      for (std::size_t k = 0; k < rates.size(); ++k) rates[k] /= lengths[k] > 0.0 ? lengths[k] : 1.0;
      drift = unscaled(update(std::move(rows), std::move(rates), left_of_useful));
    }
    const double size = largest(start.q) > 0.0 ? largest(start.q) : 1.0, speed = norm(drift);
    std::vector<Place> places;
    for (const double distance : {0.01, 0.02, 0.05}) {
      Numbers direction = free_direction(useful);
      // Of a place that is singular few free directions lead away; what others are brought back to is on one
      // that does. At less than a quarter of the distance rounding leaves as much of a row as counts.
      for (int attempt = 0; attempt < 4; ++attempt) {
        Place place = start;
        add_to(place.q, distance * size, direction);
        if (rows_move_) {
          place.t = distance * (speed > 0.0 ? size / speed : 1.0);
          add_to(place.q, place.t, drift);
        }
        if (!project(place).holds()) break;
        Numbers moved = place.q;
        add_to(moved, -1.0, start.q);
        const double length = norm(moved);
        if (rows_move_ || length >= 0.25 * distance * size) {
          places.push_back(std::move(place));
          break;
        }
        if (!(length > 1e-6 * size)) break;
        for (double& entry : moved) entry /= length;
        direction = std::move(moved);
      }
    }
    return places;
  }
  /// Off g = 0, further away.
  std::vector<Place> places_around() {
    const double size = largest(initial_) > 0.0 ? largest(initial_) : 1.0;
    std::vector<Place> places;
    for (const double distance : {0.1, 0.3, 1.0, 0.1, 0.3, 1.0}) {
      Place& place = places.emplace_back(Place{random_.vector(static_cast<int>(d_))});
      for (std::size_t i = 0; i < d_; ++i)
        place.q[i] = (std::isfinite(initial_[i]) ? initial_[i] : 0.0) + distance * size * place.q[i];
    }
    return places;
  }
  /// The part of a random vector that no row of g forbids, of length one; 0 where they forbid all.
  Numbers free_direction(const Basis& useful) {
    Numbers x = random_.vector(static_cast<int>(d_));
    const double before = norm(x);
    useful.take_out_of(x);
    if (!(norm(x) > 1e-6 * before)) return Numbers(d_);
    x = unscaled(std::move(x));
    const double length = norm(x);
    for (double& entry : x) entry /= length;
    return x;
  }

  /// Where updates have come to: on all rows, or off one of them, or nowhere.
  struct Ended {
    bool finite = true;
    std::optional<std::size_t> off = {};
    bool holds() const { return finite && !off; }
  };
  bool project_from_around(Place& place) {
    for (Place& other : places_around())
      if (project(other).holds()) {
        place = std::move(other);
        return true;
      }
    return false;
  }
  /// Gauss and Newton's method by the rows of which most is left beside the others. On the way to g = 0 a row
  /// that depends on others there is almost a combination of them, and would be divided by what is left of it.
  /// Where it does not come there without such rows, or comes between surfaces that almost touch, it goes on
  /// with them.
  Ended project(Place& place) const {
    place.nothing = left_of_dependent;
    Ended ended = {true, std::size_t{0}};
    for (int iteration = 0; iteration < 100 && ended.off; ++iteration) {
      ended = distance_to_rows(place);
      if (!ended.finite || !ended.off) break;
      move(place, left_of_useful);
    }
    if (!ended.finite || (!ended.off && least_left(place) >= left_of_useful)) return ended;
    // Surfaces that touch have their gradients in line at the common point alone, to which Newton's method halves
    // the distance, and of which it knows no more than the root of a rounding: off by as much, in units of how
    // they bend, is what rows there are.
    double before = 1.0, recent = 1.0;
    bool touch = false, converged = false;
    for (int iteration = 0, halved = 0; iteration < 300 && !converged; ++iteration) {
      const double change = move(place, left_of_dependent);
      if (!std::isfinite(change)) return {false, {}};
      halved = change > 0.25 * before ? halved + 1 : 0;
      touch = touch || (halved >= 3 && change < 1e-3);
      converged = change <= 1e-13;
      recent = std::max(change, 0.5 * recent);
      before = change;
    }
    if (!converged && !(before < 1e-5)) return ended;
    if (touch || !converged) place.nothing = std::max(left_of_dependent, 100.0 * recent);
    return distance_to_rows(place);
  }
  Ended distance_to_rows(const Place& place) const {
    Numbers g = values(constraints_, place), lengths;
    scaled_rows(m_.constraint_jacobian, place, lengths);
    std::optional<std::size_t> worst;
    for (std::size_t k = 0; k < g.size(); ++k) {
      if (!std::isfinite(g[k]) || !std::isfinite(lengths[k])) return {false, {}};
      g[k] /= lengths[k] > 0.0 ? lengths[k] : 1.0;
      if (!worst || std::abs(g[k]) > std::abs(g[*worst])) worst = k;
    }
    const double size = largest(place.q), scale = (size > 0.0 ? size : 1.0) * std::sqrt(mass_scale());
    if (!worst || std::abs(g[*worst]) <= 1e-12 * scale) return {};
    return {true, worst};
  }
  double least_left(const Place& place) const {
    Numbers lengths;
    const std::vector<Numbers> rows = scaled_rows(m_.constraint_jacobian, place, lengths);
    Basis basis;
    for (std::size_t k = 0; k < rows.size(); ++k) basis.add(static_cast<int>(k), rows[k], left_of_dependent);
    return basis.least_left();
  }
  /// By one update; how far, relative to q.
  double move(Place& place, double least_useful) const {
    Numbers g = values(constraints_, place), lengths;
    std::vector<Numbers> rows = scaled_rows(m_.constraint_jacobian, place, lengths);
    for (std::size_t k = 0; k < g.size(); ++k) g[k] /= lengths[k] > 0.0 ? lengths[k] : 1.0;
    const Numbers step = unscaled(update(std::move(rows), std::move(g), least_useful));
    add_to(place.q, 1.0, step);
    const double size = largest(place.q);
    return norm(step) / (size > 0.0 ? size : 1.0);
  }
  /// The largest inertia, by which lengths in the metric are measured.
  double mass_scale() const {
    double largest = 0.0;
    for (std::size_t i = 0; i < d_; ++i) largest = std::max(largest, lower_[i * d_ + i] * lower_[i * d_ + i]);
    return largest;
  }
  /// The shortest x with rows x = -g, of the rows that are not almost combinations of others.
  Numbers update(std::vector<Numbers> rows, Numbers g, double least_useful) const {
    Numbers x(d_);
    for (;;) {
      std::size_t best = rows.size();
      double left = least_useful;
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
  [[noreturn]] void refuse_rows(const Ended& ended) const {
    if (!ended.finite)
      refuse({description_.source}, "the rows of constraints are not finite at the initial state");
    refuse(m_.constraints[*ended.off].text->place,
           "does not hold together with the other rows, near the initial state",
           "rows that can be satisfied, since redundant ones are dropped and not solved for");
  }

  const Description& description_;
  const Mechanics& m_;
  std::size_t d_;
  Numbers parameters_, initial_, lower_;
  RandomState random_;
  std::vector<NodeId> constraints_, all_rows_;
  bool rows_move_ = false;
};

}  // namespace

std::vector<bool> redundant_rows(const Description& description, const Mechanics& mechanics) {
  if (mechanics.constraints.empty()) return {};
  std::vector<bool> redundant;
  for (const auto& of : DependenceOfRows(description, mechanics).run(true))
    redundant.push_back(of.has_value());
  return redundant;
}

std::optional<DependentRow> dependent_row(const Description& description, const Mechanics& mechanics) {
  if (mechanics.facts.constraints == 0) return std::nullopt;
  const DependenceOfRows::Found found = DependenceOfRows(description, mechanics).run(false);
  for (std::size_t k = 0; k < found.size(); ++k)
    if (found[k]) return DependentRow{static_cast<int>(k), *found[k]};
  return std::nullopt;
}

}  // namespace livens::expressions
