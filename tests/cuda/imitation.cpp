// Two GPUs made of host memory: what the CUDA backend asks of the runtime and of the kernels, so that its own
// code runs where there is no GPU. "Device" memory is apart from the caller's and not a number until it is
// written, and there is little of it; kernels are those of the processor, of modules that are loaded, too.
// Launches are done at once; a step is difficult where it is on the processor and, but in mixed precision,
// where imitate_difficult_steps() says so. LIVENS_IMITATION_FAILS=N lets launches fail that have an instance
// from N on.

#include "imitation.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <list>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "kernels/backends/cuda/cuda_columns.hpp"
#include "kernels/backends/cuda/cuda_device.hpp"
#include "kernels/backends/cuda/cuda_draws.hpp"
#include "kernels/backends/cuda/cuda_launch.hpp"
#include "kernels/backends/cuda/cuda_library.hpp"
#include "kernels/backends/cuda/cuda_memory.hpp"
#include "kernels/backends/cuda/cuda_registry.hpp"
#include "kernels/backends/cuda/cuda_statistics.hpp"
#include "kernels/backends/cuda/difficult_steps.hpp"
#include "kernels/backends/registry.hpp"

namespace livens {
namespace {

std::atomic<std::int64_t> uploaded = 0;  // bytes
thread_local std::vector<ImitatedLaunch> launches;
/// Every third tile stands before a difficult step every fourth time.
bool some_are_difficult(std::int64_t instance, double step) {
  return instance / tile_size % 3 == 1 && static_cast<std::int64_t>(step) % 4 == 2;
}
DifficultStep difficult = some_are_difficult;

constexpr std::size_t memory_of_all = std::size_t{256} << 20;
std::atomic<std::size_t> taken = 0;  // of that

void* room(std::size_t bytes) {
  void* const memory = std::malloc(bytes);
  std::memset(memory, 0xff, bytes);
  return memory;
}

/// Throws where the image is no module for a GPU with this kernel.
void expect_module(const CudaModule& module, const std::string& kernel) {
  const bool is_elf = module.image.substr(0, 4).ends_with("ELF");
  if (!is_elf || module.image.find(".text." + kernel) == std::string::npos)
    throw std::runtime_error(module.name + ": has no kernel " + kernel);
}

/// The functions of a pair of the processor, for pointers that are "device" memory.
class Imitated {
 public:
  explicit Imitated(const PairKernels& pair) : pair_(pair) {}

  /// Every instance to beat `to` or to before its next difficult step.
  void advance(const Batch& batch, const Settings& settings, std::int64_t to, volatile int* left,
               std::int64_t first, std::int64_t last) const {
    if (first >= last) return;  // nothing but loading
    const char* const failing = std::getenv("LIVENS_IMITATION_FAILS");
    if (failing != nullptr && batch.first + last > std::atoll(failing))
      throw std::runtime_error(std::string("CUDA: advance of ") + pair_.scheme->name + ": illegal address");
    launches.push_back({"advance", count_steps(batch)});
    const int width = pair_.record_width;
    // What is not difficult would have other bits with care.
    const bool mixed = settings.precision == Precision::mixed;
    std::vector<std::int64_t> ends(static_cast<std::size_t>(batch.size));
    for (std::int64_t i = first; i < last; ++i) {
      if (!is_ok(batch, width, i)) continue;
      double at = recorded(batch, width, Column::steps, i);
      const double end = load_steps<double>(batch, to, i);
      while (at < end && (mixed || !difficult(i, at))) at += 1.0;
      ends[i] = static_cast<std::int64_t>(at);
    }
    Batch to_ends = batch;
    to_ends.steps_per_beat = ends.data();
    (mixed ? pair_.advance_mixed : pair_.advance_straight)(to_ends, settings, 1, first, last);
    for (std::int64_t i = first; i < last; ++i)
      if (is_left(batch, width, to, i)) *left = 1;
    launches.back().steps = count_steps(batch) - launches.back().steps;
  }
  void advance_difficult(const Batch& batch, const Settings& settings, std::int64_t to, double steps,
                         std::int64_t first, std::int64_t last) const {
    if (first >= last) return;
    launches.push_back({"advance_difficult", count_steps(batch)});
    const int width = pair_.record_width;
    for (std::int64_t i = first; i < last; ++i) {
      const double end = careful_end(batch, width, to, steps, i);
      while (is_ok(batch, width, i) && recorded(batch, width, Column::steps, i) < end)
        pair_.careful(pair_.careful_of).step(batch, settings, i);
    }
    launches.back().steps = count_steps(batch) - launches.back().steps;
  }
  double count_steps(const Batch& batch) const {
    double sum = 0.0;
    for (std::int64_t i = 0; i < batch.size; ++i)
      if (is_ok(batch, pair_.record_width, i)) sum += recorded(batch, pair_.record_width, Column::steps, i);
    return sum;
  }
  /// Difficult steps of some pairs are for the processor.
  bool leaves_difficult() const { return pair_.unknowns > 4; }

