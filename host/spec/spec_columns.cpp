// output.columns: the datasets of /instances that a result keeps.

#include <fmt/format.h>

#include <algorithm>

#include "ensembles/node_values.hpp"
#include "ensembles/observables.hpp"
#include "host/spec/spec_parts.hpp"

namespace livens::host {
namespace {

/// Datasets of every result: without them a file does not tell how many instances there are, and which.
constexpr std::string_view always[] = {"status", "number"};

const std::string of_parameters = "parameters/";

/// Names of the datasets below /instances that a result of this spec has, beside those that are always there.
std::vector<std::string> datasets_of(const Spec& spec, const SystemInfo& system) {
  const ensembles::Request& request = spec.request;
  std::vector<std::string> names = {"initial_q", "initial_v",   "final_q",           "final_v",
                                    "final_p",   "failed_step", "newton_iterations", "retried_steps"};
  const auto add = [&](const std::vector<ensembles::Quantity>& quantities) {
    for (const ensembles::Quantity& one : quantities) names.push_back(one.name);
  };
  add(ensembles::record_quantities(system.constraints, system.momentum_maps,
                                   request.settings.largest_violations));
  for (const ObservableInfo& own : system.observables) names.emplace_back(own.name);
  if (request.tangent && !request.tangent->spreads.empty()) names.emplace_back(ensembles::tangent_covariance);
  for (const std::string& name : request.observe) names.push_back("final_" + name);
  if (request.extremes)
    add(ensembles::Extremes(0, ensembles::observed(system, request.observe)).quantities());
  if (request.energy_bound > 0.0) names.emplace_back("bound_exceeded");
  if (!spec.error_against.empty()) names.emplace_back("position_error");
  for (const auto* variations : {&request.variations, &request.taken_over})
    for (const ensembles::Variation& one : *variations)
      if (variations == &request.variations || one.target == ensembles::Target::parameter)
        names.push_back(of_parameters + one.what);
  return names;
}

/// As a spec has it: parameters by their `what`.
std::string typed_as(const std::string& name) {
  return name.starts_with(of_parameters) ? name.substr(of_parameters.size()) : name;
}

}  // namespace

void SpecReader::read_columns(const Section& output) {
  if (!output.has("columns") || !output.sound()) return;
  const std::vector<std::string> names = datasets_of(spec, *system), kept = output.texts("columns");
  std::vector<std::string> known(std::begin(always), std::end(always));
  for (const std::string& name : names) known.push_back(typed_as(name));
  known.emplace_back("parameters");
  for (const std::string& name : kept)
    if (std::ranges::find(known, name) == known.end())
      refuse_unknown(output.place("columns"), fmt::format("'{}' is not in /instances of this run", name),
                     name, known);
  const auto is_kept = [&](const std::string& name) { return std::ranges::find(kept, name) != kept.end(); };
  for (const std::string& name : names)
    if (!is_kept(typed_as(name)) && !(name.starts_with(of_parameters) && is_kept("parameters")))
      spec.left_out.push_back(name);
}

}  // namespace livens::host
