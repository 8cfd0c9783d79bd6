// livens verify: the same ensemble on every backend present and on the Eigen reference.

#include "host/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "ensembles/ensemble.hpp"
#include "host/backends.hpp"
#include "host/errors.hpp"
#include "host/reference_backend.hpp"
#include "host/registry.hpp"
#include "host/spec.hpp"

namespace livens::host {
namespace {

using ensembles::Request;
using ensembles::Result;

/// Eight instances around the system's own initial state: every parameter that must be positive within ten
/// per cent of its default, the velocities shifted; a hundred default steps, Newton to round-off.
Request default_request(const PairKernels& pair) {
  const SystemInfo& info = *pair.system->info;
  Request request;
  request.system = info.name;
  request.scheme = pair.scheme->name;
  request.form = pair.form;
  request.step = info.default_step;
  request.steps = 100;
  request.end = info.default_step * 100;
  request.settings.tolerance = 0.0;
  request.size = 8;
  request.every = 100;
  request.trajectories = 8;
  request.quantiles = {0.5};
  int first = 0;
  for (const ParameterInfo& parameter : info.parameters) {
    for (int i = 0; i < parameter.size; ++i) {
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
    first += parameter.size;
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

/// Largest |a - b| over the entries that are numbers in both, relative to the largest |b|; NaN against a
/// number is infinite.
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

struct Quantity {
  const char* name;
  const std::vector<double>& (*of)(const Result&);
};
constexpr Quantity quantities[] = {
    {"q", [](const Result& r) -> const std::vector<double>& { return r.instances.final_q; }},
    {"p", [](const Result& r) -> const std::vector<double>& { return r.instances.final_p; }},
    {"v", [](const Result& r) -> const std::vector<double>& { return r.instances.final_v; }},
    {"energy", [](const Result& r) -> const std::vector<double>& { return r.trajectories.energy; }},
};

class Verification {
 public:
  explicit Verification(nlohmann::ordered_json& json) : json_(json) {
    fmt::print("{:<28}{:<16}{:<9}{:<9}{:>10}{:>10}{:>10}{:>10}{:>11}\n", "system", "scheme", "form",
               "backend", "q", "p", "v", "energy", "bound");
  }

  void pair(const PairKernels& pair, const Request& request) {
    ReferenceBackend reference(pair);
    const Result expected = ensembles::run(request, reference, {});
    const double eps = std::numeric_limits<double>::epsilon();
    const double bound = 64.0 * eps * static_cast<double>(request.steps) *
                             reference.sensitivity(static_cast<int>(request.steps)) +
                         static_cast<double>(request.steps) * request.settings.tolerance;
    std::optional<Result> cpu;
    for (const std::string& name : backends_of(pair)) {
      if (name == "reference" || (name == "cuda" && !cuda_usable())) continue;
      const auto backend = make_backend(request, name, 1);
      const Result result = ensembles::run(request, *backend, {});
      report(pair, name, result, expected, bound);
      if (name == "cpu") cpu = result;
      if (name == "cuda" && cpu) compare_bits(pair, result, *cpu);
    }
  }

  bool broken() const { return broken_; }

 private:
  void report(const PairKernels& pair, const std::string& backend, const Result& result,
              const Result& expected, double bound) {
    fmt::print("{:<28}{:<16}{:<9}{:<9}", pair.system->info->name, pair.scheme->name, pair.form, backend);
    nlohmann::ordered_json entry = {{"system", pair.system->info->name},
                                    {"scheme", pair.scheme->name},
                                    {"form", pair.form},
                                    {"backend", backend},
                                    {"against", "reference"},
                                    {"bound", bound}};
    bool good = result.instances.status == expected.instances.status;
    for (const Quantity& quantity : quantities) {
      const double difference = relative_difference(quantity.of(result), quantity.of(expected));
      good = good && difference <= bound;
      fmt::print("{:>10.1e}", difference);
      entry["difference"][quantity.name] = difference;
    }
    fmt::print("{:>11.1e}  {}\n", bound, good ? "ok" : "BROKEN");
    entry["ok"] = good;
    json_["comparisons"].push_back(entry);
    broken_ = broken_ || !good;
  }

  void compare_bits(const PairKernels& pair, const Result& cuda, const Result& cpu) {
    std::int64_t largest = 0;
    for (const Quantity& quantity : quantities)
      largest = std::max(largest, ulp_difference(quantity.of(cuda), quantity.of(cpu)));
    fmt::print("{:<28}{:<16}{:<9}cuda against cpu: {} ULP  {}\n", pair.system->info->name, pair.scheme->name,
               pair.form, largest, largest == 0 ? "ok" : "BROKEN");
    json_["comparisons"].push_back({{"system", pair.system->info->name},
                                    {"scheme", pair.scheme->name},
                                    {"form", pair.form},
                                    {"backend", "cuda"},
                                    {"against", "cpu"},
                                    {"ulp", largest},
                                    {"ok", largest == 0}});
    broken_ = broken_ || largest != 0;
  }

  nlohmann::ordered_json& json_;
  bool broken_ = false;
};

}  // namespace

int verify(const VerifyOptions& options) {
  const Catalogue catalogue = registered();
  nlohmann::ordered_json json = {{"comparisons", nlohmann::json::array()}};
  Verification verification(json);
  if (options.spec) {
    const Request request = read_spec(*options.spec, catalogue, {}).request;
    const PairChoice choice = choose_pair(catalogue, request);
    if (!choice.pair) throw RequestError(*options.spec + ": " + choice.problem);
    verification.pair(*choice.pair, request);
  } else {
    for (const PairKernels& pair : catalogue.pairs) {
      const bool preferred = choose_pair(catalogue, default_request(pair)).pair == &pair;
      const bool own_scheme = std::string(pair.system->info->default_scheme) == pair.scheme->name;
      if (options.all || (preferred && own_scheme)) verification.pair(pair, default_request(pair));
    }
  }
  if (options.json) {
    std::ofstream file(*options.json);
    file << json.dump(2) << '\n';
    file.close();
    if (!file) throw FileError(*options.json, "cannot be written");
  }
  return verification.broken() ? exit_bound_broken : exit_done;
}

}  // namespace livens::host
