#include "ensembles/population.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "ensembles/canonical_nan.hpp"
#include "ensembles/ensemble.hpp"
#include "ensembles/schedule.hpp"

namespace livens::ensembles {
namespace {

std::int64_t padded(std::int64_t size) { return (size + tile_size - 1) / tile_size * tile_size; }

bool any_of_target(const std::vector<Variation>& variations, Target target) {
  return std::any_of(variations.begin(), variations.end(),
                     [&](const Variation& variation) { return variation.target == target; });
}

bool gives_momenta(const Request& request) {
  return request.p.has_value() || any_of_target(request.taken_over, Target::p);
}

bool is_whole(const std::vector<double>& given) {
  return std::none_of(given.begin(), given.end(), [](double value) { return std::isnan(value); });
}

/// Every instance gets one value, which the draw refers to.
Draw constant(Target target, int at, const double& value) {
  return {.target = target, .first = at, .points = &value};
}

}  // namespace

std::vector<const Variation*> recorded_entries(const Request& request) {
  std::vector<const Variation*> entries;
  for (const Variation& variation : request.variations) entries.push_back(&variation);
  for (const Variation& variation : request.taken_over) {
    const bool named = std::any_of(entries.begin(), entries.end(),
                                   [&](const Variation* entry) { return entry->what == variation.what; });
    if (variation.target == Target::parameter && !named) entries.push_back(&variation);
  }
  return entries;
}

Population::Population(const Request& request, Range range, Backend& backend, SpareArrays* spare)
    : size_(range.size()),
      coordinates_(backend.system().coordinates),
      taken_over_(request.taken_over, request.seed),
      draws_(request.variations, request.seed, request.design),
      shared_parameters_(request.parameters),
      varied_parameters_(request.parameters.size()),
      varied_pointers_(request.parameters.size(), nullptr),
      spare_(spare),
      recorded_entries_(recorded_entries(request)) {
  if (size_ < 1) throw std::invalid_argument("ensemble.size: expected at least 1");
  const std::int64_t count = padded(size_);
  if (!request.instances.empty())
    for (std::int64_t i = 0; i < count; ++i)
      numbers_.push_back(request.number_of(range.first + std::min(i, size_ - 1)));
  const auto room = static_cast<std::size_t>(count * coordinates_),
             record_room = static_cast<std::size_t>(count * backend.record_width());
  for (auto* array : {&q_, &v_}) make_large(*array, room);
  if (spare_) {
    p_ = spare_->take(room);
    records_ = spare_->take(record_room);
  } else {
    make_large(p_, room);
    make_large(records_, record_room);
  }
  std::fill(p_.begin(), p_.end(), 0.0);  // that of an instance that does not start is never set
  status_.resize(count);
  make_room();
  batch_ = {.size = count,
            .shared_parameters = shared_parameters_.data(),
            .varied = varied_pointers_.data(),
            .shared_step = request.step,
            .varied_step = varied_step_.empty() ? nullptr : varied_step_.data(),
            .steps_per_beat = steps_per_beat_.empty() ? nullptr : steps_per_beat_.data(),
            .q = q_.data(),
            .v = v_.data(),
            .p = p_.data(),
            .records = records_.data(),
            .first = range.first,
            .last = range.last,
            .numbers = numbers_.empty() ? nullptr : numbers_.data(),
            .composition = composition_of(request.settings.order)};

  Parameters parameters(backend, batch_);
  set_base_parameters(request, parameters);
  for (const Target target : {Target::parameter, Target::step}) vary(target, request, parameters);
  InitialStates states = std::move(parameters).initial_states();
  set_base_states(request, states);
  for (const Target target : {Target::q, Target::v, Target::p}) vary(target, request, states);
  if (any_of_target(request.variations, Target::p) || gives_momenta(request)) states.velocities();
  if (request.tangent) keep_given(states);
  states_ = std::move(states).make_consistent(request.consistency, status_.data());
  for (const Target target : {Target::q, Target::v})
    states_->fetch({target, 0, static_cast<int>(coordinates_)});
  leave_out_failed(request);
  if (!steps_per_beat_.empty()) refuse_uncountable_steps(most_steps_per_beat(request));
  for (Instances::Varied& varied : recorded_) make_nan_canonical(varied.values);
}

Population::~Population() {
  if (!spare_) return;
  spare_->give_back(std::move(p_));
  spare_->give_back(std::move(records_));
}

void Population::make_room() {
  const std::int64_t count = padded(size_);
  for (const Variation* entry : recorded_entries_) {
    const Variation& variation = *entry;
    recorded_.push_back({variation.what, variation.count, std::vector<double>(size_ * variation.count)});
    if (variation.target == Target::step) {
      varied_step_.resize(count);
      steps_per_beat_.resize(count);
    }
    if (variation.target != Target::parameter) continue;
    for (int k = variation.first; k < variation.first + variation.count; ++k) {
      varied_parameters_[k].resize(count);
      varied_pointers_[k] = varied_parameters_[k].data();
    }
  }
}

void Population::set_base_parameters(const Request& request, Parameters& parameters) {
  for (int k = 0; k < static_cast<int>(varied_pointers_.size()); ++k)
    if (varied_pointers_[k] != nullptr)
      parameters.draw(constant(Target::parameter, k, request.parameters[k]));
  if (!varied_step_.empty()) parameters.draw(constant(Target::step, 0, request.step));
}

void Population::set_base_states(const Request& request, InitialStates& states) {
  for (const auto& [given, target] :
       {std::pair{&request.q, Target::q}, {&request.v, Target::v}, {&request.p, Target::p}}) {
    if (!given->has_value()) continue;
    // Where they are not all given the system's own are there first.
    if (target == Target::p && !is_whole(**given)) states.momenta();
    for (int c = 0; c < coordinates_; ++c)
      if (!std::isnan((**given)[c])) states.draw(constant(target, c, (**given)[c]));
  }
  if (any_of_target(request.variations, Target::p) && !gives_momenta(request)) states.momenta();
}

/// What directions of the initial state begin with.
void Population::keep_given(InitialStates& states) {
  for (const Target target : {Target::q, Target::v})
    states.fetch({target, 0, static_cast<int>(coordinates_)});
  given_q_ = q_;
  given_v_ = v_;
  batch_.given_q = given_q_.data();
  batch_.given_v = given_v_.data();
}

void Population::vary(Target target, const Request& request, Drawing& drawing) {
  const Range range{batch_.first, batch_.last};
  for (const auto& [variations, draws] :
       {std::pair{&request.taken_over, &taken_over_}, {&request.variations, &draws_}}) {
    for (std::size_t entry = 0; entry < variations->size(); ++entry) {
      const Variation& variation = (*variations)[entry];
      if (variation.target != target) continue;
      Draw draw = (*draws)[entry];
      // A device gets the rows of this batch alone.
      if (variation.law == Law::table && numbers_.empty()) draw = with_rows_of(draw, range);
      draw.interval = request.interval;
      drawing.draw(draw);
    }
  }
  // Entries may overlap ("system.mass", "system.mass[0]"): a value is the one used only after all of them.
  for (std::size_t entry = 0; entry < recorded_.size(); ++entry) {
    const Variation& variation = *recorded_entries_[entry];
    if (variation.target != target) continue;
    const int first = variation.first, last = first + variation.count;
    drawing.fetch({target, first, last});
    auto value = recorded_[entry].values.begin();
    for (std::int64_t i = 0; i < size_; ++i)
      for (int k = first; k < last; ++k) *value++ = initial_value(batch_, coordinates_, target, k, i);
  }
}

/// An instance that does not start makes no steps, and none that the others of its chunk would wait for.
void Population::refuse_uncountable_steps(std::int64_t most) {
  constexpr auto ok = static_cast<std::uint8_t>(Status::ok);
  for (std::size_t i = 0; i < steps_per_beat_.size(); ++i) {
    const bool countable = 1 <= steps_per_beat_[i] && steps_per_beat_[i] <= most;
    if (!countable && status_[i] == ok) status_[i] = static_cast<std::uint8_t>(Status::invalid_parameter);
    if (status_[i] != ok) steps_per_beat_[i] = 1;
  }
}

void Population::leave_out_failed(const Request& request) {
  if (request.taken_over_status.empty()) return;
  for (std::size_t i = 0; i < status_.size(); ++i) {
    const std::int64_t at = batch_.first + std::min(static_cast<std::int64_t>(i), size_ - 1);
    const std::uint8_t before = request.taken_over_status[request.number_of(at)];
    if (before != static_cast<std::uint8_t>(Status::ok)) status_[i] = before;
  }
}

double Population::varied(Target target, int entry, std::int64_t instance) const {
  for (std::size_t k = 0; k < recorded_.size(); ++k) {
    const Variation& variation = *recorded_entries_[k];
    const int at = entry - variation.first;
    if (variation.target == target && at >= 0 && at < variation.count)
      return recorded_[k].values[static_cast<std::size_t>(instance * variation.count + at)];
  }
  throw std::invalid_argument("a joint histogram of what does not vary");
}

void Population::take_initial_states(std::vector<double>& q, std::vector<double>& v) {
  for (auto [from, to] : {std::pair{&q_, &q}, {&v_, &v}}) {
    *to = std::move(*from);
    to->resize(size_ * coordinates_);
    make_nan_canonical(*to);
  }
}

BaseMoved base_moved(const Request& request, Backend& backend) {
  BaseMoved moved;
  if (request.consistency != Consistency::project || !request.taken_over.empty()) return moved;
  Request base = request;
  base.variations.clear();
  Population after(base, {0, 1}, backend);
  if (after.status()[0] != static_cast<std::uint8_t>(Status::ok)) return moved;
  base.consistency = Consistency::keep;
  Population before(base, {0, 1}, backend);
  std::vector<double> q0, v0, q1, v1;
  before.take_initial_states(q0, v0);
  after.take_initial_states(q1, v1);
  for (std::size_t k = 0; k < q0.size(); ++k) {
    moved.q = std::max(moved.q, std::abs(q1[k] - q0[k]));
    moved.v = std::max(moved.v, std::abs(v1[k] - v0[k]));
    moved.largest_q = std::max(moved.largest_q, std::abs(q0[k]));
    moved.largest_v = std::max(moved.largest_v, std::abs(v0[k]));
  }
  return moved;
}

void require_consistent_base(const Request& request, Backend& backend) {
  if (request.consistency != Consistency::require) return;
  Request base = request;
  base.variations.clear();
  if (Population(base, {0, 1}, backend).status()[0] ==
      static_cast<std::uint8_t>(Status::inconsistent_initial)) {
    throw InconsistentBase("the base state violates the constraints");
  }
}

}  // namespace livens::ensembles
