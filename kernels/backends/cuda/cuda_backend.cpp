#include "kernels/backends/cuda/cuda_backend.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <vector>

#include "kernels/backends/cuda/cuda_columns.hpp"
#include "kernels/backends/cuda/cuda_draws.hpp"
#include "kernels/backends/cuda/cuda_launch.hpp"
#include "kernels/backends/cuda/cuda_memory.hpp"
#include "kernels/backends/cuda/cuda_statistics.hpp"

namespace livens {
namespace {

const CudaPairKernels& compiled(const PairKernels& pair) {
  const CudaPairKernels* kernels = cuda_pair(pair);
  if (kernels == nullptr || kernels->record_width != pair.record_width)
    throw std::runtime_error(std::string("CUDA: ") + pair.scheme->name + " (" + pair.form + ") on " +
                             pair.system->info->name + " was not compiled for it");
  return *kernels;
}

}  // namespace

struct CudaBackend::Arrays {
  CudaArray<double> shared, varied, points, step, q, v, p, given_q, given_v, records;
  CudaArray<double*> varied_pointers;
  CudaArray<std::int64_t> steps_per_beat, steps_wanted, numbers;
  CudaArray<std::uint64_t> directions;
  CudaArray<std::uint8_t> status, domains;
  std::vector<double*> varied_columns;  // what varied_pointers holds
};

/// What the device answers; the results are in memory of the host, to which it writes them itself.
struct CudaBackend::Answers {
  CudaPinnedArray<int> left;
  CudaStopwatch stopwatch;
  CudaColumns columns;

