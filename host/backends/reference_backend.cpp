#include "host/backends/reference_backend.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <limits>

#include "host/backends/reference_options.hpp"
#include "host/backends/rows.hpp"
#include "reference/watched_integrator.hpp"

namespace livens::host {
namespace {

using reference::VectorXd;

void set_row(double* rows, std::int64_t i, const VectorXd& values) {
  Eigen::Map<VectorXd>(rows + i * values.size(), values.size()) = values;
}

}  // namespace

void ReferenceBackend::initial_states(const Batch& batch) {
  for (std::int64_t i = 0; i < batch.size; ++i) {
    const reference::State state = reference::default_state(model(batch, i));
    set_row(batch.q, i, state.q);
    set_row(batch.v, i, state.v);
  }
}

void ReferenceBackend::momenta(const Batch& batch) {
  const int d = system().coordinates;
  for (std::int64_t i = 0; i < batch.size; ++i)
    set_row(batch.p, i, reference::mass(model(batch, i), row(batch.q, i, d)) * row(batch.v, i, d));
}

void ReferenceBackend::velocities(const Batch& batch) {
  const int d = system().coordinates;
  for (std::int64_t i = 0; i < batch.size; ++i)
    set_row(batch.v, i,
            reference::mass(model(batch, i), row(batch.q, i, d)).ldlt().solve(row(batch.p, i, d)));
}

void ReferenceBackend::make_consistent(const Batch& batch, Consistency consistency, std::uint8_t* status) {
  // The compiled kernels decide whether the values are finite and in their domains, and whether a state is
  // consistent when that is required: a matter of the request, not of the equations. The projection is the
  // reference's own.
  std::vector<double> q(batch.q, batch.q + batch.size * system().coordinates);
  std::vector<double> v(batch.v, batch.v + batch.size * system().coordinates);
  InstanceBackend::make_consistent(batch, consistency, status);
  if (consistency != Consistency::project) return;
  const int d = system().coordinates;
  for (std::int64_t i = 0; i < batch.size; ++i) {
    if (status[i] != static_cast<std::uint8_t>(Status::ok)) continue;
    try {
      const reference::State state =
          reference::project(model(batch, i), {row(q.data(), i, d), row(v.data(), i, d)});
      set_row(batch.q, i, state.q);
      set_row(batch.v, i, state.v);
    } catch (const reference::StepFailure&) {
      status[i] = static_cast<std::uint8_t>(Status::inconsistent_initial);
    }
  }
  momenta(batch);
}

reference::Options ReferenceBackend::options(const Instance& instance) const {
  return reference_options(scheme(), settings(), instance.step);
}

std::unique_ptr<reference::Trajectory> ReferenceBackend::begin(const Instance& instance) const {
  return std::make_unique<reference::Integrator>(instance.model, options(instance), instance.initial);
}

void ReferenceBackend::for_each_block(std::int64_t blocks, const std::function<void(std::int64_t)>& body) {
  for (std::int64_t block = 0; block < blocks; ++block) body(block);
}

reference::ProjectionError ReferenceBackend::projection_error(const Batch& given, const Batch& projected,
                                                              std::int64_t i) const {
  const int d = system().coordinates;
  return reference::projection_error(model(given, i), {row(given.q, i, d), row(given.v, i, d)},
                                     {row(projected.q, i, d), row(projected.v, i, d)});
}

std::unique_ptr<reference::Trajectory> JudgingBackend::begin(const Instance& instance) const {
  return std::make_unique<reference::WatchedIntegrator>(instance.model, options(instance), instance.initial);
}

double JudgingBackend::round_off(std::int64_t i) const {
  const Instance& instance = instances()[i];
  if (!instance.trajectory) return 0.0;
  const auto& integrator =
      static_cast<const reference::WatchedIntegrator&>(*instance.trajectory);  // of begin()
  try {
    return 64.0 * std::numeric_limits<double>::epsilon() * static_cast<double>(instance.steps) *
           integrator.growth() * std::max(1.0, integrator.condition());
  } catch (const reference::StepFailure&) {
    return std::numeric_limits<double>::infinity();
  }
}

}  // namespace livens::host
