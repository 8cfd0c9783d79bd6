#pragma once
// The Eigen reference as a backend, one instance after the other, from the reference's own initial and
// consistent states on. Steps are not retried.

#include <optional>

#include "expressions/observing_class.hpp"
#include "host/backends/instance_backend.hpp"
#include "reference/lyapunov.hpp"
#include "reference/motion_derivative.hpp"
#include "reference/projection.hpp"

namespace livens::host {

class ReferenceBackend : public InstanceBackend {
 public:
  /// The scheme must apply to the system. `pair` is any compiled form: only its descriptions are used.
  explicit ReferenceBackend(const PairKernels& pair, ensembles::StopAsked stop = {},
                            const TextSystem* judge = nullptr);

  std::string name() const override { return "reference"; }
  std::string device() const override { return "Eigen, 1 thread"; }
  std::string form() const override { return "as printed"; }
  void initial_states(const Batch& batch) override;
  void momenta(const Batch& batch) override;
  void velocities(const Batch& batch) override;
  void make_consistent(const Batch& batch, Consistency consistency, std::uint8_t* status) override;
  void start(const Batch& batch, const Settings& settings, const std::uint8_t* status) override;
  void for_each_block(std::int64_t blocks, const std::function<void(std::int64_t)>& body) override;

  /// The q, v of instance i of `projected` against the projection of those of `given`, a batch of the same
  /// parameters. Throws reference::StepFailure where there is none.
  reference::ProjectionError projection_error(const Batch& given, const Batch& projected,
                                              std::int64_t i) const;

 protected:
  reference::Options options(const Instance& instance) const;

 private:
  std::unique_ptr<reference::Trajectory> begin(const Instance& instance) const override;
  /// Derivatives, as the compiled kernels have them in a record.
  void arrive(const Batch& batch, std::int64_t i, double* record) override;
  /// What an instance has beside its motion.
  struct Carried {
    std::vector<reference::MotionDerivative> derivatives;  ///< by direction
    Eigen::MatrixXd basis;                                 ///< of the state, where it is asked for
    std::optional<reference::LyapunovExponents> exponents;
  };
  Carried carried_from_start(const Batch& batch, std::int64_t i) const;
  reference::MotionDerivative derivative(const Batch& batch, std::int64_t i, const Direction& along) const;
  reference::MotionDerivative derivative(const Instance& here, const reference::VectorXd& direction) const;
  Eigen::Index numbers_of_node() const;
  Instance displaced(const Batch& batch, std::int64_t i, const Direction& along, double by) const;
  reference::MotionDerivative::Motion motion(std::shared_ptr<Instance> instance) const;

  std::optional<expressions::CarriedTangents> tangents_;
  std::vector<std::optional<Carried>> carried_;  // by instance, once asked for
};

/// One that knows its round-off, for twice the time.
class JudgingBackend final : public ReferenceBackend {
 public:
  using ReferenceBackend::ReferenceBackend;

  /// A bound on the round-off of instance i: 64 eps x steps x (scaled condition of the last Newton
  /// matrix) x (growth of a small perturbation). Infinite where the perturbed motion fails.
  double round_off(std::int64_t i) const;

 private:
  std::unique_ptr<reference::Trajectory> begin(const Instance& instance) const override;
};

}  // namespace livens::host