 private:
  PairKernels pair_;
};

CudaSystemKernels imitated(const SystemKernels& system) {
  return {system.info,
          parameter_count(*system.info),
          system.initial_states,
          system.momenta,
          system.velocities,
          [make_consistent = system.make_consistent](const Batch& batch, Consistency consistency,
                                                     const std::uint8_t*, std::uint8_t* status,
                                                     std::int64_t first, std::int64_t last) {
            make_consistent(batch, consistency, status, first, last);
          }};
}

CudaPairKernels imitated(const CudaSystemKernels& system, const PairKernels& pair) {
  const Imitated of(pair);
  CudaPairKernels kernels{
      &system, pair.scheme, pair.form, pair.unknowns, pair.record_width, pair.precision, pair.start, {}, {}};
  kernels.advance = [of](auto&&... arguments) { of.advance(arguments...); };
  if (!of.leaves_difficult())
    kernels.advance_difficult = [of](auto&&... arguments) { of.advance_difficult(arguments...); };
  return kernels;
}

/// Lanes may be without mixed precision, which plain code has.
PairKernels with_mixed(PairKernels pair) {
  const auto same = [](const char* a, std::string_view b) { return a == b; };
  for (const PairKernels& plain : cpu_pairs(Isa::plain, pair.precision))
    if (!pair.advance_mixed && same(plain.system->info->name, pair.system->info->name) &&
        same(plain.scheme->name, pair.scheme->name) && same(plain.form, pair.form))
      pair.advance_mixed = plain.advance_mixed;
  return pair;
}

/// All pairs of the processor, those in single precision behind the others.
std::vector<CudaPairKernels> imitated_pairs() {
  static std::list<CudaSystemKernels> systems;  // where pairs point to
  std::vector<CudaPairKernels> all;
  for (const Precision precision : {Precision::full, Precision::single})
    for (const PairKernels& pair : cpu_pairs(best_isa(), precision))
      all.push_back(imitated(systems.emplace_back(imitated(*pair.system)), with_mixed(pair)));
  return all;
}

}  // namespace

// What is compiled on first use is the processor's, too; but a module has to be there.
CudaSystemKernels load_system(const CudaModule& module, const SystemKernels& system) {
  expect_module(module, "livens_initial_states");
  return imitated(system);
}
CudaPairKernels load_pair(const CudaModule& module, const CudaSystemKernels& system,
                          const PairKernels& pair) {
  expect_module(module, "livens_advance");
  return imitated(system, pair);
}

std::vector<CudaDevice> cuda_devices(std::string& problem) {
  problem.clear();
  return {{0, "imitation", 9, 0, 1, memory_of_all, 13000, 13000},
          {1, "imitation", 9, 0, 1, memory_of_all, 13000, 13000}};
}
std::string cuda_version_name(int version) { return std::to_string(version / 1000); }
void cuda_use(const CudaDevice&) {}

std::int64_t imitated_uploads() { return uploaded; }
void note_imitated_launch(const char* kernel) { launches.push_back({kernel, 0.0}); }
std::vector<ImitatedLaunch> take_imitated_launches() { return std::exchange(launches, {}); }
void imitate_difficult_steps(DifficultStep steps) {
  difficult = steps == nullptr ? DifficultStep(some_are_difficult) : std::move(steps);
}

void cuda_wait(const std::string&) {}
CudaStopwatch::~CudaStopwatch() = default;
void CudaStopwatch::start() {}
void CudaStopwatch::stop() {}
double CudaStopwatch::seconds(const std::string&) const { return 1.0; }

void cuda_upload(void* to, const void* from, std::size_t bytes, const char*) {
  if (bytes > 0) std::memcpy(to, from, bytes);
  uploaded += static_cast<std::int64_t>(bytes);
}
void cuda_download(void* to, const void* from, std::size_t bytes, const char*) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}

