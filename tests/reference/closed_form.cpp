// ggl_vi on the four particles without Newton's method (equations/reduced.md section 2): per bar, with p' =
// p - h DV(q), relative position r, relative velocity u of p' and reduced mass mu,
//   (r.r) s^2 - (r.r + 2 h u.r) s + h u.r + h^2 u.u = 0,  smaller root,   v = u - s r/h,   rb = r + h v,
//   r1 = l rb/|rb|,   relative momentum mu |rb|/l v,   the middle of mass moves freely.
// It shares nothing with the residual, multipliers or derivatives of schemes/ggl_vi.cpp.

#include <Eigen/Geometry>

#include "runs.hpp"

namespace livens::reference {
namespace {

using Eigen::Vector3d;

struct Particles {
  std::vector<double> mass, stiffness, length;
  VectorXd q, p;

  Vector3d force(int i, int j, double k, double l) const {  // on j, of a spring from i to j
    const Vector3d r = q.segment<3>(3 * j) - q.segment<3>(3 * i);
    return -2.0 * k * (r.squaredNorm() - l * l) * r;
  }
  void step(double h) {
    const Vector3d F13 = force(0, 2, stiffness[0], length[2]), F24 = force(1, 3, stiffness[1], length[3]);
    p.segment<3>(0) -= h * F13, p.segment<3>(6) += h * F13;
    p.segment<3>(3) -= h * F24, p.segment<3>(9) += h * F24;
    for (const int i : {0, 2}) {
      const int j = i + 1;
      auto q1 = q.segment<3>(3 * i), q2 = q.segment<3>(3 * j), p1 = p.segment<3>(3 * i),
           p2 = p.segment<3>(3 * j);
      const double m1 = mass[i], m2 = mass[j], m = m1 + m2, mu = m1 * m2 / m, l = length[i / 2];
      const Vector3d total = p1 + p2, middle = (m1 * q1 + m2 * q2) / m + h / m * total, r = q2 - q1,
                     u = p2 / m2 - p1 / m1;
      const double b = r.squaredNorm() + 2.0 * h * u.dot(r), c = h * u.dot(r) + h * h * u.squaredNorm();
      const double s = 2.0 * c / (b + std::sqrt(b * b - 4.0 * r.squaredNorm() * c));
      const Vector3d v = u - s / h * r, rb = r + h * v, r1 = l * rb.normalized(),
                     relative = mu * rb.norm() / l * v;
      q1 = middle - m2 / m * r1, q2 = middle + m1 / m * r1;
      p1 = m1 / m * total - relative, p2 = m2 / m * total + relative;
    }
  }
};

// Both round with some eps a step, which grows with the solution; 64 for the operations, /h from the scaled
// momentum rows.
void expect_agreement(const Model& model, const State& initial, Particles particles) {
  const double h = 0.05;
  const int steps = 200;
  const Options options{"ggl_vi", h, 0.0};
  Integrator integrator(model, options, initial);
  particles.q = integrator.node().q;
  particles.p = integrator.node().p;
  for (int n = 0; n < steps; ++n) {
    integrator.advance();
    particles.step(h);
  }
  const Node& node = integrator.node();
  const double bound =
      64.0 * eps * std::sqrt(steps) * integrator.condition() * growth(model, options, initial, steps) / h;
  EXPECT_LT(bound, 1e-8) << "the bound says something";
  EXPECT_LT((node.q - particles.q).lpNorm<Eigen::Infinity>(), bound);
  EXPECT_LT((node.p - particles.p).lpNorm<Eigen::Infinity>(), bound * 3.0);  // masses up to 3
}

TEST(ClosedForm, OfGglViOnThePapersFourParticles) {
  const Model model{"four_particle", {}};
  expect_agreement(model, project(model, default_state(model)),
                   {{1.0, 3.0, 2.3, 1.7}, {1.0, 10.0}, {1.0, 1.0, 1.0, 1.0}, {}, {}});
}

TEST(ClosedForm, OfGglViOnFourParticlesWithoutUnitValues) {
  const Model model = general_model("four_particle");
  expect_agreement(model, general_state(model),
                   {{1.3, 0.7, 2.1, 1.6}, {3.0, 8.0}, {1.2, 0.8, 1.1, 0.9}, {}, {}});
}

}  // namespace
}  // namespace livens::reference
