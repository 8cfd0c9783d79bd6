#include "host/backends/true_motion_backend.hpp"

#include <fmt/format.h>

#include <numeric>

#include "host/backends/cpu_backend.hpp"
#include "host/pairs/observing_pairs.hpp"
#include "host/pairs/true_motion_options.hpp"

namespace livens::host {

namespace {

/// An integrator that ends a run, wherever it is asked for a node.
class StoppableIntegrator : public true_motion::Integrator {
 public:
  StoppableIntegrator(const reference::Model& model, const true_motion::Options& options,
                      const reference::State& initial)
      : true_motion::Integrator(model, options, initial),
        model_(model),
        options_(options),
        initial_(initial) {}
  const reference::Node& advance() override {
    try {
      return true_motion::Integrator::advance();
    } catch (const true_motion::Stopped&) {
      throw ensembles::Stopped();
    }
  }
  /// The motion knows no steps: from its start to there.
  std::optional<reference::Node> after(const std::vector<double>& lengths) const override {
    true_motion::Options options = options_;
    options.step = std::accumulate(lengths.begin(), lengths.end(), node().time);
    return StoppableIntegrator(model_, options, initial_).advance();
  }

 private:
  reference::Model model_;
  true_motion::Options options_;
  reference::State initial_;
};

}  // namespace

TrueMotionBackend::TrueMotionBackend(const PairKernels& pair, int threads, ensembles::StopAsked stop)
    : InstanceBackend(pair, std::move(stop)),
      workers_(threads),
      device_(fmt::format("{}, SUNDIALS, {} thread{}", processor_name(), threads, threads == 1 ? "" : "s")) {
  if (const Observing* const observing = observing_of(system()))
    refuse_tangents(observing->additions, "the true motion");
}

std::unique_ptr<reference::Trajectory> TrueMotionBackend::begin(const Instance& instance) const {
  const true_motion::Options options{scheme().name, instance.step, settings().value<relative_tolerance>(),
                                     settings().value<absolute_tolerance>(), stop()};
  return std::make_unique<StoppableIntegrator>(instance.model, options, instance.initial);
}

void TrueMotionBackend::for_each_block(std::int64_t blocks, const std::function<void(std::int64_t)>& body) {
  workers_.for_each_block(blocks, body);
}

}  // namespace livens::host
