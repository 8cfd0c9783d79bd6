#include "motion_derivative.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace livens::reference {
namespace {

constexpr int pairs = 9;         // the last one moves by 2^-16 of the first
constexpr double shrinks = 4.0;  // from one to the next

/// Neville's table of differences whose error has even powers of the displacement.
double extrapolated(const std::vector<double>& differences) {
  double best = std::numeric_limits<double>::quiet_NaN(), least = std::numeric_limits<double>::infinity();
  std::vector<double> row, above;
  for (const double difference : differences) {
    row = {difference};
    double weight = 1.0;
    for (std::size_t j = 0; j < above.size(); ++j) {
      weight *= shrinks * shrinks;
      row.push_back(row[j] + (row[j] - above[j]) / (weight - 1.0));
      const double error = std::max(std::abs(row[j + 1] - row[j]), std::abs(row[j + 1] - above[j]));
      if (error < least) {
        least = error;
        best = row[j + 1];
      }
    }
    above = row;
  }
  return best;
}

}  // namespace

MotionDerivative::MotionDerivative(const std::function<Motion(double)>& displaced, double largest) {
  double by = largest;
  for (int k = 0; k < pairs; ++k, by /= shrinks) pairs_.push_back({by, displaced(by), displaced(-by)});
}

double largest_displacement(const Node& node, const VectorXd& direction) {
  const Eigen::Index d = node.q.size();
  const auto most = [](const VectorXd& x, const VectorXd& dx) {
    const double size = x.lpNorm<Eigen::Infinity>();
    return (size > 0.0 ? size : 1.0) / dx.lpNorm<Eigen::Infinity>();
  };
  return std::min(most(node.q, direction.head(d)), most(node.v, direction.tail(d))) / 32.0;
}

VectorXd MotionDerivative::at(long steps) {
  std::vector<VectorXd> differences;
  for (Pair& pair : pairs_)
    differences.emplace_back((pair.there(steps) - pair.back(steps)) / (2.0 * pair.by));
  VectorXd found(differences.front().size());
  for (Eigen::Index i = 0; i < found.size(); ++i) {
    std::vector<double> of_entry;
    for (const VectorXd& difference : differences) of_entry.push_back(difference[i]);
    found[i] = extrapolated(of_entry);
  }
  return found;
}

}  // namespace livens::reference
