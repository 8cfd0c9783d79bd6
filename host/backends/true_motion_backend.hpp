#pragma once
// reference_ode and reference_dae as schemes on the cpu, every instance by itself, spread over threads.

#include "host/backends/instance_backend.hpp"
#include "host/backends/workers.hpp"
#include "true_motion/true_motion.hpp"

namespace livens::host {

/// Options of both schemes; the standard values are those of reference_ode.
inline constexpr NumberOption relative_tolerance = {
    {.name = "relative_tolerance",
     .place = 0,
     .meaning = "error of a step of the solver's own, relative to the state",
     .standard = 1e-12,
     .expected = "a number between 0 and 1",
     .accepts = [](double value) { return value > 0.0 && value < 1.0; }}};
inline constexpr NumberOption absolute_tolerance = {{.name = "absolute_tolerance",
                                                     .place = 1,
                                                     .meaning = "the same in SI units, for a small state",
                                                     .standard = 1e-14,
                                                     .expected = relative_tolerance.expected,
                                                     .accepts = relative_tolerance.accepts}};

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
