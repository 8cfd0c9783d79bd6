#include "kernels/backends/cuda_backend.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "kernels/backends/cuda_memory.hpp"

namespace livens {
namespace {

const CudaPairKernels& compiled(const PairKernels& pair) {
  const CudaPairKernels* kernels = cuda_pair(pair);
  if (kernels == nullptr || kernels->record_width != pair.record_width)
    throw std::runtime_error(std::string("CUDA: ") + pair.scheme->name + " (" + pair.form + ") on " +
                             pair.system->info->name + " was not compiled for it");
  return *kernels;
}

bool same(const Batch& a, const Batch& b) {
  return a.size == b.size && a.shared_parameters == b.shared_parameters && a.varied == b.varied &&
         a.shared_step == b.shared_step && a.varied_step == b.varied_step && a.records == b.records;
}

}  // namespace

struct CudaBackend::Arrays {
  CudaArray<double> shared, varied, step, q, v, p, records;
  CudaArray<const double*> varied_pointers;
  CudaArray<std::int64_t> steps_per_unit;
  CudaArray<std::uint8_t> status, domains;
};

CudaBackend::CudaBackend(const PairKernels& pair, const CudaDevice& device)
    : pair_(pair),
      kernels_(compiled(pair)),
      device_(device),
      started_(std::make_unique<Arrays>()),
      other_(std::make_unique<Arrays>()) {}

CudaBackend::~CudaBackend() = default;

std::string CudaBackend::device() const {
  return device_.name + ", compute capability " + std::to_string(device_.major) + "." +
         std::to_string(device_.minor) + ", driver for CUDA " + cuda_version_name(device_.driver);
}

void CudaBackend::initial_states(const Batch& batch) {
  begin_setup();
  Batch on_device = upload_parameters(batch, *other_);
  on_device.q = other_->q.reserve(values(batch), "q");
  on_device.v = other_->v.reserve(values(batch), "v");
  kernels_.system->initial_states(on_device, 0, batch.size);
  other_->q.download(batch.q, values(batch), "q");
  other_->v.download(batch.v, values(batch), "v");
}

void CudaBackend::momenta(const Batch& batch) {
  begin_setup();
  Batch on_device = upload_parameters(batch, *other_);
  on_device.q = other_->q.upload(batch.q, values(batch), "q");
  on_device.v = other_->v.upload(batch.v, values(batch), "v");
  on_device.p = other_->p.reserve(values(batch), "p");
  kernels_.system->momenta(on_device, 0, batch.size);
  other_->p.download(batch.p, values(batch), "p");
}

void CudaBackend::velocities(const Batch& batch) {
  begin_setup();
  Batch on_device = upload_parameters(batch, *other_);
  on_device.q = other_->q.upload(batch.q, values(batch), "q");
  on_device.p = other_->p.upload(batch.p, values(batch), "p");
  on_device.v = other_->v.reserve(values(batch), "v");
  kernels_.system->velocities(on_device, 0, batch.size);
  other_->v.download(batch.v, values(batch), "v");
}

void CudaBackend::make_consistent(const Batch& batch, Consistency consistency, std::uint8_t* status) {
  begin_setup();
  Batch on_device = upload_parameters(batch, *other_);
  on_device.q = other_->q.upload(batch.q, values(batch), "q");
  on_device.v = other_->v.upload(batch.v, values(batch), "v");
  // p of an instance that cannot be made consistent stays as it was.
  on_device.p = other_->p.upload(batch.p, values(batch), "p");
  std::vector<std::uint8_t> domains;
  for (const ParameterInfo& parameter : system().parameters)
    for (int i = 0; i < parameter.size; ++i) domains.push_back(domain_code(parameter, i));
  const std::uint8_t* domains_there =
      other_->domains.upload(domains.data(), kernels_.system->parameter_count, "domains");
  std::uint8_t* status_there = other_->status.reserve(batch.size, "status");
  kernels_.system->make_consistent(on_device, consistency, domains_there, status_there, 0, batch.size);
  other_->q.download(batch.q, values(batch), "q");
  other_->v.download(batch.v, values(batch), "v");
  other_->p.download(batch.p, values(batch), "p");
  other_->status.download(status, batch.size, "status");
}

void CudaBackend::start(const Batch& batch, const Settings& settings, const std::uint8_t* status) {
  begin_setup();
  Batch on_device = upload_parameters(batch, *started_);
  on_device.records = started_->records.reserve(batch.size * record_width(), "records");
  Batch with_states = on_device;
  with_states.q = other_->q.upload(batch.q, values(batch), "q");
  with_states.v = other_->v.upload(batch.v, values(batch), "v");
  with_states.p = other_->p.upload(batch.p, values(batch), "p");
  const std::uint8_t* status_there = other_->status.upload(status, batch.size, "status");
  kernels_.start(with_states, settings, status_there, 0, batch.size);
  started_->records.download(batch.records, batch.size * record_width(), "records");
  started_on_device_ = on_device;
  started_batch_ = batch;
}

void CudaBackend::advance(const Batch& batch, const Settings& settings, std::int64_t to) {
  cuda_use(device_);
  const bool started = same(batch, started_batch_);
  Arrays& arrays = started ? *started_ : *other_;
  Batch on_device = started ? started_on_device_ : upload_parameters(batch, arrays);
  // Where the steps differ they are counted in units that may change from call to call.
  if (batch.steps_per_unit != nullptr)
    on_device.steps_per_unit =
        arrays.steps_per_unit.upload(batch.steps_per_unit, batch.size, "steps per unit");
  const std::int64_t count = batch.size * record_width();
  on_device.records = arrays.records.upload(batch.records, count, "records");
  device_seconds_ += kernels_.advance(on_device, settings, to, 0, on_device.size);
  arrays.records.download(batch.records, count, "records");
  if (kernels_.leaves_difficult) finish(batch, settings, to);
}

void CudaBackend::finish(const Batch& batch, const Settings& settings, std::int64_t to) const {
  for (std::int64_t first = 0; first < batch.size; first += tile_size) {
    const auto column = [&](Column c) {
      return batch.records + column_offset(first / tile_size, record_width(), static_cast<int>(c));
    };
    bool left = false;
    for (int i = 0; i < tile_size; ++i) {
      const std::int64_t per_unit = batch.steps_per_unit == nullptr ? 1 : batch.steps_per_unit[first + i];
      left = left || (column(Column::status)[i] == 0.0 &&
                      column(Column::steps)[i] < static_cast<double>(to * per_unit));
    }
    if (left) pair_.advance(batch, settings, to, first, first + tile_size);
  }
}

void CudaBackend::node(const Batch& batch, const double* before, std::int64_t instance,
                       NodeView& view) const {
  pair_.node(batch, before, instance, view);
}

void CudaBackend::begin_setup() {
  cuda_use(device_);
  // The arrays of a new ensemble may have the addresses of the last one's.
  started_batch_ = {};
}

Batch CudaBackend::upload_parameters(const Batch& batch, Arrays& arrays) const {
  const int entries = kernels_.system->parameter_count;
  Batch on_device{};
  on_device.size = batch.size;
  on_device.shared_step = batch.shared_step;
  on_device.shared_parameters = arrays.shared.upload(batch.shared_parameters, entries, "parameters");

  const auto varied_count =
      std::count_if(batch.varied, batch.varied + entries, [](auto* v) { return v != nullptr; });
  double* values = arrays.varied.reserve(varied_count * batch.size, "varied parameters");
  std::vector<const double*> pointers(entries, nullptr);
  for (int k = 0; k < entries; ++k) {
    if (batch.varied[k] == nullptr) continue;
    cuda_upload(values, batch.varied[k], sizeof(double) * batch.size, "varied parameters");
    pointers[k] = values;
    values += batch.size;
  }
  on_device.varied = arrays.varied_pointers.upload(pointers.data(), entries, "pointers to parameters");
  if (batch.varied_step != nullptr)
    on_device.varied_step = arrays.step.upload(batch.varied_step, batch.size, "steps");
  return on_device;
}

}  // namespace livens
