#include "timing.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>

#include "kernels/backends/cuda/cuda_backend.hpp"
#include "kernels/backends/registry.hpp"
#include "tests/digests/population.hpp"

namespace livens::selftest {
namespace {

struct Timing {
  double kernel_seconds = 0.0, steps = 0.0, iterations = 0.0;
  double sample_seconds = 0.0;  // statistics of five columns, made and brought
  double fetch_seconds = 0.0;   // all records, brought
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double sum(const Population& population, const PairKernels& pair, Column column) {
  double total = 0.0;
  for (std::int64_t i = 0; i < population.batch().size; ++i)
    total += population.records[column_offset(i / tile_size, pair.record_width, static_cast<int>(column)) +
                                i % tile_size];
  return total;
}

// An ensemble at its start on the device.
struct Started {
  Started(const PairKernels& pair, const CudaDevice& device, std::int64_t size)
      : settings(standard_settings(*pair.scheme)),
        population(*pair.system->info, pair.record_width, {.size = size, .failures = false}),
        gpu(pair, device) {
    gpu.take(population.batch());
    gpu.initial_states(population.batch());
    gpu.make_consistent(population.batch(), Consistency::project, population.status().data());
    gpu.start(population.batch(), settings, population.status().data());
  }
  void advance(std::int64_t to) { gpu.advance(population.batch(), settings, to); }

  Settings settings;
  Population population;
  CudaBackend gpu;
};

// Enough for two full blocks of threads on every multiprocessor.
std::int64_t instances(const CudaDevice& device) {
  return std::max<std::int64_t>(65536, std::int64_t{device.multiprocessors} * 2 * 1024);
}

// The best of three runs of at least half a second on the device, after one that warms up.
Timing time_pair(const PairKernels& pair, const CudaDevice& device, std::int64_t size) {
  Started started(pair, device, size);
  auto& [settings, population, gpu] = started;
  const Batch& batch = population.batch();
  std::int64_t at = 0, units = 20;
  started.advance(at + units);
  at += units;
  const auto fetch = [&] {
    const auto begin = std::chrono::steady_clock::now();
    gpu.fetch(batch, {batch.size / tile_size, 0, pair.record_width});
    return seconds_since(begin);
  };
  fetch();
  const Column observed[] = {Column::constraint, Column::dissipated_energy, Column::energy_error,
                             Column::momentum_error, Column::velocity_constraint};

  Timing best;
  for (int run = 0; run < 3;) {
    const double steps = sum(population, pair, Column::steps);
    const double iterations = sum(population, pair, Column::newton_iterations);
    const double kernel = gpu.device_seconds();
    started.advance(at + units);
    at += units;
    const auto begin = std::chrono::steady_clock::now();
    gpu.observe(batch.size, observed);
    const double sample = seconds_since(begin), fetched = fetch();
    const Timing timing{gpu.device_seconds() - kernel, sum(population, pair, Column::steps) - steps,
                        sum(population, pair, Column::newton_iterations) - iterations, sample, fetched};
    if (timing.kernel_seconds < 0.5 && units < 1000000) {
      units *= 2;
      continue;
    }
    const auto rate = [](const Timing& t) {
      return t.kernel_seconds > 0.0 ? t.steps / t.kernel_seconds : 0.0;
    };
    if (rate(timing) >= rate(best)) best = timing;
    ++run;
  }
  return best;
}

}  // namespace

int time_pairs(const char* file) {
  std::string problem;
  const auto devices = cuda_devices(problem);
  if (devices.empty()) {
    std::printf("skipped: no CUDA device (%s)\n", problem.c_str());
    return 77;
  }
  const CudaDevice& device = devices.front();
  const std::int64_t size = instances(device);
  std::FILE* out = file == nullptr ? stdout : std::fopen(file, "w");
  if (out == nullptr) {
    std::fprintf(stderr, "%s: cannot be written\n", file);
    return 1;
  }
  std::fprintf(
      out, "{\"device\": \"%s\", \"driver\": \"%s\", \"runtime\": \"%s\", \"instances\": %lld, \"pairs\": [",
      device.name.c_str(), cuda_version_name(device.driver).c_str(),
      cuda_version_name(device.runtime).c_str(), static_cast<long long>(size));
  const char* separator = "";
  int result = 0;
  for (const PairKernels& pair : cpu_pairs(best_isa())) {
    if (cuda_pair(pair) == nullptr) continue;
    std::fprintf(out, "%s\n  {\"system\": \"%s\", \"scheme\": \"%s\", \"form\": \"%s\", \"unknowns\": %d, ",
                 separator, pair.system->info->name, pair.scheme->name, pair.form, pair.unknowns);
    separator = ",";
    try {
      const Timing t = time_pair(pair, device, size);
      std::fprintf(out,
                   "\"steps_per_second\": %.6g, \"sample_seconds\": %.4g, \"fetch_seconds\": %.4g, "
                   "\"newton_iterations_per_step\": %.4g, \"kernel_seconds\": %.4g, \"steps\": %.0f}",
                   t.steps / t.kernel_seconds, t.sample_seconds, t.fetch_seconds, t.iterations / t.steps,
                   t.kernel_seconds, t.steps);
    } catch (const std::exception& error) {
      // Messages of CUDA hold neither quotes nor backslashes.
      std::fprintf(out, "\"error\": \"%s\"}", error.what());
      result = 1;
    }
    std::fflush(out);
  }
  std::fprintf(out, "]}\n");
  if (out != stdout) std::fclose(out);
  return result;
}

int advance_pair(const char* system, const char* scheme) {
  std::string problem;
  const auto devices = cuda_devices(problem);
  if (devices.empty()) {
    std::printf("skipped: no CUDA device (%s)\n", problem.c_str());
    return 77;
  }
  for (const PairKernels& pair : cpu_pairs(best_isa()))
    if (std::string(system) == pair.system->info->name && std::string(scheme) == pair.scheme->name) {
      Started started(pair, devices.front(), instances(devices.front()));
      started.advance(20);
      started.advance(40);
      return 0;
    }
  std::fprintf(stderr, "no %s on %s\n", scheme, system);
  return 1;
}

}  // namespace livens::selftest
