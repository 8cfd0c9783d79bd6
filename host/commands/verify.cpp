// livens verify: the same ensemble on every backend present and on the Eigen reference.

#include "host/commands/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "ensembles/ensemble.hpp"
#include "host/backends/backends.hpp"
#include "host/backends/reference_backend.hpp"
#include "host/checks/comparison.hpp"
#include "host/checks/sample_request.hpp"
#include "host/commands/verify_projection.hpp"
#include "host/compilation/compiled.hpp"
#include "host/errors.hpp"
#include "host/files/pending_file.hpp"
#include "host/pairs/registry.hpp"
#include "host/pairs/text_pairs.hpp"
#include "host/pairs/true_motion_pairs.hpp"
#include "host/results/hdf5_inputs.hpp"
#include "host/results/result_file.hpp"
#include "host/spec/spec.hpp"

namespace livens::host {
namespace {

using ensembles::Request;
using ensembles::Result;

/// With the disk's own step lagrange_dalembert soon has no motion to compare: it falls over.
Request default_request(const PairKernels& pair, std::int64_t steps) {
  const SystemInfo& info = *pair.system->info;
  Request request = sample_request(pair, steps, 0.05 * info.default_step);
  if (info.nonholonomic && pair.scheme->order == 1) request.step *= 0.1;
  request.end = request.step * static_cast<double>(steps);
  return request;
}

/// A rounding in units of one of double precision. A mixed step solves to the round-off of a double one.
double rounding_of(Precision precision) {
  return precision == Precision::single
             ? std::numeric_limits<float>::epsilon() / std::numeric_limits<double>::epsilon()
             : 1.0;
}

class Verification {
 public:
  explicit Verification(nlohmann::ordered_json& json) : json_(json) {
    fmt::print(
        "Newton to round-off, steps as they are (no "
        "retries)\n{:<28}{:<20}{:<9}{:<10}{:<9}{:>10}{:>10}{:>10}{:>10}{:>11}\n",
        "system", "scheme", "form", "precision", "backend", "q", "p", "v", "energy", "bound");
  }

  void pair(const PairKernels& pair, Spec spec, const std::vector<Precision>& precisions) {
    Request& request = spec.request;
    request.settings.tolerance = 0.0;
    request.settings.retry = 0;
    request.trajectories = std::min<std::int64_t>(request.size, 8);
    const auto& [expected, round_off] = reference_of(pair, spec);
    for (const Precision precision : precisions) {
      request.settings.precision = precision;
      std::vector<double> bounds = round_off;
      for (double& bound : bounds) bound *= rounding_of(precision);
      std::optional<Result> cpu;
      for (const std::string& name : backends_of(pair)) {
        if (name == "reference" || (name == "cuda" && !cuda_usable())) continue;
        const Row row{pair, precision, name};
        const Result result = run_ensemble(spec, *make_backend(request, name, 1));
        report(row, result, expected, bounds);
        if (name == "cpu") cpu = result;
        if (name == "cuda" && cpu) compare_bits(row, result, *cpu);
      }
    }
  }

  bool broken() const { return broken_; }

 private:
  struct Reference {
    Result result;
    std::vector<double> round_off;  ///< of every instance
  };
  /// All forms of a scheme on a system have the same, which takes far longer than they do: it is integrated
  /// once.
  const Reference& reference_of(const PairKernels& pair, const Spec& spec) {
    const Request& request = spec.request;
    const auto [place, is_new] = references_.try_emplace({request.system, request.scheme, request.steps});
    Reference& reference = place->second;
    if (is_new) {
      JudgingBackend backend(with_compiled_system(pair));
      reference.result = run_ensemble(spec, backend);
      for (std::int64_t i = 0; i < request.size; ++i) reference.round_off.push_back(backend.round_off(i));
    }
    return reference;
  }

  struct Row {
    const PairKernels& pair;
    Precision precision;
    std::string backend;
    std::string text() const {
      return fmt::format("{:<28}{:<20}{:<9}{:<10}", pair.system->info->name, pair.scheme->name, pair.form,
                         precision_name(precision));
    }
    nlohmann::ordered_json json(const char* against) const {
      return {{"system", pair.system->info->name},      {"scheme", pair.scheme->name}, {"form", pair.form},
              {"precision", precision_name(precision)}, {"backend", backend},          {"against", against}};
    }
  };

