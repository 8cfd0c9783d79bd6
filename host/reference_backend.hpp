#pragma once
// The Eigen reference as a backend: the same ensembles, one instance after the other. Steps are not retried.

#include <memory>
#include <vector>

#include "ensembles/backend.hpp"
#include "host/catalogue.hpp"
#include "reference/reference.hpp"

namespace livens::host {

class ReferenceBackend : public ensembles::Backend {
 public:
  /// The scheme must apply to the system. `pair` is any compiled form: only its descriptions are used.
  explicit ReferenceBackend(const PairKernels& pair);

  std::string name() const override { return "reference"; }
  std::string device() const override { return "Eigen, 1 thread"; }
  const SystemInfo& system() const override { return *pair_.system->info; }
  const SchemeInfo& scheme() const override { return *pair_.scheme; }
  std::string form() const override { return "as printed"; }
  int unknowns() const override { return 0; }
  int record_width() const override;

  void initial_states(const Batch& batch) override;
  void momenta(const Batch& batch) override;
  void velocities(const Batch& batch) override;
  void make_consistent(const Batch& batch, Consistency consistency, std::uint8_t* status) override;
  void start(const Batch& batch, const Settings& settings, const std::uint8_t* status) override;
  void advance(const Batch& batch, const Settings& settings, std::int64_t to) override;
  void node(const Batch& batch, const double* before, std::int64_t instance, NodeView& view) override;
  void for_each_block(std::int64_t blocks, const std::function<void(std::int64_t)>& body) override;

  /// What round-off may have made of instance i: 64 eps x steps x (scaled condition of the last Newton
  /// matrix) x (growth of a small perturbation). Infinite where the perturbed motion fails.
  double round_off(std::int64_t i) const;

 private:
  /// What an integration starts from; kept, so that it can begin again.
  struct Instance {
    reference::Model model;
    reference::Options options;
    reference::State initial;
    std::unique_ptr<reference::Integrator>
        integrator;  ///< at the node the record says, or to be started again
    std::int64_t steps = 0;
    bool repeated = false;  ///< the same as the one before: a tile is padded so
    bool starts_like(const Instance& other) const;
  };
  reference::Model model(const Batch& batch, std::int64_t i) const;
  const reference::Node& node_at(Instance& instance, std::int64_t steps);

  const PairKernels& pair_;
  std::vector<Instance> instances_;
};

}  // namespace livens::host
