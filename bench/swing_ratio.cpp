// The swing's kernels against the Eigen reference loop, which has a sparse LU of 250 unknowns, or a dense one
// of 62:
//   swing_ratio [ROUNDS]
// An ensemble over load and tip mass, 32 instances on one thread in the widest lanes there are, then one
// instance of the reference, turn by turn; the median of the ratios of their steps per second.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/backends/registry.hpp"
#include "kernels/systems/three_bar_swing.hpp"
#include "reference/assemblies/three_bar_swing.hpp"
#include "reference/assembly/assembly_integrator.hpp"

namespace livens {
namespace {

constexpr double step = 5e-4;
constexpr int steps = 200;

template <class Work>
double seconds(Work&& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// 32 instances, at rest.
class Ensemble {
 public:
  explicit Ensemble(const PairKernels& pair) : pair_(pair), records_(tile_size * pair.record_width) {
    for (const ParameterInfo& parameter : pair.system->info->parameters)
      shared_.insert(shared_.end(), parameter.defaults.begin(), parameter.defaults.end());
    varied_.resize(shared_.size(), nullptr);
    for (int i = 0; i < tile_size; ++i) {
      masses_.push_back(4.0 + 2.0 * i / tile_size);
      loads_.push_back(12000.0 - 4000.0 * i / tile_size);
    }
    varied_[entry_of("midspan_mass")] = masses_.data();
    varied_[entry_of("peak_load")] = loads_.data();
    const std::size_t entries = tile_size * static_cast<std::size_t>(pair.system->info->coordinates);
    for (auto* values : {&q_, &v_, &p_}) values->resize(entries);
    pair.system->initial_states(batch(), 0, tile_size);
    pair.system->momenta(batch(), 0, tile_size);
    settings_ = standard_settings(*pair.scheme);
    settings_.tolerance = 0.0;
    const std::vector<std::uint8_t> status(tile_size, 0);
    pair.start(batch(), settings_, status.data(), 0, tile_size);
  }
  void advance() { pair_.advance(batch(), settings_, done_ += steps, 0, tile_size); }
  bool good() {
    for (int i = 0; i < tile_size; ++i)
      if (!is_ok(batch(), pair_.record_width, i)) return false;
    return true;
  }

 private:
  /// Of a parameter that is one number, among all entries.
  std::size_t entry_of(std::string_view name) const {
    std::size_t entry = 0;
    for (const ParameterInfo& parameter : pair_.system->info->parameters) {
      if (parameter.name == name) return entry;
      entry += static_cast<std::size_t>(parameter.size());
    }
    throw std::logic_error(std::string("swing_ratio: no parameter ") + name.data());
  }
  Batch batch() {
    return {.size = tile_size,
            .shared_parameters = shared_.data(),
            .varied = varied_.data(),
            .shared_step = step,
            .varied_step = nullptr,
            .steps_per_beat = nullptr,
            .q = q_.data(),
            .v = v_.data(),
            .p = p_.data(),
            .records = records_.data()};
  }
  PairKernels pair_;
  Settings settings_;
  std::vector<double> shared_, masses_, loads_, q_, v_, p_, records_;
  std::vector<double*> varied_;
  std::int64_t done_ = 0;
};

double ratio(const PairKernels& pair, int rounds) {
  const reference::Assembly assembly = reference::three_bar_swing();
  reference::AssemblyIntegrator loop(assembly, {pair.scheme->name, step}, at_rest(assembly));
  Ensemble ensemble(pair);
  std::vector<double> ratios;
  for (int round = 0; round < rounds; ++round) {
    const double lanes = seconds([&] { ensemble.advance(); }) / tile_size;
    ratios.push_back(seconds([&] {
                       for (int n = 0; n < steps; ++n) loop.advance();
                     }) /
                     lanes);
  }
  std::sort(ratios.begin(), ratios.end());
  if (!ensemble.good()) std::printf("an instance failed\n");
  return ratios[ratios.size() / 2];
}

}  // namespace
}  // namespace livens

int main(int argc, char** argv) {
  using namespace livens;
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 7;
  for (const PairKernels& pair : cpu_pairs(best_isa()))
    if (pair.system->capabilities.has(Capability::assembly))
      std::printf("%s %s, %d lanes: %.0f times the reference loop\n", pair.system->info->name,
                  pair.scheme->name, lanes(best_isa()), ratio(pair, rounds));
}
