#include "host/checks/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "host/errors.hpp"
#include "host/livens.hpp"
#include "host/pairs/text_reference.hpp"
#include "host/spec/quantity_name.hpp"
#include "host/spec/spec_text.hpp"
#include "host/version.hpp"
#include "reference/extrapolation/motion.hpp"

namespace livens::host {
namespace {

using Long = reference::Long;
using Json = nlohmann::ordered_json;
using reference::LongMatrix;
using reference::LongState;
using reference::LongVector;

/// One computation: at the start and at the five times.
struct Computed {
  std::vector<std::vector<Long>> q, v, lambda, energy;
};

std::vector<Long> row_of(std::span<const double> numbers, std::size_t row, std::size_t entries) {
  const auto part = numbers.subspan(row * entries, entries);
  return {part.begin(), part.end()};
}

/// The interface of liblivens throws its own errors, those of commands are others.
Result run_of(const std::string& spec) {
  try {
    return livens::run(Ensemble::from_toml(spec, "certificate.toml"), {.backend = "cpu", .threads = 1});
  } catch (const SpecError& error) {
    std::vector<Mistake> mistakes = error.mistakes;
    for (Mistake& one : mistakes) static_cast<Place&>(one) = {};  // the spec is ours
    throw RequestError(mistakes);
  } catch (const Error& error) {
    throw FileError("taylor", error.what());
  }
}

Computed by_taylor(const TextSystem& text, double end, double tolerance) {
  const std::string spec =
      as_tables(text) +
      fmt::format(
          "[scheme]\nname = \"taylor\"\nstep = {:.17g}\nsteps = {}\nrelative_tolerance = {:.17g}\n"
          "[output]\nevery = 1\ntrajectories = 1\n",
          end / Certificate::times_count, Certificate::times_count, tolerance);
  const Result result = run_of(spec);
  if (const auto status = result.codes("/instances/status")[0]; status != 0)
    refuse({}, fmt::format("taylor does not come to {} s: {}", end, status_names()[status]),
           "a motion without kinks, singular places and walls");
  const auto d = static_cast<std::size_t>(text.facts().coordinates),
             m = static_cast<std::size_t>(text.facts().constraints);
  Computed computed;
  for (std::size_t k = 0; k <= Certificate::times_count; ++k) {
    computed.q.push_back(row_of(result.numbers("/trajectories/q"), k, d));
    computed.v.push_back(row_of(result.numbers("/trajectories/v"), k, d));
    computed.lambda.push_back(m > 0 ? row_of(result.numbers("/trajectories/lambda"), k, m)
                                    : std::vector<Long>());
    computed.energy.push_back(row_of(result.numbers("/trajectories/energy"), k, 1));
  }
  return computed;
}

/// The states at the start and at the five times.
std::vector<LongState> extrapolated(const reference::Motion& motion, const std::vector<double>& times,
                                    Long tolerance) {
  std::vector<LongState> states{motion.start()};
  for (const double time : times)
    states.push_back(reference::advanced(motion, states.back(), time, {tolerance, 12}));
  return states;
}

Computed measured(const reference::Motion& motion, const std::vector<LongState>& states) {
  Computed computed;
  for (const LongState& state : states) {
    const auto* const z = state.z.data();
    computed.q.emplace_back(z, z + motion.d());
    computed.v.emplace_back(z + motion.d(), z + 2 * motion.d());
    const LongVector lambda = motion.multipliers(state);
    computed.lambda.emplace_back(lambda.begin(), lambda.end());
    computed.energy.push_back({motion.energy(state)});
  }
  return computed;
}

/// q in units of its largest entry at all times, v likewise.
LongVector units_of(const std::vector<LongState>& states, Eigen::Index d) {
  LongVector unit(2 * d);
  Long q = 0, v = 0;
  for (const LongState& state : states) {
    q = std::max(q, state.z.head(d).cwiseAbs().maxCoeff());
    v = std::max(v, state.z.tail(d).cwiseAbs().maxCoeff());
  }
  unit.head(d).setConstant(q > 0 ? q : 1);
  unit.tail(d).setConstant(v > 0 ? v : 1);
  return unit;
}

/// growth[j][k]: Frobenius norm, no less than the largest stretch, of the tangent map from time j to time
/// k > j, of 0, 1, ..., 5.
std::vector<std::vector<double>> growth_of(const reference::Motion& motion,
                                           const std::vector<LongState>& states) {
  const std::size_t count = states.size();
  const LongVector unit = units_of(states, motion.d());
  std::vector<reference::Tangent> tangents;
  for (std::size_t k = 0; k + 1 < count; ++k)
    tangents.push_back(reference::tangent(motion, states[k], states[k + 1].t, unit, {1e-12L, 8}));
  std::vector<std::vector<double>> growth(count, std::vector<double>(count, 1.0));
  for (std::size_t j = 0; j + 1 < count; ++j) {
    LongMatrix map = tangents[j].columns;
    for (std::size_t k = j + 1;; ++k) {
      growth[j][k] = static_cast<double>(map.norm());
      if (k + 1 == count) break;
      map = tangents[k].columns * (tangents[k].basis.transpose() * map);
    }
  }
  return growth;
}

double largest_difference(const std::vector<Long>& a, const std::vector<Long>& b) {
  Long largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Long difference = std::abs(a[i] - b[i]);
    if (!std::isfinite(difference)) return std::numeric_limits<double>::quiet_NaN();
    largest = std::max(largest, difference);
  }
  return static_cast<double>(largest);
}

/// What was computed of one kind at the times [first, last).
CertifiedValues certified(const std::array<Computed, 4>& computed,
                          std::vector<std::vector<Long>> Computed::*kind,
                          const std::vector<std::vector<double>>& growth, std::size_t first,
                          std::size_t last) {
  CertifiedValues result;
  std::vector<double> spreads;
  for (std::size_t k = 0; k < last; ++k) {
    double spread = 0.0;
    // Multipliers of taylor are those of the step to the node: the start has none.
    const bool has_start = kind != &Computed::lambda;
    for (std::size_t a = 0; a < computed.size() && (k > 0 || has_start); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const double one = largest_difference((computed[a].*kind)[k], (computed[b].*kind)[k]);
        if (std::isnan(one) || one > spread) spread = one;  // nothing is more than a spread that is none
      }
    spreads.push_back(spread);
    if (k < first) continue;
    double size = 0.0, error = 0.0;
    std::vector<double> values;
    for (const Long value : (computed[0].*kind)[k]) {
      values.push_back(static_cast<double>(value));
      size = std::max(size, std::abs(values.back()));
    }
    // What was apart at an earlier time is carried here by the tangent map.
    for (std::size_t j = 0; j <= k; ++j) error = std::max(error, spreads[j] * std::max(1.0, growth[j][k]));
    error = std::max(error, 0x1p-53 * size);  // of the digits that are printed
    result.values.push_back(values);
    result.spread.push_back(spread);
    result.error.push_back(std::isfinite(spread) ? error : std::numeric_limits<double>::quiet_NaN());
  }
  return result;
}

Json json_of(const CertifiedValues& kind) {
  return {{"values", kind.values}, {"spread", kind.spread}, {"error", kind.error}, {"digits", kind.digits()}};
}

CertifiedValues values_of(const Json& json) {
  return {json.at("values").get<std::vector<std::vector<double>>>(),
          json.at("spread").get<std::vector<double>>(), json.at("error").get<std::vector<double>>()};
}

void compare(const char* kind, const CertifiedValues& claimed, const CertifiedValues& anew,
             const std::vector<double>& times, std::vector<std::string>& found) {
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (claimed.values.at(k).size() != anew.values[k].size()) {
      found.push_back(fmt::format("{} at {:g} s has {} entries, not {}", kind, times[k],
                                  claimed.values[k].size(), anew.values[k].size()));
      continue;
    }
    for (std::size_t i = 0; i < anew.values[k].size(); ++i) {
      const double difference = std::abs(claimed.values[k][i] - anew.values[k][i]);
      if (!(difference <= claimed.error.at(k)))
        found.push_back(
            fmt::format("{}[{}] at {:g} s is {:.17g}, not {:.17g}: {:.1e} apart, claimed within {:.1e}", kind,
                        i, times[k], anew.values[k][i], claimed.values[k][i], difference, claimed.error[k]));
    }
    if (!(0.5 * anew.spread[k] <= claimed.error.at(k)))
      found.push_back(fmt::format("{} at {:g} s: the computations are {:.1e} apart, claimed within {:.1e}",
                                  kind, times[k], anew.spread[k], claimed.error[k]));
  }
}

}  // namespace

