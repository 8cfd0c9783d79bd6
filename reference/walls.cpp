#include "walls.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <optional>

namespace livens::reference {
namespace {

using Walls = std::vector<bool>;

bool any(const Walls& walls) { return std::ranges::find(walls, true) != walls.end(); }

/// Those entries whose wall is touched.
template <class S>
Vector<S> of_touched(const Vector<S>& all, const Walls& touched) {
  std::vector<S> part;
  for (std::size_t k = 0; k < touched.size(); ++k) {
    if (touched[k]) part.push_back(all[static_cast<Eigen::Index>(k)]);
  }
  return Eigen::Map<const Vector<S>>(part.data(), static_cast<Eigen::Index>(part.size()));
}

/// Where f, which is positive at 0 and `at_last`, negative, at `last`, is zero: by secants, and in the middle of
/// the bracket where the last one lies outside or has not halved f, until nothing lies between.
template <class Function>
double root(const Function& f, double at_0, double last, double at_last) {
  double a = 0.0, fa = at_0, b = last, fb = at_last;
  double x = fa < -fb ? a : b, fx = fa < -fb ? fa : fb;  // the latest
  double before = fa < -fb ? b : a, f_before = fa < -fb ? fb : fa;
  bool halves = true;
  while (b - a > 0x1p-52 * last) {
    const double secant = x - fx * (x - before) / (fx - f_before);
    const double next = halves && a < secant && secant < b ? secant : a + 0.5 * (b - a);
    if (next == a || next == b) break;
    before = x;
    f_before = fx;
    x = next;
    fx = f(x);
    if (!std::isfinite(fx)) throw NewtonFailure{Failure::not_finite};
    if (fx == 0.0) return x;
    halves = 2.0 * std::abs(fx) <= std::abs(f_before);
    (fx > 0.0 ? a : b) = x;
    (fx > 0.0 ? fa : fb) = fx;
  }
  return a > 0.0 && fa < -fb ? a : b;
}

/// The system with the gaps of the walls that are touched as rows of g, behind its own.
System with_rows_of_walls(const System& system, const std::vector<bool>& touched) {
  System held = system;
  held.constraint = [g = system.constraint, gap = system.gap, touched]<class S>(const Vector<S>& q,
                                                                                const S& t) -> Vector<S> {
    const Vector<S> own = g(q, t), more = of_touched<S>(gap(q, t), touched);
    Vector<S> rows(own.size() + more.size());
    rows << own, more;
    return rows;
  };
  const Eigen::Index rows = position_constraint_count(system);
  held.discrete_constraint_force = [own = system.discrete_constraint_force, of = system.discrete_gap_force,
                                    touched, rows]<class S>(const Vector<S>& z0, const Vector<S>& z1,
                                                            const Vector<S>& lambda) -> Vector<S> {
    Vector<S> of_walls = zero<S>(static_cast<Eigen::Index>(touched.size()));
    for (Eigen::Index k = 0, row = rows; k < of_walls.size(); ++k) {
      if (touched[static_cast<std::size_t>(k)]) of_walls[k] = lambda[row++];
    }
    return own(z0, z1, Vector<S>(lambda.head(rows))) + of(z0, z1, of_walls);
  };
  held.rows_move = true;
  return held;
}

class StepAmongWalls {
 public:
  StepAmongWalls(const Scheme& scheme, const System& system, const Options& options,
                 const Composition* composition, const Point& node)
      : scheme_(scheme),
        system_(system),
        options_(options),
        composition_(composition),
        at_(node),
        before_(static_cast<std::size_t>(count())) {}

  Point take() {
    const double h = options_.step;
    double rest = h;
    // An impact needs a part, and of a wall there are so many in a step at most.
    for (auto parts = 4 * count() * (options_.max_impacts + 4); rest > 0x1p-48 * h; --parts) {
      if (parts == 0) throw NewtonFailure{Failure::zeno};
      const Point trial = released_step(rest);
      const Eigen::Index behind = first_behind(trial);
      if (behind < 0) {
        at_ = trial;
        break;
      }
      const auto [wall, length] = first_closing(behind, rest, trial);
      if (length > 0.0) at_ = exact_step(at_, length);
      rest -= length;
      meet(wall);
    }
    at_.newton_iterations = iterations_;
    return at_;
  }

