#pragma once
// The usual way to run many small Newton iterations on a GPU: all instances in lockstep. A kernel writes
// residuals and Jacobians to memory, a library factorizes and solves the batch, a kernel updates,
// and the host looks whether the last instance has converged. The equations are those of ems in
// its full form (full_form.hpp), or of del_nullspace on an assembly, so that nothing differs but the
// organisation; energy and constraints are not measured here.

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/backends/cuda/cuda.cuh"
#include "kernels/backends/cuda/cuda_device.hpp"
#include "kernels/backends/cuda/cuda_memory.hpp"
#include "kernels/forms/assembly/del_nullspace_assembly.hpp"
#include "kernels/schemes/ems.hpp"

namespace livens::inline LIVENS_ISA {

/// What schemes do each in their own way: a guess of the unknowns, the node that their solution leads to, and
/// how far a coordinate moves at most when unknowns do by one.
template <class Scheme>
struct LockstepOf;

/// As FullForm::step().
template <class System>
struct LockstepOf<FullForm<System, EmsRule>> {
  using Scheme = FullForm<System, EmsRule>;
  static constexpr double reach = 1.0;  // Dq is among the unknowns

  static LIVENS_HD auto guess(const Scheme& scheme, const typename Scheme::Carried& now, double h) {
    const typename Scheme::Problem problem(scheme, now);
    const auto& hv0 = problem.start_increment();
    const typename Scheme::Unpacked guess{hv0, hv0, (h * h) * now.lambda(), h * now.gamma()};
    return guess.pack();
  }
  static LIVENS_HD void arrive(const System& system, const Scheme&, double h,
                               const Vec<double, Scheme::unknowns>& x, typename Scheme::Carried& carried) {
    const double per_h = 1.0 / h;
    const auto solution = Scheme::Unpacked::unpack(x);
    const auto tau_p = carried.tau_p;
    const double per_step = TimeUnit<double>(h, Settings{}).per_step;
    carried.q = carried.q + solution.b;
    carried.tau_p = system.inertia.times((2.0 * per_step) * solution.a) - tau_p;  // MidpointRule::finish()
    set_part<0>(carried.multipliers, (per_h * per_h) * solution.lambda);
    set_part<System::constraints>(carried.multipliers, per_h * solution.gamma);
  }
};

/// As DelNullspaceAssembly::step().
template <class System>
struct LockstepOf<DelNullspaceAssembly<System>> {
  using Scheme = DelNullspaceAssembly<System>;
  /// Two components of a rotation turn an entry of a director. A body on two joints, of which the swing has
  /// no more, also follows the rotation of the rod that carries it, on arms below one.
  static constexpr double reach = 4.0;

  static LIVENS_HD auto guess(const Scheme& scheme, const typename Scheme::Carried& now, double) {
    return scheme.guess(now);
  }
  static LIVENS_HD void arrive(const System&, const Scheme& scheme, double,
                               const Vec<double, Scheme::unknowns>& x, typename Scheme::Carried& carried) {
    const auto now = carried;
    const auto at = typename Scheme::Problem(scheme, now).evaluate(x);
    scheme.arrive(now, at.increment, at.middle, carried);
  }
};

template <class Scheme>
LIVENS_CUDA_KERNEL void lockstep_begin(Batch batch, Settings settings, double* x) {
  using System = typename Scheme::System;
  const std::int64_t i = cuda_instance(0);
  if (i >= batch.size) return;
  const System system(load_parameters<System>(batch, i));
  const double h = load_step<double>(batch, i);
  const Scheme scheme(system, h, settings);
  Record<Scheme> record;
  read_record<Scheme>(batch.records, i, record);
  const auto& now = record.carried;
  store_row(x, i, LockstepOf<Scheme>::guess(scheme, now, h));
}

/// Residual and Jacobian, columns first; where the residual is small enough the right side is zero.
template <class Scheme>
LIVENS_CUDA_KERNEL void lockstep_linearize(Batch batch, Settings settings, const double* x, double* jacobians,
                                           double* right, unsigned long long* largest) {
  using System = typename Scheme::System;
  constexpr int n = Scheme::unknowns;
  const std::int64_t i = cuda_instance(0);
  if (i >= batch.size) return;
  const System system(load_parameters<System>(batch, i));
  const Scheme scheme(system, load_step<double>(batch, i), settings);
  Record<Scheme> record;
  read_record<Scheme>(batch.records, i, record);
  const auto& now = record.carried;
  const typename Scheme::Problem problem(scheme, now);
  const auto unknowns = load_row<double, n>(x, i);
  const auto evaluation = problem.evaluate(unknowns);
  typename Scheme::Problem::Matrix J;
  problem.jacobian(unknowns, evaluation, J);
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < n; ++row) jacobians[(i * n + column) * n + row] = J.get(row, column);
  const double size = norm_inf(evaluation.residual);
  const bool converged = size <= settings.tolerance;
  for (int row = 0; row < n; ++row) right[i * n + row] = converged ? 0.0 : evaluation.residual[row];
  // Numbers that are not negative have the order of their bits, and NaN is above them.
  if (!converged) atomicMax(largest, static_cast<unsigned long long>(__double_as_longlong(size)));
}

