#include "tests/cuda/ensemble.hpp"

namespace livens::selftest {

Ensemble::Ensemble(const PairKernels& pair, const CudaDevice& device, std::int64_t size,
                   const Settings& settings)
    : settings_(settings),
      status_(size),
      records_(std::make_unique_for_overwrite<double[]>(size * pair.record_width)),
      gpu_(pair, device) {
  const SystemInfo& info = *pair.system->info;
  for (const ParameterInfo& parameter : info.parameters)
    parameters_.insert(parameters_.end(), parameter.defaults.begin(), parameter.defaults.end());
  varied_.resize(parameters_.size());
  batch_.size = batch_.last = size;
  batch_.shared_parameters = parameters_.data();
  batch_.varied = varied_.data();
  batch_.shared_step = info.default_step;
  batch_.records = records_.get();

  gpu_.begin(batch_);
  gpu_.initial_states(batch_);
  for (int c = 0; c < info.coordinates; ++c) {
    Draw draw{.target = Target::v, .first = c, .law = Law::uniform, .mode = Mode::add, .a = -0.3, .b = 0.3};
    draw.entry = static_cast<std::uint32_t>(c);
    gpu_.draw(batch_, draw);
  }
  gpu_.make_consistent(batch_, Consistency::project, status_.data());
  gpu_.start(batch_, settings_, status_.data());
}

Ensemble::Totals Ensemble::totals() {
  constexpr int steps = static_cast<int>(Column::steps),
                iterations = static_cast<int>(Column::newton_iterations);
  static_assert(iterations == steps + 1);
  gpu_.fetch(batch_, {size() / tile_size, steps, iterations + 1});
  Totals sums{0.0, 0.0};
  for (std::int64_t tile = 0; tile < size() / tile_size; ++tile) {
    const double* column = records_.get() + column_offset(tile, gpu_.record_width(), steps);
    for (int i = 0; i < tile_size; ++i) {
      sums.steps += column[i];
      sums.newton_iterations += column[tile_size + i];
    }
  }
  return sums;
}

double Ensemble::bytes(const PairKernels& pair, std::int64_t size) {
  const int d = pair.system->info->coordinates;
  return 8.0 * static_cast<double>(size) * (pair.record_width + 3 * d);
}

}  // namespace livens::selftest