int CertifiedValues::digits() const {
  int fewest = 16;
  for (std::size_t k = 0; k < values.size(); ++k) {
    double size = 0.0;
    for (const double value : values[k]) size = std::max(size, std::abs(value));
    if (values[k].empty() || (size == 0.0 && error[k] == 0.0)) continue;
    if (!(error[k] < size)) return 0;
    fewest = std::min(fewest, static_cast<int>(std::floor(std::log10(size / error[k]))));
  }
  return fewest;
}

int Certificate::digits() const { return std::min(q.digits(), v.digits()); }

Certificate certificate_of(const TextSystem& text, double end) {
  if (std::numeric_limits<Long>::digits < 64)
    refuse({}, "long double of this machine has no 64 bits", "an x86 or another machine where it has");
  if (text.facts().impacts > 0)
    refuse({.key = "impact"}, "a motion with impacts has no certificate: taylor takes no walls");
  const auto read = read_by_reference(text);
  if (!read) refuse({}, "the reference does not understand the text");
  try {
    Certificate certificate;
    certificate.name = text.name();
    certificate.text = text.identity();
    certificate.version = version;
    certificate.coordinates = entry_names(text.info());
    certificate.end = end;
    certificate.long_bits = std::numeric_limits<Long>::digits;
    const double step = end / Certificate::times_count;
    for (int k = 1; k <= Certificate::times_count; ++k) certificate.times.push_back(k * step);

    const reference::Motion motion(*read);
    const Computed taylor = by_taylor(text, end, Certificate::tolerances[0]),
                   coarse_taylor = by_taylor(text, end, Certificate::tolerances[1]);
    const auto fine = extrapolated(motion, certificate.times, Certificate::long_tolerances[0]);
    const auto coarse = extrapolated(motion, certificate.times, Certificate::long_tolerances[1]);
    const std::array<Computed, 4> computed = {measured(motion, fine), measured(motion, coarse), taylor,
                                              coarse_taylor};
    const auto growth = growth_of(motion, fine);
    const auto at_times = [&](auto kind) { return certified(computed, kind, growth, 1, fine.size()); };
    certificate.start_q = certified(computed, &Computed::q, growth, 0, 1);
    certificate.start_v = certified(computed, &Computed::v, growth, 0, 1);
    certificate.q = at_times(&Computed::q);
    certificate.v = at_times(&Computed::v);
    certificate.lambda = at_times(&Computed::lambda);
    certificate.energy = at_times(&Computed::energy);
    for (const CertifiedValues* kind :
         {&certificate.q, &certificate.v, &certificate.lambda, &certificate.energy})
      if (std::ranges::any_of(kind->error, [](double error) { return !std::isfinite(error); }))
        refuse({}, "a computation gave what is no number", "a motion that is one up to the end");
    certificate.growth.assign(growth[0].begin() + 1, growth[0].end());
    return certificate;
  } catch (const reference::NotAnalytic& why) {
    refuse({.key = why.key}, why.what());
  } catch (const reference::ExtrapolationError& why) {
    refuse({}, why.what(), "a motion without kinks and singular places");
  }
}

