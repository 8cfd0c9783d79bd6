#include "taylor/group.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/math/elementary.hpp"

namespace livens::taylor {
namespace {

/// Of one step; and steps in a row that are halved before a lane counts as stuck. A kink takes some fifty.
constexpr int most_halvings = 60, most_halved_steps = 1000;
/// Beyond the normal numbers there are no logarithms.
constexpr double least = std::numeric_limits<double>::min();

/// A power of two near x^-1/2: no product with it rounds.
double scale_of(double x) { return std::isnormal(x) ? std::ldexp(1.0, -std::ilogb(x) / 2) : 1.0 / x; }

double largest(const double* rows, std::ptrdiff_t stride, int count, int lane) {
  double size = 0.0;
  for (int i = 0; i < count; ++i) size = std::max(size, std::abs(rows[i * stride + lane]));
  return size;
}

}  // namespace

int order_of(double tolerance) { return static_cast<int>(std::ceil(-0.5 * std::log(tolerance))) + 1; }

Group::Group(const Equations& equations, const Recurrences& recurrences, double tolerance)
    : equations_(equations),
      recurrences_(recurrences),
      rows_(equations.state),
      tolerance_(tolerance),
      order_(std::max(order_of(tolerance), 4)),
      stride_(static_cast<std::ptrdiff_t>(order_ + 1) * lanes) {
  const auto reserve = [](std::vector<double>& values, std::ptrdiff_t count) {
    values.resize(static_cast<std::size_t>(count));
  };
  const int n = rows_.d + rows_.m;
  reserve(series_, static_cast<std::ptrdiff_t>(series_size(equations, tolerance)) * lanes);
  reserve(work_, equations.motion.rows() * stride_);
  reserve(measured_, equations.measured.rows() * lanes);
  reserve(state_, rows_.count() * lanes);
  reserve(matrix_, n * n * lanes);
  reserve(scale_, n * lanes);
  reserve(right_, n * lanes);
  reserve(slope_, rows_.d * lanes);
  reserve(reaction_, rows_.d * lanes);
  pivots_.resize(static_cast<std::size_t>(n * lanes));
  for (int lane = 0; lane < lanes; ++lane) {
    for (const Tape::Number& number : equations.motion.numbers()) row(number.row)[lane] = number.value;
    for (const Tape::Number& number : equations.measured.numbers())
      measured_[static_cast<std::size_t>(number.row * lanes + lane)] = number.value;
    coefficient(equations.time_row(), 1)[lane] = 1.0;
  }
}

int Group::series_size(const Equations& equations, double tolerance) {
  return header + equations.state.count() * (std::max(order_of(tolerance), 4) + 1);
}

void Group::set_parameter(int lane, int k, double value) {
  const int r = equations_.parameter_row() + k;
  row(r)[lane] = measured_[static_cast<std::size_t>(r * lanes + lane)] = value;
}

void Group::begin() {
  run(Stage::constant, 0);
  const auto constants = equations_.measured.instructions(Stage::constant);
  recurrences_.run(constants.data(), constants.size(), 0, measured_.data(), lanes);
}

void Group::set_state(int lane, const double* q, const double* v) {
  for (std::size_t at = static_cast<std::size_t>(lane); at < series_.size(); at += lanes) series_[at] = 0.0;
  for (int i = 0; i < rows_.d; ++i) {
    series_row(rows_.position() + i)[lane] = q[i];
    series_row(rows_.velocity() + i)[lane] = v[i];
  }
}

double Group::end(int lane) const {
  return series_[static_cast<std::size_t>(lane)] + series_[static_cast<std::size_t>(lanes + lane)];
}

void Group::run(Stage stage, int k) {
  const auto instructions = equations_.motion.instructions(stage);
  recurrences_.run(instructions.data(), instructions.size(), k, work_.data(), stride_);
}

/// At states whose rows lie `stride` apart.
void Group::measure(const double* q_and_v, std::ptrdiff_t stride, const double* times) {
  for (int r = 0; r < 2 * rows_.d; ++r)
    std::copy_n(q_and_v + r * stride, lanes, &measured_[static_cast<std::size_t>(r * lanes)]);
  std::copy_n(times, lanes, &measured_[static_cast<std::size_t>(equations_.time_row() * lanes)]);
  for (const Stage stage : {Stage::position, Stage::velocity}) {
    const auto instructions = equations_.measured.instructions(stage);
    recurrences_.run(instructions.data(), instructions.size(), 0, measured_.data(), lanes);
  }
}

void Group::evaluate(const double* times) {
  std::array<double, lanes> since;
  for (int lane = 0; lane < lanes; ++lane)
    since[static_cast<std::size_t>(lane)] = times[lane] - series_[static_cast<std::size_t>(lane)];
  recurrences_.value(series_row(0), stride_, rows_.count(), order_, since.data(), state_.data());
  measure(state_.data(), lanes, times);
}

/// (M A^T; A 0) at coefficient 0, with M_ii and the rows of A M^-1/2 scaled to sizes near 1: units then do
/// not choose the pivots.
void Group::factor() {
  const int d = rows_.d, n = d + rows_.m;
  std::fill(matrix_.begin(), matrix_.end(), 0.0);
  std::fill(scale_.begin(), scale_.end(), 0.0);
  const auto each = [&](auto body) {
    for (int lane = 0; lane < lanes; ++lane) body(lane);
  };
  double* const s = scale_.data();
  for (const Entry& e : equations_.mass)
    if (e.row == e.column) each([&](int l) { s[e.row * lanes + l] = scale_of(row(e.place)[l]); });
  for (const Entry& e : equations_.constraint)
    each([&](int l) {
      const double part = row(e.place)[l] * s[e.column * lanes + l];
      s[(d + e.row) * lanes + l] += part * part;
    });
  for (int k = d * lanes; k < n * lanes; ++k) s[k] = scale_of(s[k]);
  const auto set = [&](const Entry& e, int i, int j) {
    each([&](int l) {
      matrix_[static_cast<std::size_t>((i * n + j) * lanes + l)] =
          row(e.place)[l] * s[i * lanes + l] * s[j * lanes + l];
    });
  };
  for (const Entry& e : equations_.mass) set(e, e.row, e.column);
  for (const Entry& e : equations_.constraint) {
    set(e, d + e.row, e.column);
    set(e, e.column, d + e.row);
  }
  recurrences_.factor(n, matrix_.data(), pivots_.data(), regular_.data());
}

void Group::solve() {
  for (std::size_t k = 0; k < right_.size(); ++k) right_[k] *= scale_[k];
  recurrences_.solve(rows_.d + rows_.m, matrix_.data(), pivots_.data(), right_.data());
  for (std::size_t k = 0; k < right_.size(); ++k) right_[k] *= scale_[k];
}

/// Brings coefficients 0 of q and v onto the constraints and leaves the factors of the matrix there. The
/// violation is of the size of the tolerance, so that Newton's method with the first matrix squares it, and
/// once more reaches round-off whatever the tolerance.
void Group::project() {
  const int d = rows_.d, m = rows_.m;
  const double* const time = row(equations_.time_row());
  const auto correct = [&](const std::vector<int>& violated, int first_row) {
    measure(work_.data(), stride_, time);
    std::fill_n(right_.begin(), d * lanes, 0.0);
    for (int k = 0; k < m; ++k)
      for (int lane = 0; lane < lanes; ++lane)
        right_[static_cast<std::size_t>((d + k) * lanes + lane)] =
            -measured(violated[static_cast<std::size_t>(k)], lane);
    solve();
    for (int i = 0; i < d; ++i)
      for (int lane = 0; lane < lanes; ++lane)
        row(first_row + i)[lane] += right_[static_cast<std::size_t>(i * lanes + lane)];
  };
  run(Stage::position, 0);
  factor();
  if (m == 0) return;
  if (equations_.holonomic) {
    for (int iteration = 0; iteration < 2; ++iteration) correct(equations_.constraints, rows_.position());
    run(Stage::position, 0);
    factor();
  }
  correct(equations_.rates, rows_.velocity());
}

/// From coefficients 0..k of q, v and 0..k-1 of lambda to k+1 and k: (a) and (b) at order k are linear in
/// these, with the matrix of order 0 (docs/equations/taylor.md, section 2).
void Group::next_order(int k) {
  const int d = rows_.d, m = rows_.m;
  const double next = k + 1.0;
  const auto right = [&](int i) { return right_.data() + i * lanes; };
  run(Stage::velocity, k);
  for (int i = 0; i < d; ++i)
    for (int lane = 0; lane < lanes; ++lane)
      coefficient(rows_.position() + i, k + 1)[lane] = coefficient(rows_.velocity() + i, k)[lane] / next;
  run(Stage::position, k + 1);
  std::fill(right_.begin(), right_.end(), 0.0);
  for (int c = 0; c < m && !equations_.drift.empty(); ++c)
    std::copy_n(coefficient(equations_.drift[static_cast<std::size_t>(c)], k + 1), lanes, right(d + c));
  for (const Entry& e : equations_.mass)
    if (e.moves)
      recurrences_.convolve(row(e.place), row(rows_.velocity() + e.column), 1, k + 1, right(e.row));
  for (const Entry& e : equations_.constraint)
    if (e.moves)
      recurrences_.convolve(row(e.place), row(rows_.velocity() + e.column), 1, k + 1, right(d + e.row));
  for (double& entry : right_) entry *= -next;
  std::fill(reaction_.begin(), reaction_.end(), 0.0);
  for (const Entry& e : equations_.constraint)
    if (e.moves)
      recurrences_.convolve(row(e.place), row(rows_.multiplier() + e.row), 1, k,
                            &reaction_[static_cast<std::size_t>(e.column * lanes)]);
  for (int i = 0; i < d; ++i)
    for (int lane = 0; lane < lanes; ++lane)
      right(i)[lane] += coefficient(equations_.force[static_cast<std::size_t>(i)], k)[lane] -
                        reaction_[static_cast<std::size_t>(i * lanes + lane)];
  solve();
  for (int i = 0; i < d; ++i)
    for (int lane = 0; lane < lanes; ++lane)
      coefficient(rows_.velocity() + i, k + 1)[lane] = right(i)[lane] / next;
  for (int c = 0; c < m; ++c) std::copy_n(right(d + c), lanes, coefficient(rows_.multiplier() + c, k));
  // D' and W'.
  std::array<double, lanes> work{};
  std::copy_n(coefficient(equations_.power, k), lanes, work.begin());
  for (std::size_t c = 0; c < equations_.drift.size(); ++c)
    recurrences_.convolve(row(equations_.drift[c]), row(rows_.multiplier() + static_cast<int>(c)), 0, k,
                          work.data());
  for (int lane = 0; lane < lanes; ++lane) {
    coefficient(rows_.dissipated(), k + 1)[lane] = coefficient(equations_.dissipation, k)[lane] / next;
    coefficient(rows_.work(), k + 1)[lane] = work[static_cast<std::size_t>(lane)] / next;
  }
}

/// The slope of the series at its end is the acceleration there, as far as the tolerance goes: to its root in
/// comparison with accelerations, or in velocity. A series that has left where it converges, or crossed a
/// kink of a force, is not.
bool Group::resolved(int lane, double proposed) const {
  const auto of = [&](int r, int k) {
    return work_[static_cast<std::size_t>(r * stride_ + k * lanes + lane)];
  };
  double mismatch = 0.0, acceleration = 0.0, velocity = 0.0, position = 0.0;
  for (int i = 0; i < rows_.d; ++i) {
    const double here = of(rows_.velocity() + i, 1),
                 series = slope_[static_cast<std::size_t>(i * lanes + lane)];
    mismatch = std::max(mismatch, std::abs(here - series));
    acceleration = std::max({acceleration, std::abs(here), std::abs(series)});
    velocity = std::max(velocity, std::abs(of(rows_.velocity() + i, 0)));
    position = std::max(position, std::abs(of(rows_.position() + i, 0)));
  }
  const double length = series_[static_cast<std::size_t>(lanes + lane)];
  return mismatch <= std::sqrt(tolerance_) * acceleration ||
         mismatch * length <= 4.0 * tolerance_ * std::max(velocity, position / proposed);
}

Obstacle Group::obstacle_at_end(int lane, double proposed) const {
  double state = 0.0, acceleration = 0.0;
  for (int r = 0; r < 2 * rows_.d; ++r) state += state_value(r, lane);
  for (int i = 0; i < rows_.d; ++i)
    acceleration += work_[static_cast<std::size_t>((rows_.velocity() + i) * stride_ + lanes + lane)];
  if (!std::isfinite(state)) return Obstacle::not_finite;
  if (!regular_[static_cast<std::size_t>(lane)]) return Obstacle::singular;
  if (!std::isfinite(acceleration)) return Obstacle::not_finite;
  const bool at_start = end(lane) == 0.0;
  const bool moved = series_[static_cast<std::size_t>(lanes + lane)] > 0.0;
  return at_start || (moved && resolved(lane, proposed)) ? Obstacle::none : Obstacle::unresolved;
}

void Group::arrive(const LaneMask& active) {
  double *const start = header_row(0), *const length = header_row(1), *const proposed = header_row(2);
  for (int attempt = 0; attempt <= most_halvings; ++attempt) {
    recurrences_.value(series_row(0), stride_, rows_.count(), order_, length, state_.data());
    for (int r = 0; r < rows_.count(); ++r)
      std::copy_n(&state_[static_cast<std::size_t>(r * lanes)], lanes, row(r));
    for (int lane = 0; lane < lanes; ++lane) row(equations_.time_row())[lane] = start[lane] + length[lane];
    project();
    next_order(0);
    recurrences_.slope(series_row(rows_.velocity()), stride_, rows_.d, order_, length, slope_.data());
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

/// Jorba and Zou 2005, section 3.2: the radius of convergence from the last two coefficients, and e^-2 of it.
/// Their measure of the state is its first coefficient; here it is the largest of the first three terms of
/// the series at the radius, for q and for v, so that zero is as good a coordinate as any other, in any
/// units.
double Group::length(int lane, double step) {
  constexpr double none = -std::numeric_limits<double>::infinity();
  double radius = -none;  // its logarithm, as all sizes here
  for (const int first : {rows_.position(), rows_.velocity()}) {
    const auto size = [&](int k) {
      const double terms = largest(coefficient(first, k), stride_, rows_.d, lane);
      return terms > least ? livens::log(terms) : none;
    };
    const double start[] = {size(0), size(1), size(2)};
    for (const int p : {order_ - 1, order_}) {
      const double last = size(p);
      double widest = none;
      for (int i = 0; i <= 2; ++i) widest = std::max(widest, (start[i] - last) / (p - i));
      if (last > none && widest > none) radius = std::min(radius, widest);
    }
  }
  return std::isfinite(radius) ? livens::exp(radius - 2.0 - 0.7 / (order_ - 1)) : step;
}

void Group::expand(const LaneMask& active, const double* step) {
  for (int k = 1; k < order_; ++k) next_order(k);
  double *const start = header_row(0), *const length_of = header_row(1), *const proposed = header_row(2),
                *const halved_steps = header_row(3);
  for (int lane = 0; lane < lanes; ++lane) {
    const auto l = static_cast<std::size_t>(lane);
    if (!active[l]) continue;
    halved_steps[lane] = length_of[lane] < proposed[lane] ? halved_steps[lane] + 1.0 : 0.0;
    if (halved_steps[lane] > most_halved_steps) {
      obstacle_[l] = Obstacle::unresolved;
      continue;
    }
    double sum = 0.0;
    for (int r = 0; r < rows_.count(); ++r)
      for (int k = 0; k <= order_; ++k) {
        const double value = coefficient(r, k)[lane];
        series_row(r)[k * lanes + lane] = value;
        sum += value;
      }
    start[lane] = row(equations_.time_row())[lane];
    length_of[lane] = proposed[lane] = (start[lane] + length(lane, step[lane])) - start[lane];
    obstacle_[l] = std::isfinite(sum) && length_of[lane] > 0.0 ? Obstacle::none : Obstacle::not_finite;
  }
}

}  // namespace livens::taylor
