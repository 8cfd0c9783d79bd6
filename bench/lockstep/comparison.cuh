#pragma once
// Steps of livens against the same equations in lockstep (lockstep.cuh), on one GPU, over the batched solver
// of some library.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "bench/lockstep/lockstep.cuh"
#include "kernels/backends/cuda/cuda_backend.hpp"
#include "kernels/backends/registry.hpp"

namespace livens {

/// Instances that differ in their velocities.
struct Ensemble {
  std::vector<double> parameters, q, v, p, records;
  std::vector<double*> varied;
  std::vector<std::uint8_t> status;
  Batch batch{};

  Ensemble(const PairKernels& pair, std::int64_t size) : status(size) {
    const SystemInfo& info = *pair.system->info;
    for (const ParameterInfo& parameter : info.parameters)
      parameters.insert(parameters.end(), parameter.defaults.begin(), parameter.defaults.end());
    varied.resize(parameters.size());
    for (auto* states : {&q, &v, &p}) states->resize(size * info.coordinates);
    records.resize(size * pair.record_width);
    batch = {size,    parameters.data(), varied.data(), info.default_step, nullptr,
             nullptr, q.data(),          v.data(),      p.data(),          records.data()};
    pair.system->initial_states(batch, 0, size);
    for (std::size_t k = 0; k < v.size(); ++k) v[k] += 0.2 * std::sin(0.7 * static_cast<double>(k));
    pair.system->make_consistent(batch, Consistency::project, status.data(), 0, size);
  }
};

/// The first pair that has these names; an empty one is any.
inline const PairKernels* find(std::string_view system, std::string_view scheme = {},
                               std::string_view form = {}) {
  for (const PairKernels& pair : cpu_pairs(best_isa()))
    if (system == pair.system->info->name && (scheme.empty() || scheme == pair.scheme->name) &&
        (form.empty() || form == pair.form))
      return &pair;  // the form taken by default stands first
  return nullptr;
}

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Steps per second of the device, the best of three runs of at least a fifth of a second.
inline double livens_rate(const PairKernels& pair, const CudaDevice& device, std::int64_t size) {
  Ensemble ensemble(pair, size);
  CudaBackend gpu(pair, device);
  const Settings settings = standard_settings(*pair.scheme);
  gpu.take(ensemble.batch);
  gpu.start(ensemble.batch, settings, ensemble.status.data());
  double best = 0.0;
  std::int64_t at = 0, beats = 10;
  for (int run = 0; run < 3;) {
    const double before = gpu.device_seconds();
    gpu.advance(ensemble.batch, settings, at += beats);
    const double seconds = gpu.device_seconds() - before;
    if (seconds < 0.2 && beats < 100000) {
      beats *= 2;
      continue;
    }
    best = std::max(best, static_cast<double>(beats * size) / seconds);
    ++run;
  }
  return best;
}

/// livens and the same Newton iterations in lockstep over a batched solver.
template <class Scheme, class Solver>
class Comparison {
 public:
  Comparison(const PairKernels& pair, const CudaDevice& device) : pair_(pair), device_(device) {
    settings_ = standard_settings(*pair.scheme);
  }

  /// Ten steps, each from the node that livens has come to. Both stop where the scaled residual is at most
  /// the tolerance, so to first order the unknowns are within 2 |J^-1| tolerance of each other in the
  /// infinity norm; twice that leaves room for the second order.
  bool same_steps(double& difference, double& bound) {
    Ensemble ensemble(pair_, 1024);
    CudaBackend gpu(pair_, device_);
    gpu.take(ensemble.batch);
    gpu.start(ensemble.batch, settings_, ensemble.status.data());
    OnDevice there(ensemble);
    Lockstep<Scheme, Solver> lockstep(there.batch, settings_);
    difference = bound = 0.0;
    std::vector<double> stepped(ensemble.records.size());
    bool same = true, compared = false;
    for (int step = 0; step < 10; ++step) {
      fetch(gpu, ensemble);
      there.records.upload(ensemble.records.data(), there.values, "records");
      lockstep.step();
      there.records.download(stepped.data(), there.values, "records");
      const double limit = 4.0 * LockstepOf<Scheme>::reach * lockstep.inverse_norm() * settings_.tolerance;
      gpu.advance(ensemble.batch, settings_, step + 1);
      fetch(gpu, ensemble);
      for (std::int64_t i = 0; i < ensemble.batch.size; ++i) {
        auto expected = load_record<Scheme>(ensemble.records.data(), i);
        // A step that was redone in parts is another step.
        if (expected[Column::status] != 0.0 || expected[Column::retried_steps] != 0.0) continue;
        const auto q = load_record<Scheme>(stepped.data(), i).carried.q;
        const double apart = norm_inf(expected.carried.q - q);
        same = same && apart <= limit;
        compared = true;
        difference = std::max(difference, apart);
      }
      bound = std::max(bound, limit);
    }
    return same && compared;
  }

