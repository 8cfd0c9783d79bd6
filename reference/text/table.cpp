#include "table.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <limits>
#include <stdexcept>

namespace livens::reference {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void expect(bool holds, const std::string& what) {
  if (!holds) throw std::invalid_argument(what);
}

/// The second derivatives of the spline at its knots: natural, or periodic.
VectorXd curvatures(const std::vector<double>& x, const std::vector<double>& y, bool periodic) {
  const Eigen::Index n = static_cast<Eigen::Index>(x.size()), last = n - 1;
  MatrixXd A = MatrixXd::Identity(n, n);
  VectorXd b = VectorXd::Zero(n);
  const auto h = [&](Eigen::Index i) { return x[i + 1] - x[i]; };
  const auto slope = [&](Eigen::Index i) { return (y[i + 1] - y[i]) / h(i); };
  for (Eigen::Index i = periodic ? 0 : 1; i < last; ++i) {
    const Eigen::Index before = i > 0 ? i - 1 : last - 1;
    A(i, i) = 2.0 * (h(before) + h(i));
    A(i, before) += h(before);
    A(i, i + 1) += h(i);
    b[i] = 6.0 * (slope(i) - slope(before));
  }
  if (periodic) A(last, 0) = -1.0;  // the last knot is the first
  return A.partialPivLu().solve(b);
}

}  // namespace

Table::Table(const TableDescription& given) {
  const auto& [x, y, between, beyond, periodic] = given;
  const auto finite = [](double a) { return std::isfinite(a); };
  expect(x.size() == y.size(), "a table has as many x as y");
  expect(x.size() >= (periodic ? 3 : 2), "a table has two knots at least, three where it is periodic");
  expect(std::ranges::all_of(x, finite) && std::ranges::all_of(y, finite), "a table is of finite numbers");
  expect(std::ranges::adjacent_find(x, std::greater_equal()) == x.end(), "x increases strictly");
  expect(between == "cubic" || between == "linear", "between is cubic or linear");
  expect(beyond == "error" || beyond == "hold" || beyond == "linear", "beyond is error, hold or linear");
  expect(!periodic || y.front() == y.back(), "a periodic table ends with the y it starts with");

  const bool cubic = between == "cubic";
  smooth_ = cubic && (periodic || beyond != "hold");
  start_ = x.front();
  if (periodic) period_ = x.back() - x.front();
  const VectorXd c = cubic ? curvatures(x, y, periodic) : VectorXd::Zero(static_cast<Eigen::Index>(x.size()));
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const Eigen::Index at = static_cast<Eigen::Index>(i);
    const double h = x[i + 1] - x[i], slope = (y[i + 1] - y[i]) / h;
    pieces_.push_back(
        {x[i],
         x[i],
         {y[i], slope - h * (2.0 * c[at] + c[at + 1]) / 6.0, 0.5 * c[at], (c[at + 1] - c[at]) / (6.0 * h)}});
  }
  if (periodic) return;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto outside = [&](double from, double knot, double value, double slope) -> Piece {
    if (beyond == "error") return {from, knot, {nan, nan, nan, nan}};
    return {from, knot, {value, beyond == "hold" ? 0.0 : slope, 0.0, 0.0}};
  };
  const Piece last = pieces_.back();
  const double h = x.back() - last.knot, end = last.k[1] + h * (2.0 * last.k[2] + h * 3.0 * last.k[3]);
  pieces_.insert(pieces_.begin(), outside(-infinity, x.front(), y.front(), pieces_.front().k[1]));
  // The last knot belongs to the piece before it.
  pieces_.push_back(outside(std::nextafter(x.back(), infinity), x.back(), y.back(), end));
}

Table Table::derivative() const {
  Table result = *this;
  for (Piece& piece : result.pieces_)
    piece.k = {piece.k[1], 2.0 * piece.k[2], 3.0 * piece.k[3], 0.0 * piece.k[3]};
  ++result.order_;
  return result;
}

std::size_t Table::piece_of(double x) const {
  const auto behind = std::ranges::upper_bound(pieces_, x, {}, &Piece::from);
  return behind == pieces_.begin() ? 0 : static_cast<std::size_t>(behind - pieces_.begin()) - 1;
}

double Table::end_of(std::size_t i) const {
  if (i + 1 < pieces_.size()) return pieces_[i + 1].from;
  return period_ > 0.0 ? start_ + period_ : infinity;
}

void Table::advance(std::size_t& i, double& turned) const {
  if (++i < pieces_.size()) return;
  i = 0;
  turned += period_;
}

}  // namespace livens::reference
