#include "host/compare/orders.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace livens::host {
namespace {

/// What Newton's method and round-off may add to the relative error of a run, and the true motion's solver.
double floor_of(const ComparedRun& run, bool of_position) {
  const double newton = std::max(run.tolerance, std::numeric_limits<double>::epsilon());
  return run.steps * (of_position ? std::max(newton, run.truth_tolerance) : newton);
}

/// The error that the order is of, relative to its scale; a position error is compared with the largest
/// coordinate.
double relative_error(const Measured& measured, bool of_position) {
  return of_position ? measured.position.rms / measured.largest_q : measured.energy.rms;
}

/// Why a run does not count beside the one with the shortest step; empty where it does.
const char* objection(const ComparedRun& run, const ComparedRun& finest, bool of_position) {
  constexpr double same_time = 1e-9;  // steps typed with ten digits
  const auto stopped = static_cast<std::size_t>(Status::stopped);
  if (std::isnan(run.step)) return "scheme.step varies within the ensemble";
  if (std::abs(run.measured.end - finest.measured.end) > same_time * finest.measured.end)
    return "another end";
  if (run.measured.statuses[stopped] > 0) return "instances were stopped";
  if (run.measured.fates != finest.measured.fates) return "other instances failed";
  if (!(relative_error(run.measured, of_position) > 10.0 * floor_of(run, of_position)))
    return "errors of Newton's method and round-off";
  return "";
}

OrderOfRuns order_of(const std::vector<std::size_t>& members, const std::vector<ComparedRun>& runs) {
  const bool of_position = std::ranges::all_of(
      members, [&](std::size_t i) { return std::isfinite(runs[i].measured.position.rms); });
  const std::size_t finest =
      *std::ranges::min_element(members, {}, [&](std::size_t i) { return runs[i].step; });
  OrderOfRuns result{members, {}, of_position ? "position_error" : "energy_error", {}, {}};
  std::vector<StepError> points;
  for (const std::size_t i : members) {
    const Measured& measured = runs[i].measured;
    const std::string problem = objection(runs[i], runs[finest], of_position);
    if (problem.empty()) {
      points.push_back({runs[i].step, of_position ? measured.position.rms : measured.energy.rms});
      result.used.push_back(i);
    } else if (std::ranges::count(result.left_out, problem) == 0) {
      result.left_out.push_back(problem);
    }
  }
  result.order = convergence_order(points);
  return result;
}

}  // namespace

std::vector<OrderOfRuns> orders_of(const std::vector<Sweep>& sweeps, const std::vector<ComparedRun>& runs) {
  std::vector<OrderOfRuns> orders;
  const auto step = std::ranges::find(sweeps, step_key, &Sweep::key);
  if (step == sweeps.end()) return orders;
  // By the values that they share, in the order of their first runs.
  std::vector<std::vector<std::string>> shared;
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::vector<std::string> values = runs[i].combination.values;
    values.erase(values.begin() + (step - sweeps.begin()));
    const auto known = std::ranges::find(shared, values);
    if (known == shared.end()) {
      shared.push_back(values);
      groups.push_back({i});
    } else {
      groups[static_cast<std::size_t>(known - shared.begin())].push_back(i);
    }
  }
  for (const std::vector<std::size_t>& members : groups)
    if (members.size() > 1) orders.push_back(order_of(members, runs));
  return orders;
}

}  // namespace livens::host