template <class Scheme>
LIVENS_CUDA_KERNEL void lockstep_update(std::int64_t size, const double* update, double* x) {
  const std::int64_t i = cuda_instance(0);
  if (i >= size) return;
  for (int k = 0; k < Scheme::unknowns; ++k) x[i * Scheme::unknowns + k] -= update[i * Scheme::unknowns + k];
}

template <class Scheme>
LIVENS_CUDA_KERNEL void lockstep_finish(Batch batch, Settings settings, const double* x) {
  using System = typename Scheme::System;
  const std::int64_t i = cuda_instance(0);
  if (i >= batch.size) return;
  const System system(load_parameters<System>(batch, i));
  const double h = load_step<double>(batch, i);
  const Scheme scheme(system, h, settings);
  Record<Scheme> record;
  read_record<Scheme>(batch.records, i, record);
  LockstepOf<Scheme>::arrive(system, scheme, h, load_row<double, Scheme::unknowns>(x, i), record.carried);
  store_record(batch.records, i, record);
}

/// Steps of the batch whose arrays are device memory, over a CublasBatch or a CusolverBatch. Throws
/// std::runtime_error.
template <class Scheme, class Solver>
class Lockstep {
 public:
  static constexpr int n = Scheme::unknowns;

  Lockstep(const Batch& batch, const Settings& settings)
      : batch_(batch), settings_(settings), systems_(n, batch.size) {
    x_.reserve(batch.size * n, "unknowns");
    largest_.reserve(1, "residual");
  }

  /// One step of all instances; the Newton iterations of the slowest.
  int step() {
    launch("begin", lockstep_begin<Scheme>, batch_, settings_, x_.get());
    int iterations = 0;
    while (linearize() != 0) {
      if (iterations == settings_.max_iterations) throw std::runtime_error("lockstep: no convergence");
      systems_.factorize();
      systems_.solve();
      launch("update", lockstep_update<Scheme>, batch_.size, systems_.sides().get(), x_.get());
      ++iterations;
    }
    launch("finish", lockstep_finish<Scheme>, batch_, settings_, x_.get());
    return iterations;
  }

  /// Largest infinity norm of the inverse Jacobian at the solution of the last step; to be asked once a step.
  double inverse_norm() {
    const std::vector<double> inverses = systems_.inverses();  // of the Jacobians of the last look
    double largest = 0.0;
    for (std::int64_t i = 0; i < batch_.size; ++i)
      for (int row = 0; row < n; ++row) {
        double sum = 0.0;
        for (int column = 0; column < n; ++column) sum += std::fabs(inverses[(i * n + column) * n + row]);
        if (!std::isfinite(sum)) throw std::runtime_error("lockstep: a singular Jacobian");
        largest = std::max(largest, sum);
      }
    return largest;
  }

 private:
  template <class... Parameters, class... Arguments>
  void launch(const char* what, void (*kernel)(Parameters...), const Arguments&... arguments) {
    const auto blocks = static_cast<unsigned>((batch_.size + cuda_block - 1) / cuda_block);
    kernel<<<blocks, cuda_block>>>(arguments...);
    cuda_check(cudaGetLastError(), std::string("lockstep: ") + what);
  }
  /// 0 where all have converged.
  unsigned long long linearize() {
    cuda_check(cudaMemset(largest_.get(), 0, sizeof(unsigned long long)), "lockstep: residual");
    launch("linearize", lockstep_linearize<Scheme>, batch_, settings_, x_.get(), systems_.matrices().get(),
           systems_.sides().get(), largest_.get());
    unsigned long long largest = 0;
    largest_.download(&largest, 1, "residual");
    return largest;
  }

  Batch batch_;
  Settings settings_;
  Solver systems_;
  CudaArray<double> x_;
  CudaArray<unsigned long long> largest_;
};

}  // namespace livens::inline LIVENS_ISA
