// The recurrence of every operation (docs/equations/taylor.md, section 1), and the table of what is compiled
// once for every instruction set, with its flags and LIVENS_ISA its name. No templates of the standard
// library are instantiated here: the linker keeps one copy of each, and must not take one of these.

#include "taylor/recurrences.hpp"

#include "taylor/part.hpp"

namespace livens::inline LIVENS_ISA {
namespace {

using taylor::Factors;
using taylor::Instruction;
using taylor::List;
using taylor::Op;
using taylor::Plan;

/// A sum of products for coefficient k of a row. Even orders leave in the place of the next coefficient, if
/// the row has one, what they know of its sum.
class Sum {
 public:
  LIVENS_HD Sum(double* row, int k, std::ptrdiff_t stride)
      : next_(row + static_cast<std::ptrdiff_t>(k + 1) * taylor::lanes),
        k_(k),
        is_first_(k % 2 == 0),
        has_next_(is_first_ && k > 0 && (k + 2) * taylor::lanes <= stride),
        sum_(is_first_ || k == 1 ? Part(0.0) : at(row, k)) {}

  /// a_j b_{k-j} over j = from, ..., k.
  LIVENS_HD Part of_product(const double* a, const double* b, int from) {
    add_product(a, b, from, k_, k_, is_first_, sum_, known_);
    return keep(sum_);
  }
  /// a_j a_{k-j} over j = from, ..., k - from: twice the half of it.
  LIVENS_HD Part of_square(const double* a, int from) {
    const int half = k_ / 2;
    if (!is_first_) {
      if (from <= half) sum_ = fma(at(a, from), at(a, k_ - from), sum_);
      return sum_ + sum_;
    }
    add_product(a, a, from, half - 1, k_, true, sum_, known_);
    if (from < half) known_ = fma(at(a, half), at(a, half + 1), known_);
    const Part twice = sum_ + sum_;
    return keep(from <= half ? fma(at(a, half), at(a, half), twice) : twice);
  }

 private:
  LIVENS_HD Part keep(const Part& sum) const {
    if (has_next_) store(next_, known_);
    return sum;
  }