 private:
  Eigen::Index count() const { return system_.restitution.size(); }
  VectorXd gaps(const Point& at) const { return system_.gap(at.q, at.time); }
  VectorXd gap_rates(const VectorXd& q, double t, const VectorXd& v) const {
    return derivative_along(
        [&](const Vector<Dual<double>>& x) { return system_.gap(x, Dual<double>(t, 1.0)); }, q, v);
  }
  VectorXd rates(const Point& at) const { return gap_rates(at.q, at.time, at.v); }
  MatrixXd normals(const Point& at) const {
    return jacobian([&](const Vector<Chunk>& x) { return system_.gap(x, Chunk(at.time)); }, at.q);
  }
  /// What rounding makes of N x + gap_t t.
  VectorXd rounding(const Point& at, const VectorXd& x, double t) const {
    const VectorXd gap_t = gap_rates(at.q, at.time, VectorXd::Zero(at.q.size()));
    return static_cast<double>(at.q.size() + 8) * 0x1p-52 *
           (normals(at).cwiseAbs() * x.cwiseAbs() + t * gap_t.cwiseAbs());
  }
  /// The gaps that are closed to round-off.
  Walls closed(const Point& at) const {
    const VectorXd gap = gaps(at), rate = rates(at), rounded = rounding(at, at.q, at.time);
    Walls all;
    for (Eigen::Index k = 0; k < count(); ++k)
      all.push_back(std::abs(gap[k]) <= std::max(0x1p-40 * options_.step * std::abs(rate[k]), rounded[k]));
    return all;
  }

  /// A step with the walls that `from` touches as rows, and with their multipliers, of every wall, behind it.
  std::pair<Point, VectorXd> held_step(const Point& from, double length, double tolerance) {
    Options options = options_;
    options.step = length;
    options.tolerance = tolerance;
    const Walls& touched = from.touched;
    std::optional<System> with_walls;
    if (any(touched)) with_walls = with_rows_of_walls(system_, touched);
    const System& held = with_walls ? *with_walls : system_;
    const Eigen::Index rows = position_constraint_count(system_), more = std::ranges::count(touched, true);
    const auto with = [&](const VectorXd& own) {
      VectorXd all(own.size() + more);
      all << own.head(rows), VectorXd::Zero(more), own.tail(own.size() - rows);
      return all;
    };
    const auto without = [&](const VectorXd& all) {
      VectorXd own(all.size() - more);
      own << all.head(rows), all.tail(all.size() - rows - more);
      return own;
    };
    Point start = from;
    start.lambda = with(from.lambda);
    start.gamma = with(from.gamma);
    Point end =
        composition_ ? composition_->step(scheme_, held, options, start) : scheme_.step(held, options, start);
    iterations_ += end.newton_iterations;
    end.time = from.time + length;
    const VectorXd of_walls = (composition_ ? end.last_lambda : end.lambda).segment(rows, more);
    VectorXd pull = VectorXd::Zero(count());
    for (Eigen::Index k = 0, row = 0; k < count(); ++k) {
      if (touched[static_cast<std::size_t>(k)]) pull[k] = of_walls[row++];
    }
    end.lambda = without(end.lambda);
    end.gamma = without(end.gamma);
    end.touched = touched;
    end.impacts = from.impacts;
    return {end, pull};
  }
  Point exact_step(const Point& from, double length) { return held_step(from, length, 0.0).first; }

  /// 1 of text.md.
  Point released_step(double length) {
    for (;;) {
      const auto [end, pull] = held_step(at_, length, options_.tolerance);
      Eigen::Index given_up = -1;
      for (Eigen::Index k = 0; k < count() && given_up < 0; ++k) {
        if (!(pull[k] > 0.0)) continue;
        Point from = at_;
        from.touched[static_cast<std::size_t>(k)] = false;
        if (gaps(held_step(from, length, options_.tolerance).first)[k] >= 0.0) given_up = k;
      }
      if (given_up < 0) return end;
      at_.touched[static_cast<std::size_t>(given_up)] = false;
    }
  }