std::string certificate_json(const Certificate& c) {
  Json computations;
  for (const double tolerance : Certificate::tolerances)
    computations.push_back(
        {{"method", "Taylor series of d/dt D_v T, rows of g and A v + b at every order (taylor)"},
         {"bits", 53},
         {"tolerance", tolerance}});
  for (const double tolerance : Certificate::long_tolerances)
    computations.push_back({{"method",
                             "extrapolated midpoint rule of accelerations and multipliers, projected "
                             "(reference/extrapolation)"},
                            {"bits", c.long_bits},
                            {"tolerance", tolerance}});
  const Json json = {{"format", Certificate::format},
                     {"name", c.name},
                     {"livens", c.version},
                     {"digits", c.digits()},
                     {"coordinates", c.coordinates},
                     {"end", c.end},
                     {"times", c.times},
                     {"start", {{"q", json_of(c.start_q)}, {"v", json_of(c.start_v)}}},
                     {"q", json_of(c.q)},
                     {"v", json_of(c.v)},
                     {"lambda", json_of(c.lambda)},
                     {"energy", json_of(c.energy)},
                     {"tangent_norm", c.growth},
                     {"computations", computations},
                     {"text", c.text}};
  return json.dump(1) + '\n';
}

Certificate read_certificate(const std::string& text, const std::string& source) {
  try {
    const Json json = Json::parse(text);
    if (json.at("format") != Certificate::format)
      refuse({source}, "a certificate of another format", fmt::format("format {}", Certificate::format));
    Certificate c;
    json.at("name").get_to(c.name);
    json.at("livens").get_to(c.version);
    json.at("coordinates").get_to(c.coordinates);
    json.at("end").get_to(c.end);
    json.at("times").get_to(c.times);
    c.start_q = values_of(json.at("start").at("q"));
    c.start_v = values_of(json.at("start").at("v"));
    c.q = values_of(json.at("q"));
    c.v = values_of(json.at("v"));
    c.lambda = values_of(json.at("lambda"));
    c.energy = values_of(json.at("energy"));
    json.at("tangent_norm").get_to(c.growth);
    json.at("text").get_to(c.text);
    if (json.at("digits") != c.digits())
      refuse({source}, fmt::format("says {} digits", json.at("digits").dump()),
             fmt::format("{}, which its values and errors have", c.digits()));
    c.long_bits = json.at("computations").back().at("bits");
    for (const CertifiedValues* kind : {&c.q, &c.v, &c.lambda, &c.energy})
      if (kind->values.size() != Certificate::times_count || kind->error.size() != Certificate::times_count)
        refuse({source}, "not a certificate",
               fmt::format("values and errors at {} times", Certificate::times_count));
    if (c.times.size() != Certificate::times_count || !std::isfinite(c.end) || c.end <= 0.0)
      refuse({source}, "not a certificate", fmt::format("{} times", Certificate::times_count));
    return c;
  } catch (const nlohmann::json::exception& problem) {
    refuse({source}, fmt::format("not a certificate ({})", problem.what()), "what livens certify -o writes");
  }
}

std::vector<std::string> denials(const Certificate& claimed, const Certificate& anew) {
  std::vector<std::string> found;
  if (claimed.text != anew.text) return {"the certificate is of another text"};
  if (claimed.times != anew.times) return {"times are not those of end/5, 2 end/5, ..., end"};
  if (claimed.coordinates != anew.coordinates) found.push_back("coordinates have other names");
  compare("start q", claimed.start_q, anew.start_q, {0.0}, found);
  compare("start v", claimed.start_v, anew.start_v, {0.0}, found);
  compare("q", claimed.q, anew.q, anew.times, found);
  compare("v", claimed.v, anew.v, anew.times, found);
  compare("lambda", claimed.lambda, anew.lambda, anew.times, found);
  compare("energy", claimed.energy, anew.energy, anew.times, found);
  return found;
}

}  // namespace livens::host
