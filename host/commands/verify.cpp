// livens verify: the same ensemble on every backend present and on the Eigen reference.

#include "host/commands/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "ensembles/ensemble.hpp"
#include "host/backends/backends.hpp"
#include "host/backends/reference_backend.hpp"
#include "host/backends/true_motion_pairs.hpp"
#include "host/checkpoint/pending_file.hpp"
#include "host/commands/verify_projection.hpp"
#include "host/compilation/compiled.hpp"
#include "host/errors.hpp"
#include "host/results/hdf5_inputs.hpp"
#include "host/results/result_file.hpp"
#include "host/spec/registry.hpp"
#include "host/spec/spec.hpp"
#include "host/spec/text_pairs.hpp"

namespace livens::host {
namespace {

using ensembles::Request;
using ensembles::Result;

/// Eight instances around the system's own initial state: every parameter that must be positive within ten
/// per cent of its default, the velocities shifted; Newton to round-off.
Request default_request(const PairKernels& pair, std::int64_t steps) {
  const SystemInfo& info = *pair.system->info;
  Request request;
  request.system = info.name;
  request.scheme = pair.scheme->name;
  request.form = pair.form;
  // With the disk's own step lagrange_dalembert soon has no motion to compare: it falls over.
  request.step = info.nonholonomic && pair.scheme->order == 1 ? 0.1 * info.default_step : info.default_step;
  request.steps = steps;
  request.end = request.step * static_cast<double>(steps);
  request.settings = standard_settings(*pair.scheme);
  request.settings.tolerance = 0.0;
  request.settings.precision = pair.precision;
  request.size = 8;
  request.every = steps;
  request.trajectories = 8;
  request.quantiles = {0.5};
  int first = 0;
  for (const ParameterInfo& parameter : info.parameters) {
    for (int i = 0; i < parameter.size(); ++i) {
      request.parameters.push_back(parameter.defaults[i]);
      if (parameter.domain != Domain::positive) continue;
      const std::string what = fmt::format("system.{}[{}]", parameter.name, i);
      request.variations.push_back({what,
                                    ensembles::Target::parameter,
                                    first + i,
                                    1,
                                    ensembles::Law::uniform,
                                    ensembles::Mode::multiply,
                                    0.9,
                                    1.1,
                                    {}});
    }
    first += parameter.size();
  }
  for (int c = 0; c < info.coordinates; ++c)
    request.variations.push_back({fmt::format("initial.v[{}]", c),
                                  ensembles::Target::v,
                                  c,
                                  1,
                                  ensembles::Law::normal,
                                  ensembles::Mode::add,
                                  0.0,
                                  0.05 * info.default_step,
                                  {}});
  return request;
}

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

struct Quantity {
  const char* name;
  std::vector<double> (*of)(const Result&, const std::vector<std::size_t>& compared);
};
constexpr Quantity quantities[] = {
    {"q", [](const Result& r, const auto& i) { return rows(r.instances.final_q, r.coordinates, i); }},
    {"p", [](const Result& r, const auto& i) { return rows(r.instances.final_p, r.coordinates, i); }},
    {"v", [](const Result& r, const auto& i) { return rows(r.instances.final_v, r.coordinates, i); }},
    {"energy", [](const Result& r, const auto& i) { return rows(r.trajectories.energy, r.time.size(), i); }},
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
        "retries)\n{:<28}{:<16}{:<9}{:<10}{:<9}{:>10}{:>10}{:>10}{:>10}{:>11}\n",
        "system", "scheme", "form", "precision", "backend", "q", "p", "v", "energy", "bound");
  }

