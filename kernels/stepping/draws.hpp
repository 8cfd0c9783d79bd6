#pragma once
// Values of the varied quantities of an instance: random numbers from a counter, so that instance i starts
// the same whatever the backend, the thread or rank count and the size of the ensemble, points of Sobol's
// sequence, points of a grid, and rows of a table. One source for a thread of a GPU and one of a processor;
// the elementary functions are those of math/elementary.hpp, and the root is IEEE's.
//
// The counter-based generator is Philox 4x32-10: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, Parallel
// random numbers: as easy as 1, 2, 3, SC 2011, in the authors' library Random123.

#include <Random123/philox.h>

#include <cstdint>
#include <limits>

#include "kernels/description/interface.hpp"
#include "kernels/math/normal_quantile.hpp"

namespace livens {

/// Distribution or list of values of one varied quantity (contract, section 2).
enum class Law {
  normal,
  uniform,
  lognormal,
  linspace,
  values,
  logspace,
  triangular,
  exponential,
  truncated_normal,
  table
};
/// The use of a drawn value: it replaces the base value, is added to it, or multiplies it.
enum class Mode { set, add, multiply };
/// The quantity that a variation acts on.
enum class Target { parameter, q, v, p, step };

/// One varied quantity of a batch. By default a law of a single point, which sets a value for all instances.
struct Draw {
  Target target;
  int first;          ///< first scalar entry it acts on: index into the flattened parameters, or into q, v, p
  int count = 1;      ///< entries it acts on
  bool each = false;  ///< every entry has a value of its own; else one value for all of them
  Law law = Law::values;
  Mode mode = Mode::set;
  double a = 0.0, b = 0.0;  ///< mean,std | low,high | mu,sigma; of the exponential law the mean
  double c = 0.0, d = 0.0;  ///< triangular: its peak. truncated normal: the normal distribution at the bounds
  double low = 0.0, high = 0.0;  ///< bounds of the truncated normal law
  const double* points =
      nullptr;  ///< of a grid law, or rows of a table, with `count` values each where `each`
  std::int64_t point_count = 1;
  std::int64_t first_instance = 0;  ///< that the first point belongs to
  std::int64_t stride = 1;          ///< instances between two points of a grid law
  std::int64_t period = 1;          ///< points of the outer product of all grid laws
  /// Of Sobol's sequence: the 64 direction numbers of every value; null: random numbers.
  const std::uint64_t* directions = nullptr;
  std::uint64_t seed = 0;   ///< of a law that is no list
  std::uint32_t entry = 0;  ///< its position among all entries of the spec, grid laws included
  double interval = 0.0;    ///< s, that a step is fitted to; 0: to none

  /// Values of an instance.
  LIVENS_HD int width() const { return each ? count : 1; }
};

/// Initial values of a batch: parameters [first, last), where they vary; steps and their counts; or columns
/// [first, last) of q, v or p.
struct InitialPart {
  Target target;
  int first, last;
};

/// A step that divides the output interval.
struct FittedStep {
  double step;         ///< h, s
  std::int64_t steps;  ///< per interval, >= 1; 0: the step is too small to be counted (more than 2^53)
};

/// Four words of 32 bits.
using Words = r123::Philox4x32::ctr_type;

/// Two numbers of (0, 1], multiples of 2^-54.
struct Uniforms {
  double u1, u2;
};

}  // namespace livens

namespace livens::inline LIVENS_ISA {

/// Philox 4x32-10 of a counter; the low word of `key` comes first.
LIVENS_HD Words philox(const Words& counter, std::uint64_t key) {
  return r123::Philox4x32()(counter,
                            {{static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)}});
}

/// Two words that follow each other as one number of 64 bits, and as a number of (0, 1]: the sum is rounded
/// to even above 2^52, so it may be 1 but never 0, and ln u stays finite.
LIVENS_HD std::uint64_t joined(std::uint32_t low, std::uint32_t high) {
  return low | static_cast<std::uint64_t>(high) << 32;
}
LIVENS_HD double unit(std::uint64_t x) { return (static_cast<double>(x >> 11) + 0.5) * 0x1p-53; }

/// The words of one draw: key = seed, counter = (instance low, high, entry, part).
LIVENS_HD Words words_of(std::uint64_t seed, std::int64_t instance, std::uint32_t entry, int part) {
  const auto number = static_cast<std::uint64_t>(instance);
  return philox({{static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32), entry,
                  static_cast<std::uint32_t>(part)}},
                seed);
}
LIVENS_HD Uniforms uniforms(std::uint64_t seed, std::int64_t instance, std::uint32_t entry, int part = 0) {
  const Words w = words_of(seed, instance, entry, part);
  return {unit(joined(w[0], w[1])), unit(joined(w[2], w[3]))};
}

/// Point `number` of Sobol's sequence in the order of Gray's code (I. A. Antonov, V. M. Saleev, USSR Comput.
/// Math. Math. Phys. 19(1), 1979), in one dimension, as a fraction of 2^64.
LIVENS_HD std::uint64_t sobol_point(const std::uint64_t* directions, std::uint64_t number) {
  std::uint64_t x = 0;
  for (std::uint64_t gray = number ^ (number >> 1); gray != 0; gray >>= 1, ++directions)
    if ((gray & 1) != 0) x ^= *directions;
  return x;
}

