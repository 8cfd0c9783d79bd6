#pragma once
// A backend that knows its instances one by one: each is a reference::Trajectory, started anew where a node
// before its own is asked for. The Eigen reference and the accurate schemes are of this kind. Instances start
// as the compiled kernels of the system say.

#include <memory>
#include <utility>
#include <vector>

#include "ensembles/host_records.hpp"
#include "expressions/text_system.hpp"
#include "host/pairs/catalogue.hpp"
#include "reference/reference.hpp"
#include "reference/text/observation.hpp"

namespace livens::host {

class InstanceBackend : public ensembles::HostRecords {
 public:
  /// `pair` is any form that is listed: only its descriptions and the functions of its system are used.
  /// `judge`: the text that is read in place of the system's own. Throws RequestError where the reference
  /// does not understand it.
  explicit InstanceBackend(const PairKernels& pair, ensembles::StopAsked stop = {},
                           const TextSystem* judge = nullptr);

  const SystemInfo& system() const override { return *pair_.system->info; }
  const SchemeInfo& scheme() const override { return *pair_.scheme; }
  int unknowns() const override { return 0; }
  int record_width() const override;

  void initial_states(const Batch& batch) override;
  void momenta(const Batch& batch) override;
  void velocities(const Batch& batch) override;
  void make_consistent(const Batch& batch, Consistency consistency, std::uint8_t* status) override;
  void start(const Batch& batch, const Settings& settings, const std::uint8_t* status) override;
  void advance(const Batch& batch, const Settings& settings, std::int64_t to) override;
  void node(const Batch& batch, const LastStep* last, std::int64_t instance, NodeView& view) override;

 protected:
  /// An instance and the start of its integration, kept so that it can begin again.
  struct Instance {
    reference::Model model;
    double step;  ///< h, s
    reference::State initial;
    std::uint8_t status;                                ///< at the start
    std::unique_ptr<reference::Trajectory> trajectory;  ///< at the node the record says, or to be begun again
    std::int64_t steps = 0;
    bool repeated = false;  ///< the same as the one before: a tile is padded so
    bool starts_like(const Instance& other) const;
  };
  const std::vector<Instance>& instances() const { return instances_; }
  const Settings& settings() const { return settings_; }
  const ensembles::StopAsked& stop() const { return stop_; }
  reference::Model model(const Batch& batch, std::int64_t i) const;
  /// The quantities of the system's own at a node, those of the spec's expressions behind them.
  reference::VectorXd own_values(const Instance& instance, const reference::Node& node) const;

 private:
  /// An instance that can start stands at another node, or is at its start.
  virtual void arrive(const Batch&, std::int64_t /*instance*/, double* /*record*/) {}
  /// At node 0. Throws std::invalid_argument where nothing can be integrated.
  virtual std::unique_ptr<reference::Trajectory> begin(const Instance& instance) const = 0;

  const reference::Node& node_at(Instance& instance, std::int64_t steps);
  void start(const Batch& batch, std::uint8_t status, std::int64_t i);
  void advance(Instance& instance, double* record);
  void write_impacts(const std::vector<std::vector<double>>& times, double* record) const;
  reference::VectorXd values(const reference::Observation& expressions, const Instance& instance,
                             const reference::Node& node) const;
  double stop_time(Instance& instance, std::int64_t done, int k, const reference::VectorXd& before,
                   const reference::VectorXd& after);
  void for_each_tile(const Batch& batch, const std::function<void(std::int64_t)>& body);

  const PairKernels& pair_;
  const TextSystem* equations_;  // text_of_equations() of the system
  ensembles::StopAsked stop_;
  std::shared_ptr<const reference::TextSystem> text_;  // of a system written as one
  reference::Observation observed_, stops_;            // expressions of the spec
  Settings settings_;
  std::vector<Instance> instances_;
};

}  // namespace livens::host
