// Every pair on the GPU and one instance at a time on the CPU, from the same parameters: every byte of q, v,
// p, status and records must be equal after every call. (Two NaNs are equal whatever their sign: x86 and the
// GPU make different ones, and a result file holds neither but the canonical one.)
//
//   cuda_selftest                 all pairs; without a device the digests of --small and exit status 77
//   cuda_selftest --small         few instances and steps, for compute-sanitizer
//   cuda_selftest --digests       the digests of all, without a device too
//   cuda_selftest --time [FILE]   steps per second of every pair instead, as JSON

#include <bit>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/backends/cuda_backend.hpp"
#include "kernels/backends/registry.hpp"
#include "population.hpp"
#include "timing.hpp"

namespace livens::selftest {
namespace {

struct Case {
  const char* name;
  Spread spread;
  Settings settings;
  Consistency consistency;
  bool damped;       ///< only for pairs that handle damping
  bool compensated;  ///< only for pairs that offer it
};

std::vector<Case> cases(bool small) {
  const std::int64_t size = small ? 64 : 256;
  Settings strict;
  strict.tolerance = 0.0;
  Settings compensated = strict;
  compensated.compensated = true;
  Settings hasty;  // fails often: retries, diverged iterations and the pivoted solve get their share
  hasty.max_iterations = 3;
  return {
      {"default", {.size = size}, Settings{}, Consistency::project, false, false},
      {"to round-off", {.size = size}, strict, Consistency::project, false, false},
      {"damped", {.size = size, .damped = true}, Settings{}, Consistency::project, true, false},
      {"compensated", {.size = size}, compensated, Consistency::project, false, true},
      {"long steps",
       {.size = size, .parameters = 0.5, .velocities = 3.0, .step_factor = 8.0},
       Settings{},
       Consistency::project,
       false,
       false},
      {"three iterations",
       {.size = size, .velocities = 2.0, .step_factor = 3.0},
       hasty,
       Consistency::project,
       false,
       false},
      {"kept inconsistent", {.size = size}, Settings{}, Consistency::keep, false, false},
      {"required consistent",
       {.size = size, .parameters = 0.0, .velocities = 0.0},
       Settings{},
       Consistency::require,
       false,
       false},
  };
}

std::uint64_t bits(double value) {
  return std::bit_cast<std::uint64_t>(value == value ? value : __builtin_nan(""));
}

// FNV-1a over the bytes, lowest first.
std::uint64_t digest(std::span<const double> values) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (const double value : values)
    for (int byte = 0; byte < 8; ++byte)
      hash = (hash ^ (bits(value) >> (8 * byte) & 0xff)) * 0x100000001b3ull;
  return hash;
}

/// Runs the same calls on the CPU and, if there is one, on the GPU; counts what differs.
class Comparison {
 public:
  Comparison(const PairKernels& pair, CudaBackend* gpu, const Case& c)
      : pair_(pair),
        gpu_(gpu),
        case_(c),
        settings_(standard_settings(*pair.scheme, c.settings)),
        expected_(*pair.system->info, pair.record_width, c.spread),
        actual_(*pair.system->info, pair.record_width, c.spread) {}

  void run(bool small) {
    const Batch &cpu = expected_.batch(), &gpu = actual_.batch();
    const std::int64_t size = cpu.size;
    pair_.system->initial_states(cpu, 0, size);
    if (gpu_) gpu_->initial_states(gpu);
    compare_states("initial_states");

    expected_.disturb_velocities();
    actual_.disturb_velocities();
    pair_.system->momenta(cpu, 0, size);
    if (gpu_) gpu_->momenta(gpu);
    if (!pair_.system->info->singular_mass) {
      pair_.system->velocities(cpu, 0, size);
      if (gpu_) gpu_->velocities(gpu);
    }
    compare_states("momenta and velocities");

    pair_.system->make_consistent(cpu, case_.consistency, expected_.status().data(), 0, size);
    if (gpu_) gpu_->make_consistent(gpu, case_.consistency, actual_.status().data());
    compare_states("make_consistent");

    pair_.start(cpu, settings_, expected_.status().data(), 0, size);
    if (gpu_) gpu_->start(gpu, settings_, actual_.status().data());
    compare_records("start");

    std::int64_t from = 0;
    for (const std::int64_t to :
         small ? std::vector<std::int64_t>{1, 4} : std::vector<std::int64_t>{1, 40, 100}) {
      pair_.advance(cpu, settings_, from, to, 0, size);
      if (gpu_) gpu_->advance(gpu, settings_, from, to);
      compare_records("advance");
      from = to;
    }
  }

