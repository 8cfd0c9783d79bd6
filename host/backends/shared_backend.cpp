#include "host/backends/shared_backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>

namespace livens::host {

using ensembles::BlockStatistics;
using ensembles::Range;

namespace {

/// Calls, and says who failed at what.
void named(const ensembles::Backend& member, const Batch& batch, const std::function<void()>& call) {
  try {
    call();
  } catch (const std::runtime_error& error) {
    throw ensembles::BackendFailure(fmt::format("{}, instances {} to {}: {}", member.device(), batch.first,
                                                batch.last - 1, error.what()));
  }
}

}  // namespace

SharedBackend::SharedBackend(std::vector<std::unique_ptr<ensembles::Backend>> members)
    : members_(std::move(members)), workers_(static_cast<int>(members_.size())) {}

std::string SharedBackend::device() const {
  std::string all;
  for (const auto& member : members_) all += (all.empty() ? "" : "; ") + member->device();
  return all;
}

/// As many for each as the smallest holds; a share may have a block more than another.
std::int64_t SharedBackend::most_instances() {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const auto& member : members_) least = std::min(least, member->most_instances());
  const auto count = static_cast<std::int64_t>(members_.size());
  return least > std::numeric_limits<std::int64_t>::max() / count
             ? least
             : count * std::max<std::int64_t>(least - block_size, tile_size);
}

/// A short ensemble has no block for some.
std::int64_t SharedBackend::shares(const Batch& batch) const {
  return std::min(static_cast<std::int64_t>(members_.size()), ensembles::block_count(batch.size));
}

SharedBackend::Share SharedBackend::share_of(const Batch& batch, std::int64_t i) const {
  const Range range = ensembles::shard(batch.size, i, shares(batch));
  return {*members_[i], range, {batch, system(), record_width(), range.first, range.last}};
}

void SharedBackend::for_each_share(const Batch& batch, const std::function<void(const Share&)>& body) {
  workers_.for_each_block(shares(batch), [&](std::int64_t i) {
    const Share share = share_of(batch, i);
    named(share.member, share.part.batch(), [&] { body(share); });
  });
}

void SharedBackend::begin(const Batch& batch) {
  for_each_share(batch, [](const Share& s) { s.member.begin(s.part.batch()); });
}

void SharedBackend::draw(const Batch& batch, const Draw& draw) {
  for_each_share(batch, [&](const Share& s) { s.member.draw(s.part.batch(), draw); });
}

void SharedBackend::initial_states(const Batch& batch) {
  for_each_share(batch, [](const Share& s) { s.member.initial_states(s.part.batch()); });
}

void SharedBackend::momenta(const Batch& batch) {
  for_each_share(batch, [](const Share& s) { s.member.momenta(s.part.batch()); });
}

void SharedBackend::velocities(const Batch& batch) {
  for_each_share(batch, [](const Share& s) { s.member.velocities(s.part.batch()); });
}

void SharedBackend::make_consistent(const Batch& batch, Consistency consistency, std::uint8_t* status) {
  for_each_share(batch, [&](const Share& s) {
    s.member.make_consistent(s.part.batch(), consistency, status + s.range.first);
  });
}

void SharedBackend::fetch_initial(const Batch& batch, const InitialPart& part) {
  for_each_share(batch, [&](const Share& s) { s.member.fetch_initial(s.part.batch(), part); });
}

void SharedBackend::start(const Batch& batch, const Settings& settings, const std::uint8_t* status) {
  for_each_share(batch,
                 [&](const Share& s) { s.member.start(s.part.batch(), settings, status + s.range.first); });
}

void SharedBackend::advance(const Batch& batch, const Settings& settings, std::int64_t to) {
  for_each_share(batch, [&](const Share& s) { s.member.advance(s.part.batch(), settings, to); });
}

void SharedBackend::announce(const Batch& batch, std::int64_t size, std::span<const Column> columns) {
  for_each_share(batch, [&](const Share& s) { s.member.announce(s.part.batch(), s.size(size), columns); });
}

std::vector<BlockStatistics> SharedBackend::observe(const Batch& batch, std::int64_t size,
                                                    std::span<const Column> columns) {
  std::vector<BlockStatistics> blocks(ensembles::block_count(size));
  for_each_share(batch, [&](const Share& s) {
    auto observed = s.member.observe(s.part.batch(), s.size(size), columns);
    std::move(observed.begin(), observed.end(), blocks.begin() + s.range.first / ensembles::block_size);
  });
  return blocks;
}

std::int64_t SharedBackend::failed(const Batch& batch, std::int64_t size) {
  std::atomic<std::int64_t> count = 0;
  for_each_share(batch, [&](const Share& s) { count += s.member.failed(s.part.batch(), s.size(size)); });
  return count;
}

void SharedBackend::fetch(const Batch& batch, const RecordPart& part) {
  for_each_share(batch, [&](const Share& s) {
    const std::int64_t tiles =
        std::clamp<std::int64_t>(part.tiles - s.range.first / tile_size, 0, s.range.size() / tile_size);
    if (tiles > 0) s.member.fetch(s.part.batch(), {tiles, part.first, part.last});
  });
}

void SharedBackend::put(const Batch& batch) {
  for_each_share(batch, [](const Share& s) { s.member.put(s.part.batch()); });
}

void SharedBackend::node(const Batch& batch, const LastStep* last, std::int64_t instance, NodeView& view) {
  std::int64_t i = 0;
  while (instance >= ensembles::shard(batch.size, i, shares(batch)).last) ++i;
  const Share share = share_of(batch, i);
  const std::int64_t behind = column_offset(share.range.first / tile_size, record_width(), 0);
  std::optional<LastStep> of_share;
  if (last != nullptr) of_share = LastStep{last->records + behind, last->settings};
  share.member.node(share.part.batch(), of_share ? &*of_share : nullptr, instance - share.range.first, view);
}

bool SharedBackend::nodes_outlive_batch() const {
  return std::all_of(members_.begin(), members_.end(),
                     [](const auto& member) { return member->nodes_outlive_batch(); });
}

void SharedBackend::for_each_block(std::int64_t blocks, const std::function<void(std::int64_t)>& body) {
  members_.front()->for_each_block(blocks, body);
}

}  // namespace livens::host
