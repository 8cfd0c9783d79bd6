// [initial] from: instances start where those of another result ended, with the parameters that they had.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "expressions/toml_text.hpp"
#include "host/pairs/registry.hpp"
#include "host/spec/quantity_name.hpp"
#include "host/spec/spec_parts.hpp"
#include "host/spec/toml_writing.hpp"

namespace livens::host {
namespace {

using ensembles::Target;
using ensembles::Variation;

/// System and parameters of the run that a result is of: of its spec, as it was completed then.
ensembles::Request system_of(const EndOfRun& end, const std::string& path, const Catalogue& catalogue) {
  toml::table root = parse_toml(end.spec, path);
  const Overrides overrides = Overrides::from_text(end.overrides);
  for (const std::string& setting : overrides.settings) apply_setting(root, setting);
  std::vector<Mistake> mistakes;
  const Inputs none;
  SpecReader reader{
      Section(&root, path, "", 1, mistakes), catalogue, overrides, none, nullptr, {}, {}, {}, {}};
  reader.read_system();
  refuse_together(mistakes, path);
  return reader.spec.request;
}

Variation rows_of(std::string what, Target target, int first, int count,
                  std::shared_ptr<const std::vector<double>> rows) {
  return {.what = std::move(what),
          .target = target,
          .first = first,
          .count = count,
          .law = ensembles::Law::table,
          .points = {},
          .each = true,
          .rows = std::move(rows)};
}

/// Values of all entries of a parameter, as TOML.
std::string values_of(const SystemInfo& system, const ParameterInfo& parameter,
                      const std::vector<double>& parameters) {
  std::vector<std::string> values;
  for (int i = 0; i < parameter.size(); ++i)
    values.push_back(toml_number(parameters[parameter_offset(system, parameter) + i]));
  return fmt::format("{} = [{}]\n", parameter.name, fmt::join(values, ", "));
}

}  // namespace

void SpecReader::take_over_parameters() {
  const Section section = document.section("initial"), set = document.section("system");
  if (!section.has("from")) return;
  const Place place = section.place("from");
  for (const char* key : {"q", "v", "p"})
    if (section.has(key)) refuse(section.place(key), "initial.from is given too", "one of the two");
  const std::string typed = *section.text("from"), path = beside(document.file(), typed);
  if (!inputs.hdf5) return;
  ensembles::Request& request = spec.request;
  ensembles::Request there;
  try {
    start = inputs.hdf5->end_of_run(path);
    there = system_of(*start, path, catalogue);
  } catch (const FileError& error) {
    refuse(place, error.what());
  } catch (const std::exception& error) {
    refuse(place, fmt::format("the spec of {} cannot be read ({})", path, error.what()));
  }
  const auto different = [&](const std::string& how) {
    refuse(place, fmt::format("{} is a result of {}", path, how), fmt::format("one of {}", request.system));
  };
  if (there.system != request.system) different(there.system);
  if (there.text != request.text) different("another text of " + there.system);
  const auto entries = static_cast<std::size_t>(start->size * system->coordinates);
  for (const auto& state : {start->q, start->v, start->p})
    if (state->size() != entries) different("fewer datasets than final_q, final_v and final_p");
  if (start->is_shard)
    refuse(place, fmt::format("{} is a shard", path), "the whole, which livens merge makes");

  std::string parameters;
  for (const ParameterInfo& parameter : system->parameters) {
    if (set.has(parameter.name)) continue;
    const int first = parameter_offset(*system, parameter), last = first + parameter.size();
    std::copy(there.parameters.begin() + first, there.parameters.begin() + last,
              request.parameters.begin() + first);
    parameters += values_of(*system, parameter, there.parameters);
    for (const Table::Column& column : start->parameters) {
      const QuantityName name = read_quantity_name(place, column.name, *system);
      if (name.target != Target::parameter || name.first < first || name.first >= last) continue;
      request.taken_over.push_back(rows_of(column.name, name.target, name.first, name.count, column.values));
    }
  }
  request.taken_over_status = start->status;
  limit_size(typed, start->size);
  const bool anew = !document.section("files").section(typed).has("sha256");
  keep_file(place, typed, start->sha256(), start->size, {"final_q", "final_v", "final_p"});
  if (anew && !parameters.empty())
    kept_files += fmt::format("[files.{}.parameters]\n{}", toml_text(typed), parameters);
  const auto failed = std::ranges::count_if(
      start->status, [](std::uint8_t status) { return status != static_cast<std::uint8_t>(Status::ok); });
  if (failed > 0)
    spec.warnings.push_back(printed(
        Mistake{{place.file, place.line},
                fmt::format("{} of the {} instances of {} failed or stopped there, and do not start here",
                            failed, start->size, typed)}));
}

void SpecReader::take_over_states() {
  if (!start) return;
  ensembles::Request& request = spec.request;
  const auto varies = [&](Target target) {
    return std::ranges::any_of(request.variations,
                               [&](const Variation& variation) { return variation.target == target; });
  };
  const int d = system->coordinates;
  request.taken_over.push_back(rows_of("initial.q", Target::q, 0, d, start->q));
  // Momenta are what most schemes go on from; vi_b has velocities beside them.
  if (system->singular_mass || varies(Target::v))
    request.taken_over.push_back(rows_of("initial.v", Target::v, 0, d, start->v));
  else
    request.taken_over.push_back(rows_of("initial.p", Target::p, 0, d, start->p));
}

}  // namespace livens::host