  double lockstep_rate(std::int64_t size, int& iterations) {
    Ensemble ensemble(pair_, size);
    CudaBackend gpu(pair_, device_);
    gpu.take(ensemble.batch);
    gpu.start(ensemble.batch, settings_, ensemble.status.data());
    fetch(gpu, ensemble);
    OnDevice there(ensemble);
    Lockstep<Scheme, Solver> lockstep(there.batch, settings_);
    lockstep.step();
    const auto begin = std::chrono::steady_clock::now();
    int steps = 0;
    // Not for long: a step that does not converge is not redone here.
    for (; seconds_since(begin) < 1.5 && steps < 100; ++steps) iterations = lockstep.step();
    cuda_check(cudaDeviceSynchronize(), "lockstep");
    return static_cast<double>(steps * size) / seconds_since(begin);
  }

 private:
  struct OnDevice {
    explicit OnDevice(const Ensemble& ensemble)
        : values(static_cast<std::int64_t>(ensemble.records.size())), batch(ensemble.batch) {
      const auto entries = static_cast<std::int64_t>(ensemble.parameters.size());
      batch.shared_parameters = shared.upload(ensemble.parameters.data(), entries, "parameters");
      batch.varied = varied.upload(ensemble.varied.data(), entries, "pointers to parameters");
      batch.records = records.upload(ensemble.records.data(), values, "records");
    }
    std::int64_t values;
    CudaArray<double> shared, records;
    CudaArray<double*> varied;
    Batch batch;
  };
  void fetch(CudaBackend& gpu, Ensemble& ensemble) const {
    gpu.fetch(ensemble.batch, {ensemble.batch.size / tile_size, 0, pair_.record_width});
  }

  const PairKernels& pair_;
  CudaDevice device_;
  Settings settings_;
};

struct Compared {
  int same = 0, different = 0;
};

/// Steps of one pair, and a row of the file where they are the same and there is a file. The processor has
/// no part in it beside the initial states.
template <class Scheme, class Solver>
void compare_steps(const CudaDevice& device, std::int64_t size, std::FILE* out, Compared& compared) {
  const char* const name = Scheme::System::info().name;
  const char* const scheme = Scheme::info().name;
  const PairKernels* const pair = find(name, scheme, Scheme::form);
  if (pair == nullptr || cuda_pair(*pair) == nullptr) {
    std::printf("%s: not compiled\n", name);
    return;
  }
  Comparison<Scheme, Solver> comparison(*pair, device);
  double difference = 0.0, bound = 0.0;
  const bool same = comparison.same_steps(difference, bound);
  ++(same ? compared.same : compared.different);
  std::printf("%s: largest difference of a step %.3g, bound %.3g  %s\n", name, difference, bound,
              same ? "ok" : "FAIL");
  if (out == nullptr || !same) return;
  int iterations = 0;
  const double lockstep = comparison.lockstep_rate(size, iterations);
  const double same_form = livens_rate(*pair, device, size),
               best = livens_rate(*find(name, scheme), device, size);
  std::fprintf(
      out,
      "{\"system\": \"%s\", \"scheme\": \"%s\", \"solver\": \"%s\", \"unknowns\": %d, \"instances\": %lld, "
      "\"difference\": %.3g, \"bound\": %.3g, \"newton_iterations_of_the_slowest\": %d, "
      "\"lockstep_steps_per_second\": %.6g, \"full_form_steps_per_second\": %.6g, "
      "\"steps_per_second\": %.6g, \"ratio_full_form\": %.4g, \"ratio\": %.4g}\n",
      name, scheme, Solver::name, pair->unknowns, static_cast<long long>(size), difference, bound, iterations,
      lockstep, same_form, best, same_form / lockstep, best / lockstep);
  std::fflush(out);
}

/// Runs `compare(device, out, compared)` with the command line of a program: [--check | FILE]. Exit status 0
/// all the same, 1 something differs, 3 nothing was compared, 77 no device.
template <class Compare>
int run_comparison(int argc, char** argv, Compare&& compare) try {
  const bool check = argc > 1 && std::string_view(argv[1]) == "--check";
  std::string problem;
  const auto devices = cuda_devices(problem);
  if (devices.empty()) {
    std::printf("could not run: no CUDA device (%s)\n", problem.c_str());
    return 77;
  }
  cuda_use(devices.front());
  std::FILE* const out = check ? nullptr : argc > 1 ? std::fopen(argv[1], "w") : stdout;
  if (!check && out == nullptr) throw std::runtime_error(std::string(argv[1]) + ": cannot be written");
  Compared compared;
  compare(devices.front(), out, compared);
  if (out != nullptr && out != stdout) std::fclose(out);
  std::printf("%d the same, %d different\n", compared.same, compared.different);
  return compared.different > 0 ? 1 : compared.same > 0 ? 0 : 3;
} catch (const std::exception& error) {
  std::printf("FAIL %s\n", error.what());
  return 1;
}

}  // namespace livens
