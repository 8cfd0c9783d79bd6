#pragma once
// Functions of one number that a table gives: polynomials of degree 3 from point to point, their slopes, and
// their difference quotients, accurate however near the two numbers are.
//
// A table has `pieces` of `piece_width` numbers each in data(): of piece k
//   start x_k, then c0, c1, c2, c3 of c0 + c1 s + c2 s^2 + c3 s^3 with s = x - x_k, and the jump of the slope
//   at x_k, which is 0 inside of a spline
// Piece 0 is what is before the first point, and begins there, too, running backwards; the last is what is
// behind the last point. first_step is the largest power of two below the number of pieces; a period of 0
// says that there is none.

#include "kernels/math/dual.hpp"

namespace livens::inline LIVENS_ISA {

inline constexpr int piece_width = 6;

/// The piece in which x is, by as many halvings in all tables of a size; a point belongs to the piece that
/// begins there, the last one to the piece that ends there.
template <class Table>
LIVENS_HD int piece_of(const Table& table, double x) {
  const double* const data = table.data();
  int piece = 0;
  for (int step = table.first_step; step > 0; step /= 2) {
    const int next = piece + step;
    piece = next < table.pieces && x >= data[next * piece_width] ? next : piece;
  }
  const int last = table.pieces - 1;
  return piece == last && x == data[last * piece_width] ? last - 1 : piece;
}

/// How many whole periods there are in x, rounded down.
LIVENS_HD double whole_periods(double x, double period) {
  const double periods = x / period, nearest = rint(periods - 0.5);
  return periods - nearest >= 1.0 ? nearest + 1.0 : nearest;  // between two numbers it takes the even one
}

/// The polynomial of a piece, or of the `order`-th derivative there, value + slope s + bend s^2 + twist s^3, and
/// where the next one begins. `jump` is that of its slope against the piece before.
template <class Scalar>
struct Piece {
  Scalar number, turns, start, value, slope, bend, twist, jump, next_start, next_value;
};

template <int order, class Table, class Scalar>
LIVENS_HD Piece<Scalar> piece_at(const Table& table, const Scalar& x) {
  static_assert(order >= 0 && order <= 2);
  const double* const data = table.data();
  const Scalar zero = Scalar(0.0);
  Piece<Scalar> r = {zero, zero, zero, zero, zero, zero, zero, zero, zero, zero};
  for (int i = 0; i < lanes_of<Scalar>; ++i) {
    double at = static_cast<double>(lane(x, i)), turns = 0.0;
    int piece;
    if (table.period > 0.0) {
      turns = whole_periods(at - data[0], table.period);
      piece = piece_of(table, fnma(turns, table.period, at));
      // What rounding has put before the first point, or behind the last one.
      piece = piece < 1 ? 1 : piece > table.pieces - 2 ? table.pieces - 2 : piece;
    } else {
      piece = piece_of(table, at);
    }
    const double* const of = data + piece * piece_width;
    const double* const next = piece + 1 < table.pieces ? of + piece_width : of;
    set_lane(r.number, i, static_cast<double>(piece));
    set_lane(r.turns, i, turns);
    set_lane(r.start, i, of[0]);
    set_lane(r.next_start, i, next[0]);
    if constexpr (order == 0) {
      set_lane(r.value, i, of[1]);
      set_lane(r.slope, i, of[2]);
      set_lane(r.bend, i, of[3]);
      set_lane(r.twist, i, of[4]);
      set_lane(r.jump, i, of[5]);
      set_lane(r.next_value, i, next[1]);
    } else if constexpr (order == 1) {
      set_lane(r.value, i, of[2]);
      set_lane(r.slope, i, 2.0 * of[3]);
      set_lane(r.bend, i, 3.0 * of[4]);
      set_lane(r.next_value, i, next[2]);
    } else {
      const bool is_first = table.period > 0.0 && piece == 1;
      const double* const before = is_first ? data + (table.pieces - 2) * piece_width : of - piece_width;
      set_lane(r.value, i, 2.0 * of[3]);
      set_lane(r.slope, i, 6.0 * of[4]);
      set_lane(r.jump, i, piece == 0 ? 0.0 : 6.0 * (of[4] - before[4]));
      set_lane(r.next_value, i, 2.0 * next[3]);
    }
  }
  return r;
}
template <int order, class Table, int N, class Value>
LIVENS_HD Piece<Dual<N, Value>> piece_at(const Table& table, const Dual<N, Value>& x) {
  const Piece<Value> r = piece_at<order>(table, x.value);
  return {r.number, r.turns, r.start, r.value, r.slope, r.bend, r.twist, r.jump, r.next_start, r.next_value};
}

/// x without the periods that are behind it.
template <class Table, class Scalar>
LIVENS_HD Scalar in_first_period(const Table& table, const Piece<Scalar>& piece, const Scalar& x) {
  if (!(table.period > 0.0)) return x;
  return fnma(piece.turns, Scalar(table.period), x);
}

/// The function, or its derivative of this order; at a corner that to the right.
template <int order, class Table, class Scalar>
LIVENS_HD Scalar table_value(const Table& table, const Scalar& x) {
  if constexpr (order == 3) {
    return piece_at<2>(table, x).slope;
  } else {
    const Piece<Scalar> p = piece_at<order>(table, x);
    const Scalar s = in_first_period(table, p, x) - p.start;
    return fma(s, fma(s, fma(s, p.twist, p.bend), p.slope), p.value);
  }
}

/// The way from the lower to the upper of two numbers: to the end of the piece of the lower one, through whole
/// pieces, and on in that of the upper one. By differences of numbers that are near each other, which are
/// exact: the weights are right however short the way is.
template <int order, class Scalar>
struct Way {
  Piece<Scalar> lower, upper;
  Scalar s, r;             ///< where it begins and ends, in the two pieces
  Scalar before, between;  ///< lengths; the last one is r
  Mask<Scalar> in_order, in_one_piece, in_neighbours;

