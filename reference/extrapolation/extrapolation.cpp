#include "motion.hpp"

namespace livens::reference {
namespace {

using Eigen::Index;

/// The larger of the changes of q and v, each as a part of its largest entry.
Long part_of(const LongVector& change, const LongVector& of, const LongVector& slope, Long h) {
  const Index d = of.size() / 2;
  const auto largest = [](const auto& x) { return x.cwiseAbs().maxCoeff(); };
  const Long q = largest(of.head(d)) + std::abs(h) * largest(of.tail(d)),
             v = largest(of.tail(d)) + std::abs(h) * largest(slope.tail(d));
  const Long tiny = std::numeric_limits<Long>::min();
  return std::max(largest(change.head(d)) / (q + tiny), largest(change.tail(d)) / (v + tiny));
}

bool is_finite(const LongVector& z) {
  for (const Long entry : z)
    if (!std::isfinite(entry)) return false;
  return true;
}

/// Gragg's rule with n substeps of H/n, smoothed.
LongVector by_midpoints(const Motion& motion, const LongState& from, const LongVector& slope, Long H, int n) {
  const Long h = H / n;
  LongVector a = from.z, b = a + h * slope;
  for (int i = 1; i < n; ++i) {
    const LongVector c = a + 2 * h * motion.slope({from.t + i * h, b});
    a = b;
    b = c;
  }
  return (a + b + h * motion.slope({from.t + H, b})) / 2;
}

}  // namespace

LongState advanced(const Motion& motion, LongState at, Long to, const Extrapolation& how) {
  constexpr int fewest_columns = 5, most_steps = 2000000;
  const LongVector first = motion.slope(at);
  Long H = to - at.t;
  {
    const Index d = motion.d();
    const auto largest = [](const auto& x) { return x.cwiseAbs().maxCoeff(); };
    const Long v = largest(at.z.tail(d)), a = largest(first.tail(d)), q = largest(at.z.head(d));
    if (a > 0) H = std::min(H, Long(0.1) * std::max(v / a, std::sqrt(q / a)));  // to begin with
  }
  for (int step = 0; step < most_steps; ++step) {
    if (at.t >= to) return at;
    const bool is_last = at.t + H >= to;
    const Long length = is_last ? to - at.t : H;
    const LongVector slope = motion.slope(at);
    std::vector<LongVector> row;  // of the table: columns 0, 1, ...
    bool accepted = false;
    int columns = 0;
    for (int k = 0; k < how.most_columns && !accepted; ++k) {
      const int n = 2 * (k + 1);
      std::vector<LongVector> next{by_midpoints(motion, at, slope, length, n)};
      for (int j = 0; j < k; ++j) {
        const Long ratio = Long(n) / (2 * (k - j));
        const auto c = static_cast<std::size_t>(j);
        next.push_back(next[c] + (next[c] - row[c]) / (ratio * ratio - 1));
      }
      const bool finite = is_finite(next.back());
      if (finite && k + 1 >= fewest_columns) {
        const Long error = part_of(next.back() - row.back(), next.back(), slope, length);
        accepted = error <= how.tolerance;
      }
      row = std::move(next);
      columns = k + 1;
      if (!finite) break;
    }
    if (!accepted) {
      H = length / 2;
      if (at.t + H * Long(1e-3) == at.t) break;
      continue;
    }
    at = motion.projected({is_last ? to : at.t + length, row.back()});
    // Short tables say that a longer step would do.
    const int spare = how.most_columns - columns;
    H = std::max(H, length) * (spare >= 4   ? Long(1.5)
                               : spare >= 2 ? Long(1.15)
                               : spare == 1 ? Long(1)
                                            : Long(0.85));
    if (is_last) return at;
  }
  throw ExtrapolationError("the extrapolation stands still at " + std::to_string(static_cast<double>(at.t)) +
                           " s");
}

Tangent tangent(const Motion& motion, const LongState& from, Long to, const LongVector& unit,
                const Extrapolation& how) {
  const Long small = 1e-7L;  // of a central difference: its square is what is left out
  const LongMatrix freedoms = motion.freedoms(from);
  LongMatrix starts(freedoms.rows(), freedoms.cols()), ends = starts;
  for (Index k = 0; k < freedoms.cols(); ++k) {
    const LongVector direction = freedoms.col(k).cwiseProduct(unit);
    const Long size = small / direction.cwiseQuotient(unit).norm();
    const LongState ahead = motion.projected({from.t, from.z + size * direction}),
                    behind = motion.projected({from.t, from.z - size * direction});
    starts.col(k) = (ahead.z - behind.z).cwiseQuotient(unit) / (2 * small);
    ends.col(k) =
        (advanced(motion, ahead, to, how).z - advanced(motion, behind, to, how).z).cwiseQuotient(unit) /
        (2 * small);
  }
  // Gram and Schmidt, on both sides of the map.
  for (Index k = 0; k < starts.cols(); ++k) {
    for (Index j = 0; j < k; ++j) {
      const Long part = starts.col(j).dot(starts.col(k));
      starts.col(k) -= part * starts.col(j);
      ends.col(k) -= part * ends.col(j);
    }
    const Long size = starts.col(k).norm();
    starts.col(k) /= size;
    ends.col(k) /= size;
  }
  return {starts, ends};
}

}  // namespace livens::reference