  std::int64_t different() const { return different_; }
  const std::string& where() const { return where_; }
  std::uint64_t expected_digest() const { return digest(expected_.records); }
  /// Failed instances, and retried steps, on the CPU: a case that has none of either tests less than it says.
  std::int64_t count(Column column) const {
    std::int64_t n = 0;
    for (std::int64_t i = 0; i < expected_.batch().size; ++i)
      n += expected_.records[column_offset(i / tile_size, pair_.record_width, static_cast<int>(column)) +
                             i % tile_size] > 0.0;
    return n;
  }

 private:
  void compare(const char* call, const char* array, const std::vector<double>& a,
               const std::vector<double>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (bits(a[i]) == bits(b[i])) continue;
      if (different_++ > 0) continue;
      char text[200];
      std::snprintf(text, sizeof text, "%s, %s[%zu]: CPU %a, GPU %a", call, array, i, a[i], b[i]);
      where_ = text;
    }
  }
  void compare_states(const char* call) {
    if (!gpu_) return;
    compare(call, "q", expected_.q, actual_.q);
    compare(call, "v", expected_.v, actual_.v);
    compare(call, "p", expected_.p, actual_.p);
    if (expected_.status() != actual_.status()) {
      if (different_++ == 0) where_ = std::string(call) + ", status";
    }
  }
  void compare_records(const char* call) {
    if (gpu_) compare(call, "records", expected_.records, actual_.records);
  }

  const PairKernels& pair_;
  CudaBackend* gpu_;
  const Case& case_;
  const Settings settings_;
  Population expected_, actual_;
  std::int64_t different_ = 0;
  std::string where_;
};

struct Tally {
  int passed = 0, failed = 0;
};

void check_pair(const PairKernels& pair, const CudaDevice* device, bool small, Tally& tally) {
  if (cuda_pair(pair) == nullptr) {
    std::printf("%-26s %-14s %-8s not compiled for CUDA\n", pair.system->info->name, pair.scheme->name,
                pair.form);
    return;
  }
  for (const Case& c : cases(small)) {
    if ((c.damped && !pair.damped) || (c.compensated && !pair.compensated)) continue;
    std::string verdict = "cpu only";
    std::int64_t failed = 0, retried = 0;
    std::uint64_t hash = 0;
    try {
      std::unique_ptr<CudaBackend> gpu;
      if (device != nullptr) gpu = std::make_unique<CudaBackend>(pair, *device);
      Comparison comparison(pair, gpu.get(), c);
      comparison.run(small);
      failed = comparison.count(Column::status);
      retried = comparison.count(Column::retried_steps);
      hash = comparison.expected_digest();
      const bool good = comparison.different() == 0;
      if (device != nullptr) {
        verdict =
            good ? "ok"
                 : "FAIL " + std::to_string(comparison.different()) + " differ, first " + comparison.where();
        ++(good ? tally.passed : tally.failed);
      }
    } catch (const std::exception& error) {
      verdict = std::string("FAIL ") + error.what();
      ++tally.failed;
    }
    std::printf("%-26s %-14s %-8s %-20s digest %016llx  failed %4lld  retried %4lld  %s\n",
                pair.system->info->name, pair.scheme->name, pair.form, c.name,
                static_cast<unsigned long long>(hash), static_cast<long long>(failed),
                static_cast<long long>(retried), verdict.c_str());
    std::fflush(stdout);
  }
}

int run(bool small, bool digests) {
  std::string problem;
  const std::vector<CudaDevice> devices = cuda_devices(problem);
  const CudaDevice* device = devices.empty() ? nullptr : &devices.front();
  // One instance at a time where the build has that; the lanes of any other instruction set give the same
  // bits.
  const Isa isa = usable(Isa::plain) ? Isa::plain : best_isa();
  std::printf("%s against %s\n", device ? device->name.c_str() : "no device", isa_name(isa));
  Tally tally;
  for (const PairKernels& pair : cpu_pairs(isa))
    check_pair(pair, device, small || (device == nullptr && !digests), tally);
  if (device == nullptr) {
    std::printf("skipped: no CUDA device (%s)\n", problem.c_str());
    return tally.failed > 0 ? 1 : 77;
  }
  std::printf("%d passed, %d failed\n", tally.passed, tally.failed);
  // A build without pairs has shown nothing.
  return tally.failed > 0 || tally.passed == 0 ? 1 : 0;
}

}  // namespace
}  // namespace livens::selftest

int main(int argc, char** argv) {
  const std::string_view option = argc > 1 ? argv[1] : "";
  if (option == "--time") return livens::selftest::time_pairs(argc > 2 ? argv[2] : nullptr);
  if (!option.empty() && option != "--small" && option != "--digests") {
    std::fprintf(stderr, "usage: cuda_selftest [--small | --digests | --time [FILE]]\n");
    return 2;
  }
  return livens::selftest::run(option == "--small", option == "--digests");
}
