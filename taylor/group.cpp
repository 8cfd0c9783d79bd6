#include "taylor/group.hpp"

#include <algorithm>
#include <cmath>

namespace livens::taylor {
namespace {

/// Of one step; and steps in a row that are halved before a lane counts as stuck. A kink takes some fifty.
constexpr int most_halvings = 60, most_halved_steps = 1000;

List<Instruction> list_of(std::span<const Instruction> instructions) {
  return {instructions.data(), instructions.data() + instructions.size()};
}

}  // namespace

int order_of(double tolerance) { return static_cast<int>(std::ceil(-0.5 * std::log2(tolerance))) + 1; }

Group::Group(const Equations& equations, const Recurrences& recurrences, double tolerance)
    : equations_(equations),
      recurrences_(recurrences),
      plan_(equations.plan()),
      rows_(equations.state),
      tolerance_(tolerance),
      order_(std::max(order_of(tolerance), 4)),
      stride_(static_cast<std::ptrdiff_t>(order_ + 1) * lanes),
      series_(series_size(equations, tolerance)),
      work_(equations.motion.rows() * (order_ + 1)),
      measured_(equations.measured.rows()),
      state_(rows_.count()),
      matrix_((rows_.d + rows_.m) * (rows_.d + rows_.m)),
      scale_(rows_.d + rows_.m),
      pivots_(rows_.d + rows_.m),
      exchanged_(1),
      regular_(1),
      right_(plan_.room() / lanes),
      slope_(rows_.d) {
  for (int lane = 0; lane < lanes; ++lane) {
    for (const Tape::Number& number : equations.motion.numbers()) row(number.row)[lane] = number.value;
    for (const Tape::Number& number : equations.measured.numbers())
      measured_[number.row][lane] = number.value;
    row(equations.time_row())[lanes + lane] = 1.0;
  }
}

int Group::series_size(const Equations& equations, double tolerance) {
  return header + equations.state.count() * (std::max(order_of(tolerance), 4) + 1);
}

void Group::set_parameter(int lane, int k, double value) {
  const int r = equations_.parameter_row() + k;
  row(r)[lane] = measured_[r][lane] = value;
}

void Group::begin() {
  recurrences_.run(list_of(equations_.motion.instructions(Stage::constant)), 0, work_[0], stride_);
  recurrences_.run(list_of(equations_.measured.instructions(Stage::constant)), 0, measured_[0], lanes);
}

void Group::set_state(int lane, const double* q, const double* v) {
  for (int c = 0; c < series_size(equations_, tolerance_); ++c) series_[c][lane] = 0.0;
  for (int i = 0; i < rows_.d; ++i) {
    series_row(rows_.position() + i)[lane] = q[i];
    series_row(rows_.velocity() + i)[lane] = v[i];
  }
}

double Group::end(int lane) const { return series_[start_entry][lane] + series_[length_entry][lane]; }

void Group::evaluate(const double* times) {
  std::array<double, lanes> since;
  for (int lane = 0; lane < lanes; ++lane)
    since[static_cast<std::size_t>(lane)] = times[lane] - series_[start_entry][lane];
  recurrences_.value(series_row(0), stride_, rows_.count(), order_, since.data(), state_[0]);
  std::copy_n(state_[0], 2 * rows_.d * lanes, measured_[0]);
  std::copy_n(times, lanes, measured_[equations_.time_row()]);
  for (const Stage stage : {Stage::position, Stage::velocity})
    recurrences_.run(list_of(equations_.measured.instructions(stage)), 0, measured_[0], lanes);
}

Factors Group::factors() { return {matrix_[0], scale_[0], pivots_[0], exchanged_[0], regular_[0]}; }

void Group::expand_to(int from, int to) {
  recurrences_.expand(plan_, factors(), from, to, work_[0], stride_, right_[0]);
}

/// The slope of the series at its end is the acceleration there, as far as the tolerance goes: to its root in
/// comparison with accelerations, or in velocity. A series that has left where it converges, or crossed a
/// kink of a force, is not.
bool Group::resolved(int lane, double proposed) const {
  const auto of = [&](int r, int k) { return work_[r * (order_ + 1) + k][lane]; };
  double mismatch = 0.0, acceleration = 0.0, velocity = 0.0, position = 0.0;
  for (int i = 0; i < rows_.d; ++i) {
    const double here = of(rows_.velocity() + i, 1), series = slope_[i][lane];
    mismatch = std::max(mismatch, std::abs(here - series));
    acceleration = std::max({acceleration, std::abs(here), std::abs(series)});
    velocity = std::max(velocity, std::abs(of(rows_.velocity() + i, 0)));
    position = std::max(position, std::abs(of(rows_.position() + i, 0)));
  }
  return mismatch <= std::sqrt(tolerance_) * acceleration ||
         mismatch * series_[length_entry][lane] <= 4.0 * tolerance_ * std::max(velocity, position / proposed);
}

Obstacle Group::obstacle_at_end(int lane, double proposed) const {
  double state = 0.0, acceleration = 0.0;
  for (int r = 0; r < 2 * rows_.d; ++r) state += state_value(r, lane);
  for (int i = 0; i < rows_.d; ++i) acceleration += work_[(rows_.velocity() + i) * (order_ + 1) + 1][lane];
  if (!std::isfinite(state)) return Obstacle::not_finite;
  if (regular_[0][lane] == 0.0) return Obstacle::singular;
  if (!std::isfinite(acceleration)) return Obstacle::not_finite;
  const bool at_start = end(lane) == 0.0;
  const bool moved = series_[length_entry][lane] > 0.0;
  return at_start || (moved && resolved(lane, proposed)) ? Obstacle::none : Obstacle::unresolved;
}

void Group::arrive(const LaneMask& active) {
  double *const start = series_[start_entry], *const length = series_[length_entry],
                *const proposed = series_[proposed_entry];
  for (int attempt = 0; attempt <= most_halvings; ++attempt) {
    recurrences_.value(series_row(0), stride_, rows_.count(), order_, length, state_[0]);
    for (int r = 0; r < rows_.count(); ++r) std::copy_n(state_[r], lanes, row(r));
    for (int lane = 0; lane < lanes; ++lane) row(equations_.time_row())[lane] = start[lane] + length[lane];
    recurrences_.project(plan_, factors(), work_[0], stride_, right_[0]);
    expand_to(0, 1);
    recurrences_.slope(series_row(rows_.velocity()), stride_, rows_.d, order_, length, slope_[0]);
    bool again = false;
    for (int lane = 0; lane < lanes; ++lane) {
      const auto l = static_cast<std::size_t>(lane);
      if (!active[l]) continue;
      obstacle_[l] = obstacle_at_end(lane, proposed[lane]);
      if (obstacle_[l] == Obstacle::none || !(length[lane] > 0.0)) continue;
      again = true;
      length[lane] = (start[lane] + 0.5 * length[lane]) - start[lane];
    }
    if (!again) return;
  }
}

void Group::expand(const LaneMask& active, const double* step) {
  expand_to(1, order_);
  double *const start = series_[start_entry], *const length = series_[length_entry],
                *const proposed = series_[proposed_entry], *const halved_steps = series_[halved_entry];
  std::array<double, lanes> kept{}, sum, longest;
  for (int lane = 0; lane < lanes; ++lane) {
    const auto l = static_cast<std::size_t>(lane);
    if (!active[l]) continue;
    halved_steps[lane] = length[lane] < proposed[lane] ? halved_steps[lane] + 1.0 : 0.0;
    if (halved_steps[lane] > most_halved_steps)
      obstacle_[l] = Obstacle::unresolved;
    else
      kept[l] = 1.0;
  }
  const std::ptrdiff_t coefficients = rows_.count() * (order_ + 1);
  recurrences_.keep(work_[0], coefficients, kept.data(), series_row(0), sum.data());
  recurrences_.length(plan_, order_, work_[0], stride_, step, longest.data());
  for (int lane = 0; lane < lanes; ++lane) {
    const auto l = static_cast<std::size_t>(lane);
    if (kept[l] == 0.0) continue;
    start[lane] = row(equations_.time_row())[lane];
    length[lane] = proposed[lane] = (start[lane] + longest[l]) - start[lane];
    obstacle_[l] = std::isfinite(sum[l]) && length[lane] > 0.0 ? Obstacle::none : Obstacle::not_finite;
  }
}

}  // namespace livens::taylor
