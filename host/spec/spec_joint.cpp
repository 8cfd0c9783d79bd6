// output.joint: histograms of several quantities together.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ensembles/observables.hpp"
#include "expressions/nearest.hpp"
#include "host/spec/quantity_name.hpp"
#include "host/spec/sample_memory.hpp"
#include "host/spec/spec_parts.hpp"

namespace livens::host {
namespace {

using ensembles::Joint;
using ensembles::JointAxis;
using ensembles::Target;
using ensembles::Variation;

constexpr std::int64_t standard_bins = 60;

bool names_what_varies(const std::string& name) {
  return name.starts_with("initial.") || name.starts_with("system.") || name.starts_with("scheme.");
}

/// What /instances/parameters has of this request.
std::vector<const Variation*> varied_of(const ensembles::Request& request) {
  std::vector<const Variation*> all;
  for (const Variation& variation : request.variations) all.push_back(&variation);
  for (const Variation& variation : request.taken_over)
    if (variation.target == Target::parameter) all.push_back(&variation);
  return all;
}

void set_varied(const Place& place, const ensembles::Request& request, const SystemInfo& system,
                JointAxis& axis) {
  const QuantityName quantity = read_quantity_name(place, axis.name, system);
  if (quantity.count > 1)
    refuse(place, fmt::format("'{}' has {} entries", axis.name, quantity.count),
           fmt::format("one of them, as in '{}[0]'", axis.name.substr(0, axis.name.find('['))));
  const std::vector<const Variation*> varied = varied_of(request);
  const bool varies = std::ranges::any_of(varied, [&](const Variation* one) {
    return one->target == quantity.target && one->first <= quantity.first &&
           quantity.first < one->first + one->count;
  });
  if (!varies) {
    std::vector<std::string> names;
    for (const Variation* one : varied) names.push_back(one->what);
    refuse(place, fmt::format("'{}' does not vary", axis.name),
           names.empty() ? "what can be observed, as nothing does" : enumerate(names));
  }
  axis.varied = quantity.target;
  axis.entry = quantity.first;
  axis.description = "value used, before projection";
  axis.unit = quantity.target == Target::step ? "s" : unit_of(quantity, system);
  if (quantity.target != Target::parameter) return;
  for (const ParameterInfo& parameter : system.parameters)
    if (parameter_offset(system, parameter) <= quantity.first) axis.unit = parameter.unit;
}

void set_observable(const Place& place, const SystemInfo& system, JointAxis& axis) {
  check_observable(place, axis.name, system);
  const ensembles::Observable found =
      ensembles::observed(system, {axis.name}, units_at_nodes(system)).front();
  axis.unit = found.unit;
  axis.description = found.description;
}

/// `low` and `high`, both or none.
std::optional<std::pair<double, double>> read_range(const Section& entry) {
  entry.allow(std::vector<std::string>{"name", "low", "high"});
  if (!entry.has("low") && !entry.has("high")) return {};
  for (const char* key : {"low", "high"})
    if (!entry.has(key)) refuse(entry.place(key), "missing", "low and high, or none of them");
  const double low = *entry.number("low"), high = *entry.number("high");
  if (!(low < high && std::isfinite(high - low)))
    refuse(entry.place("high"), fmt::format("{} to {} is no range", low, high), "finite numbers, low < high");
  return std::pair{low, high};
}

std::vector<JointAxis> read_axes(const Section& entry, const ensembles::Request& request,
                                 const SystemInfo& system) {
  std::vector<JointAxis> axes;
  for (const auto& one : entry.texts_and_sections("of")) {
    JointAxis axis{};
    const Section* table = std::get_if<Section>(&one);
    const Place place = table ? table->place("name") : entry.place("of");
    if (table) axis.range = read_range(*table);
    if (table && !table->has("name")) refuse(place, "missing", "what varies, or can be observed");
    axis.name = table ? *table->text("name") : std::get<std::string>(one);
    if (names_what_varies(axis.name))
      set_varied(place, request, system, axis);
    else
      set_observable(place, system, axis);
    for (const JointAxis& other : axes)
      if (other.name == axis.name || other.name == axis.name + "_edges" || axis.name == other.name + "_edges")
        refuse(place, fmt::format("'{}' and '{}' cannot stand together", other.name, axis.name),
               "other names");
    axes.push_back(std::move(axis));
  }
  if (axes.size() < 2)
    refuse(entry.place("of"), "",
           "two names or more, of what varies or can be observed, as in ['system.damping[0]', 'energy']");
  return axes;
}

void read_bins(const Section& entry, std::vector<JointAxis>& axes) {
  std::vector<std::int64_t> bins = entry.integers("bins");
  if (!entry.has("bins")) bins.assign(axes.size(), standard_bins);
  if (bins.size() != axes.size())
    refuse(entry.place("bins"), fmt::format("{} numbers", bins.size()),
           fmt::format("{}, one for each name of `of`", axes.size()));
  double cells = 1.0;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    if (bins[k] < 2) refuse(entry.place("bins"), fmt::format("{} is too few", bins[k]), "2 or more");
    cells *= static_cast<double>(bins[k]);
    axes[k].bins = bins[k];
  }
  if (cells > static_cast<double>(ensembles::most_cells))
    refuse(entry.place("bins"), fmt::format("{:.3g} cells", cells),
           fmt::format("at most {}", ensembles::most_cells));
}

std::string read_name(const Section& entry, const std::vector<Joint>& before) {
  const std::string name = entry.text("name").value_or(std::to_string(before.size()));
  if (entry.has("name")) check_new_name(entry.place("name"), name);
  for (const Joint& other : before)
    if (other.name == name) refuse(entry.place("name"), fmt::format("'{}' is named twice", name), "it once");
  return name;
}

/// All samples of all of them are in memory at the end.
void check_counts_in_memory(const Place& place, const ensembles::Request& request, const SystemInfo& system) {
  double bytes = 0.0;
  for (const Joint& joint : request.joints) {
    double counts = joint.at_samples ? 8.0 * sample_memory(request, system).samples : 8.0;
    for (const JointAxis& axis : joint.axes) counts *= static_cast<double>(axis.bins);
    bytes += counts;
  }
  if (bytes > machine_memory())
    refuse(
        place,
        fmt::format(
            "the counts of all joint histograms up to this one take {:.3g} GiB, and this machine has {:.3g}",
            bytes * 0x1p-30, machine_memory() * 0x1p-30),
        "fewer bins or samples, or at = 'end'");
}

}  // namespace

void SpecReader::read_joints(const Section& output) {
  ensembles::Request& request = spec.request;
  for (const Section& entry : output.sections("joint")) {
    entry.allow(std::vector<std::string>{"name", "of", "bins", "at"});
    if (!output.sound()) continue;
    Joint joint;
    joint.name = read_name(entry, request.joints);
    joint.axes = read_axes(entry, request, *system);
    read_bins(entry, joint.axes);
    constexpr std::pair<const char*, bool> times[] = {{"end", false}, {"samples", true}};
    joint.at_samples = entry.choice<bool>("at", false, times);
    request.joints.push_back(std::move(joint));
    check_counts_in_memory(entry.place("bins"), request, *system);
  }
}

}  // namespace livens::host
