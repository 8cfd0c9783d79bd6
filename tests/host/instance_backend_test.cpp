// Instances that the reference or SUNDIALS integrates one by one: a state that is not finite is never ok.

#include "host/backends/instance_backend.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "ensembles/ensemble.hpp"
#include "toy_registry.hpp"

namespace livens::host {
namespace {

constexpr std::int64_t lost = 3;  // the node that is not finite

using Spoil = std::function<void(reference::Node&)>;

/// Stands still until the node `lost`.
class Still : public reference::Trajectory {
 public:
  Still(const reference::State& initial, Spoil spoil) : spoil_(std::move(spoil)) {
    node_.q = initial.q;
    node_.v = node_.p = initial.v;
    node_.lambda = node_.gamma = node_.momentum = reference::VectorXd::Zero(1);
  }
  const reference::Node& node() const override { return node_; }
  const reference::Node& advance() override {
    if (++steps_ == lost) spoil_(node_);
    return node_;
  }

 private:
  Spoil spoil_;
  reference::Node node_;
  std::int64_t steps_ = 0;
};

class StillBackend : public InstanceBackend {
 public:
  StillBackend(const PairKernels& pair, Spoil spoil) : InstanceBackend(pair), spoil_(std::move(spoil)) {}
  std::string name() const override { return "still"; }
  std::string device() const override { return "none"; }
  std::string form() const override { return "full"; }
  void for_each_block(std::int64_t blocks, const std::function<void(std::int64_t)>& body) override {
    for (std::int64_t block = 0; block < blocks; ++block) body(block);
  }

 private:
  std::unique_ptr<reference::Trajectory> begin(const Instance& instance) const override {
    return std::make_unique<Still>(instance.initial, spoil_);
  }
  Spoil spoil_;
};

TEST(InstanceBackend, AStateThatIsNotFiniteIsNeverOk) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Spoil spoils[] = {[](reference::Node& node) { node.q[0] = nan; },
                          [](reference::Node& node) { node.v[1] = infinity; },
                          [](reference::Node& node) { node.p[0] = nan; },
                          [](reference::Node& node) { node.constraint = nan; },
                          [](reference::Node& node) { node.energy = infinity; },
                          [](reference::Node& node) { node.momentum[0] = nan; }};
  const Catalogue catalogue = toy_catalogue();
  ensembles::Request request;
  request.system = "toy_pair";
  request.scheme = "ems";
  request.parameters = {1.0, 1.0, 10.0, 0.0};
  request.step = 0.1;
  request.steps = 5;
  request.end = 0.5;
  request.size = 1;
  for (const Spoil& spoil : spoils) {
    StillBackend backend(catalogue.pairs[0], spoil);
    const ensembles::Instances instances = ensembles::run(request, backend, {}).instances;
    EXPECT_EQ(instances.status[0], static_cast<std::uint8_t>(Status::not_finite));
    EXPECT_EQ(instances.failed_step[0], lost - 1);
    // The last good state is kept.
    for (const double value : instances.final_q) EXPECT_TRUE(std::isfinite(value));
    for (const double value : instances.final_v) EXPECT_TRUE(std::isfinite(value));
  }
}

}  // namespace
}  // namespace livens::host
