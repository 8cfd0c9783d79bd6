#include "tests/cuda/timing.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>

#include "kernels/backends/registry.hpp"
#include "tests/cuda/devices.hpp"
#include "tests/cuda/ensemble.hpp"
#include "tests/digests/cases.hpp"

namespace livens::selftest {
namespace {

struct Timing {
  double kernel_seconds = 0.0;  // in the kernels of advance()
  double wall_seconds = 0.0;    // of advance(), with the steps that the processor takes
  double steps = 0.0, iterations = 0.0;
  double sample_seconds = 0.0;  // statistics of five columns, made and brought
  double fetch_seconds = 0.0;   // two columns, brought
  double load_seconds = 0.0;    // of the kernels, with the memory of their stacks

  double rate() const { return steps / kernel_seconds; }
};

template <class Call>
double seconds_of(Call&& call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double sample_seconds(Ensemble& ensemble) {
  std::array observed = {Column::constraint, Column::dissipated_energy, Column::energy_error,
                         Column::momentum_error, Column::velocity_constraint};
  double best = 0.0;
  for (int k = 0; k < 4; ++k) {  // the first one makes room
    // The answer to the question before would be given again.
    std::ranges::rotate(observed, observed.begin() + 1);
    const double seconds = seconds_of([&] { ensemble.gpu().observe(ensemble.size(), observed); });
    if (k == 1 || (k > 1 && seconds < best)) best = seconds;
  }
  return best;
}

/// One run that lasts long enough, after shorter ones that find its length and warm up.
Timing time_pair(const PairKernels& pair, const CudaDevice& device, std::int64_t size, double seconds) {
  Ensemble ensemble(pair, device, size);
  std::int64_t at = 0;
  const auto advance = [&](std::int64_t beats) {
    const double before = ensemble.gpu().device_seconds();
    Timing t;
    t.wall_seconds = seconds_of([&] { ensemble.advance(at += beats); });
    t.kernel_seconds = ensemble.gpu().device_seconds() - before;
    return t;
  };
  advance(1);
  constexpr std::int64_t longest = 1000000;
  std::int64_t beats = 1;
  for (;;) {
    const double taken = advance(beats).kernel_seconds;
    if (taken >= seconds || beats == longest) break;
    // Not by more at once: short launches are mostly launching.
    const double factor = std::min(1.2 * seconds / std::max(taken, 1e-9), 20.0);
    beats = std::min(longest, static_cast<std::int64_t>(static_cast<double>(beats) * factor) + 1);
    if (taken >= 0.25 * seconds) break;
  }
  const Ensemble::Totals before = ensemble.totals();
  Timing t = advance(beats);
  Ensemble::Totals after{};
  t.fetch_seconds = seconds_of([&] { after = ensemble.totals(); });
  t.steps = after.steps - before.steps;
  t.iterations = after.newton_iterations - before.newton_iterations;
  t.sample_seconds = sample_seconds(ensemble);
  t.load_seconds = ensemble.gpu().load_seconds();
  if (!(t.steps > 0.0)) throw std::runtime_error("no instance has taken a step");
  return t;
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

class Rows {
 public:
  explicit Rows(const std::string& path) {
    if (path.empty()) return;
    file_.reset(std::fopen(path.c_str(), "w"));
    if (!file_) throw std::runtime_error(path + ": cannot be written");
  }
  void add(const PairKernels& pair, std::int64_t size, const std::string& values) {
    std::FILE* const out = file_ ? file_.get() : stdout;
    std::fprintf(out,
                 "{\"system\": \"%s\", \"scheme\": \"%s\", \"form\": \"%s\", \"precision\": \"%s\", "
                 "\"unknowns\": %d, \"instances\": %lld, %s}\n",
                 pair.system->info->name, pair.scheme->name, pair.form,
                 pair.precision == Precision::single ? "single" : "double", pair.unknowns,
                 static_cast<long long>(size), values.c_str());
    std::fflush(out);
  }

 private:
  std::unique_ptr<std::FILE, CloseFile> file_;
};

std::string described(const Timing& t) {
  char text[400];
  std::snprintf(
      text, sizeof text,
      "\"steps_per_second\": %.6g, \"newton_iterations_per_step\": %.4g, \"kernel_seconds\": %.4g, "
      "\"wall_seconds\": %.4g, \"sample_seconds\": %.4g, \"fetch_seconds\": %.4g, \"load_seconds\": %.4g",
      t.rate(), t.iterations / t.steps, t.kernel_seconds, t.wall_seconds, t.sample_seconds, t.fetch_seconds,
      t.load_seconds);
  return text;
}

/// A JSON string; messages of CUDA hold no control characters.
std::string quoted(const std::string& text) {
  std::string r = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') r += '\\';
    r += c;
  }
  return r + '"';
}

}  // namespace

ExitStatus time_pairs(const TimingRequest& request) {
  const auto devices = devices_or_why_none();
  if (devices.empty()) return exit_no_device;
  const CudaDevice& device = devices.front();
  Rows rows(request.file);
  int timed = 0, wrong = 0;
  for (const std::int64_t size : request.sizes)
    for (const Precision precision : {Precision::full, Precision::single})
      for (const PairKernels& pair : cpu_pairs(best_isa(), precision)) {
        if (cuda_pair(pair) == nullptr || name_of(pair).find(request.only) == std::string::npos) continue;
        // A tenth for the stack of the threads and the statistics.
        if (device.memory > 0 && Ensemble::bytes(pair, size) > 0.9 * static_cast<double>(device.memory)) {
          rows.add(pair, size, "\"left_out\": \"more than the memory of the device\"");
          continue;
        }
        try {
          rows.add(pair, size, described(time_pair(pair, device, size, request.seconds)));
          ++timed;
        } catch (const std::exception& error) {
          rows.add(pair, size, "\"error\": " + quoted(error.what()));
          std::printf("%s, %lld instances: FAIL %s\n", name_of(pair).c_str(), static_cast<long long>(size),
                      error.what());
          ++wrong;
        }
      }
  std::printf("%d timed, %d failed\n", timed, wrong);
  return wrong > 0 ? exit_wrong : timed > 0 ? exit_equal : exit_nothing;
}

ExitStatus advance_pair(const std::string& system, const std::string& scheme, std::int64_t instances,
                        std::int64_t beats) {
  const auto devices = devices_or_why_none();
  if (devices.empty()) return exit_no_device;
  if (instances == 0) instances = std::int64_t{devices.front().multiprocessors} * 256;
  for (const PairKernels& pair : cpu_pairs(best_isa()))
    if (system == pair.system->info->name && scheme == pair.scheme->name) {
      Ensemble ensemble(pair, devices.front(), instances);
      ensemble.advance(beats);
      ensemble.advance(2 * beats);
      const Ensemble::Totals totals = ensemble.totals();
      std::printf("%s: %lld instances, %.0f steps\n", name_of(pair).c_str(),
                  static_cast<long long>(instances), totals.steps);
      return exit_equal;
    }
  std::printf("no %s on %s in this program\n", scheme.c_str(), system.c_str());
  return exit_nothing;
}

}  // namespace livens::selftest
