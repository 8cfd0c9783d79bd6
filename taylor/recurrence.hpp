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

/// Sums of products for coefficient k of `count` rows side by side. Even orders leave in the place of the next
/// coefficient what they know of its sum.
template <int count, class Rows>
class Sums {
 public:
  LIVENS_HD Sums(const Rows& rows, const int* row, int k)
      : rows_(rows), row_(row), k_(k), is_first_(k % 2 == 0) {
    for (int p = 0; p < count; ++p) {
      chains_[p].sum = is_first_ || k == 1 ? Part(0.0) : rows(row[p], k);
      chains_[p].next = 0.0;
    }
  }

  /// a_j b_{k-j} over j = from, ..., k.
  LIVENS_HD void add_product(const int* a, const int* b, int from) {
    add_products<count>(rows_, a, b, from, k_, k_, is_first_, chains_);
    keep();
  }
  /// a_j a_{k-j} over j = from, ..., k - from: twice the half of it.
  LIVENS_HD void add_square(const int* a, int from) {
    const int half = k_ / 2;
    if (is_first_) add_products<count>(rows_, a, a, from, half - 1, k_, true, chains_);
    for (int p = 0; p < count; ++p) {
      Part& sum = chains_[p].sum;
      if (is_first_) {
        if (from < half) chains_[p].next = fma(rows_(a[p], half), rows_(a[p], half + 1), chains_[p].next);
        sum = sum + sum;
        if (from <= half) sum = fma(rows_(a[p], half), rows_(a[p], half), sum);
      } else {
        if (from <= half) sum = fma(rows_(a[p], from), rows_(a[p], k_ - from), sum);
        sum = sum + sum;
      }
    }
    keep();
  }
  LIVENS_HD const Part& operator[](int p) const { return chains_[p].sum; }

 private:
  LIVENS_HD void keep() const {
    if (!is_first_ || k_ == 0) return;
    for (int p = 0; p < count; ++p) rows_.put(row_[p], k_ + 1, chains_[p].next);
  }

  const Rows& rows_;
  const int* row_;
  int k_;
  bool is_first_;
  Chain chains_[count];
};

/// Coefficients k > 0 of c = a^(-n/2), by a c' = -n/2 a' c: the sum of ((2 - n) j - 2 k) a_j c_{k-j} over j = 1, ..., k,
/// over 2 k a_0. Some side by side, and two orders at a time like other sums. A call of its own: inlined, it would make the
/// kernel of a device spill (kernels/backends/cuda/budget.toml).
template <int count, class Rows>
LIVENS_HD_COLD void inverse_powers(const taylor::Instruction* i, int k, const Rows& rows) {
  const bool is_first = k % 2 == 0;
  Part sum[count], next[count], last[count];
  const auto term = [&](int p, int order, int j, const Part& a)
                        LIVENS_IN_PLACE { return Part((2.0 - i[p].b) * j - 2.0 * order) * a; };
  for (int p = 0; p < count; ++p) {
    sum[p] = is_first || k == 1 ? Part(0.0) : rows(i[p].to, k);
    next[p] = 0.0;
    last[p] = rows(i[p].to, k - 1);
    const Part a = rows(i[p].a, 1);
    sum[p] = fma(term(p, k, 1, a), last[p], sum[p]);
  }
  for (int j = is_first || k == 1 ? 2 : k; j <= k; ++j)
    for (int p = 0; p < count; ++p) {
      const Part a = rows(i[p].a, j), c = rows(i[p].to, k - j);
      sum[p] = fma(term(p, k, j, a), c, sum[p]);
      if (is_first) next[p] = fma(term(p, k + 1, j, a), last[p], next[p]);
      last[p] = c;
    }
  for (int p = 0; p < count; ++p) {
    if (is_first) rows.put(i[p].to, k + 1, next[p]);
    rows.put(i[p].to, k, sum[p] / (Part(2.0 * k) * rows(i[p].a, 0)));
  }
}
/// a^(-n/2) of an odd n.
LIVENS_HD Part inverse_power(const Part& a, int n) {
  Part power = sqrt(a);
  for (int j = 1; j < n; j += 2) power = power * a;
  return Part(1.0) / power;
}

/// Sum of j a_j b_{k-j} over j = 1, ..., to, over k: coefficient k of the integral of a' b, without its end.
template <class Rows>
LIVENS_HD Part integral(const Rows& rows, int a, int b, int to, int k) {
  Part sum(0.0);
  for (int j = 1; j <= to; ++j) sum = fma(Part(static_cast<double>(j)) * rows(a, j), rows(b, k - j), sum);
  return sum / Part(static_cast<double>(k));
}

