#include "tests/cuda/backend_checks.hpp"

#include <cstring>
#include <memory>

#include "kernels/backends/cuda/cuda_backend.hpp"
#include "tests/cuda/ensemble.hpp"
#include "tests/cuda/filled_memory.hpp"
#include "tests/digests/population.hpp"

namespace livens::selftest {
namespace {

/// A population on a device, at its start.
struct OnDevice {
  OnDevice(const PairKernels& pair, const CudaDevice& device, std::int64_t size)
      : settings(standard_settings(*pair.scheme)),
        population(*pair.system->info, pair.record_width, {.size = size}),
        gpu(pair, device) {
    const Batch& batch = population.batch();
    gpu.take(batch);
    gpu.initial_states(batch);
    gpu.make_consistent(batch, Consistency::project, population.status().data());
    gpu.start(batch, settings, population.status().data());
  }
  void advance(std::int64_t to) { gpu.advance(population.batch(), settings, to); }
  const std::vector<double>& fetched() {
    gpu.fetch(population.batch(), {population.batch().size / tile_size, 0, gpu.record_width()});
    return population.records;
  }

  Settings settings;
  Population population;
  CudaBackend gpu;
};

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0;
}

}  // namespace

std::string check_copy(const PairKernels& pair, const CudaDevice& device) {
  OnDevice ensemble(pair, device, 256);
  ensemble.advance(3);
  const std::vector<double> before = ensemble.fetched();
  const Batch& batch = ensemble.population.batch();
  ensemble.gpu.advance_copy(batch, ensemble.settings, 6);
  const std::vector<double> copied = ensemble.population.records;
  if (same(copied, before)) return "FAIL the copies have not moved";
  if (!same(ensemble.fetched(), before)) return "FAIL the instances themselves have changed";
  ensemble.advance(6);
  return same(ensemble.fetched(), copied) ? "ok" : "FAIL the records differ";
}

std::string check_mixed(const PairKernels& pair, const CudaDevice& device) {
  Settings settings = standard_settings(*pair.scheme);
  settings.precision = Precision::mixed;
  Population population(*pair.system->info, pair.record_width,
                        {.size = 64, .parameters = 0.5, .velocities = 3.0, .step_factor = 8.0});
  const Batch& batch = population.batch();
  pair.system->initial_states(batch, 0, batch.size);
  population.disturb_velocities();
  pair.system->make_consistent(batch, Consistency::project, population.status().data(), 0, batch.size);
  pair.start(batch, settings, population.status().data(), 0, batch.size);
  pair.advance(batch, settings, 20, 0, batch.size);
  const std::vector<double> expected = population.records;
  for (const int every : {1, 20}) {
    CudaBackend gpu(pair, device);
    gpu.take(batch);
    gpu.start(batch, settings, population.status().data());
    for (int to = every; to <= 20; to += every) gpu.advance(batch, settings, to);
    gpu.fetch(batch, {batch.size / tile_size, 0, gpu.record_width()});
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double a = expected[i], b = population.records[i];
      if (std::memcmp(&a, &b, sizeof a) != 0 && (a == a || b == b))
        return "FAIL with a stop every " + std::to_string(every) + " steps the records differ";
    }
  }
  return "ok";
}

std::string check_exhausted_memory(const PairKernels& pair, const CudaDevice& device) {
  std::string message;
  {
    const FilledMemory memory(device);
    // More than what is left twice over, in whole tiles.
    const double each = Ensemble::bytes(pair, 1);
    const auto tiles =
        static_cast<std::int64_t>(2.0 * static_cast<double>(memory.piece()) / each) / tile_size + 1;
    try {
      Ensemble(pair, device, tiles * tile_size);
      return "FAIL an ensemble larger than the memory that is left was started";
    } catch (const std::exception& error) {
      message = error.what();
    }
  }
  if (message.find("out of memory") == std::string::npos) return "FAIL the message is: " + message;
  Ensemble after(pair, device, 1024);
  after.advance(1);
  return after.totals().steps > 0.0 ? "ok" : "FAIL nothing moves after it";
}

std::string check_devices_in_turn(const PairKernels& pair, const std::vector<CudaDevice>& devices) {
  if (devices.size() < 2) return "could not run: there is one device";
  OnDevice alone(pair, devices.front(), 256);
  std::vector<std::unique_ptr<OnDevice>> shared;
  for (const CudaDevice& device : devices) shared.push_back(std::make_unique<OnDevice>(pair, device, 256));
  for (const int to : {1, 2, 5}) {
    alone.advance(to);
    for (auto& member : shared) member->advance(to);
    for (auto& member : shared)
      if (!same(member->fetched(), alone.fetched())) return "FAIL the records differ";
  }
  return "ok";
}

}  // namespace livens::selftest
