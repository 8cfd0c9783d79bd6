#include "tests/cuda/pairs.hpp"

#include <algorithm>
#include <vector>

#include "kernels/backends/cuda/cuda_backend.hpp"
#include "kernels/backends/registry.hpp"
#include "tests/digests/comparison.hpp"

namespace livens::selftest {
namespace {

/// Every call takes what the calls before it and the population have put into the batch.
class Gpu : public Machine {
 public:
  Gpu(const PairKernels& pair, const CudaDevice& device) : backend_(pair, device) {}
  void initial_states(const Batch& batch) override {
    backend_.take(batch);
    backend_.initial_states(batch);
    fetch_states(batch);
  }
  void momenta(const Batch& batch) override {
    backend_.take(batch);
    backend_.momenta(batch);
    fetch_states(batch);
  }
  void velocities(const Batch& batch) override {
    backend_.take(batch);
    backend_.velocities(batch);
    fetch_states(batch);
  }
  void make_consistent(const Batch& batch, Consistency consistency, std::uint8_t* status) override {
    backend_.take(batch);
    backend_.make_consistent(batch, consistency, status);
    fetch_states(batch);
  }
  void start(const Batch& batch, const Settings& settings, const std::uint8_t* status) override {
    backend_.start(batch, settings, status);
    fetch(batch);
  }
  void advance(const Batch& batch, const Settings& settings, std::int64_t to) override {
    backend_.advance(batch, settings, to);
    fetch(batch);
  }

 private:
  void fetch_states(const Batch& batch) {
    for (const Target target : {Target::q, Target::v, Target::p})
      backend_.fetch_initial(batch, {target, 0, backend_.system().coordinates});
  }
  void fetch(const Batch& batch) {
    backend_.fetch(batch, {batch.size / tile_size, 0, backend_.record_width()});
  }

  CudaBackend backend_;
};

class PairCheck {
 public:
  PairCheck(const Selection& selection, const PairKernels& pair, const CudaDevice& device, const Case& which)
      : selection_(selection), pair_(pair), device_(device), which_(which) {}

  /// `explanations`: how often the processor may still be asked where a digest differs.
  std::string run(int& explanations) {
    if (!selection_.expected) return against_processor();
    const auto expected = selection_.expected->find(name_of(pair_, which_));
    if (expected == selection_.expected->end()) return "FAIL the file has no digest of it";
    Gpu gpu(pair_, device_);
    Comparison run(pair_, which_, gpu, nullptr);
    run.run(selection_.extent.stops);
    if (run.digest() == expected->second) return "ok";
    const std::string problem = "FAIL the digest is not that of the file";
    if (explanations-- <= 0) return problem;
    const std::string first = against_processor();
    return problem + "; " + (first == "ok" ? "the processor here has the same values" : first.substr(5));
  }

 private:
  std::string against_processor() {
    Processor processor(pair_);
    Gpu gpu(pair_, device_);
    Comparison run(pair_, which_, processor, &gpu);
    run.run(selection_.extent.stops);
    if (run.different() == 0) return "ok";
    return "FAIL " + std::to_string(run.different()) + " differ, first " + run.where();
  }

  const Selection& selection_;
  const PairKernels& pair_;
  const CudaDevice& device_;
  const Case& which_;
};

}  // namespace

void compare_pairs(const Selection& selection, const std::vector<CudaDevice>& devices, Tally& tally) {
  // One instance at a time where the build has that; the lanes of any other instruction set give the same
  // bits.
  const Isa isa = usable(Isa::plain) ? Isa::plain : best_isa();
  std::vector<const PairKernels*> pairs;
  for (const Precision precision : {Precision::full, Precision::single})
    for (const PairKernels& pair : cpu_pairs(isa, precision)) pairs.push_back(&pair);
  // Large stacks last: what the driver reserves for them it does not give back.
  std::ranges::stable_sort(pairs, {}, [](const PairKernels* pair) { return pair->unknowns; });
  std::size_t next = 0;
  int explanations = 5;  // each may take seconds
  for (const PairKernels* pair : pairs) {
    const bool compiled = cuda_pair(*pair) != nullptr;
    for (const Case& which : cases(selection.extent)) {
      const std::string name = name_of(*pair, which);
      if (!which.suits(*pair) || name.find(selection.only) == std::string::npos) continue;
      const CudaDevice& device = devices[next++ % devices.size()];
      tally.add(name, [&] {
        return compiled ? PairCheck(selection, *pair, device, which).run(explanations) : "not compiled";
      });
    }
  }
}

}  // namespace livens::selftest
