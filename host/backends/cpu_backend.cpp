#include "host/backends/cpu_backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "host/compilation/called_program.hpp"
#include "host/compilation/compiled.hpp"
#include "host/errors.hpp"

namespace livens::host {

// The portion that a thread takes at a time is the block of the statistics.
static_assert(block_size % tile_size == 0);

CpuBackend::CpuBackend(const PairKernels& pair, const std::string& instruction_set, int threads,
                       ensembles::StopAsked stop, std::function<void(const std::string&)> compiling)
    : pair_(pair),
      workers_(threads),
      device_(fmt::format("{}, {}, {} thread{}", processor_name(), instruction_set, threads,
                          threads == 1 ? "" : "s")),
      stop_(std::move(stop)),
      compiling_(std::move(compiling)) {}

/// What may compile difficult steps.
template <class Body>
void CpuBackend::compiling(Body body) const {
  const CallsEnd calls_end(stop_);
  const Announcing announcing(compiling_);
  try {
    body();
  } catch (const Interrupted&) {
    throw ensembles::Stopped();
  }
}

void CpuBackend::initial_states(const Batch& batch) {
  for_each_range(batch.size,
                 [&](auto first, auto last) { pair_.system->initial_states(batch, first, last); });
}

void CpuBackend::momenta(const Batch& batch) {
  for_each_range(batch.size, [&](auto first, auto last) { pair_.system->momenta(batch, first, last); });
}

void CpuBackend::velocities(const Batch& batch) {
  for_each_range(batch.size, [&](auto first, auto last) { pair_.system->velocities(batch, first, last); });
}

void CpuBackend::make_consistent(const Batch& batch, Consistency consistency, std::uint8_t* status) {
  // What fills the last tile is the last instance: of a small run most of it.
  const std::int64_t own =
      batch.last > batch.first ? std::min(batch.last - batch.first, batch.size) : batch.size;
  for_each_range(batch.size, [&](auto first, auto last) {
    pair_.system->make_consistent(batch, consistency, status, first, std::min(last, own));
  });
  const std::int64_t d = system().coordinates, from = (own - 1) * d;
  for (std::int64_t i = own; i < batch.size; ++i) {
    for (double* state : {batch.q, batch.v, batch.p}) std::copy_n(state + from, d, state + i * d);
    status[i] = status[own - 1];
  }
}

void CpuBackend::start(const Batch& batch, const Settings& settings, const std::uint8_t* status) {
  observed_.reset();
  for_each_range(batch.size,
                 [&](auto first, auto last) { pair_.start(batch, settings, status, first, last); });
}

void CpuBackend::advance(const Batch& batch, const Settings& settings, std::int64_t to) {
  observed_.reset();
  std::optional<Observed> announced = std::exchange(announced_, {});
  if (announced) {
    announced->records = batch.records;
    announced->blocks.resize(ensembles::block_count(announced->size));
  }
  for_each_range(batch.size, [&](auto first, auto last) {
    if (stop_ && stop_()) throw ensembles::Stopped();
    compiling([&] { pair_.advance(batch, settings, to, first, last); });
    if (announced && first < announced->size)
      announced->blocks[first / block_size] = ensembles::block_statistics(
          batch.records, record_width(), first / block_size, announced->size, announced->columns);
  });
  observed_ = std::move(announced);
}

void CpuBackend::announce(const Batch&, std::int64_t size, std::span<const Column> columns) {
  announced_ = Observed{size, {columns.begin(), columns.end()}};
}

std::vector<ensembles::BlockStatistics> CpuBackend::observe(const Batch& batch, std::int64_t size,
                                                            std::span<const Column> columns) {
  if (!observed_ || !observed_->answers(batch, size, columns))
    return HostRecords::observe(batch, size, columns);
  return std::exchange(observed_, {})->blocks;
}

bool CpuBackend::Observed::answers(const Batch& batch, std::int64_t asked,
                                   std::span<const Column> wanted) const {
  return asked == size && batch.records == records && std::ranges::equal(wanted, columns);
}

void CpuBackend::put(const Batch&) { observed_.reset(); }

void CpuBackend::node(const Batch& batch, const LastStep* last, std::int64_t instance, NodeView& view) {
  compiling([&] { pair_.node(batch, last, instance, view); });
}

void CpuBackend::for_each_block(std::int64_t blocks, const std::function<void(std::int64_t)>& body) {
  workers_.for_each_block(blocks, body);
}

void CpuBackend::for_each_range(std::int64_t size,
                                const std::function<void(std::int64_t, std::int64_t)>& body) {
  workers_.for_each_block((size + block_size - 1) / block_size, [&](std::int64_t block) {
    body(block * block_size, std::min(size, (block + 1) * block_size));
  });
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

}  // namespace livens::host