  /// 2
  Eigen::Index first_behind(const Point& end) const {
    const VectorXd gap = gaps(end);
    if (!gap.allFinite()) throw NewtonFailure{Failure::not_finite};
    for (Eigen::Index k = 0; k < count(); ++k) {
      if (!end.touched[static_cast<std::size_t>(k)] && gap[k] < 0.0) return k;
    }
    return -1;
  }

  /// 3: the wall, and the length tau.
  std::pair<Eigen::Index, double> first_closing(Eigen::Index wall, double length, const Point& trial) {
    double at_length = gaps(trial)[wall];
    for (;;) {
      length = closing(wall, length, at_length);
      if (length == 0.0) return {wall, length};
      const Point end = exact_step(at_, length);
      const VectorXd gap = gaps(end);
      const Walls is_closed = closed(end);
      Eigen::Index earlier = -1;
      for (Eigen::Index k = 0; k < count(); ++k) {
        const auto i = static_cast<std::size_t>(k);
        if (k != wall && !at_.touched[i] && gap[k] < 0.0 && !is_closed[i]) earlier = k;
      }
      if (earlier < 0) return {wall, length};
      wall = earlier;
      at_length = gap[wall];
    }
  }
  double closing(Eigen::Index wall, double length, double at_length) {
    const double gap = gaps(at_)[wall], rate = rates(at_)[wall];
    const auto gap_after = [&](double tau) { return gaps(exact_step(at_, tau))[wall]; };
    if (gap > 0.0 && !closed(at_)[static_cast<std::size_t>(wall)])
      return root(gap_after, gap, length, at_length);
    if (!(rate > 0.0)) return 0.0;
    return root([&](double tau) { return gap_after(tau) / tau; }, rate, length, at_length / length);
  }

  /// 4
  void meet(Eigen::Index wall) {
    const VectorXd rate = rates(at_), rounded = rounding(at_, at_.v, 1.0);
    const Walls is_closed = closed(at_);
    VectorXd e = system_.restitution;
    double fastest = 0.0;
    std::vector<Eigen::Index> meeting, hit;
    for (Eigen::Index k = 0; k < count(); ++k) {
      const auto i = static_cast<std::size_t>(k);
      const bool is_hit = k == wall || (!at_.touched[i] && is_closed[i] && rate[k] < 0.0);
      if (!is_hit && !at_.touched[i]) continue;
      meeting.push_back(k);
      fastest = std::max(fastest, std::abs(rate[k]));
      if (at_.touched[i]) e[k] = 0.0;
      if (is_hit) hit.push_back(k);
    }
    for (const Eigen::Index k : hit) {
      if (rate[k] < 0.0) {
        if (count_impact(k, -rate[k])) e[k] = 0.0;
      } else {
        e[k] = 0.0;
        at_.touched[static_cast<std::size_t>(k)] = true;
        strike(k, 0.0);
      }
    }
    bool approaching = fastest > 0.0;
    for (int round = 0; approaching; ++round) {
      if (round > 1000) throw NewtonFailure{Failure::zeno};
      approaching = false;
      for (const Eigen::Index k : meeting) {
        if (!(rates(at_)[k] < -std::max(0x1p-40 * fastest, rounded[k]))) continue;
        strike(k, e[k]);
        approaching = true;
      }
    }
    const VectorXd after = rates(at_);
    for (Eigen::Index k = 0; k < count(); ++k) {
      if (after[k] > std::max(0x1p-30 * fastest, rounded[k]))
        at_.touched[static_cast<std::size_t>(k)] = false;
    }
  }

