// The check of a device's projections (bench/lockstep) with Eigen's solves in place of cuBLAS': the kernels
// of the processor pass it, and kernels that project in another metric, or onto other constraints, would not.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <ostream>
#include <string>

#include "bench/lockstep/projection_check.hpp"
#include "kernels/backends/registry.hpp"

namespace livens {

void PrintTo(const ConstrainedSystem& system, std::ostream* out) { *out << system.info->name; }

namespace {

class EigenSolver : public BatchedSolver {
 public:
  void solve(int n, int columns, const std::vector<double>& matrices, std::vector<double>& sides) override {
    using Eigen::MatrixXd;
    const std::size_t entries = static_cast<std::size_t>(n) * n,
                      values = static_cast<std::size_t>(n) * columns;
    for (std::size_t i = 0; i < matrices.size() / entries; ++i) {
      const Eigen::Map<const MatrixXd> A(&matrices[i * entries], n, n);
      Eigen::Map<MatrixXd> B(&sides[i * values], n, columns);
      B = Eigen::PartialPivLU<MatrixXd>(A).solve(MatrixXd(B));
    }
  }
};

/// 64 instances as the processor's kernels project them.
ProjectionDifference compare(const ConstrainedSystem& system) {
  for (const SystemKernels& kernels : cpu_systems(best_isa())) {
    if (kernels.info->name != std::string(system.info->name)) continue;
    InconsistentStates states(kernels, 64);
    std::vector<std::uint8_t> status(states.batch().size);
    kernels.make_consistent(states.batch(), Consistency::project, status.data(), 0, states.batch().size);
    for (const std::uint8_t of_one : status) EXPECT_EQ(of_one, 0);
    EigenSolver solver;
    return compare_projection(system, states, solver);
  }
  throw std::runtime_error(std::string(system.info->name) + " was not compiled");
}

class BatchedProjection : public ::testing::TestWithParam<ConstrainedSystem> {};
INSTANTIATE_TEST_SUITE_P(Systems, BatchedProjection, ::testing::ValuesIn(constrained_systems()),
                         [](const auto& info) { return std::string(info.param.info->name); });

TEST_P(BatchedProjection, IsTheOneOfTheKernels) {
  const ProjectionDifference r = compare(GetParam());
  EXPECT_TRUE(r.same) << r.position << " of " << r.position_bound << ", " << r.velocity << " of "
                      << r.velocity_bound;
  // A displacement is 0.005 at least; what passes for it must be far below.
  EXPECT_LT(r.position_bound, 1e-10);
  EXPECT_LT(r.velocity_bound, 1e-10);
}

TEST_P(BatchedProjection, TellsAnotherMetric) {
  ConstrainedSystem other = GetParam();
  static void (*metric)(const double*, const double*, double*);
  static int coordinates;
  metric = other.metric;
  coordinates = other.info->coordinates;
  other.metric = [](const double* parameters, const double* q, double* M) {
    metric(parameters, q, M);
    for (int i = 0; i < coordinates; ++i) M[i * coordinates + i] *= 1.0 + 1e-6 * (i + 1);
  };
  EXPECT_FALSE(compare(other).same);
}

TEST_P(BatchedProjection, TellsOtherConstraints) {
  ConstrainedSystem other = GetParam();
  static void (*velocity)(const double*, const double*, const double*, double*, double*);
  velocity = other.velocity;
  other.velocity = [](const double* parameters, const double* q, const double* v, double* residual,
                      double* A) {
    velocity(parameters, q, v, residual, A);
    residual[0] += 1e-9;
  };
  EXPECT_FALSE(compare(other).same);
}

}  // namespace
}  // namespace livens
