#include "ensembles/ensemble.hpp"

#include <algorithm>
#include <memory>

#include "ensembles/chunk.hpp"
#include "ensembles/joined_parts.hpp"
#include "ensembles/population.hpp"
#include "ensembles/schedule.hpp"

namespace livens::ensembles {
namespace {

/// Chunks still to do: the one that was interrupted as it was, what comes after it cut anew.
std::vector<Range> chunks_left(Range range, std::int64_t chunk, const std::optional<Standing>& from) {
  if (!from) return chunks(range, chunk);
  std::vector<Range> left;
  if (from->chunk.size() > 0) left.push_back(from->chunk);
  for (const Range& later : chunks({from->chunk.last, range.last}, chunk)) left.push_back(later);
  return left;
}

/// A run of one chunk, all in memory.
class InMemory : public Journal {
 public:
  InMemory(const Request& request, const SystemInfo& system, const SampleWatch& watch)
      : joined_(shape_of(request, system, {0, request.size})), watch_(watch) {}
  void add(const SamplePart& part) override {
    joined_.add(part);
    if (watch_) watch_(part);
  }
  void add(InstancesPart part) override { instances_ = std::move(part.instances); }
  bool wants_standing() override { return false; }
  void keep(const Standing&) override {}
  Result finish() {
    Result result{};
    joined_.finish(result);
    result.instances = std::move(instances_);
    return result;
  }

 private:
  JoinedParts joined_;
  const SampleWatch& watch_;
  Instances instances_;
};

}  // namespace

double integrate(const Request& request, Backend& backend, Range range, std::int64_t chunk, Journal& journal,
                 const std::optional<Standing>& from, const Progress& progress) {
  const Schedule schedule = make_schedule(request);
  require_consistent_base(request, backend);
  Chunk::Account account{.total = range.size() * schedule.beats};
  if (from) {
    if (from->chunk.first < range.first || from->chunk.last > range.last || from->chunk.size() < 0)
      throw std::invalid_argument("the state of another run");
    account.done = (from->chunk.first - range.first) * schedule.beats;
    account.failed = from->failed;
    account.wall_seconds = from->wall_seconds;
  }
  SpareArrays spare;
  JournalThread thread(journal);
  for (const Range& part : chunks_left(range, chunk, from)) {
    const auto integration =
        std::make_shared<Chunk>(request, schedule, part, backend, spare, thread, progress, account);
    if (part.last == range.last) spare.end();
    if (from && part == from->chunk) integration->resume(*from);
    integration->integrate();
    thread.add([integration] { return integration->take_instances(); });
    Standing after;
    after.chunk = {part.last, part.last};
    after.failed = account.failed;
    after.wall_seconds = account.wall_seconds;
    thread.done(after);
  }
  thread.finish();
  return account.wall_seconds;
}

Result run(const Request& request, Backend& backend, const Progress& progress, const SampleWatch& watch) {
  InMemory journal(request, backend.system(), watch);
  const double seconds =
      integrate(request, backend, {0, request.size}, request.size + block_size, journal, {}, progress);
  Result result = journal.finish();
  result.backend = backend.name();
  result.device = backend.device();
  result.seed = request.seed;
  result.wall_seconds = seconds;
  result.steps_per_second = seconds > 0.0 ? result.instances.steps / seconds : 0.0;
  return result;
}

std::int64_t Result::failed() const {
  return std::count_if(instances.status.begin(), instances.status.end(),
                       [](std::uint8_t status) { return is_failure(static_cast<Status>(status)); });
}

}  // namespace livens::ensembles
