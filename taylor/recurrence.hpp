#pragma once
// The recurrence of every operation (docs/equations/taylor.md, section 1), for the lanes of a part.

#include "kernels/math/choices.hpp"
#include "taylor/part.hpp"

namespace livens::inline LIVENS_ISA {
namespace {

/// A sum of a_j b_{k-j}. Orders go two by two: the first also knows a part of the sum of the second, so that
/// what is loaded serves twice.
struct Chain {
  const double *a, *b;  ///< of the last product that was added
  Part sum, next, last;
};

/// Adds a_j b_{k-j} over j = from, ..., to, for some products side by side: a[p] and b[p] are the rows of
/// product p. The first of two orders adds to `next` what is known by then of the sum of the second, j = from
/// + 1, ..., to; the second adds the two ends to that.
template <int products, class Rows>
LIVENS_HD void add_products(const Rows& rows, const int* a, const int* b, int from, int to, int k, bool first,
                            Chain* chains) {
  if (from > to) return;
  for (int p = 0; p < products; ++p) {
    Chain& chain = chains[p];
    chain.a = rows.place(a[p], from);
    chain.b = rows.place(b[p], k - from);
    chain.last = load_part(chain.b);
    chain.sum = fma(load_part(chain.a), chain.last, chain.sum);
  }
  if (!first) {
    if (from == to) return;
    for (int p = 0; p < products; ++p) chains[p].sum = fma(rows(a[p], to), rows(b[p], k - to), chains[p].sum);
    return;
  }
  for (int j = from + 1; j <= to; ++j)
    for (int p = 0; p < products; ++p) {
      Chain& chain = chains[p];
      chain.a += taylor::lanes;
      chain.b -= taylor::lanes;
      const Part of_a = load_part(chain.a), of_b = load_part(chain.b);
      chain.sum = fma(of_a, of_b, chain.sum);
      chain.next = fma(of_a, chain.last, chain.next);
      chain.last = of_b;
    }
}

/// A sum of products for coefficient k of a row. Even orders leave in the place of the next coefficient what
/// they know of its sum.
template <class Rows>
class Sum {
 public:
  LIVENS_HD Sum(const Rows& rows, int row, int k) : rows_(rows), row_(row), k_(k), is_first_(k % 2 == 0) {
    chain_.sum = is_first_ || k == 1 ? Part(0.0) : rows(row, k);
    chain_.next = 0.0;
  }

  /// a_j b_{k-j} over j = from, ..., k.
  LIVENS_HD Part of_product(int a, int b, int from) {
    add_products<1>(rows_, &a, &b, from, k_, k_, is_first_, &chain_);
    return keep(chain_.sum);
  }
  /// a_j a_{k-j} over j = from, ..., k - from: twice the half of it.
  LIVENS_HD Part of_square(int a, int from) {
    const int half = k_ / 2;
    Part& sum = chain_.sum;
    if (!is_first_) {
      if (from <= half) sum = fma(rows_(a, from), rows_(a, k_ - from), sum);
      return sum + sum;
    }
    add_products<1>(rows_, &a, &a, from, half - 1, k_, true, &chain_);
    if (from < half) chain_.next = fma(rows_(a, half), rows_(a, half + 1), chain_.next);
    const Part twice = sum + sum;
    return keep(from <= half ? fma(rows_(a, half), rows_(a, half), twice) : twice);
  }

 private:
  LIVENS_HD Part keep(const Part& sum) const {
    if (is_first_ && k_ > 0) rows_.put(row_, k_ + 1, chain_.next);
    return sum;
  }

