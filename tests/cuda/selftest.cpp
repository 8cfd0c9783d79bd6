// Every pair on the GPU and one instance at a time on the CPU, from the same parameters: every byte of q, v,
// p, status and records must be equal after every call, and the digests those of a file. Draws and statistics
// made on the device must be those that the host makes.
//
//   cuda_selftest                    all pairs; without a device exit status 77
//   cuda_selftest --small [DIGESTS]  few instances and steps, those of tests/digests.json
//   cuda_selftest --records          draws, records and statistics alone
//   cuda_selftest --time [FILE]      steps per second of every pair instead, as JSON
//   cuda_selftest --advance SYSTEM SCHEME   a few steps of one pair, for a profiler to look at

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "draws.hpp"
#include "kernels/backends/cuda/cuda_backend.hpp"
#include "kernels/backends/registry.hpp"
#include "resident.hpp"
#include "tests/digests/comparison.hpp"
#include "tests/digests/digests.hpp"
#include "timing.hpp"

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

struct Tally {
  int passed = 0, failed = 0;
};

void check(const PairKernels& pair, const CudaDevice& device, const Extent& extent, const Case& which,
           const std::optional<Digests>& digests, Tally& tally) {
  std::string verdict = "ok";
  std::int64_t failed = 0, retried = 0;
  const std::string name = name_of(pair, which);
  try {
    Processor processor(pair);
    Gpu gpu(pair, device);
    Comparison comparison(pair, which, processor, &gpu);
    comparison.run(extent.stops);
    failed = comparison.count(Column::status);
    retried = comparison.count(Column::retried_steps);
    if (comparison.different() > 0)
      verdict = "FAIL " + std::to_string(comparison.different()) + " differ, first " + comparison.where();
    else if (digests && (!digests->contains(name) || digests->at(name) != comparison.digest()))
      verdict = "FAIL the digest is not that of the file";
  } catch (const std::exception& error) {
    verdict = std::string("FAIL ") + error.what();
  }
  ++(verdict == "ok" ? tally.passed : tally.failed);
  std::printf("%-64s failed %4lld  retried %4lld  %s\n", name.c_str(), static_cast<long long>(failed),
              static_cast<long long>(retried), verdict.c_str());
  std::fflush(stdout);
}

std::vector<CudaDevice> devices_or_why_none() {
  std::string problem;
  const std::vector<CudaDevice> devices = cuda_devices(problem);
  if (devices.empty()) std::printf("skipped: no CUDA device (%s)\n", problem.c_str());
  return devices;
}

int conclude(const Tally& tally) {
  std::printf("%d passed, %d failed\n", tally.passed, tally.failed);
  // A build without pairs has shown nothing.
  return tally.failed > 0 || tally.passed == 0 ? 1 : 0;
}

/// What does not depend on the pair, on every device, by the first pair there is.
void check_records(const std::vector<CudaDevice>& devices, Tally& tally) {
  const std::span<const PairKernels> pairs = cpu_pairs(best_isa());
  const auto pair = std::find_if(pairs.begin(), pairs.end(), [](auto& p) { return cuda_pair(p) != nullptr; });
  if (pair == pairs.end()) return;
  using Check = std::string (*)(const PairKernels&, const CudaDevice&);
  const std::pair<const char*, Check> checks[] = {{"records and statistics", check_resident},
                                                  {"draws", check_draws}};
  for (const CudaDevice& device : devices)
    for (const auto& [what, check] : checks) {
      std::string verdict;
      try {
        verdict = check(*pair, device);
      } catch (const std::exception& error) {
        verdict = std::string("FAIL ") + error.what();
      }
      ++(verdict == "ok" ? tally.passed : tally.failed);
      const std::string name = what + (" on device " + std::to_string(device.index));
      std::printf("%-64s %s\n", name.c_str(), verdict.c_str());
    }
}

int run_records() {
  const std::vector<CudaDevice> devices = devices_or_why_none();
  if (devices.empty()) return 77;
  Tally tally;
  check_records(devices, tally);
  return conclude(tally);
}

int run(const Extent& extent, const std::optional<Digests>& digests) {
  const std::vector<CudaDevice> devices = devices_or_why_none();
  if (devices.empty()) return 77;
  // One instance at a time where the build has that; the lanes of any other instruction set give the same
  // bits.
  const Isa isa = usable(Isa::plain) ? Isa::plain : best_isa();
  std::printf("%s against %s\n", devices.front().name.c_str(), isa_name(isa));
  Tally tally;
  check_records(devices, tally);
  std::size_t next = 0;  // the devices in turn
  for (const Precision precision : {Precision::full, Precision::single})
    for (const PairKernels& pair : cpu_pairs(isa, precision)) {
      if (cuda_pair(pair) == nullptr) {
        std::printf("%s %s %s: FAIL not compiled for CUDA\n", pair.system->info->name, pair.scheme->name,
                    pair.form);
        ++tally.failed;
        continue;
      }
      for (const Case& which : cases(extent))
        if (which.suits(pair)) check(pair, devices[next++ % devices.size()], extent, which, digests, tally);
    }
  return conclude(tally);
}

}  // namespace
}  // namespace livens::selftest

int main(int argc, char** argv) try {
  using namespace livens::selftest;
  const std::string_view option = argc > 1 ? argv[1] : "";
  if (option == "--time") return time_pairs(argc > 2 ? argv[2] : nullptr);
  if (option == "--records") return run_records();
  if (option == "--advance" && argc == 4) return advance_pair(argv[2], argv[3]);
  const bool few = option == "--small";
  if (argc > (few ? 3 : 1) || (!few && !option.empty())) {
    std::fprintf(stderr,
                 "usage: cuda_selftest [--small [DIGESTS] | --records | --time [FILE] | "
                 "--advance SYSTEM SCHEME]\n");
    return 2;
  }
  std::optional<Digests> digests;
  if (few && argc == 3) digests = read_digests(argv[2]);
  return run(few ? small : large, digests);
} catch (const std::exception& error) {
  std::fprintf(stderr, "cuda_selftest: %s\n", error.what());
  return 1;
}