std::size_t cuda_free_memory() { return memory_of_all - std::min<std::size_t>(taken, memory_of_all); }
CudaMemory::~CudaMemory() {
  std::free(memory_);
  taken -= capacity_;
}
void CudaMemory::reserve(std::size_t bytes, const char* name) {
  if (bytes <= capacity_) return;
  std::free(std::exchange(memory_, nullptr));
  taken -= std::exchange(capacity_, 0);
  if ((taken += bytes) > memory_of_all) {
    taken -= bytes;
    throw std::runtime_error("CUDA: " + std::to_string(bytes) + " bytes of device memory for " + name +
                             ": imitation (out of memory)");
  }
  memory_ = room(bytes);
  capacity_ = bytes;
}
void CudaMemory::clear(std::size_t bytes, const char* name) {
  reserve(bytes, name);
  if (bytes > 0) std::memset(memory_, 0, bytes);
}
void CudaMemory::upload(const void* from, std::size_t bytes, const char* name) {
  reserve(bytes, name);
  cuda_upload(memory_, from, bytes, name);
}
void CudaMemory::download(void* to, std::size_t bytes, const char* name) const {
  cuda_download(to, memory_, bytes, name);
}
void CudaMemory::download_rows(void* to, std::size_t offset, std::size_t pitch, std::size_t bytes,
                               std::size_t rows, const char*) const {
  const auto* from = static_cast<const char*>(memory_) + offset;
  for (std::size_t row = 0; row < rows; ++row)
    std::memcpy(static_cast<char*>(to) + row * pitch, from + row * pitch, bytes);
}

CudaPinnedMemory::~CudaPinnedMemory() { std::free(memory_); }
void CudaPinnedMemory::reserve(std::size_t bytes, const char*) {
  if (bytes <= capacity_) return;
  std::free(memory_);
  memory_ = room(bytes);
  capacity_ = bytes;
}

/// Instances backwards: nothing may depend on the order.
void cuda_draw(const Batch& batch, const SystemInfo& system, const Draw& draw) {
  for (std::int64_t i = batch.size; i-- > 0;) vary_instance(batch, system.coordinates, draw, i);
}

/// Blocks backwards.
void cuda_summarize(const double* records, int record_width, const ObservedColumns& columns,
                    std::int64_t size, BlockSummary* summaries, double* ascending) {
  launches.push_back({"summarize", 0.0});
  const auto scratch = std::make_unique<BlockScratch>();
  for (std::int64_t at = (size + block_size - 1) / block_size * columns.count; at-- > 0;) {
    const std::int64_t first = at / columns.count * block_size;
    summarize_block(Alone{}, records, record_width, columns.of[at % columns.count], first,
                    static_cast<int>(std::min(block_size, size - first)), *scratch, summaries[at],
                    ascending + at * block_size);
  }
}

std::int64_t CudaColumns::failed(const Batch& batch, int record_width, std::int64_t size) {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < size; ++i) count += is_ok(batch, record_width, i) ? 0 : 1;
  return count;
}
std::span<const std::int64_t> CudaColumns::left_tiles(const Batch& batch, int record_width, std::int64_t to) {
  const std::int64_t tiles = batch.size / tile_size;
  std::int64_t* const list = tiles_.reserve(tiles, "a list of tiles");
  std::size_t count = 0;
  for (std::int64_t tile = 0; tile < tiles; ++tile) {
    bool left = false;
    for (int k = 0; k < tile_size; ++k) left = left || is_left(batch, record_width, to, tile * tile_size + k);
    if (left) list[count++] = tile;
  }
  return {list, count};
}

std::span<const CudaPairKernels> cuda_pairs() {
  static const auto pairs = imitated_pairs();
  return pairs;
}

const CudaPairKernels* cuda_pair(const PairKernels& pair) {
  using std::string_view;
  for (const CudaPairKernels& candidate : cuda_pairs())
    if (string_view(candidate.system->info->name) == pair.system->info->name &&
        string_view(candidate.scheme->name) == pair.scheme->name &&
        string_view(candidate.form) == pair.form && candidate.precision == pair.precision)
      return &candidate;
  return nullptr;
}

}  // namespace livens