/// The coordinate of an instance in Sobol's sequence, in (0, 1]. A digital shift by random bits of the seed,
/// those that an instance -1 would have, keeps how evenly the points lie and keeps point 0 off the corner.
/// Points of a grid beside it have the same points of the sequence each.
LIVENS_HD double sobol(const Draw& draw, std::int64_t instance, int part) {
  const Words shift = words_of(draw.seed, -1, draw.entry, part);
  const auto number = static_cast<std::uint64_t>(instance / draw.period);
  return unit(sobol_point(draw.directions + 64 * part, number) ^ joined(shift[0], shift[1]));
}

/// sqrt(-2 ln u1) cos(2 pi u2).
LIVENS_HD double standard_normal(Uniforms u) { return sqrt(-2.0 * log(u.u1)) * cos_two_pi(u.u2); }

/// exp() is made for |x| < 700. Beyond, a draw is of no use as a parameter: infinity or 0 says so to the
/// checks.
LIVENS_HD double exp_of_any(double x) {
  if (!(x < 700.0)) return x != x ? x : std::numeric_limits<double>::infinity();
  return x > -700.0 ? exp(x) : 0.0;
}

/// The value below which the part u, of (0, 1], of all draws of a law lies: its inverse distribution
/// function.
LIVENS_HD double quantile(const Draw& draw, double u) {
  const double a = draw.a, b = draw.b, c = draw.c;
  if (draw.law == Law::uniform) return a + (b - a) * u;
  u = min(u, 1.0 - 0x1p-53);  // what lies below 1 is finite
  switch (draw.law) {
    case Law::triangular:
      return u * (b - a) < c - a ? a + sqrt(u * (b - a) * (c - a)) : b - sqrt((1.0 - u) * (b - a) * (b - c));
    case Law::exponential:
      return -a * log(1.0 - u);
    case Law::truncated_normal:
      return max(draw.low, min(draw.high, a + b * normal_quantile(c + (draw.d - c) * u)));
    case Law::lognormal:
      return exp_of_any(a + b * normal_quantile(u));
    default:
      return a + b * normal_quantile(u);
  }
}

/// The value that the law gives for an instance (>= 0), before it meets the base value; `part` of the values
/// where every entry has its own.
LIVENS_HD double drawn_by(const Draw& draw, std::int64_t instance, int part = 0) {
  if (draw.points != nullptr) {
    const std::int64_t row = (instance - draw.first_instance) % draw.period / draw.stride % draw.point_count;
    return draw.points[row * draw.width() + part];
  }
  if (draw.directions != nullptr) return quantile(draw, sobol(draw, instance, part));
  const Uniforms u = uniforms(draw.seed, instance, draw.entry, part);
  if (draw.law != Law::normal && draw.law != Law::lognormal) return quantile(draw, u.u1);
  const double normal = draw.a + draw.b * standard_normal(u);
  return draw.law == Law::lognormal ? exp_of_any(normal) : normal;
}

/// A base value after a draw has met it.
LIVENS_HD double combine(Mode mode, double base, double drawn) {
  if (mode == Mode::set) return drawn;
  return mode == Mode::add ? base + drawn : base * drawn;
}

/// interval/round(interval/step), at most the interval. A step that is not positive and finite comes back as
/// it is, with steps = 1: whoever checks the parameters of an instance has to see it.
LIVENS_HD FittedStep fit_step(double interval, double step) {
  if (!(step > 0.0) || !finite(step)) return {step, 1};
  const double ratio = interval / step;
  if (!(ratio <= 0x1p53)) return {step, 0};  // the counts of a record are doubles
  const double steps = max(1.0, ::round(ratio));
  return {interval / steps, static_cast<std::int64_t>(steps)};
}

/// The number that the draws of instance i of a batch are made from; the padding repeats the last one.
LIVENS_HD std::int64_t number_of(const Batch& batch, std::int64_t i) {
  if (batch.numbers != nullptr) return batch.numbers[i];
  return batch.first + i < batch.last ? batch.first + i : batch.last - 1;
}

/// Scalar entry k of what varies, of instance i of a batch whose system has that many coordinates.
LIVENS_HD double& initial_value(const Batch& batch, int coordinates, Target target, int k, std::int64_t i) {
  if (target == Target::parameter) return batch.varied[k][i];
  if (target == Target::step) return batch.varied_step[i];
  double* const states = target == Target::q ? batch.q : target == Target::v ? batch.v : batch.p;
  return states[i * coordinates + k];
}

/// Lets a draw meet the values of instance i.
LIVENS_HD void vary_instance(const Batch& batch, int coordinates, const Draw& draw, std::int64_t i) {
  const std::int64_t number = number_of(batch, i);
  double drawn = 0.0;
  for (int part = 0; part < draw.count; ++part) {
    if (part < draw.width()) drawn = drawn_by(draw, number, part);
    double& value = initial_value(batch, coordinates, draw.target, draw.first + part, i);
    value = combine(draw.mode, value, drawn);
  }
  if (draw.target != Target::step || draw.interval == 0.0) return;
  const FittedStep fitted = fit_step(draw.interval, batch.varied_step[i]);
  batch.varied_step[i] = fitted.step;
  batch.steps_per_beat[i] = fitted.steps;
}

}  // namespace livens::inline LIVENS_ISA
