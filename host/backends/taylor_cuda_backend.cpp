#include "host/backends/taylor_cuda_backend.hpp"

#include <algorithm>
#include <utility>

#include "ensembles/batch_part.hpp"

namespace livens::host {

using taylor::lanes;

TaylorCudaBackend::TaylorCudaBackend(const PairKernels& pair, const TextSystem& text,
                                     const std::vector<bool>& zeros, double tolerance,
                                     const CudaDevice& device, int threads, ensembles::StopAsked stop)
    : TaylorBackend(pair, text, zeros, tolerance, threads, std::move(stop)),
      device_(device),
      lists_(taylor::agenda_of(equations(), tolerance)) {}

void TaylorCudaBackend::send_lists() {
  if (lists_there_.get() != nullptr) return;
  const std::vector<std::byte>& bytes = lists_.bytes();
  agenda_ = lists_.agenda_in(
      lists_there_.upload(bytes.data(), static_cast<std::int64_t>(bytes.size()), "the equations"));
}

std::int64_t TaylorCudaBackend::instances_at_a_time() const {
  const std::int64_t numbers = record_width() + agenda_.parameters + 2 + taylor::room_entries(agenda_);
  const auto most = static_cast<std::int64_t>(device_.memory / 4) / (8 * numbers);
  return std::max<std::int64_t>(most / tile_size, 1) * tile_size;
}

void TaylorCudaBackend::advance(const Batch& batch, const Settings& settings, std::int64_t to) {
  cuda_use(device_);
  send_lists();
  const std::int64_t most = instances_at_a_time();
  for (std::int64_t first = 0; first < batch.size; first += most) {
    pause();
    const ensembles::BatchPart part(batch, system(), record_width(), first,
                                    std::min(first + most, batch.size));
    launch(part.batch(), {to, settings.energy_balance});
  }
}

void TaylorCudaBackend::launch(const Batch& part, const taylor::Destination& to) {
  const int width = record_width();
  std::int64_t behind = 0;
  while (behind < part.size && !is_left(part, width, to.beat, behind)) ++behind;
  if (behind == part.size) return;
  Batch there{};
  there.size = part.size;
  there.shared_step = part.shared_step;
  if (part.varied_step) there.varied_step = steps_.upload(part.varied_step, part.size, "the steps");
  if (part.steps_per_beat)
    there.steps_per_beat =
        steps_per_beat_.upload(part.steps_per_beat, part.size, "the numbers of steps in a beat");
  there.records = records_.upload(part.records, part.size * width, "the records");
  taylor::advance_series(system().name, {agenda_, there, kept_columns(), to, upload_parameters(part),
                                         memory_.reserve(part.size * taylor::room_entries(agenda_),
                                                         "the series of the instances")});
  records_.download(part.records, part.size * width, "the records");
}

double* TaylorCudaBackend::upload_parameters(const Batch& part) {
  const auto count = static_cast<std::size_t>(agenda_.parameters);
  packed_parameters_.resize(static_cast<std::size_t>(part.size) * count);
  for_each_block(part.size / lanes, [&](std::int64_t group) {
    std::vector<double> parameters(count);
    double* const packed = packed_parameters_.data() + group * lanes * agenda_.parameters;
    for (int lane = 0; lane < lanes; ++lane) {
      parameters_of(part, group * lanes + lane, parameters);
      for (std::size_t k = 0; k < count; ++k)
        packed[k * lanes + static_cast<std::size_t>(lane)] = parameters[k];
    }
  });
  return parameters_.upload(packed_parameters_.data(), part.size * agenda_.parameters, "the parameters");
}

}  // namespace livens::host
