#include "motion.hpp"

#include <Eigen/LU>
#include <limits>

namespace livens::reference {
namespace {

using Eigen::Index;

std::vector<Long> point_of(const LongState& at) {
  std::vector<Long> x(at.z.begin(), at.z.end());
  x.push_back(at.t);
  return x;
}

/// Along q' = v, v' = 0, t' = 1.
std::vector<Dual<Long>> forward(const LongState& at) {
  const Index d = at.z.size() / 2;
  std::vector<Dual<Long>> x;
  for (Index i = 0; i < d; ++i) x.emplace_back(at.z[i], at.z[d + i]);
  for (Index i = 0; i < d; ++i) x.emplace_back(at.z[d + i]);
  x.emplace_back(at.t, Long(1));
  return x;
}

LongVector walked(const std::vector<Expression>& all, const std::vector<double>& parameters) {
  const Leaves<Long> leaves{.parameters = parameters};
  std::vector<Long> values;
  for (const Expression& one : all)
    for (const Long entry : walk(*one, leaves)) values.push_back(entry);
  return Eigen::Map<const LongVector>(values.data(), static_cast<Index>(values.size()));
}

/// What the key of a text has, one entry behind another.
std::vector<RecordedScalar> recorded_all(const char* key, const std::vector<Expression>& all, int d,
                                         const std::vector<double>& parameters,
                                         const std::vector<bool>& dropped = {}) {
  std::vector<RecordedScalar> entries;
  std::size_t row = 0;
  try {
    for (const Expression& one : all) {
      for (RecordedScalar& entry : recorded(one, d, parameters)) {
        if (dropped.empty() || !dropped[row]) entries.push_back(std::move(entry));
        ++row;
      }
    }
  } catch (const std::invalid_argument& why) {
    throw NotAnalytic(key, why.what());
  }
  return entries;
}

/// An orthonormal basis of what is orthogonal to all rows: unit vectors, the longest remainder first.
LongMatrix kernel_of(const LongMatrix& rows, Index d) {
  std::vector<LongVector> taken;
  const auto remainder = [&](LongVector x) {
    for (int twice = 0; twice < 2; ++twice)
      for (const LongVector& one : taken) x -= one.dot(x) * one;
    return x;
  };
  for (Index i = 0; i < rows.rows(); ++i) {
    const LongVector row = rows.row(i).transpose();
    taken.push_back(remainder(row / row.norm()).normalized());
  }
  LongMatrix kernel(d, d - rows.rows());
  for (Index k = 0; k < kernel.cols(); ++k) {
    LongVector longest = LongVector::Zero(d);
    for (Index i = 0; i < d; ++i) {
      const LongVector left = remainder(LongVector::Unit(d, i));
      if (left.norm() > longest.norm()) longest = left;
    }
    taken.push_back(longest.normalized());
    kernel.col(k) = taken.back();
  }
  return kernel;
}

/// Rows and columns in units of the roots of `size`, where it has one: units of a text make no pivot small.
LongVector solved_in_units(LongMatrix K, const LongVector& right, const LongVector& size) {
  LongVector unit = LongVector::Ones(right.size());
  for (Index i = 0; i < unit.size(); ++i)
    if (size[i] > 0) unit[i] = 1 / std::sqrt(size[i]);
  K = unit.asDiagonal() * K * unit.asDiagonal();
  const LongVector scaled = unit.cwiseProduct(right);
  return unit.cwiseProduct(LongVector(K.partialPivLu().solve(scaled)));
}

}  // namespace

Motion::Motion(const TextSystem& text) {
  const TextSystem::Trees trees = text.trees();
  const std::vector<double>& parameters = trees.parameters;
  d_ = trees.d;
  const auto one = [&](const char* key, const Expression& tree) {
    return tree ? recorded_all(key, {tree}, d_, parameters) : Scalars();
  };
  T_ = one("kinetic", trees.kinetic);
  V_ = one("potential", trees.potential);
  R_ = one("rayleigh", trees.rayleigh);
  F_ = recorded_all("force", trees.force, d_, parameters);
  g_ = recorded_all("constraints", trees.constraints, d_, parameters, trees.dropped);
  c_ = recorded_all("nonholonomic", trees.nonholonomic, d_, parameters);
  alpha_ = walked({trees.action_damping}, parameters)[0];
  start_.t = 0;
  start_.z.resize(2 * d_);
  start_.z << walked(trees.position, parameters), walked(trees.velocity, parameters);
  if (trees.mass_is_constant) {
    constant_mass_ = mass_at(start_);
    const Eigen::FullPivLU<LongMatrix> factors(constant_mass_);
    if (factors.isInvertible()) inverse_mass_ = factors.inverse();
  }
  start_ = projected(start_);
}

LongMatrix Motion::mass_at(const LongState& at) const {
  if (constant_mass_.size() > 0) return constant_mass_;
  LongMatrix M(d_, d_);
  std::vector<Dual<Long>> x;
  for (const Long entry : point_of(at)) x.emplace_back(entry);
  for (int i = 0; i < d_; ++i) {
    auto& moved = x[static_cast<std::size_t>(d_ + i)];
    moved.slope = 1;
    const auto slopes = T_[0].gradient(x);
    for (int j = 0; j < d_; ++j) M(j, i) = slopes[static_cast<std::size_t>(d_ + j)].slope;
    moved.slope = 0;
  }
  return M;
}

Motion::Rows Motion::rows_at(const LongState& at) const {
  const auto n = static_cast<Index>(g_.size()), all = static_cast<Index>(rows());
  Rows rows{LongMatrix(all, d_), LongVector(all), LongVector(all), LongVector(n)};
  const std::vector<Long> x = point_of(at);
  const std::vector<Dual<Long>> along = forward(at);
  std::vector<Dual<Dual<Long>>> bent;
  for (const Dual<Long>& entry : along) bent.emplace_back(entry, Dual<Long>(entry.slope));
  for (Index i = 0; i < n; ++i) {
    const RecordedScalar& row = g_[static_cast<std::size_t>(i)];
    const auto slopes = row.gradient(x);
    for (Index k = 0; k < d_; ++k) rows.gradient(i, k) = slopes[static_cast<std::size_t>(k)];
    const Dual<Dual<Long>> g = row.value(bent);
    rows.g[i] = g.value.value;
    rows.rate[i] = g.value.slope;
    rows.bend[i] = g.slope.slope;
  }
  for (Index i = n; i < all; ++i) {
    const RecordedScalar& row = c_[static_cast<std::size_t>(i - n)];
    const auto slopes = row.gradient(x);
    for (Index k = 0; k < d_; ++k) rows.gradient(i, k) = slopes[static_cast<std::size_t>(d_ + k)];
    const Dual<Long> c = row.value(along);
    rows.rate[i] = c.value;
    rows.bend[i] = c.slope;
  }
  return rows;
}

LongVector Motion::solved(const LongState& at, const LongMatrix& J, const LongVector& above,
                          const LongVector& below) const {
  const Index m = J.rows();
  LongVector x(d_ + m);
  if (inverse_mass_.size() > 0) {
    const LongVector free = inverse_mass_ * above;
    x.head(d_) = free;
    if (m == 0) return x;
    const LongMatrix across = inverse_mass_ * J.transpose();
    const LongMatrix S = J * across;
    x.tail(m) = solved_in_units(S, LongVector(J * free - below), S.diagonal());
    x.head(d_) -= across * x.tail(m);
    return x;
  }
  LongMatrix K = LongMatrix::Zero(d_ + m, d_ + m);
  K.topLeftCorner(d_, d_) = mass_at(at);
  K.topRightCorner(d_, m) = J.transpose();
  K.bottomLeftCorner(m, d_) = J;
  LongVector size = K.diagonal();
  for (Index i = 0; i < m; ++i)
    for (Index k = 0; k < d_; ++k)
      if (K(k, k) > 0) size[d_ + i] += J(i, k) * J(i, k) / K(k, k);
  x << above, below;
  return solved_in_units(K, x, size);
}

LongVector Motion::accelerations(const LongState& at) const {
  const std::vector<Long> x = point_of(at);
  const auto of_T = T_[0].gradient(forward(at));
  const std::vector<Long> of_V = V_[0].gradient(x),
                          of_R = R_.empty() ? std::vector<Long>() : R_[0].gradient(x);
  LongVector f(d_);
  for (int i = 0; i < d_; ++i) {
    const auto q = static_cast<std::size_t>(i), v = static_cast<std::size_t>(d_ + i);
    f[i] = of_T[q].value - of_V[q] - of_T[v].slope - alpha_ * of_T[v].value;
    if (!R_.empty()) f[i] -= of_R[v];
    if (!F_.empty()) f[i] += F_[q].value(x);
  }
  const Rows rows = rows_at(at);
  return solved(at, rows.gradient, f, -rows.bend);
}

LongVector Motion::slope(const LongState& at) const {
  LongVector slope(2 * d_);
  slope << at.z.tail(d_), accelerations(at).head(d_);
  return slope;
}

LongVector Motion::multipliers(const LongState& at) const { return accelerations(at).tail(rows()); }

Long Motion::energy(const LongState& at) const {
  const std::vector<Long> x = point_of(at);
  const std::vector<Long> of_T = T_[0].gradient(x);
  Long energy = V_[0].value(x) - T_[0].value(x);
  for (int i = 0; i < d_; ++i) energy += of_T[static_cast<std::size_t>(d_ + i)] * at.z[d_ + i];
  return energy;
}

LongState Motion::projected(LongState at) const {
  const auto n = static_cast<Index>(g_.size());
  if (rows() == 0) return at;
  const LongVector none = LongVector::Zero(d_);
  if (n > 0) {
    Long before = std::numeric_limits<Long>::infinity();
    for (int iteration = 0; iteration < 50; ++iteration) {
      const Rows rows = rows_at(at);
      const LongMatrix G = rows.gradient.topRows(n);
      const LongVector change = solved(at, G, none, -rows.g).head(d_);
      const Long size = change.cwiseAbs().maxCoeff();
      if (!(size < before)) break;  // round-off
      at.z.head(d_) += change;
      before = size;
    }
  }
  const Rows rows = rows_at(at);
  at.z.tail(d_) += solved(at, rows.gradient, none, -rows.rate).head(d_);
  return at;
}

LongMatrix Motion::freedoms(const LongState& at) const {
  const LongMatrix J = rows_at(at).gradient;
  const LongMatrix of_q = kernel_of(J.topRows(static_cast<Index>(g_.size())), d_), of_v = kernel_of(J, d_);
  LongMatrix all = LongMatrix::Zero(2 * d_, of_q.cols() + of_v.cols());
  all.topLeftCorner(d_, of_q.cols()) = of_q;
  all.bottomRightCorner(d_, of_v.cols()) = of_v;
  return all;
}

}  // namespace livens::reference