  double* next_;
  int k_;
  bool is_first_, has_next_;
  Part sum_, known_ = 0.0;
};

/// Sum of j a_j b_{k-j} over j = 1, ..., to, over k: coefficient k of the integral of a' b, without its end.
LIVENS_HD Part integral(const double* a, const double* b, int to, int k) {
  Part sum(0.0);
  for (int j = 1; j <= to; ++j) sum = fma(Part(static_cast<double>(j)) * at(a, j), at(b, k - j), sum);
  return sum / Part(static_cast<double>(k));
}

/// The branches look rows up for themselves: most need two or three of four.
LIVENS_HD void run(const Instruction& i, int k, double* rows, std::ptrdiff_t stride) {
  const auto row = [&](int r) { return rows + r * stride; };
  const auto a = [&](int j) { return at(row(i.a), j); };
  const auto b = [&](int j) { return at(row(i.b), j); };
  const auto to = [&](const Part& value) { set(row(i.to), k, value); };
  const auto sum = [&](int r) { return Sum(row(r), k, stride); };
  switch (i.op) {
    case Op::negate:
      return to(-a(k));
    case Op::add:
      return to(a(k) + b(k));
    case Op::subtract:
      return to(a(k) - b(k));
    case Op::multiply:
      if (!i.moves_a) return to(a(0) * b(k));
      if (!i.moves_b) return to(a(k) * b(0));
      return to(i.a == i.b ? sum(i.to).of_square(row(i.a), 0) : sum(i.to).of_product(row(i.a), row(i.b), 0));
    case Op::divide:
      return to((i.moves_b ? a(k) - sum(i.to).of_product(row(i.b), row(i.to), 1) : a(k)) / b(0));
    case Op::sqrt: {
      if (k == 0) return to(sqrt(a(0)));
      const Part root = at(row(i.to), 0);
      return to((a(k) - sum(i.to).of_square(row(i.to), 1)) / (root + root));
    }
    case Op::exp:
      return to(k == 0 ? exp(a(0)) : integral(row(i.a), row(i.to), k, k));
    case Op::log:
      return to(k == 0 ? log(a(0)) : (a(k) - integral(row(i.to), row(i.a), k - 1, k)) / a(0));
    case Op::sin:
      set(row(i.partner), k, k == 0 ? cos(a(0)) : -integral(row(i.a), row(i.to), k, k));
      return to(k == 0 ? sin(a(0)) : integral(row(i.a), row(i.partner), k, k));
    case Op::tanh:
      to(k == 0 ? tanh(a(0)) : integral(row(i.a), row(i.partner), k, k));
      return set(row(i.partner), k, Part(k == 0 ? 1.0 : 0.0) - sum(i.partner).of_square(row(i.to), 0));
    case Op::abs:
      return to(k == 0 ? abs(a(0)) : sign_of(a(0)) * a(k));
    default:
      return;  // a tape has no others
  }
}

}  // namespace

LIVENS_BOTH void run_part(const List<Instruction>& instructions, int k, double* rows, std::ptrdiff_t stride) {
  for (const Instruction* i = instructions.first; i != instructions.last; ++i) run(*i, k, rows, stride);
}

namespace {

LIVENS_BOTH Factors part_of(const Factors& all, int lane) {
  return {all.matrix + lane, all.scale + lane, all.pivots + lane, all.exchanged + lane, all.regular + lane};
}

LIVENS_BOTH void run_all(const List<Instruction>& instructions, int k, double* rows, std::ptrdiff_t stride) {
  for_each_part([&](int lane) { run_part(instructions, k, rows + lane, stride); });
}

LIVENS_BOTH void project(const Plan& plan, const Factors& factors, double* rows, std::ptrdiff_t stride,
                         double* right) {
  for_each_part(
      [&](int lane) { project_part(plan, part_of(factors, lane), rows + lane, stride, right + lane); });
}

LIVENS_BOTH void expand(const Plan& plan, const Factors& factors, int from, int to, double* rows,
                        std::ptrdiff_t stride, double* right) {
  for_each_part([&](int lane) {
    expand_part(plan, part_of(factors, lane), from, to, rows + lane, stride, right + lane);
  });
}

LIVENS_BOTH void length(const Plan& plan, int order, const double* rows, std::ptrdiff_t stride,
                        const double* step, double* length) {
  for_each_part([&](int lane) {
    set(length + lane, 0, length_of_part(plan, order, rows + lane, stride, at(step + lane, 0)));
  });
}

LIVENS_BOTH void value(const double* rows, std::ptrdiff_t stride, int count, int order, const double* tau,
                       double* values) {
  for_each_part([&](int lane) {
    const Part t = at(tau + lane, 0);
    for (int r = 0; r < count; ++r) {
      const double* const row = rows + r * stride + lane;
      Part sum = at(row, order);
      for (int k = order - 1; k >= 0; --k) sum = fma(sum, t, at(row, k));
      set(values + lane, r, sum);
    }
  });
}

LIVENS_BOTH void slope(const double* rows, std::ptrdiff_t stride, int count, int order, const double* tau,
                       double* values) {
  for_each_part([&](int lane) {
    const Part t = at(tau + lane, 0);
    for (int r = 0; r < count; ++r) {
      const double* const row = rows + r * stride + lane;
      Part sum(0.0);
      for (int k = order; k >= 1; --k) sum = fma(sum, t, Part(static_cast<double>(k)) * at(row, k));
      set(values + lane, r, sum);
    }
  });
}

LIVENS_BOTH void keep(const double* from, std::ptrdiff_t count, const double* active, double* to,
                      double* sum) {
  for_each_part([&](int lane) {
    const Mask<Part> kept = at(active + lane, 0) > Part(0.0);
    const auto take = [&](std::ptrdiff_t c, Part& sum) {
      const std::ptrdiff_t place = c * taylor::lanes + lane;
      const Part value = load_part(from + place);
      store(to + place, select(kept, value, load_part(to + place)));
      sum = sum + value;
    };
    Part even(0.0), odd(0.0);  // one sum would wait for itself
    for (std::ptrdiff_t c = 0; c + 1 < count; c += 2) {
      take(c, even);
      take(c + 1, odd);
    }
    if (count % 2 == 1) take(count - 1, even);
    set(sum + lane, 0, even + odd);
  });
}

}  // namespace

/// Declared by taylor/instruction_sets.cpp.
extern const taylor::Recurrences taylor_recurrences;
const taylor::Recurrences taylor_recurrences = {run_all, project, expand, length, value, slope, keep};

}  // namespace livens::inline LIVENS_ISA
