#include "host/checks/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "kernels/description/interface.hpp"

namespace livens::host {
namespace {

using ensembles::Result;

/// The values of the instances in `compared`, of those that `values` has (a trajectory is kept of the first
/// few only).
std::vector<double> rows(const std::vector<double>& values, std::size_t width,
                         const std::vector<std::size_t>& compared) {
  std::vector<double> chosen;
  for (const std::size_t i : compared)
    if ((i + 1) * width <= values.size())
      chosen.insert(chosen.end(), values.begin() + i * width, values.begin() + (i + 1) * width);
  return chosen;
}

/// In the order of compared_quantities.
constexpr std::vector<double> (*quantities[])(const Result&, const std::vector<std::size_t>& compared) = {
    [](const Result& r, const auto& i) { return rows(r.instances.final_q, r.coordinates, i); },
    [](const Result& r, const auto& i) { return rows(r.instances.final_p, r.coordinates, i); },
    [](const Result& r, const auto& i) { return rows(r.instances.final_v, r.coordinates, i); },
    [](const Result& r, const auto& i) { return rows(r.trajectories.energy, r.time.size(), i); },
};

/// Largest |a - b| relative to the largest |b|; NaN against a number is infinite.
double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0.0, size = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    if (std::isnan(a[i]) || std::isnan(b[i])) return std::numeric_limits<double>::infinity();
    difference = std::max(difference, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return size > 0.0 ? difference / size : difference;
}

/// Units in the last place between a and b; the order of doubles is that of their bits.
std::int64_t ulp_difference(const std::vector<double>& a, const std::vector<double>& b) {
  const auto order = [](double x) {
    std::int64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
  };
  std::int64_t largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    largest = std::max(largest, std::abs(order(a[i]) - order(b[i])));
  }
  return largest;
}

}  // namespace

bool Agreement::holds() const {
  return failed_alone == 0 && std::ranges::all_of(difference, [&](double d) { return d <= bound; });
}

Agreement agreement(const Result& result, const Result& expected, const std::vector<double>& round_off) {
  Agreement found;
  std::vector<std::size_t> compared;
  for (std::size_t i = 0; i < round_off.size(); ++i) {
    const bool ok = result.instances.status[i] == 0, expected_ok = expected.instances.status[i] == 0;
    if (ok && expected_ok) {
      compared.push_back(i);
      found.bound = std::max(found.bound, round_off[i]);
    } else {
      const bool marked = result.instances.status[i] == static_cast<std::uint8_t>(Status::energy_balance);
      ++(ok == expected_ok || marked ? found.failed : found.failed_alone);
    }
  }
  found.compared = compared.size();
  for (std::size_t k = 0; k < std::size(quantities); ++k)
    found.difference[k] =
        relative_difference(quantities[k](result, compared), quantities[k](expected, compared));
  return found;
}

std::int64_t ulp_difference(const Result& a, const Result& b) {
  std::vector<std::size_t> all(b.instances.status.size());
  std::iota(all.begin(), all.end(), 0);
  std::int64_t largest = 0;
  for (const auto quantity : quantities)
    largest = std::max(largest, ulp_difference(quantity(a, all), quantity(b, all)));
  return largest;
}

}  // namespace livens::host