  template <class Table>
  LIVENS_HD Way(const Table& table, const Scalar& a, const Scalar& b) : in_order(a <= b) {
    const Scalar low = select(in_order, a, b), high = select(in_order, b, a);
    lower = piece_at<order>(table, low);
    upper = piece_at<order>(table, high);
    const Scalar x = in_first_period(table, lower, low);
    s = x - lower.start;
    r = in_first_period(table, upper, high) - upper.start;
    before = lower.next_start - x;
    between = fma(upper.turns - lower.turns, Scalar(table.period), upper.start - lower.next_start);
    in_one_piece = (lower.number == upper.number) & (lower.turns == upper.turns);
    in_neighbours = between == Scalar(0.0);
  }
  LIVENS_HD Scalar length() const { return before + between + r; }
  LIVENS_HD Scalar end_of_lower() const { return lower.next_start - lower.start; }
};

/// The difference quotient of a piece.
template <class Scalar>
LIVENS_HD Scalar quotient_in_piece(const Piece<Scalar>& p, const Scalar& s, const Scalar& r) {
  return fma(fma(s, s + r, r * r), p.twist, fma(s + r, p.bend, p.slope));
}

/// [f(b) - f(a)]/(b - a) of a function that does not jump, the slope where b = a. From piece to piece the quotients are weighted with the
/// lengths, so that the error is below 16 units of the last place of |c1| + 2 |c2| h + 3 |c3| h^2, h the length
/// of a piece, the largest of the pieces on the way: nothing is divided by a short way that is not as short.
template <int order, class Table, class Scalar>
LIVENS_HD Scalar table_quotient(const Table& table, const Scalar& a, const Scalar& b) {
  const Way<order, Scalar> way(table, a, b);
  const Scalar first = quotient_in_piece(way.lower, way.s, way.end_of_lower()),
               last = quotient_in_piece(way.upper, Scalar(0.0), way.r);
  // The values at the points are those of the table: their difference rounds once.
  const Scalar change = fma(way.r, last, fma(way.before, first, way.upper.value - way.lower.next_value));
  return select(way.in_one_piece, quotient_in_piece(way.lower, way.s, way.r), change / way.length());
}

/// The derivative of that by b; that by a is the same with the two exchanged. In neighbouring pieces, with the
/// shares u and w of the way, by differences that are divided already:
///   by the upper  w^2 (c2 + 2 c3 r) + u [w (2 c2 + 3 c3 r) + jump/length + u (c2' + c3' (s + 2 h))]
///   by the lower  u^2 (c2' + c3' (2 s + h)) + w [w (c2 + c3 r) + jump/length + u (2 c2' + 3 c3' (s + h))]
/// where the primed ones are those of the lower piece, of length h.
template <int order, class Table, class Scalar>
LIVENS_HD Scalar table_quotient_slope(const Table& table, const Scalar& a, const Scalar& b) {
  const Way<order, Scalar> way(table, a, b);
  const Scalar two = Scalar(2.0), three = Scalar(3.0), length = way.length(), h = way.end_of_lower();
  const Scalar u = way.before / length, w = way.r / length, jump = way.upper.jump / length;
  const Piece<Scalar>&p = way.lower, &n = way.upper;
  const Scalar s = way.s, r = way.r;
  const Scalar by_upper = fma(
      w * w, fma(two * n.twist, r, n.bend),
      u * (fma(w, fma(three * n.twist, r, two * n.bend), jump) + u * fma(p.twist, fma(two, h, s), p.bend)));
  const Scalar by_lower =
      fma(u * u, fma(p.twist, fma(two, s, h), p.bend),
          w * (fma(w, fma(n.twist, r, n.bend), jump) + u * fma(three * p.twist, s + h, two * p.bend)));
  const Scalar in_piece = fma(p.twist, select(way.in_order, fma(two, r, s), fma(two, s, r)), p.bend);
  const Scalar quotient = table_quotient<order>(table, a, b), slope = table_value<order + 1>(table, b);
  const Scalar apart = select(way.in_order, slope - quotient, quotient - slope) / length;
  const Scalar near = select(way.in_order, by_upper, by_lower);
  return select(way.in_one_piece, in_piece, select(way.in_neighbours, near, apart));
}

}  // namespace livens::inline LIVENS_ISA
