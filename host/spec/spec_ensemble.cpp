// [ensemble]: how many instances, how their draws lie, and what becomes of failures.

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "ensembles/draws.hpp"
#include "host/spec/spec_parts.hpp"

namespace livens::host {
namespace {

constexpr std::int64_t most_instances = std::int64_t{1} << 40;  // beyond any memory

/// Grid points of the variations; their number is what size has to be when nothing is random.
std::int64_t points(const Section& ensemble, const std::vector<ensembles::Variation>& variations) {
  double product = 1.0;
  for (const ensembles::Variation& variation : variations) {
    if (variation.is_grid()) product *= static_cast<double>(variation.points.size());
  }
  if (product > static_cast<double>(most_instances)) {
    refuse(ensemble.place("vary"), "the grid laws span more than 2^40 points", "fewer");
  }
  return ensembles::grid_points(variations);
}

bool any_random(const std::vector<ensembles::Variation>& variations) {
  return std::ranges::any_of(variations, &ensembles::Variation::is_random);
}

/// `rows`: instances differ in what they have of a file.
void check_size(const Place& place, std::int64_t size, std::int64_t points,
                const std::vector<ensembles::Variation>& variations, bool rows) {
  if (size < 1 || size > most_instances) {
    refuse(place, fmt::format("{} is out of range", size),
           fmt::format("an integer from 1 to {}", most_instances));
  }
  if (!variations.empty() && !any_random(variations) && !rows && size != points) {
    refuse(place, fmt::format("{} instances, but the grid has {} points and no law is random", size, points),
           fmt::format("{}", points));
  }
}

/// Sobol's sequence has direction numbers for so many values of an instance, and is of random laws.
void check_dimensions(const Place& place, const ensembles::Request& request) {
  if (request.design != ensembles::Design::sobol) return;
  const int dimensions = ensembles::sobol_dimensions(request.variations);
  if (dimensions == 0) refuse(place, "no law is random", "one in [[ensemble.vary]], or no design");
  if (dimensions > ensembles::most_sobol_dimensions)
    refuse(place, fmt::format("{} values are drawn for an instance", dimensions),
           fmt::format("at most {}", ensembles::most_sobol_dimensions));
}

/// Numbers of the instances chosen of an ensemble of `size`; nothing where all are integrated.
std::vector<std::int64_t> read_instances(const Section& section, std::int64_t size) {
  if (!section.has("instances")) return {};
  std::vector<std::int64_t> chosen;
  for (const std::int64_t number : section.integers("instances")) {
    if (number < 0 || number >= size)
      refuse(section.place("instances"), fmt::format("{} is out of range", number),
             fmt::format("numbers from 0 to {}", size - 1));
    chosen.push_back(number);
  }
  if (chosen.empty()) refuse(section.place("instances"), "empty", "numbers of instances");
  return chosen;
}

}  // namespace

void SpecReader::read_ensemble() {
  ensembles::Request& request = spec.request;
  const Section section = document.section("ensemble");
  section.allow(std::vector<std::string>{"size", "instances", "seed", "on_failure", "max_failed_fraction",
                                         "vary", "design", "table"});
  constexpr std::pair<const char*, ensembles::Design> designs[] = {{"random", ensembles::Design::random},
                                                                   {"sobol", ensembles::Design::sobol}};
  request.design = section.choice<ensembles::Design>("design", ensembles::Design::random, designs);
  section.attempt([&] { check_dimensions(section.place("design"), request); });
  section.attempt([&] {
    const std::int64_t grid = points(section, request.variations);
    const bool says_how_many = section.has("size") || overrides.size || rows_given ||
                               std::ranges::any_of(request.variations, &ensembles::Variation::is_grid);
    // A law that is wrong may not be random in the end.
    if (any_random(request.variations) && !says_how_many && section.sound())
      refuse(section.place("size"), "missing beside a random law", "the number of instances, e.g. 1000");
    request.size = section.integer("size").value_or(rows_given ? rows_given->rows : grid);
    // The option is checked in place of the value it replaces.
    request.size = overrides.size.value_or(request.size);
    const Place place = overrides.size ? Place{.key = "--size"} : section.place("size");
    check_size(place, request.size, grid, request.variations, rows_given.has_value());
    if (rows_given && request.size > rows_given->rows)
      refuse(place,
             fmt::format("{} instances, but '{}' has rows for {}", request.size, rows_given->file,
                         rows_given->rows),
             fmt::format("at most {}", rows_given->rows));
    request.instances = read_instances(section, request.size);
    if (!request.instances.empty()) request.size = static_cast<std::int64_t>(request.instances.size());
  });
  request.seed =
      static_cast<std::uint64_t>(section.integer_or("seed", 1, 0, std::numeric_limits<std::int64_t>::max()));
  request.seed = overrides.seed.value_or(request.seed);

  using ensembles::OnFailure;
  constexpr std::pair<const char*, OnFailure> reactions[] = {{"continue", OnFailure::carry_on},
                                                             {"error", OnFailure::error}};
  request.on_failure = section.choice<OnFailure>("on_failure", OnFailure::carry_on, reactions);
  request.max_failed_fraction = section.number_or(
      "max_failed_fraction", 1.0, [](double value) { return value >= 0.0 && value <= 1.0; },
      "a number from 0 to 1");
}

}  // namespace livens::host