  /// Counts an impact; true for the last one, of which the wall is touched.
  bool count_impact(Eigen::Index k, double speed) {
    const auto i = static_cast<std::size_t>(k);
    at_.impacts[i].push_back(at_.time);
    Hits& hits = before_[i];
    const double since = at_.time - hits.time, falls = 1.0 - 0x1p-20;
    const bool at_once = last_hit_ == k && since < 0x1p-20 * options_.step,
               too_many = hits.number >= options_.max_impacts,
               die_out = speed < falls * hits.speed && (hits.number == 1 || since < falls * hits.since);
    if (too_many && !at_once && !die_out) throw NewtonFailure{Failure::zeno};
    const bool last = too_many || at_once || system_.restitution[k] == 0.0;
    if (last) at_.touched[i] = true;
    hits = {hits.number + 1, at_.time, speed, since};
    last_hit_ = k;
    return last;
  }

  /// general.md, section 10, (b) and (c).
  void strike(Eigen::Index k, double e) {
    const double t = at_.time;
    const VectorXd N = normals(at_).row(k);
    const double gap_t = gap_rates(at_.q, t, VectorXd::Zero(N.size()))[k], nu = N.dot(at_.v) + gap_t;
    const Eigen::PartialPivLU<MatrixXd> M(mass_matrix(system_, at_.q, t));
    const VectorXd MN = M.solve(N);
    const auto [J, b] = velocity_rows(system_, at_.q, t);
    double NKN = N.dot(MN), Lambda = -(1.0 + e) * nu, of_rows = 0.0, work_of_rows = 0.0;
    VectorXd impulse = VectorXd::Zero(N.size());
    if (J.rows() > 0) {
      const Eigen::PartialPivLU<MatrixXd> JMJ(J * M.solve(J.transpose()));
      const VectorXd r = J * at_.v + b, y = JMJ.solve(J * MN), z = JMJ.solve(r);
      const double free = NKN;
      NKN -= y.dot(J * MN);
      if (!(NKN > 0x1p-40 * free)) throw NewtonFailure{Failure::singular_matrix};
      Lambda = (Lambda + MN.dot(J.transpose() * z)) / NKN;
      const VectorXd mu = Lambda * y + z;
      impulse = -(J.transpose() * mu);
      of_rows = 0.5 * mu.dot(r);
      work_of_rows = mu.dot(b);
    } else {
      if (!(NKN > 0.0)) throw NewtonFailure{Failure::singular_matrix};
      Lambda /= NKN;
    }
    impulse += Lambda * N;
    const double work = work_of_rows - Lambda * gap_t, before = energy();
    at_.p += impulse;
    at_.v += M.solve(impulse);
    const bool constant = system_.mass_coordinates == 0 && !system_.mass_moves;
    at_.work += work;
    at_.dissipated += constant ? of_rows - 0.5 * (1.0 - e) * nu * Lambda : before - energy() + work;
  }
  /// p.v - L
  double energy() const {
    return at_.p.dot(at_.v) - system_.kinetic_energy(at_.q, at_.v, at_.time) +
           potential_energy(system_, at_.q, at_.time);
  }

  struct Hits {
    int number = 0;
    double time = 0.0, speed = 0.0, since = 0.0;  // of the one before
  };

  const Scheme& scheme_;
  const System& system_;
  const Options& options_;
  const Composition* composition_;
  Point at_;
  std::vector<Hits> before_;  // of every wall, in this step
  Eigen::Index last_hit_ = -1;
  int iterations_ = 0;
};

}  // namespace

void start_among_walls(const System& system, Point& node) {
  const auto walls = static_cast<std::size_t>(system.restitution.size());
  if (!(system.gap(node.q, 0.0).array() >= -1e-10).all()) throw NewtonFailure{Failure::inconsistent_initial};
  if (!(system.restitution.array() >= 0.0 && system.restitution.array() <= 1.0).all())
    throw NewtonFailure{Failure::invalid_parameter};
  node.touched.resize(walls);
  node.impacts.resize(walls);
}

Point step_among_walls(const Scheme& scheme, const System& system, const Options& options,
                       const Composition* composition, const Point& node) {
  return StepAmongWalls(scheme, system, options, composition, node).take();
}

}  // namespace livens::reference
