#include "composition.hpp"

#include <Eigen/LU>
#include <charconv>

namespace livens::reference {
namespace {

/// The first half of the stages, with the one in the middle.
std::vector<std::string> first_half(int order) {
  switch (order) {
    case 4:
      return {"0.4144907717943757371423540628607614957118", "0.4144907717943757371423540628607614957118",
              "-0.6579630871775029485694162514430459828471"};
    case 6:
      return {"0.39216144400731413927925056", "0.33259913678935943859974864", "-0.70624617255763935980996482",
              "0.08221359629355080023149045", "0.79854399093482996339895035"};
    case 8:
      return {
          "0.13020248308889008087881763", "0.56116298177510838456196441",  "-0.38947496264484728640807860",
          "0.15884190655515560089621075", "-0.39590389413323757733623154", "0.18453964097831570709183254",
          "0.25837438768632204729397911", "0.29501172360931029887096624",  "-0.60550853383003451169892108"};
    default:
      throw std::invalid_argument("no composition of order " + std::to_string(order));
  }
}

/// p less what is normal to the constraints: p - G^T nu with G M^-1 (p - G^T nu - a) + g_t = 0.
VectorXd tangential(const System& system, const VectorXd& q, const VectorXd& p, double t) {
  if (constraint_count(system) == 0) return p;
  return p - constraint_jacobian(system, q, t).transpose() * normal_impulse(system, q, p, t);
}

}  // namespace

std::vector<std::string> printed_lengths(int order) {
  std::vector<std::string> lengths = first_half(order);
  for (std::size_t s = lengths.size() - 1; s-- > 0;) lengths.push_back(lengths[s]);
  return lengths;
}

std::vector<double> stage_lengths(int order) {
  if (order == 0) return {1.0};
  std::vector<double> lengths;
  for (const std::string& length : printed_lengths(order)) {
    // Not by std::stod, which in a process whose decimal point is a comma ends at the point.
    double& value = lengths.emplace_back();
    std::from_chars(length.data(), length.data() + length.size(), value);
  }
  return lengths;
}

Composition::Composition(int order) : lengths_(stage_lengths(order)) {}

Point Composition::step(const Scheme& scheme, const System& system, const Options& options,
                        const Point& node) const {
  Point at = node;
  VectorXd lambda = VectorXd::Zero(node.lambda.size()), gamma = lambda;
  int iterations = 0;
  for (const double length : lengths_) {
    Options stage = options;
    stage.step = length * options.step;
    Point next = scheme.step(system, stage, at);
    next.time = at.time + stage.step;
    next.first = false;
    lambda += length * next.lambda;
    gamma += length * next.gamma;
    iterations += next.newton_iterations;
    if (scheme.looks_ahead) {
      next.p = tangential(system, next.q, next.p, next.time);
      next.v = mass_matrix(system, next.q).inverse() * (next.p - field_momentum(system, next.q, next.time));
      next.first = true;
    }
    at = std::move(next);
  }
  at.last_lambda = at.lambda;
  at.lambda = lambda;
  at.gamma = gamma;
  at.newton_iterations = iterations;
  return at;
}

}  // namespace livens::reference