  void report(const Row& row, const Result& result, const Result& expected,
              const std::vector<double>& round_off) {
    const Agreement found = agreement(result, expected, round_off);
    fmt::print("{}{:<9}", row.text(), row.backend);
    nlohmann::ordered_json entry = row.json("reference");
    entry["compared"] = found.compared;
    entry["failed_on_both"] = found.failed;
    entry["failed_on_one"] = found.failed_alone;
    entry["bound"] = found.bound;
    for (std::size_t k = 0; k < compared_quantities.size(); ++k) {
      fmt::print("{:>10.1e}", found.difference[k]);
      entry["difference"][compared_quantities[k]] = found.difference[k];
    }
    const bool good = found.holds();
    fmt::print("{:>11.1e}  {}\n", found.bound, good ? "ok" : "BROKEN");
    if (found.failed + found.failed_alone > 0)
      fmt::print(
          "  {} of {} instances compared; {} fail on both sides or break the energy balance, {} on one "
          "alone\n",
          found.compared, round_off.size(), found.failed, found.failed_alone);
    entry["ok"] = good;
    json_["comparisons"].push_back(entry);
    broken_ = broken_ || !good;
  }

  void compare_bits(const Row& row, const Result& cuda, const Result& cpu) {
    const std::int64_t largest = ulp_difference(cuda, cpu);
    fmt::print("{}cuda against cpu: {} ULP  {}\n", row.text(), largest, largest == 0 ? "ok" : "BROKEN");
    nlohmann::ordered_json entry = row.json("cpu");
    entry["ulp"] = largest;
    entry["ok"] = largest == 0;
    json_["comparisons"].push_back(entry);
    broken_ = broken_ || largest != 0;
  }

  nlohmann::ordered_json& json_;
  bool broken_ = false;
  std::map<std::tuple<std::string, std::string, std::int64_t>, Reference>
      references_;  // by system, scheme, steps
};

}  // namespace

int verify(const VerifyOptions& options) {
  const Catalogue catalogue = registered();
  struct Chosen {
    const PairKernels& pair;
    Spec spec;
    std::vector<Precision> precisions;
  };
  std::vector<Chosen> chosen;
  if (options.spec) {
    const Spec spec = read_spec(*options.spec, catalogue, {}, {&hdf5_inputs(), {}});
    const PairChoice choice = choose_pair(catalogue_of(spec.request), spec.request);
    if (!choice.pair) refuse({*options.spec, 0, choice.key}, choice.problem, choice.expected);
    if (is_true_motion(*choice.pair))
      refuse({*options.spec, 0, "scheme.name"}, spec.request.scheme + " has no kernels to verify",
             choice.pair->system->info->default_scheme);
    if (options.json) refuse_overwriting(*options.spec, *options.json);
    chosen.push_back({*choice.pair, spec, {spec.request.settings.precision}});
  } else {
    for (const PairKernels& pair : catalogue.pairs) {
      if (is_true_motion(pair) || !is_built_in(pair)) continue;
      Spec spec;
      spec.request = default_request(pair, 100);
      const bool preferred = choose_pair(catalogue, spec.request).pair == &pair;
      const bool own_scheme = std::string(pair.system->info->default_scheme) == pair.scheme->name;
      if (!options.all && !(preferred && own_scheme)) continue;
      chosen.push_back({pair, spec, {Precision::full}});
      if (!options.all) continue;
      // Without unknowns there is nothing to mix.
      if (pair.unknowns > 0 && pair.advance_mixed != nullptr)
        chosen.back().precisions.push_back(Precision::mixed);
      // Over more steps the bound would be of the size of the state.
      if (const PairKernels* single = catalogue.single(pair); single && is_built_in(*single)) {
        spec.request = default_request(*single, 5);
        chosen.push_back({*single, spec, {Precision::single}});
      }
    }
  }
  if (options.json) check_writable(*options.json);
  nlohmann::ordered_json json = {{"comparisons", nlohmann::json::array()},
                                 {"projections", nlohmann::json::array()}};
  Verification verification(json);
  for (const auto& [pair, spec, precisions] : chosen) verification.pair(pair, spec, precisions);
  bool broken = verification.broken();
  std::set<const SystemKernels*> projected;
  for (const auto& [pair, spec, precisions] : chosen) {
    if (pair.system->info->constraints == 0 || !projected.insert(pair.system).second) continue;
    Request request = spec.request;
    if (!options.spec) displace(request, pair.system->info->coordinates);
    broken = !verify_projection(pair, request, json["projections"]) || broken;
  }
  if (options.json) write_text(*options.json, json.dump(2) + '\n');
  return broken ? exit_bound_broken : exit_done;
}

}  // namespace livens::host
