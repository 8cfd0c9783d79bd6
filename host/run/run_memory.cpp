#include "host/run/run_memory.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

#include "ensembles/instances.hpp"
#include "ensembles/journal_thread.hpp"
#include "ensembles/memory.hpp"
#include "host/number_of.hpp"
#include "host/results/result_file.hpp"

namespace livens::host {
namespace {

using ensembles::InstanceMemory;
using ensembles::Range;

/// Of an instance, while the summary's figures are made of a quantity (summary.cpp): values, their numbers,
/// values in their order and points.
constexpr double figures = 8.0 + 8.0 + 8.0 + sizeof(ensembles::Point);
/// Copies on the way to the disk: of a part its bytes; of a Standing these and those of its frame
/// (segments.cpp).
constexpr double copies_of_part = 1.0, copies_of_standing = 2.0;

/// The samples of a range of instances: statistics, and trajectories.
double samples_of(const RunInQuestion& run, Range range) {
  const auto samples = static_cast<double>(run.shape.time.size());
  const auto followed =
      static_cast<double>(std::clamp<std::int64_t>(run.request.trajectories - range.first, 0, range.size()));
  double condensed = 0.0;
  for (const SampleSize& one : run.pilot.samples)
    condensed += ensembles::statistics_memory(range, [&](double count) { return one.points_of(count); });
  const double nodes = samples * followed * ensembles::node_memory(run.request, run.backend.system());
  return samples * condensed + nodes + ensembles::exact_memory(run.request, range);
}

/// Bytes of an instance that wait for a checkpoint: columns that the result is without, but for states and
/// parameters (leave_out()), and what a comparison needs of the true motion.
double waiting_of_part(const RunInQuestion& run) {
  const SystemInfo& system = run.backend.system();
  double numbers = run.compared ? system.coordinates + 1.0 / sizeof(double) : 0.0;
  if (run.checkpoint_every <= 0.0) return sizeof(double) * numbers;
  const auto count = [&](const std::string& name) {
    numbers += keeps_column(run.left_out, name) ? 0.0 : 1.0;
  };
  const ensembles::Instances collected = ensembles::instances_to_collect(run.request, system);
  for (const char* name : {"failed_step", "newton_iterations", "retried_steps"}) count(name);
  for (const auto* list : {&collected.quantities, &collected.observables})
    for (const ensembles::Quantity& one : *list) count(one.name);
  return sizeof(double) * numbers;
}

/// Joint histograms with all of their cells, sparse and dense.
double joint_memory(const RunInQuestion& run) {
  double bytes = 0.0;
  for (const ensembles::Joint& joint : run.shape.joints) {
    double cells = joint.at_samples ? static_cast<double>(run.shape.time.size()) : 1.0;
    for (const ensembles::JointAxis& axis : joint.axes) cells *= static_cast<double>(axis.bins);
    bytes += cells * (sizeof(ensembles::JointCell) + sizeof(std::int64_t));
  }
  return bytes;
}

/// What JoinedParts::finish() makes of the samples: histograms of all observables, first of one of them sparse,
/// and joint histograms; and of the last sample of what is exact the union of two nodes.
double finished_samples(const RunInQuestion& run) {
  const auto samples = static_cast<double>(run.shape.time.size());
  double bins = 0.0, most_bins = 0.0;
  for (const SampleSize& one : run.pilot.samples) {
    bins += one.bins;
    most_bins = std::max(most_bins, one.bins);
  }
  const double dense = samples * bins * (sizeof(std::int64_t) + sizeof(double)),
               sparse = samples * most_bins * sizeof(ensembles::Point);
  const double exact = run.request.observe.empty()
                           ? 0.0
                           : sizeof(ensembles::Point) * static_cast<double>(run.shape.range.size());
  return dense + sparse + exact + joint_memory(run);
}

/// Records of what is followed, kept from the step before a sample.
double followed_records(const RunInQuestion& run, Range chunk) {
  const auto followed = static_cast<double>(std::min(run.request.trajectories, chunk.size()));
  return followed * sizeof(double) * run.backend.record_width();
}

/// A chunk: bytes while it moves, and of what is done with it afterwards.
struct ChunkMemory {
  double moving;     ///< with what a checkpoint takes meanwhile
  double collected;  ///< beside its parts, while they are made and go to the result
  double written;    ///< beside its parts, while these go to the checkpoint's segments
  double part;       ///< of /instances
  double instances;
  double samples;  ///< its part of the samples
};

/// What a run keeps for a checkpoint.
struct Keeping {
  bool at_all, standings, to_disk;
};

ChunkMemory chunk_memory(const RunInQuestion& run, const InstanceMemory& each, Range chunk,
                         const Keeping& keeping) {
  const auto n = static_cast<double>(chunk.size());
  const double standing = keeping.standings ? (1.0 + copies_of_standing) * each.standing * n : 0.0;
  ChunkMemory memory{};
  memory.moving =
      n * (each.moving + each.sampling + each.summaries) + standing + followed_records(run, chunk);
  // Small blocks that are freed, as those of summaries, stay with malloc.
  const double left = n * (each.moving - each.handed + each.summaries);
  memory.part = n * each.collected;
  memory.instances = n;
  memory.collected = left + n * std::max(each.collecting, figures);
  memory.written = left + (keeping.to_disk ? copies_of_part * memory.part : 0.0);
  memory.samples = samples_of(run, chunk);
  return memory;
}

}  // namespace

RunMemory run_memory(const RunInQuestion& run) {
  const InstanceMemory each = ensembles::instance_memory(run.request, run.backend);
  const std::vector<Range> chunks = ensembles::chunks(run.shape.range, run.at_a_time);

  Keeping keeping{};
  keeping.at_all = run.checkpoint_every > 0.0 || run.compared;
  keeping.standings = run.checkpoint_every > 0.0 && run.seconds > run.checkpoint_every;
  const double waiting_each = waiting_of_part(run);
  double parts = waiting_each * static_cast<double>(run.shape.range.size());
  for (const Range& chunk : chunks) parts += samples_of(run, chunk);
  keeping.to_disk = keeping.at_all && (keeping.standings || parts > run.room);

  // Of samples on their way to the result between none and `most_waiting` wait, as processors are free.
  const double waiting =
      std::min(static_cast<double>(ensembles::JournalThread::most_waiting), samples_of(run, chunks.front())) /
      2.0;
  const double samples = samples_of(run, run.shape.range) + waiting;
  RunMemory memory{};
  double held = 0.0;
  std::optional<ChunkMemory> before;
  // One more time around, for the last chunk when none moves beside it.
  for (std::size_t c = 0; c <= chunks.size(); ++c) {
    const bool last = c == chunks.size();
    const ChunkMemory now = last ? ChunkMemory{} : chunk_memory(run, each, chunks[c], keeping);
    double done = 0.0;
    if (before) {
      done = before->part + std::max(before->collected, before->written);
      memory.peak = std::max(memory.peak, samples + held + now.moving + done);
      held += waiting_each * before->instances;
    }
    if (keeping.at_all) held += now.samples;
    memory.held = std::max(memory.held, held);
    memory.instances = std::max(memory.instances, now.moving + done);
    memory.peak = std::max(memory.peak, samples + held + now.moving);
    if (keeping.to_disk && held > run.room) held = 0.0;
    before = now;
  }
  memory.samples = samples + finished_samples(run);
  memory.peak = std::max(memory.peak, memory.samples + held);
  return memory;
}

double memory_of_process(const char* key) {
  std::ifstream file("/proc/self/status");
  std::string word;
  while (file >> word && word != key) {
  }
  file >> word;
  return 1024.0 * number_of<double>(word).value_or(0.0);
}

}  // namespace livens::host
