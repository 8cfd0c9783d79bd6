#pragma once
// reference_ode and reference_dae as schemes on the cpu, every instance by itself, spread over threads.

#include "host/backends/instance_backend.hpp"
#include "host/backends/workers.hpp"
#include "true_motion/true_motion.hpp"

namespace livens::host {

class TrueMotionBackend : public InstanceBackend {
 public:
  /// `pair` is one of the catalogue's, see is_true_motion().
  TrueMotionBackend(const PairKernels& pair, int threads, ensembles::StopAsked stop = {});

  std::string name() const override { return "cpu"; }
  std::string device() const override { return device_; }
  std::string form() const override { return "accurate"; }
  void for_each_block(std::int64_t blocks, const std::function<void(std::int64_t)>& body) override;

 private:
  std::unique_ptr<reference::Trajectory> begin(const Instance& instance) const override;

  Workers workers_;
  std::string device_;
};

}  // namespace livens::host
