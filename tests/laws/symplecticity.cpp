// Symplecticity on the constraint manifold, as a statement about the step (q0, p0) -> (q1, p1) seen from
// outside.
//
// On N = {(q, p): g(q) = 0} let omega be dq ^ dp restricted to N. Replacing p by p + G(q)^T mu(q, p) adds
//   dq.(G^T dmu' + W(mu) dq') - dq'.(G^T dmu + W(mu) dq) = (G dq).dmu' - (G dq').dmu = 0,
// since W is symmetric and G dq = 0 on N. So omega does not see the normal part of a momentum, and it makes
// no difference that ggl_vi has its velocity constraint at the intermediate q_b, or that del_nullspace
// carries c only modulo range G^T. A step is symplectic when omega(DPhi X, DPhi Y) = omega(X, Y) for all X, Y
// tangent to the consistent states.
//
// X is the velocity at t = 0 of a curve of consistent states (the M-nearest to q + t dq, v + t dv), DPhi X
// that of its image; both by a central difference of order 12 with spacing delta. Its truncation is
// (delta/rho)^12 6!^2 with rho the distance to the nearest singularity of the curve, some tenths: below 1e-14
// for delta = 0.005. Its rounding is 2 eps |x|/delta = 1e-13 |x|. 16 directions leave 120 pairs; a defect
// cannot hide from all of them.

#include <functional>

#include "tests/laws/over_pairs.hpp"

namespace livens::laws {

OVER_PAIRS(Symplecticity);

struct Point {
  std::vector<double> q, p;
};

/// f'(0) of order 12.
Point derivative(const std::function<Point(double)>& f, double delta) {
  static constexpr double weight[] = {6.0 / 7, -15.0 / 56, 5.0 / 63, -1.0 / 56, 1.0 / 385, -1.0 / 5544};
  Point sum;
  for (int k = 6; k >= 1; --k) {
    const Point plus = f(k * delta), minus = f(-k * delta);
    sum.q.resize(plus.q.size(), 0.0);
    sum.p.resize(plus.p.size(), 0.0);
    for (std::size_t i = 0; i < plus.q.size(); ++i) {
      sum.q[i] += weight[k - 1] * (plus.q[i] - minus.q[i]) / delta;
      sum.p[i] += weight[k - 1] * (plus.p[i] - minus.p[i]) / delta;
    }
  }
  return sum;
}

double omega(const Point& a, const Point& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.q.size(); ++i) sum += a.q[i] * b.p[i] - b.q[i] * a.p[i];
  return sum;
}

/// The consistent instance nearest to this one.
Instance projected(const PairKernels& pair, Instance instance) {
  Arrays arrays(*pair.system->info, {instance});
  std::vector<std::uint8_t> status(arrays.size());
  pair.system->make_consistent(arrays.batch(), Consistency::project, status.data(), 0, arrays.size());
  EXPECT_EQ(status[0], 0);
  instance.q.assign(arrays.q.begin(), arrays.q.begin() + instance.q.size());
  instance.v.assign(arrays.v.begin(), arrays.v.begin() + instance.v.size());
  return instance;
}

struct Defect {
  double violation = 0.0;  ///< of omega, relative to the terms it is a sum of, over pairs of tangent vectors
  double rounding = 0.0;  ///< what the rounding of the differences, 2 sum |weight| eps |x|/delta, makes of it
};

/// After one step.
Defect symplectic_defect(const PairKernels& pair, const Instance& instance, Random& random) {
  const double delta = 0.005;
  std::normal_distribution<double> normal;
  std::vector<Point> before, after;
  for (int direction = 0; direction < 16; ++direction) {
    std::vector<double> dq(instance.q.size()), dv(instance.q.size());
    const double scale = 0.5 * length_scale(*pair.system->info);
    for (double& x : dq) x = scale * normal(random);
    for (double& x : dv) x = scale * normal(random);
    const auto state = [&](double t, int steps) {
      Instance moved = instance;
      for (std::size_t i = 0; i < dq.size(); ++i) {
        moved.q[i] += t * dq[i];
        moved.v[i] += t * dv[i];
      }
      Ensemble ensemble(pair, {projected(pair, moved)});
      ensemble.advance(steps);
      EXPECT_EQ(ensemble.status(0), Status::ok);
      const Node node = ensemble.node(0);
      return Point{node.q, node.p};
    };
    before.push_back(derivative([&](double t) { return state(t, 0); }, delta));
    after.push_back(derivative([&](double t) { return state(t, 1); }, delta));
  }
  Defect defect;
  const Point x{instance.q, Ensemble(pair, {instance}).node(0).p};
  // The reduced form of vi_a has its momentum from a difference of positions over h.
  const bool from_positions = pair.scheme->name == std::string("vi_a") && pair.form == std::string("reduced");
  const double magnified =
      from_positions ? std::max(1.0, largest(instance.q) / (instance.h * largest(instance.v))) : 1.0;
  const double relative = 2.5 * eps / delta * magnified;
  for (std::size_t a = 0; a < before.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      double scale = 0.0, noise = 0.0;
      for (std::size_t i = 0; i < before[a].q.size(); ++i) {
        const auto sum = [&](const Point& one, const Point& other) {
          return std::abs(one.q[i] * other.p[i]) + std::abs(other.q[i] * one.p[i]);
        };
        scale += sum(before[a], before[b]);
        for (const auto* side : {&before, &after})
          noise += relative * (sum((*side)[a], x) + sum((*side)[b], x));
      }
      defect.violation = std::max(defect.violation,
                                  std::abs(omega(after[a], after[b]) - omega(before[a], before[b])) / scale);
      defect.rounding = std::max(defect.rounding, noise / scale);
    }
  return defect;
}

TEST_P(Symplecticity, HoldsExactlyWhereClaimed) {
  const PairKernels& pair = GetParam();
  if (pair.system->info->nonholonomic) GTEST_SKIP() << "a contact scheme preserves no symplectic form";
  // One degree of freedom in thirty coordinates, in steps of a millisecond: the defect of ems is 2e-10 and
  // the rounding of differences of projected states is larger. tests/reference/symplecticity.cpp has this
  // system.
  if (pair.system->info->name == std::string("double_four_bar")) GTEST_SKIP() << "rounding hides the defect";
  Random random(8);
  const Instance instance = draw(*pair.system, random, Damping::off, 2.0);
  const Defect defect = symplectic_defect(pair, instance, random);
  RecordProperty("digits", std::to_string(-std::log10(defect.violation)));
  if (claims(pair).symplectic) {
    EXPECT_LT(defect.violation, std::max(1e-12, defect.rounding));
  } else {
    EXPECT_GT(defect.violation, std::max(1e-6, 10.0 * defect.rounding))
        << "the law cannot tell a scheme that is not symplectic";
  }
}

}  // namespace livens::laws
