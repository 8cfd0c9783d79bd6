#include "host/commands/share.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "host/errors.hpp"
#include "host/number_of.hpp"
#include "host/printable.hpp"

namespace livens::host {
namespace {

const char* option_of(const Threshold& threshold) { return threshold.above ? "--above" : "--below"; }

/// name=value, the value a finite number.

std::pair<std::string, double> parse(const Threshold& threshold) {
  const std::size_t equals = threshold.typed.find('=');
  const std::string_view right =
      equals == std::string::npos ? "" : std::string_view(threshold.typed).substr(equals + 1);
  const std::optional<double> value = number_of<double>(right);
  if (!value || !std::isfinite(*value))
    refuse({.key = option_of(threshold)}, fmt::format("'{}'", threshold.typed), "NAME=NUMBER");
  return {threshold.typed.substr(0, equals), *value};
}

}  // namespace

double Share::deviation() const {
  return std::sqrt(fraction() * (1.0 - fraction()) / static_cast<double>(n));
}

Share share_of(std::int64_t count, std::int64_t n) {
  const double z = 1.959963984540054, N = static_cast<double>(n), p = static_cast<double>(count) / N;
  const double middle = p + z * z / (2.0 * N), half = z * std::sqrt((p * (1.0 - p) + z * z / (4.0 * N)) / N);
  const double scale = 1.0 + z * z / N;
  return {count, n, std::max(0.0, middle - half) / scale, std::min(scale, middle + half) / scale};
}

std::string describe(const Threshold& threshold, const ensembles::Result& result) {
  const auto [name, value] = parse(threshold);
  std::vector<std::string> names;
  std::vector<ensembles::Quantity> quantities = result.instances.observables;
  std::erase_if(quantities, [](const ensembles::Quantity& one) { return !one.axes.empty(); });
  quantities.insert(quantities.end(), result.instances.quantities.begin(), result.instances.quantities.end());
  for (const ensembles::Quantity& quantity : quantities) {
    names.push_back(quantity.name);
    if (quantity.name != name) continue;
    std::int64_t count = 0, n = 0;
    for (std::size_t i = 0; i < quantity.values.size(); ++i) {
      const bool good = !is_failure(static_cast<Status>(result.instances.status[i]));
      const double x = quantity.values[i];
      const bool met = threshold.above ? x > value : x < value;
      count += met;
      n += good || met;
    }
    const std::string what =
        printable(fmt::format("{} {} {:g} {}", name, threshold.above ? '>' : '<', value, quantity.unit));
    if (n == 0) return fmt::format("{}: all instances have failed\n", what);
    const Share share = share_of(count, n);
    return fmt::format("{}: {} of {}, {:.2f} +- {:.2f} % (95 %: {:.2f} to {:.2f} %)\n", what, count, n,
                       100.0 * share.fraction(), 100.0 * share.deviation(), 100.0 * share.low,
                       100.0 * share.high);
  }
  refuse_unknown({.key = option_of(threshold)}, fmt::format("unknown number '{}'", name), name, names);
}

}  // namespace livens::host