/// Coefficient k of the results of some instructions of one kind, which may be alike and do not take each other's.
template <int count, class Rows>
LIVENS_HD void run_alike(const taylor::Instruction* i, int k, const Rows& rows) {
  using taylor::Op;
  int a[count], b[count], to[count];
  for (int p = 0; p < count; ++p) {
    a[p] = i[p].a;
    b[p] = i[p].b;
    to[p] = i[p].to;
  }
  const auto put = [&](const auto& value) LIVENS_IN_PLACE {
    for (int p = 0; p < count; ++p) rows.put(to[p], k, value(p));
  };
  switch (i->op) {
    case Op::add:
      return put([&](int p) LIVENS_IN_PLACE { return rows(a[p], k) + rows(b[p], k); });
    case Op::subtract:
      return put([&](int p) LIVENS_IN_PLACE { return rows(a[p], k) - rows(b[p], k); });
    case Op::multiply: {
      if (!i->moves_a) return put([&](int p) LIVENS_IN_PLACE { return rows(a[p], 0) * rows(b[p], k); });
      if (!i->moves_b) return put([&](int p) LIVENS_IN_PLACE { return rows(a[p], k) * rows(b[p], 0); });
      Sums<count, Rows> sums(rows, to, k);
      if (i->a == i->b)
        sums.add_square(a, 0);
      else
        sums.add_product(a, b, 0);
      return put([&](int p) LIVENS_IN_PLACE { return sums[p]; });
    }
    case Op::divide: {
      if (!i->moves_b) return put([&](int p) LIVENS_IN_PLACE { return rows(a[p], k) / rows(b[p], 0); });
      Sums<count, Rows> sums(rows, to, k);
      sums.add_product(b, to, 1);
      return put([&](int p) LIVENS_IN_PLACE { return (rows(a[p], k) - sums[p]) / rows(b[p], 0); });
    }
    case Op::sqrt: {
      if (k == 0) return put([&](int p) LIVENS_IN_PLACE { return sqrt(rows(a[p], 0)); });
      Sums<count, Rows> sums(rows, to, k);
      sums.add_square(to, 1);
      return put([&](int p) LIVENS_IN_PLACE {
        const Part root = rows(to[p], 0);
        return (rows(a[p], k) - sums[p]) / (root + root);
      });
    }
    default:  // inverse_power
      if (k == 0) return put([&](int p) LIVENS_IN_PLACE { return inverse_power(rows(a[p], 0), b[p]); });
      return inverse_powers<count>(i, k, rows);
  }
}

/// Coefficient k of the result of an instruction.
template <class Rows>
LIVENS_HD void run(const taylor::Instruction& i, int k, const Rows& rows) {
  using taylor::Op;
  const auto a = [&](int j) LIVENS_IN_PLACE { return rows(i.a, j); };
  const auto b = [&](int j) LIVENS_IN_PLACE { return rows(i.b, j); };
  const auto to = [&](const Part& value) LIVENS_IN_PLACE { rows.put(i.to, k, value); };
  const auto square = [&](int row, int of) LIVENS_IN_PLACE {
    Sums<1, Rows> sum(rows, &row, k);
    sum.add_square(&of, 0);
    return sum[0];
  };
  if (i.may_be_alike()) return run_alike<1>(&i, k, rows);
  switch (i.op) {
    case Op::negate:
      return to(-a(k));
    case Op::exp:
      return to(k == 0 ? exp(a(0)) : integral(rows, i.a, i.to, k, k));
    case Op::log:
      return to(k == 0 ? log(a(0)) : (a(k) - integral(rows, i.to, i.a, k - 1, k)) / a(0));
    case Op::sin:
      rows.put(i.partner, k, k == 0 ? cos(a(0)) : -integral(rows, i.a, i.to, k, k));
      return to(k == 0 ? sin(a(0)) : integral(rows, i.a, i.partner, k, k));
    case Op::tanh:
      to(k == 0 ? tanh(a(0)) : integral(rows, i.a, i.partner, k, k));
      return rows.put(i.partner, k, Part(k == 0 ? 1.0 : 0.0) - square(i.partner, i.to));
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
      rows.put(i.partner, k, Part(k == 0 ? 1.0 : 0.0) + square(i.partner, i.a));
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

template <class Rows>
LIVENS_HD void run_all(const taylor::List<taylor::Instruction>& instructions, int k, const Rows& rows) {
  for (const taylor::Instruction* i = instructions.first; i != instructions.last;
       i += together ? i->alike : 1) {
    if constexpr (together) {
      if (i->alike == 4) {
        run_alike<4>(i, k, rows);
        continue;
      }
      if (i->alike == 2) {
        run_alike<2>(i, k, rows);
        continue;
      }
    }
    run(*i, k, rows);
  }
}
template <int count, class Rows>
LIVENS_HD void run_all(const Items<taylor::Instruction, count>& instructions, int k, const Rows& rows) {
  for_each(instructions, [&](const taylor::Instruction& i) LIVENS_IN_PLACE { run(i, k, rows); });
}

}  // namespace
}  // namespace livens::inline LIVENS_ISA