  /// Instances that fail on both sides are not compared; one that fails on one side alone breaks the bound.
  /// One that the kernels mark for its energy balance has a motion the reference goes on with; it is not
  /// compared.
  void pair(const PairKernels& pair, Spec spec, const std::vector<Precision>& precisions) {
    Request& request = spec.request;
    request.settings.tolerance = 0.0;
    request.settings.retry = 0;
    request.trajectories = std::min<std::int64_t>(request.size, 8);
    ReferenceBackend reference(with_compiled_system(pair));
    const Result expected = run_ensemble(spec, reference);
    std::vector<double> round_off;
    for (std::int64_t i = 0; i < request.size; ++i) round_off.push_back(reference.round_off(i));
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
  struct Row {
    const PairKernels& pair;
    Precision precision;
    std::string backend;
    std::string text() const {
      return fmt::format("{:<28}{:<16}{:<9}{:<10}", pair.system->info->name, pair.scheme->name, pair.form,
                         precision_name(precision));
    }
    nlohmann::ordered_json json(const char* against) const {
      return {{"system", pair.system->info->name},      {"scheme", pair.scheme->name}, {"form", pair.form},
              {"precision", precision_name(precision)}, {"backend", backend},          {"against", against}};
    }
  };

  void report(const Row& row, const Result& result, const Result& expected,
              const std::vector<double>& round_off) {
    std::vector<std::size_t> compared;
    std::size_t failed = 0, failed_alone = 0;
    double bound = 0.0;
    for (std::size_t i = 0; i < round_off.size(); ++i) {
      const bool ok = result.instances.status[i] == 0, expected_ok = expected.instances.status[i] == 0;
      if (ok && expected_ok) {
        compared.push_back(i);
        bound = std::max(bound, round_off[i]);
      } else {
        const bool marked = result.instances.status[i] == static_cast<std::uint8_t>(Status::energy_balance);
        ++(ok == expected_ok || marked ? failed : failed_alone);
      }
    }
    fmt::print("{}{:<9}", row.text(), row.backend);
    nlohmann::ordered_json entry = row.json("reference");
    entry["compared"] = compared.size();
    entry["failed_on_both"] = failed;
    entry["failed_on_one"] = failed_alone;
    entry["bound"] = bound;
    bool good = failed_alone == 0;
    for (const Quantity& quantity : quantities) {
      const double difference =
          relative_difference(quantity.of(result, compared), quantity.of(expected, compared));
      good = good && difference <= bound;
      fmt::print("{:>10.1e}", difference);
      entry["difference"][quantity.name] = difference;
    }
    fmt::print("{:>11.1e}  {}\n", bound, good ? "ok" : "BROKEN");
    if (failed + failed_alone > 0)
      fmt::print(
          "  {} of {} instances compared; {} fail on both sides or break the energy balance, {} on one "
          "alone\n",
          compared.size(), round_off.size(), failed, failed_alone);
    entry["ok"] = good;
    json_["comparisons"].push_back(entry);
    broken_ = broken_ || !good;
  }

  void compare_bits(const Row& row, const Result& cuda, const Result& cpu) {
    std::vector<std::size_t> all(cpu.instances.status.size());
    std::iota(all.begin(), all.end(), 0);
    std::int64_t largest = 0;
    for (const Quantity& quantity : quantities)
      largest = std::max(largest, ulp_difference(quantity.of(cuda, all), quantity.of(cpu, all)));
    fmt::print("{}cuda against cpu: {} ULP  {}\n", row.text(), largest, largest == 0 ? "ok" : "BROKEN");
    nlohmann::ordered_json entry = row.json("cpu");
    entry["ulp"] = largest;
    entry["ok"] = largest == 0;
    json_["comparisons"].push_back(entry);
    broken_ = broken_ || largest != 0;
  }

  nlohmann::ordered_json& json_;
  bool broken_ = false;
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
    if (!choice.pair) throw RequestError(*options.spec + ": " + choice.problem);
    if (is_true_motion(*choice.pair))
      throw RequestError(fmt::format("{}: scheme.name: {} has no kernels to verify; expected {}",
                                     *options.spec, spec.request.scheme,
                                     choice.pair->system->info->default_scheme));
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