  const Rows& rows_;
  int row_, k_;
  bool is_first_;
  Chain chain_;
};

/// Sum of j a_j b_{k-j} over j = 1, ..., to, over k: coefficient k of the integral of a' b, without its end.
template <class Rows>
LIVENS_HD Part integral(const Rows& rows, int a, int b, int to, int k) {
  Part sum(0.0);
  for (int j = 1; j <= to; ++j) sum = fma(Part(static_cast<double>(j)) * rows(a, j), rows(b, k - j), sum);
  return sum / Part(static_cast<double>(k));
}

/// Coefficient k of the result of an instruction.
template <class Rows>
LIVENS_HD void run(const taylor::Instruction& i, int k, const Rows& rows) {
  using taylor::Op;
  const auto a = [&](int j) LIVENS_IN_PLACE { return rows(i.a, j); };
  const auto b = [&](int j) LIVENS_IN_PLACE { return rows(i.b, j); };
  const auto to = [&](const Part& value) LIVENS_IN_PLACE { rows.put(i.to, k, value); };
  const auto sum = [&](int row) LIVENS_IN_PLACE { return Sum<Rows>(rows, row, k); };
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
      return to(i.a == i.b ? sum(i.to).of_square(i.a, 0) : sum(i.to).of_product(i.a, i.b, 0));
    case Op::divide:
      return to((i.moves_b ? a(k) - sum(i.to).of_product(i.b, i.to, 1) : a(k)) / b(0));
    case Op::sqrt: {
      if (k == 0) return to(sqrt(a(0)));
      const Part root = rows(i.to, 0);
      return to((a(k) - sum(i.to).of_square(i.to, 1)) / (root + root));
    }
    case Op::exp:
      return to(k == 0 ? exp(a(0)) : integral(rows, i.a, i.to, k, k));
    case Op::log:
      return to(k == 0 ? log(a(0)) : (a(k) - integral(rows, i.to, i.a, k - 1, k)) / a(0));
    case Op::sin:
      rows.put(i.partner, k, k == 0 ? cos(a(0)) : -integral(rows, i.a, i.to, k, k));
      return to(k == 0 ? sin(a(0)) : integral(rows, i.a, i.partner, k, k));
    case Op::tanh:
      to(k == 0 ? tanh(a(0)) : integral(rows, i.a, i.partner, k, k));
      return rows.put(i.partner, k, Part(k == 0 ? 1.0 : 0.0) - sum(i.partner).of_square(i.to, 0));
    case Op::abs:
      return to(k == 0 ? abs(a(0)) : sign_of(a(0)) * a(k));
    case Op::sign:
      return to(k == 0 ? sign(a(0)) : Part(0.0));
    case Op::min:
      return to(k == 0 ? lesser_of(a(0), b(0)) : select(a(0) < b(0), a(k), b(k)));
    case Op::max:
      return to(k == 0 ? greater_of(a(0), b(0)) : select(a(0) > b(0), a(k), b(k)));
    case Op::less:
      return to(k == 0 ? less(a(0), b(0)) : Part(0.0));
    case Op::less_or_equal:
      return to(k == 0 ? less_or_equal(a(0), b(0)) : Part(0.0));
    case Op::kept:
      return to(kept(a(0), b(k)));
    case Op::atan:  // the partner is 1 + a^2
      rows.put(i.partner, k, Part(k == 0 ? 1.0 : 0.0) + sum(i.partner).of_square(i.a, 0));
      return to(k == 0 ? atan(a(0))
                       : (a(k) - integral(rows, i.to, i.partner, k - 1, k)) / rows(i.partner, 0));
    case Op::asin:  // sqrt(1 - a^2)
      return to(k == 0 ? asin(a(0))
                       : (a(k) - integral(rows, i.to, i.partner, k - 1, k)) / rows(i.partner, 0));
    case Op::acos:
      return to(k == 0 ? acos(a(0))
                       : -(a(k) + integral(rows, i.to, i.partner, k - 1, k)) / rows(i.partner, 0));
    case Op::sinh:
    case Op::cosh: {
      const bool is_sine = i.op == Op::sinh;
      const Part value = k == 0 ? (is_sine ? sinh(a(0)) : cosh(a(0))) : integral(rows, i.a, i.partner, k, k);
      rows.put(i.partner, k, k == 0 ? (is_sine ? cosh(a(0)) : sinh(a(0))) : integral(rows, i.a, i.to, k, k));
      return to(value);
    }
    default:
      return;  // a tape has no others
  }
}

template <class Instructions, class Rows>
LIVENS_HD void run_all(const Instructions& instructions, int k, const Rows& rows) {
  for_each(instructions, [&](const taylor::Instruction& i) LIVENS_IN_PLACE { run(i, k, rows); });
}

}  // namespace
}  // namespace livens::inline LIVENS_ISA
