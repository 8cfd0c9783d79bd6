#include "ensembles/chunk.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "ensembles/instances.hpp"
#include "ensembles/joint_values.hpp"

namespace livens::ensembles {
namespace {

constexpr double interval = 0.5;  // s between two reports, and what a piece of stepping should take

template <class Time>
double seconds_since(Time start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Ticks::Ticks(const Batch& batch) {
  if (batch.steps_per_beat == nullptr) return;
  steps_.resize(batch.size);
  per_beat_ = *std::max_element(batch.steps_per_beat, batch.steps_per_beat + batch.size);
}

void Ticks::advance(Motion& motion, const Settings& settings, std::int64_t tick) {
  const Batch& batch = motion.batch();
  const std::int64_t beats = tick / per_beat_, rest = tick % per_beat_;
  if (rest == 0) {
    motion.advance(settings, beats);
    return;
  }
  for (std::int64_t i = 0; i < batch.size; ++i) {
    const std::int64_t steps = batch.steps_per_beat[i];
    // rest < per_beat_ <= 2^53: the product needs more than 64 bits.
    const auto part = static_cast<std::int64_t>(static_cast<__int128>(rest) * steps / per_beat_);
    steps_[i] = beats * steps + part;
  }
  motion.advance_each(settings, steps_.data());
}

Chunk::Chunk(const Request& request, const Schedule& schedule, Range range, Backend& backend,
             SpareArrays& spare, JournalThread& journal, const Progress& progress, Account& account)
    : request_(request),
      schedule_(schedule),
      range_(range),
      journal_(journal),
      progress_(progress),
      account_(account),
      population_(request, range, backend, &spare),
      motion_(population_.start(request.settings)),
      ticks_(population_.batch()),
      observables_(observables_of(backend.system(), request.observe)),
      trajectories_(backend.system(),
                    std::clamp<std::int64_t>(request.trajectories - range.first, 0, range.size()),
                    followed_observables(backend.system(), request.observe), request) {
  if (request.extremes) {
    extremes_ = Extremes(range.size(), observed(backend.system(), request.observe, request.units));
    extremes_.meet(motion_);
  }
  if (request.energy_bound > 0.0)
    bound_exceeded_.assign(range.size(), std::numeric_limits<double>::quiet_NaN());
}

void Chunk::resume(const Standing& standing) {
  const auto values = static_cast<std::size_t>(population_.batch().size * motion_.backend().record_width());
  const auto samples = static_cast<std::int64_t>(schedule_.samples.size());
  if (standing.chunk != range_ || standing.records.size() != values ||
      standing.bound_exceeded.size() != bound_exceeded_.size() ||
      standing.extremes.size() != extremes_.bounds().size() || standing.samples < 0 ||
      standing.samples > samples || standing.tick < 0 || standing.tick > ticks_.of_beats(schedule_.beats))
    throw std::invalid_argument("the state of another run");
  std::copy(standing.records.begin(), standing.records.end(), population_.batch().records);
  motion_.put();
  bound_exceeded_ = standing.bound_exceeded;
  extremes_.restore(standing.extremes);
  tick_ = standing.tick;
  samples_ = standing.samples;
}

void Chunk::integrate() {
  const auto samples = static_cast<std::int64_t>(schedule_.samples.size());
  while (samples_ < samples) {
    const std::int64_t beat = schedule_.samples[samples_], tick = ticks_.of_beats(beat);
    // A trajectory shows the multipliers of the last step, which need the node before it.
    if (beat > 0 && !trajectories_.empty()) {
      advance_to(tick - 1, true);
      trajectories_.approach(motion_, request_.settings);
      approached_ = true;
      advance_to(tick, false);
    } else if (beat > 0) {
      advance_to(tick, true);
    }
    stoppable([&] { take_sample(); });
    approached_ = false;
  }
  report();
  nodes_ = motion_.nodes();
  // A node that is evaluated may have to be integrated to.
  if (!motion_.backend().nodes_outlive_batch()) stoppable([&] { collect(); });
  // What stops before this is still of this chunk.
  account_.done += range_.size() * schedule_.beats;
  account_.failed += motion_.failed(range_.size());
}

void Chunk::collect() {
  Instances& instances =
      instances_.emplace(collect_instances(request_, population_, *nodes_, extremes_.quantities()));
  instances.bound_exceeded = bound_exceeded_;
  if (!request_.instances.empty())
    for (std::int64_t i = range_.first; i < range_.last; ++i)
      instances.number.push_back(request_.number_of(i));
}

InstancesPart Chunk::take_instances() {
  if (!instances_) collect();
  return {range_, *std::move(instances_)};
}

void Chunk::take_sample() {
  watch_bound();
  const auto samples = static_cast<std::int64_t>(schedule_.samples.size());
  // /instances has final_<name> of what is observed.
  const bool last = samples_ + 1 == samples;
  journal_.add(SamplePart{
      range_, samples_,
      sample_statistics(motion_, range_, observables_, last ? request_.observe : std::vector<std::string>{}),
      trajectories_.sample(motion_),
      sample_joints(request_.joints, samples_, samples, population_, motion_)});
  ++samples_;
}

void Chunk::advance_to(std::int64_t tick, bool interruptible) {
  if (interruptible) pause();
  while (tick_ < tick) {
    // Observables that no record follows are looked at after every step.
    const std::int64_t piece = extremes_.empty() ? std::min(piece_, tick - tick_) : 1;
    const auto start = Clock::now();
    if (tick_ + piece == ticks_.of_beats(schedule_.samples[samples_]))
      motion_.announce(range_.size(), columns_of(observables_));
    stoppable([&] { ticks_.advance(motion_, request_.settings, tick_ + piece); });
    const double seconds = seconds_since(start);
    if (!extremes_.empty()) extremes_.meet(motion_);
    tick_ += piece;
    account_.wall_seconds += seconds;
    // Growing at most fourfold: a short piece says little about the time of a long one.
    const double wanted = static_cast<double>(piece) * interval / std::max(seconds, 1e-9);
    piece_ = static_cast<std::int64_t>(std::clamp(wanted, 1.0, 4.0 * static_cast<double>(piece_)));
    if (interruptible) pause();
  }
}

void Chunk::stoppable(const std::function<void()>& stepping) {
  try {
    stepping();
  } catch (const Stopped&) {
    pause();
    throw;
  }
}

void Chunk::pause() {
  const bool wanted = journal_.wants_standing();
  if (wanted) {
    const Batch& batch = population_.batch();
    const std::int64_t values = batch.size * motion_.backend().record_width();
    motion_.fetch();
    Standing now{range_,
                 tick_,
                 samples_,
                 account_.failed,
                 account_.wall_seconds,
                 std::vector<double>(batch.records, batch.records + values),
                 bound_exceeded_,
                 extremes_.bounds()};
    // What is followed has to take its last step once more: no Standing keeps the node before it.
    if (approached_) {
      now.tick = ticks_.of_beats(schedule_.samples[samples_]) - 1;
      std::copy(trajectories_.before().begin(), trajectories_.before().end(), now.records.begin());
    }
    journal_.keep(now);
  }
  if (wanted || seconds_since(reported_) >= interval) report();
}

void Chunk::report() {
  reported_ = Clock::now();
  if (!progress_) return;
  const double part = schedule_.beats > 0
                          ? static_cast<double>(tick_) / static_cast<double>(ticks_.of_beats(schedule_.beats))
                          : 1.0;
  const double here = part * static_cast<double>(range_.size() * schedule_.beats);
  progress_(account_.done + static_cast<std::int64_t>(here), account_.total,
            account_.failed + motion_.failed(range_.size()));
}

void Chunk::fetch(int first, int last) const {
  motion_.fetch({population_.batch().size / tile_size, first, last});
}

void Chunk::watch_bound() {
  if (bound_exceeded_.empty()) return;
  static_assert(static_cast<int>(Column::max_energy_error) == static_cast<int>(Column::energy_scale) + 1);
  fetch(static_cast<int>(Column::energy_scale), static_cast<int>(Column::max_energy_error) + 1);
  const auto value = [&](std::int64_t i, Column column) {
    return population_.batch()
        .records[column_offset(i / tile_size, motion_.backend().record_width(), static_cast<int>(column)) +
                 i % tile_size];
  };
  for (std::size_t i = 0; i < bound_exceeded_.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    const bool exceeded =
        value(at, Column::max_energy_error) > request_.energy_bound * value(at, Column::energy_scale);
    if (exceeded && bound_exceeded_[i] != bound_exceeded_[i])
      bound_exceeded_[i] = schedule_.time(static_cast<std::size_t>(samples_));
  }
}

}  // namespace livens::ensembles