  CudaPinnedArray<BlockSummary> summaries;
  CudaPinnedArray<double> values;
  std::int64_t size = 0;  // instances that are summarized, or will be
  ObservedColumns observed{};
  bool announced = false;  // the next advance() shall be followed by it
  bool launched = false;   // of the records as they are
};

CudaBackend::CudaBackend(const PairKernels& pair, const CudaDevice& device)
    : CudaBackend(pair, compiled(pair), device) {}

CudaBackend::CudaBackend(const PairKernels& pair, const CudaPairKernels& kernels, const CudaDevice& device)
    : pair_(pair),
      kernels_(kernels),
      device_(device),
      arrays_(std::make_unique<Arrays>()),
      copy_(std::make_unique<Arrays>()),
      answers_(std::make_unique<Answers>()) {}

CudaBackend::~CudaBackend() = default;

std::string CudaBackend::device() const { return description_of(device_); }

void CudaBackend::load() {
  if (loaded_) return;
  cuda_use(device_);
  const auto begun = std::chrono::steady_clock::now();
  const Batch none{};
  const Settings settings = standard_settings(scheme());
  kernels_.start(none, settings, nullptr, 0, 0);
  kernels_.advance(none, settings, 0, nullptr, 0, 0);
  if (kernels_.advance_difficult) kernels_.advance_difficult(none, settings, 0, 1.0, 0, 0);
  cuda_wait(std::string("CUDA: loading ") + scheme().name + " (" + form() + ") on " + system().name);
  load_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  loaded_ = true;
}

std::int64_t CudaBackend::most_instances() {
  load();
  // Records, q, v, p, what q and v were given as, every parameter and the step in columns of their own, steps twice,
  // number and status; a tenth is left for statistics, laws and other programs.
  const double each =
      8.0 * (record_width() + 5 * system().coordinates + kernels_.system->parameter_count + 5);
  const auto tiles =
      static_cast<std::int64_t>(0.9 * static_cast<double>(cuda_free_memory()) / each) / tile_size;
  return std::max<std::int64_t>(tiles, 1) * tile_size;
}

void CudaBackend::begin(const Batch& batch) {
  load();
  cuda_use(device_);
  answers_->announced = answers_->launched = false;
  on_device_ = make_room(batch, *arrays_);
  steps_per_beat_ = batch.steps_per_beat;
  if (batch.steps_per_beat != nullptr)
    on_device_.steps_per_beat = arrays_->steps_per_beat.reserve(batch.size, "steps per beat");
  on_device_.q = arrays_->q.reserve(values(batch), "q");
  on_device_.v = arrays_->v.reserve(values(batch), "v");
  // An instance that cannot be made consistent keeps the p it has, which is zero unless the spec gives one.
  on_device_.p = arrays_->p.clear(values(batch), "p");
  if (batch.numbers != nullptr)
    on_device_.numbers = arrays_->numbers.upload(batch.numbers, batch.size, "numbers of instances");
}

void CudaBackend::take(const Batch& batch) {
  begin(batch);
  upload_parameters(batch, *arrays_);
  if (batch.steps_per_beat != nullptr)
    arrays_->steps_per_beat.upload(batch.steps_per_beat, batch.size, "steps per beat");
  arrays_->q.upload(batch.q, values(batch), "q");
  arrays_->v.upload(batch.v, values(batch), "v");
  arrays_->p.upload(batch.p, values(batch), "p");
}

void CudaBackend::draw(const Batch&, const Draw& draw) {
  cuda_use(device_);
  Draw there = draw;
  if (draw.points != nullptr)
    there.points = arrays_->points.upload(draw.points, draw.point_count * draw.width(), "points of a law");
  if (draw.directions != nullptr)
    there.directions = arrays_->directions.upload(draw.directions, 64 * draw.width(), "direction numbers");
  cuda_draw(on_device_, system(), there);
}

void CudaBackend::initial_states(const Batch& batch) {
  cuda_use(device_);
  kernels_.system->initial_states(on_device_, 0, batch.size);
}

void CudaBackend::momenta(const Batch& batch) {
  cuda_use(device_);
  kernels_.system->momenta(on_device_, 0, batch.size);
}

void CudaBackend::velocities(const Batch& batch) {
  cuda_use(device_);
  kernels_.system->velocities(on_device_, 0, batch.size);
}

void CudaBackend::make_consistent(const Batch& batch, Consistency consistency, std::uint8_t* status) {
  cuda_use(device_);
  std::vector<std::uint8_t> domains;
  for (const ParameterInfo& parameter : system().parameters)
    domains.insert(domains.end(), parameter.size(), static_cast<std::uint8_t>(parameter.domain));
  const std::uint8_t* domains_there =
      arrays_->domains.upload(domains.data(), kernels_.system->parameter_count, "domains");
  std::uint8_t* status_there = arrays_->status.reserve(batch.size, "status");
  if (batch.given_q != nullptr) {
    on_device_.given_q = arrays_->given_q.upload(batch.given_q, values(batch), "q before it is consistent");
    on_device_.given_v = arrays_->given_v.upload(batch.given_v, values(batch), "v before it is consistent");
  }
  kernels_.system->make_consistent(on_device_, consistency, domains_there, status_there, 0, batch.size);
  arrays_->status.download(status, batch.size, "status");
}

void CudaBackend::fetch_initial(const Batch& batch, const InitialPart& part) {
  cuda_use(device_);
  const auto fetch_columns = [&](const CudaArray<double>& from, double* to, const char* name) {
    from.download_rows(to, part.first, system().coordinates, part.last - part.first, batch.size, name);
  };
  switch (part.target) {
    case Target::parameter:
      for (int k = part.first; k < part.last; ++k)
        if (batch.varied[k] != nullptr)
          cuda_download(batch.varied[k], arrays_->varied_columns[k], sizeof(double) * batch.size,
                        "varied parameters");
      return;
    case Target::step:
      arrays_->step.download(batch.varied_step, batch.size, "steps");
      arrays_->steps_per_beat.download(batch.steps_per_beat, batch.size, "steps per beat");
      return;
    case Target::q:
      return fetch_columns(arrays_->q, batch.q, "q");
    case Target::v:
      return fetch_columns(arrays_->v, batch.v, "v");
    case Target::p:
      return fetch_columns(arrays_->p, batch.p, "p");
  }
}

void CudaBackend::start(const Batch& batch, const Settings& settings, const std::uint8_t* status) {
  cuda_use(device_);
  answers_->launched = false;
  on_device_.records = arrays_->records.reserve(batch.size * record_width(), "records");
  // The caller may know of more that is wrong than make_consistent().
  const std::uint8_t* status_there = arrays_->status.upload(status, batch.size, "status");
  kernels_.start(on_device_, settings, status_there, 0, batch.size);
}

void CudaBackend::advance(const Batch& batch, const Settings& settings, std::int64_t to) {
  cuda_use(device_);
  answers_->launched = false;
  Batch there = on_device_;
  // To a tick between two beats an instance has counts of its own, which only the host knows.
  if (batch.steps_per_beat != steps_per_beat_)
    there.steps_per_beat = arrays_->steps_wanted.upload(batch.steps_per_beat, batch.size, "steps");
  if (!step(there, settings, to)) finish(batch, there, settings, to);
  answers_->announced = false;
}

bool CudaBackend::step(const Batch& there, const Settings& settings, std::int64_t to) {
  Answers& a = *answers_;
  volatile int* const left = a.left.reserve(1, "a word");
  const CudaLaunch launch{"advance", system().name, scheme().name, pair_.form, 0, there.size, 0, to};
  // Beside a difficult step a launch with care takes others, which are not: the same bits in double and in
  // single precision, but in mixed precision only difficult steps are in double.
  const double growth = settings.precision == Precision::mixed ? 1.0 : 2.0;
  for (double careful = 0.0;; careful = careful == 0.0 ? 1.0 : growth * careful) {
    *left = 0;
    a.stopwatch.start();
    if (careful > 0.0) kernels_.advance_difficult(there, settings, to, careful, 0, there.size);
    kernels_.advance(there, settings, to, left, 0, there.size);
    a.stopwatch.stop();
    // Before anybody knows whether instances are left: there seldom are. Behind careful steps observe() does.
    if (a.announced && careful == 0.0) summarize();
    device_seconds_ += a.stopwatch.seconds(launch.name());
    if (*left == 0) return true;
    a.launched = false;
    if (kernels_.advance_difficult == nullptr) return false;
  }
}

void CudaBackend::advance_copy(const Batch& batch, const Settings& settings, std::int64_t to) {
  cuda_use(device_);
  Batch there = make_room(batch, *copy_);
  upload_parameters(batch, *copy_);
  if (batch.steps_per_beat != nullptr)
    there.steps_per_beat = copy_->steps_per_beat.upload(batch.steps_per_beat, batch.size, "steps per beat");
  const std::int64_t count = batch.size * record_width();
  there.records = copy_->records.upload(batch.records, count, "records");
  const bool all_there = step(there, settings, to);
  copy_->records.download(batch.records, count, "records");
  if (all_there) return;
  for (std::int64_t first = 0; first < batch.size; first += tile_size)
    pair_.advance(batch, settings, to, first, first + tile_size);
}

void CudaBackend::finish(const Batch& batch, const Batch& there, const Settings& settings, std::int64_t to) {
  const std::int64_t width = record_width() * tile_size;
  for (const std::int64_t tile : answers_->columns.left_tiles(there, record_width(), to)) {
    const std::int64_t at = column_offset(tile, record_width(), 0), first = tile * tile_size;
    arrays_->records.download_rows(batch.records, at, width, width, 1, "records");
    pair_.advance(batch, settings, to, first, first + tile_size);
    cuda_upload(arrays_->records.get() + at, batch.records + at, sizeof(double) * width, "records");
  }
}

void CudaBackend::announce(std::int64_t size, std::span<const Column> columns) {
  Answers& a = *answers_;
  if (columns.size() > ObservedColumns::most) throw std::logic_error("CUDA: too many columns are observed");
  a.size = size;
  a.observed = {{}, static_cast<int>(columns.size())};
  for (int k = 0; k < a.observed.count; ++k) a.observed.of[k] = static_cast<int>(columns[k]);
  a.announced = true;
  a.launched = false;
}

void CudaBackend::summarize() {
  Answers& a = *answers_;
  const std::int64_t parts = (a.size + block_size - 1) / block_size * a.observed.count;
  cuda_summarize(arrays_->records.get(), record_width(), a.observed, a.size,
                 a.summaries.reserve(parts, "summaries"), a.values.reserve(parts * block_size, "values"));
  a.launched = true;
}

CudaBackend::Observed CudaBackend::observe(std::int64_t size, std::span<const Column> columns) {
  cuda_use(device_);
  Answers& a = *answers_;
  const auto same = [](int observed, Column column) { return observed == static_cast<int>(column); };
  const bool announced =
      a.launched && a.size == size &&
      std::equal(a.observed.of, a.observed.of + a.observed.count, columns.begin(), columns.end(), same);
  if (!announced) {
    announce(size, columns);
    a.announced = false;
    summarize();
  }
  cuda_wait("CUDA: statistics of instances 0 to " + std::to_string(size - 1));
  const std::int64_t parts = (size + block_size - 1) / block_size * a.observed.count;
  return {{a.summaries.get(), static_cast<std::size_t>(parts)}, a.values.get()};
}

std::int64_t CudaBackend::failed(std::int64_t size) {
  cuda_use(device_);
  return answers_->columns.failed(on_device_, record_width(), size);
}

void CudaBackend::fetch(const Batch& batch, const RecordPart& part) {
  cuda_use(device_);
  arrays_->records.download_rows(batch.records, column_offset(0, record_width(), part.first),
                                 column_offset(1, record_width(), 0),
                                 std::int64_t{part.last - part.first} * tile_size, part.tiles, "records");
}

void CudaBackend::put(const Batch& batch) {
  cuda_use(device_);
  answers_->launched = false;
  arrays_->records.upload(batch.records, batch.size * record_width(), "records");
}

void CudaBackend::node(const Batch& batch, const LastStep* last, std::int64_t instance,
                       NodeView& view) const {
  pair_.node(batch, last, instance, view);
}

Batch CudaBackend::make_room(const Batch& batch, Arrays& arrays) const {
  const int entries = kernels_.system->parameter_count;
  Batch on_device{};
  on_device.size = batch.size;
  on_device.first = batch.first;
  on_device.last = batch.last;
  on_device.shared_step = batch.shared_step;
  on_device.composition = batch.composition;
  on_device.shared_parameters = arrays.shared.upload(batch.shared_parameters, entries, "parameters");

  const auto varied_count =
      std::count_if(batch.varied, batch.varied + entries, [](auto* v) { return v != nullptr; });
  double* column = arrays.varied.reserve(varied_count * batch.size, "varied parameters");
  arrays.varied_columns.assign(entries, nullptr);
  for (int k = 0; k < entries; ++k) {
    if (batch.varied[k] == nullptr) continue;
    arrays.varied_columns[k] = column;
    column += batch.size;
  }
  on_device.varied =
      arrays.varied_pointers.upload(arrays.varied_columns.data(), entries, "pointers to parameters");
  if (batch.varied_step != nullptr) on_device.varied_step = arrays.step.reserve(batch.size, "steps");
  return on_device;
}

void CudaBackend::upload_parameters(const Batch& batch, Arrays& arrays) const {
  for (int k = 0; k < kernels_.system->parameter_count; ++k)
    if (batch.varied[k] != nullptr)
      cuda_upload(arrays.varied_columns[k], batch.varied[k], sizeof(double) * batch.size,
                  "varied parameters");
  if (batch.varied_step != nullptr) arrays.step.upload(batch.varied_step, batch.size, "steps");
}

}  // namespace livens
