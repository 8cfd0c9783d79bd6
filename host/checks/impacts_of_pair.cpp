#include "host/checks/impacts_of_pair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "expressions/derivatives.hpp"

namespace livens::host {
namespace {

using ensembles::Request;
using ensembles::Result;
using expressions::Leaf;
using expressions::Mechanics;
using expressions::NodeId;
using Numbers = std::vector<double>;

constexpr double eps = std::numeric_limits<double>::epsilon();
/// How far from an impact, relative to its time, runs end: twice that as well, and what is linear in it is
/// extrapolated away.
constexpr double beside = 0x1p-16;

/// x of A x = b, with pivots; not a number where there is none.
Numbers solved(std::vector<Numbers> A, Numbers b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(A[i][k]) > std::abs(A[pivot][k])) pivot = i;
    std::swap(A[k], A[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = A[i][k] / A[k][k];
      for (std::size_t j = k; j < n; ++j) A[i][j] -= factor * A[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= A[k][j] * b[j];
    b[k] /= A[k][k];
  }
  return b;
}

/// A node beside an impact, and N K N^T there.
struct Beside {
  double rate, lost, compliance;
  Numbers q;
};

class Wall {
 public:
  Wall(const Mechanics& mechanics, std::size_t wall)
      : m_(mechanics), graph_(mechanics.graph), wall_(wall), d_(mechanics.facts.coordinates) {
    const NodeId gap = mechanics.gaps[wall];
    slopes_ = gradient(graph_, gap, Leaf::position, d_);
    slopes_.push_back(derivative(graph_, std::vector{gap}, Leaf::time, 0).front());
  }

  double restitution(const Numbers& parameters) const {
    return values({m_.restitutions[wall_]}, {}, parameters, 0.0).front();
  }
  double rate(const Numbers& q, const Numbers& v, const Numbers& parameters, double t) const {
    const Numbers slopes = values(slopes_, q, parameters, t);
    double sum = slopes.back();
    for (std::size_t i = 0; i < v.size(); ++i) sum += slopes[i] * v[i];
    return sum;
  }
  /// N K N^T = N.x, with M x + J^T y = N^T and J x = 0.
  double compliance(const Numbers& q, const Numbers& parameters, double t) const {
    const auto d = static_cast<std::size_t>(d_);
    const Numbers M = values(m_.mass, q, parameters, t), N = values(slopes_, q, parameters, t);
    Numbers J = values(m_.constraint_jacobian, q, parameters, t);
    const Numbers A = values(m_.rate_matrix, q, parameters, t);
    J.insert(J.end(), A.begin(), A.end());
    const std::size_t n = d + J.size() / d;
    std::vector<Numbers> K(n, Numbers(n));
    Numbers right(n);
    for (std::size_t i = 0; i < d; ++i) {
      right[i] = N[i];
      for (std::size_t j = 0; j < d; ++j) K[i][j] = M[i * d + j];
      for (std::size_t k = d; k < n; ++k) K[i][k] = K[k][i] = J[(k - d) * d + i];
    }
    const Numbers x = solved(std::move(K), std::move(right));
    double sum = 0.0;
    for (std::size_t i = 0; i < d; ++i) sum += N[i] * x[i];
    return sum;
  }

 private:
  Numbers values(const std::vector<NodeId>& nodes, const Numbers& q, const Numbers& parameters,
                 double t) const {
    const Numbers still(static_cast<std::size_t>(d_));
    expressions::Values at;
    at.position = q.empty() ? still : q;
    at.velocity = still;
    at.parameters = parameters;
    at.time = t;
    return evaluate(graph_, nodes, at);
  }

  const Mechanics& m_;
  expressions::Graph graph_;
  std::size_t wall_;
  int d_;
  std::vector<NodeId> slopes_;
};

/// The parameters of the one instance of a result.
Numbers parameters_of(const Request& request, const Result& result) {
  Numbers parameters = request.parameters;
  std::size_t drawn = 0;
  for (const ensembles::Variation& variation : request.variations) {
    const auto& varied = result.instances.parameters[drawn++];
    if (variation.target == ensembles::Target::parameter)
      parameters[static_cast<std::size_t>(variation.first)] = varied.values.front();
  }
  return parameters;
}

}  // namespace

FirstImpact first_impact(const Result& result, std::size_t instance, std::size_t walls) {
  const Numbers& times = result.instances["impact_time"];
  const std::size_t kept = times.size() / (walls * result.instances.status.size());
  FirstImpact first{0, std::numeric_limits<double>::quiet_NaN()};
  for (std::size_t wall = 0; wall < walls; ++wall) {
    const double time = times[(instance * walls + wall) * kept];
    if (!(time >= first.time)) first = std::isnan(time) ? first : FirstImpact{wall, time};
  }
  return first;
}

void try_impacts(const Mechanics& mechanics, const Request& request,
                 const std::function<Result(const Request&)>& run, bool velocity_constraint,
                 const std::string& scheme, const std::function<void(const Finding&)>& found) {
  const std::size_t walls = mechanics.gaps.size();
  const Result all = run(request);
  double worst_rate = 0.0, worst_loss = 0.0, rate_bound = 0.0, loss_bound = 0.0;
  bool any = false;
  const auto worse = [](double value, double bound, double& worst, double& worst_bound) {
    if (worst_bound > 0.0 && value * worst_bound <= worst * bound) return;
    worst = value;
    worst_bound = bound;
  };
  for (std::size_t i = 0; i < all.instances.status.size(); ++i) {
    FirstImpact hit = first_impact(all, i, walls);
    if (all.instances.status[i] != 0 || !(hit.time > request.step)) continue;
    const double steps = std::round(hit.time / request.step);
    const auto ended = [&](double end, double further) {
      Request one = request;
      one.instances = {static_cast<std::int64_t>(i)};
      one.size = 1;
      one.step = end / steps;
      one.steps = static_cast<std::int64_t>(steps + further);
      one.end = one.step * static_cast<double>(one.steps);
      one.every = one.steps;
      one.observe = {"dissipated_energy"};
      return run(one);
    };
    // A step of which the impact is a node: its time hardly depends on the step.
    for (int round = 0; round < 4; ++round) {
      const FirstImpact again = first_impact(ended(hit.time, 2.0), 0, walls);
      if (std::isnan(again.time)) break;
      hit = again;
    }
    const Wall wall(mechanics, hit.wall);
    Numbers parameters;
    const auto node = [&](double distance) {
      const double end = hit.time * (1.0 + distance);
      const Result result = ended(end, 0.0);
      parameters = parameters_of(request, result);
      const Numbers &q = result.instances.final_q, &v = result.instances.final_v;
      return Beside{wall.rate(q, v, parameters, end), result.instances["final_dissipated_energy"].front(),
                    wall.compliance(q, parameters, end), q};
    };
    const Beside before = node(-beside), earlier = node(-2.0 * beside), after = node(beside),
                 later = node(2.0 * beside);
    const auto at_the_impact = [](const Beside& near, const Beside& far, double Beside::*what) {
      return 2.0 * near.*what - far.*what;
    };
    const double nu = at_the_impact(before, earlier, &Beside::rate), e = wall.restitution(parameters),
                 lost = at_the_impact(after, later, &Beside::lost) -
                        at_the_impact(before, earlier, &Beside::lost),
                 compliance = at_the_impact(before, earlier, &Beside::compliance),
                 expected = (1.0 - e * e) * nu * nu / (2.0 * compliance);
    // What is quadratic in the distance is left: less than 2^-8 of what is linear, unless the motion changes
    // in 2^8 of these distances. A step rounds velocities by eps |q|/h and by a few eps of themselves.
    double place = 0.0;
    for (const double q : before.q) place = std::max(place, std::abs(q));
    const auto left = [&](double Beside::*what) {
      return 0x1p-8 * (std::abs(before.*what - earlier.*what) + std::abs(after.*what - later.*what));
    };
    const double rounded = 8.0 * eps * steps * (place / request.step + std::abs(nu)),
                 of_rate = (left(&Beside::rate) + rounded) / std::abs(nu),
                 of_compliance = left(&Beside::compliance) / compliance;
    any = true;
    worse(std::abs(at_the_impact(after, later, &Beside::rate) + e * nu), left(&Beside::rate) + rounded,
          worst_rate, rate_bound);
    worse(std::abs(lost - expected),
          left(&Beside::lost) + (4.0 * of_rate + of_compliance) * expected + 8.0 * eps * steps * after.lost,
          worst_loss, loss_bound);
  }
  if (!any) return;
  found({"rate after an impact", scheme, worst_rate, rate_bound});
  if (velocity_constraint) found({"loss of an impact", scheme, worst_loss, loss_bound});
}

}  // namespace livens::host
