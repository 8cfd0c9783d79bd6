// Compiled once for every instruction set, with its flags and LIVENS_ISA its name. No templates of the
// standard library are instantiated here: the linker keeps one copy of each, and must not take one of these.

#include "taylor/recurrences.hpp"

#include "kernels/math/elementary.hpp"
#include "kernels/math/lanes.hpp"

namespace livens::inline LIVENS_ISA {
namespace {

#if defined(__AVX512F__)
using Part = Lanes<8>;
#elif defined(__AVX2__)
using Part = Lanes<4>;
#else
using Part = double;
#endif
constexpr int lanes = taylor::lanes, width = lanes_of<Part>;
using taylor::Instruction;
using taylor::Op;

LIVENS_HD Part at(const double* row, int k) {
  return load<Part>(row + static_cast<std::ptrdiff_t>(k) * lanes);
}
LIVENS_HD void set(double* row, int k, Part value) {
  store(row + static_cast<std::ptrdiff_t>(k) * lanes, value);
}

/// Sum of a_j b_{k-j} over j = from, ..., to.
LIVENS_HD Part product(const double* a, const double* b, int from, int to, int k) {
  Part sum(0.0);
  for (int j = from; j <= to; ++j) sum = sum + at(a, j) * at(b, k - j);
  return sum;
}
/// Sum of a_j a_{k-j} over j = from, ..., k - from: twice the half of it.
LIVENS_HD Part square(const double* a, int from, int k) {
  const Part half = product(a, a, from, (k + 1) / 2 - 1, k);
  const Part sum = half + half;
  return k % 2 == 0 && k / 2 >= from ? sum + at(a, k / 2) * at(a, k / 2) : sum;
}
/// Sum of j a_j b_{k-j} over j = 1, ..., to, over k: coefficient k of the integral of a' b, without its end.
LIVENS_HD Part integral(const double* a, const double* b, int to, int k) {
  Part sum(0.0);
  for (int j = 1; j <= to; ++j) sum = sum + Part(static_cast<double>(j)) * at(a, j) * at(b, k - j);
  return sum / Part(static_cast<double>(k));
}

/// One part of a register's width; docs/equations/taylor.md, section 1.
void run(const Instruction& i, int k, double* rows, std::ptrdiff_t stride) {
  const double* const a = rows + i.a * stride;
  const double* const b = rows + i.b * stride;
  double* const to = rows + i.to * stride;
  double* const partner = rows + i.partner * stride;
  switch (i.op) {
    case Op::negate:
      set(to, k, -at(a, k));
      break;
    case Op::add:
      set(to, k, at(a, k) + at(b, k));
      break;
    case Op::subtract:
      set(to, k, at(a, k) - at(b, k));
      break;
    case Op::multiply:
      if (!i.moves_a)
        set(to, k, at(a, 0) * at(b, k));
      else if (!i.moves_b)
        set(to, k, at(a, k) * at(b, 0));
      else if (i.a == i.b)
        set(to, k, square(a, 0, k));
      else
        set(to, k, product(a, b, 0, k, k));
      break;
    case Op::divide:
      if (!i.moves_b)
        set(to, k, at(a, k) / at(b, 0));
      else
        set(to, k, (at(a, k) - product(b, to, 1, k, k)) / at(b, 0));
      break;
    case Op::sqrt:
      if (k == 0)
        set(to, 0, sqrt(at(a, 0)));
      else
        set(to, k, (at(a, k) - square(to, 1, k)) / (at(to, 0) + at(to, 0)));
      break;
    case Op::exp:
      set(to, k, k == 0 ? exp(at(a, 0)) : integral(a, to, k, k));
      break;
    case Op::log:
      set(to, k, k == 0 ? log(at(a, 0)) : (at(a, k) - integral(to, a, k - 1, k)) / at(a, 0));
      break;
    case Op::sin:
      if (k == 0) {
        set(to, 0, sin(at(a, 0)));
        set(partner, 0, cos(at(a, 0)));
      } else {
        set(to, k, integral(a, partner, k, k));
        set(partner, k, -integral(a, to, k, k));
      }
      break;
    case Op::tanh:
      set(to, k, k == 0 ? tanh(at(a, 0)) : integral(a, partner, k, k));
      set(partner, k, Part(k == 0 ? 1.0 : 0.0) - square(to, 0, k));
      break;
    case Op::abs:
      set(to, k, k == 0 ? abs(at(a, 0)) : sign_of(at(a, 0)) * at(a, k));
      break;
    default:
      break;  // a tape has no others
  }
}

void run_all(const Instruction* instructions, std::size_t count, int k, double* rows, std::ptrdiff_t stride) {
  for (std::size_t i = 0; i < count; ++i)
    for (int part = 0; part < lanes; part += width) run(instructions[i], k, rows + part, stride);
}

void convolve(const double* a, const double* b, int from, int k, double* sum) {
  for (int part = 0; part < lanes; part += width)
    set(sum + part, 0, at(sum + part, 0) + product(a + part, b + part, from, k, k));
}

void value(const double* rows, std::ptrdiff_t stride, int count, int order, const double* tau,
           double* values) {
  for (int part = 0; part < lanes; part += width)
    for (int r = 0; r < count; ++r) {
      const double* const row = rows + r * stride + part;
      const Part t = at(tau + part, 0);
      Part sum = at(row, order);
      for (int k = order - 1; k >= 0; --k) sum = sum * t + at(row, k);
      set(values + part, r, sum);
    }
}

void slope(const double* rows, std::ptrdiff_t stride, int count, int order, const double* tau,
           double* values) {
  for (int part = 0; part < lanes; part += width)
    for (int r = 0; r < count; ++r) {
      const double* const row = rows + r * stride + part;
      const Part t = at(tau + part, 0);
      Part sum(0.0);
      for (int k = order; k >= 1; --k) sum = sum * t + Part(static_cast<double>(k)) * at(row, k);
      set(values + part, r, sum);
    }
}

/// Brings the largest entry of column c, from row c on, to row c, in every lane for itself.
void pivot(int n, double* matrix, int c, int* pivots, bool* regular) {
  const auto entry = [&](int i, int j, int lane) -> double& {
    return matrix[(static_cast<std::ptrdiff_t>(i) * n + j) * lanes + lane];
  };
  for (int lane = 0; lane < lanes; ++lane) {
    int best = c;
    double largest = abs(entry(c, c, lane));
    for (int i = c + 1; i < n; ++i) {
      const double size = abs(entry(i, c, lane));
      if (!(size > largest)) continue;
      best = i;
      largest = size;
    }
    pivots[lane] = best;
    regular[lane] = regular[lane] && largest > n * 0x1p-52;
    for (int j = 0; j < n && best != c; ++j) {
      const double kept = entry(c, j, lane);
      entry(c, j, lane) = entry(best, j, lane);
      entry(best, j, lane) = kept;
    }
  }
}

void factor(int n, double* matrix, int* pivots, bool* regular) {
  for (int lane = 0; lane < lanes; ++lane) regular[lane] = true;
  const auto row = [&](int i) { return matrix + static_cast<std::ptrdiff_t>(i) * n * lanes; };
  for (int c = 0; c < n; ++c) {
    pivot(n, matrix, c, pivots + c * lanes, regular);
    for (int i = c + 1; i < n; ++i)
      for (int part = 0; part < lanes; part += width) {
        const Part ratio = at(row(i) + part, c) / at(row(c) + part, c);
        set(row(i) + part, c, ratio);
        for (int j = c + 1; j < n; ++j)
          set(row(i) + part, j, at(row(i) + part, j) - ratio * at(row(c) + part, j));
      }
  }
}

void solve(int n, const double* matrix, const int* pivots, double* x) {
  for (int c = 0; c < n; ++c)
    for (int lane = 0; lane < lanes; ++lane) {
      double &here = x[c * lanes + lane], &there = x[pivots[c * lanes + lane] * lanes + lane];
      const double kept = here;
      here = there;
      there = kept;
    }
  const auto row = [&](int i) { return matrix + static_cast<std::ptrdiff_t>(i) * n * lanes; };
  for (int part = 0; part < lanes; part += width) {
    for (int i = 1; i < n; ++i) {
      Part sum = at(x + part, i);
      for (int j = 0; j < i; ++j) sum = sum - at(row(i) + part, j) * at(x + part, j);
      set(x + part, i, sum);
    }
    for (int i = n - 1; i >= 0; --i) {
      Part sum = at(x + part, i);
      for (int j = i + 1; j < n; ++j) sum = sum - at(row(i) + part, j) * at(x + part, j);
      set(x + part, i, sum / at(row(i) + part, i));
    }
  }
}

}  // namespace

/// Declared by taylor/instruction_sets.cpp.
extern const taylor::Recurrences taylor_recurrences;
const taylor::Recurrences taylor_recurrences = {run_all, convolve, value, slope, factor, solve};

}  // namespace livens::inline LIVENS_ISA
