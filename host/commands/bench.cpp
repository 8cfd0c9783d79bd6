// livens bench: steps per second of every pair, and the ratio to the naive Eigen loop, interleaved in one
// run.

#include "host/commands/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "bench/operation_counts.hpp"
#include "bench/throughput.hpp"
#include "host/backends/cpu_backend.hpp"
#include "host/compilation/compiled.hpp"
#include "host/errors.hpp"
#include "host/files/pending_file.hpp"
#include "host/pairs/catalogue.hpp"
#include "host/pairs/observing_pairs.hpp"
#include "host/pairs/registry.hpp"
#include "host/pairs/text_pairs.hpp"
#include "host/results/result_file.hpp"

namespace livens::host {
namespace {

constexpr double tolerance = 1e-10;

/// Nothing for a pair from outside the tree.
std::optional<double> flops_of(const std::vector<livens::bench::OperationCount>& counts,
                               const PairKernels& pair) {
  for (const auto& count : counts)
    if (count.system == pair.system->info->name && count.scheme == pair.scheme->name &&
        count.form == pair.form)
      return count.flops_per_step;
  return {};
}

/// The instruction sets asked for that this processor has; plain, for correctness alone, calls fma of the C
/// library.
std::vector<Isa> chosen_sets(const BenchOptions& options) {
  std::vector<Isa> chosen;
  for (const Isa isa : {Isa::avx2, Isa::avx512})
    if (usable(isa) && (!options.isa || *options.isa == isa_name(isa))) chosen.push_back(isa);
  return chosen;
}

std::vector<const PairKernels*> chosen_pairs(const BenchOptions& options, Isa isa) {
  std::vector<const PairKernels*> chosen;
  for (const PairKernels& pair : cpu_pairs(isa, options.precision)) {
    if (options.precision == Precision::mixed && pair.advance_mixed == nullptr) continue;
    const std::string name = fmt::format("{}/{}/{}", pair.system->info->name, pair.scheme->name, pair.form);
    if (name.starts_with(options.only)) chosen.push_back(&pair);
  }
  return chosen;
}

std::string number_or_dash(const std::optional<double>& value, const char* format) {
  return value ? fmt::format(fmt::runtime(format), *value) : "-";
}

/// 21.9M, 252k
std::string in_short(double number) {
  return number < 1e6 ? fmt::format("{:.0f}k", 1e-3 * number) : fmt::format("{:.3g}M", 1e-6 * number);
}

/// The table of docs/performance.md: a row for every form, with the widest registers of those measured, and beside it
/// the ratio with AVX2.
std::string as_markdown(const nlohmann::ordered_json& results) {
  std::string table =
      "| system | scheme | form | steps/s | Newton | naive steps/s | ratio | flops a step | of the peak | "
      "AVX2 ratio |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
  const auto ratio_of = [](const nlohmann::ordered_json& row) {
    const auto& ratio = row["ratio"];
    return ratio.is_null() ? "-"
                           : fmt::format("{:.{}f}", ratio.get<double>(), ratio.get<double>() < 10.0 ? 1 : 0);
  };
  for (const auto& row : results) {
    if (row["isa"] != results.back()["isa"]) continue;
    const auto avx2 = std::ranges::find_if(results, [&](const auto& other) {
      return other["isa"] == "avx2" && row["isa"] != "avx2" && other["system"] == row["system"] &&
             other["scheme"] == row["scheme"] && other["form"] == row["form"];
    });
    const bool naive = !row["ratio"].is_null(), counted = !row["flops_per_step"].is_null();
    table += fmt::format(
        "| {} | {} | {} | {} | {:.2f} | {} | {} | {} | {} | {} |\n", row["system"].get<std::string>(),
        row["scheme"].get<std::string>(), row["form"].get<std::string>(), in_short(row["steps_per_second"]),
        row["newton_iterations_per_step"].get<double>(),
        naive ? in_short(row["naive_steps_per_second"]) : "-", ratio_of(row),
        counted ? fmt::format("{:.0f}", row["flops_per_step"].get<double>()) : "-",
        counted ? fmt::format("{:.0f} %", 100.0 * row["fraction_of_peak"].get<double>()) : "-",
        avx2 == results.end() ? "-" : ratio_of(*avx2));
  }
  return table;
}

/// A request for all directions of the state of a system; none where there are no derivatives.
std::optional<ensembles::Request> along_the_state(const PairKernels& pair) {
  const SystemInfo& system = *pair.system->info;
  if (system.nonholonomic || system.singular_mass || has_impacts(system) ||
      pair.system->capabilities.has(Capability::assembly))
    return {};
  ensembles::Request request;
  request.system = system.name;
  ensembles::Tangent tangent;
  tangent.state = true;
  tangent.q = tangent.v = std::vector<Origin>(static_cast<std::size_t>(system.coordinates), Origin::own);
  for (int k = 0; k < 2 * (system.coordinates - system.constraints); ++k)
    tangent.names.push_back(fmt::format("state[{}]", k));
  request.tangent = std::move(tangent);
  return request;
}

/// Directions beside the plain steps, both with Newton's method to round-off.
void bench_tangents(const BenchOptions& options, Isa isa, nlohmann::ordered_json& results) {
  fmt::print("{:<28}{:<20}{:<9}{:>9}{:>11}{:>12}{:>11}\n", "system", "scheme", "form", "unknowns", "steps/s",
             "directions", "each");
  for (const PairKernels* plain : chosen_pairs(options, isa)) {
    const std::optional<ensembles::Request> request = along_the_state(*plain);
    if (!request || request->tangent->directions() == 0) continue;
    const Catalogue catalogue = observing(registered(), *request);
    const auto same = [&](const PairKernels& one) {
      return one.scheme == plain->scheme && std::string_view(one.form) == plain->form;
    };
    const auto pair = std::ranges::find_if(catalogue.pairs, same);
    if (pair == catalogue.pairs.end()) continue;
    const int directions = request->tangent->directions();
    const auto cost = livens::bench::measure_tangent(
        *plain, compiled_for(*pair, Precision::full, isa_name(isa)), directions, 0.0, options.rounds);
    fmt::print("{:<28}{:<20}{:<9}{:>9}{:>11.3g}{:>12}{:>11.2f}\n", plain->system->info->name,
               plain->scheme->name, plain->form, plain->unknowns, cost.steps_per_second, directions,
               cost.direction);
    results.push_back({{"system", plain->system->info->name},
                       {"scheme", plain->scheme->name},
                       {"form", plain->form},
                       {"isa", isa_name(isa)},
                       {"unknowns", plain->unknowns},
                       {"steps_per_second", cost.steps_per_second},
                       {"directions", directions},
                       {"plain_steps_per_direction", cost.direction}});
  }
}

}  // namespace

int bench(const BenchOptions& options) {
  if (options.tangent && options.precision != Precision::full)
    refuse({.key = "--tangent"}, "directions are carried in double precision", "no --precision");
  const std::vector<Isa> sets = chosen_sets(options);
  if (options.isa && sets.empty())
    refuse({.key = "--isa"}, fmt::format("this processor or build has no {}", *options.isa));
  for (const Isa isa : sets)
    if (!options.only.empty() && chosen_pairs(options, isa).empty())
      refuse({.key = "--only"},
             fmt::format("no pair and form begins with '{}'; see livens list", options.only));
  if (options.json) check_writable(*options.json);
  const auto counts = livens::bench::operation_counts();
  nlohmann::ordered_json json = {
      {"machine", {{"processor", processor_name()}, {"compiler", "g++ " __VERSION__}}},
      {"results", nlohmann::json::array()}};
  for (const Isa isa : sets) {
    if (options.tangent) {
      fmt::print("{}: what each direction takes, in plain steps\n", isa_name(isa));
      bench_tangents(options, isa, json["results"]);
      continue;
    }
    const double peak = livens::bench::peak_flops(isa);
    json["machine"]["peak_gflops"][isa_name(isa)] = peak * 1e-9;
    if (!options.markdown)
      fmt::print("{}: {} instances in a register, {:.1f} GFLOP/s of fused multiply-adds on one core\n",
                 isa_name(isa), lanes(isa), peak * 1e-9);
    if (!options.markdown)
      fmt::print("{:<28}{:<20}{:<9}{:>11}{:>8}{:>11}{:>8}{:>9}{:>8}\n", "system", "scheme", "form", "steps/s",
                 "Newton", "naive", "ratio", "flops", "peak");
    for (const PairKernels* chosen : chosen_pairs(options, isa)) {
      const PairKernels& pair = *chosen;
      const auto figure = livens::bench::measure(pair, tolerance, options.precision, options.rounds);
      // The count of operations and the peak are those of double precision.
      std::optional<double> flops, of_peak;
      if (options.precision == Precision::full) flops = flops_of(counts, pair);
      if (flops) of_peak = *flops * figure.steps_per_second / peak;
      if (!options.markdown)
        fmt::print("{:<28}{:<20}{:<9}{:>11.3g}{:>8.2f}{:>11}{:>8}{:>9}{:>8}\n", pair.system->info->name,
                   pair.scheme->name, pair.form, figure.steps_per_second, figure.newton_iterations_per_step,
                   number_or_dash(figure.naive_steps_per_second, "{:.3g}"),
                   number_or_dash(figure.ratio, "{:.1f}"), number_or_dash(flops, "{:.0f}"),
                   of_peak ? fmt::format("{:.0f}%", 100.0 * *of_peak) : "-");
      nlohmann::ordered_json result = {{"system", pair.system->info->name},
                                       {"scheme", pair.scheme->name},
                                       {"form", pair.form},
                                       {"precision", precision_name(options.precision)},
                                       {"backend", "cpu"},
                                       {"isa", isa_name(isa)},
                                       {"threads", 1},
                                       {"steps_per_second", figure.steps_per_second},
                                       {"newton_iterations_per_step", figure.newton_iterations_per_step},
                                       {"naive_steps_per_second", nullptr},
                                       {"ratio", nullptr},
                                       {"flops_per_step", nullptr},
                                       {"fraction_of_peak", nullptr}};
      if (flops) {
        result["flops_per_step"] = *flops;
        result["fraction_of_peak"] = *of_peak;
      }
      if (figure.ratio) {
        result["naive_steps_per_second"] = *figure.naive_steps_per_second;
        result["ratio"] = *figure.ratio;
      }
      json["results"].push_back(result);
    }
  }
  if (options.markdown) fmt::print("{}", as_markdown(json["results"]));
  if (options.json) write_text(*options.json, json.dump(2) + '\n');
  return exit_done;
}

}  // namespace livens::host
