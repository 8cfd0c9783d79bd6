// livens check: the laws on a system written as text.

#include "host/commands/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "host/checks/derivatives_of_text.hpp"
#include "host/checks/laws.hpp"
#include "host/errors.hpp"
#include "host/pairs/registry.hpp"
#include "host/pairs/text_pairs.hpp"
#include "host/pairs/true_motion_pairs.hpp"
#include "host/printable.hpp"
#include "host/spec/spec_text.hpp"

namespace livens::host {
namespace {

/// Names and sizes of all parameters.
std::vector<std::pair<std::string, int>> parameters_of(const TextSystem& text) {
  std::vector<std::pair<std::string, int>> parameters;
  for (const ParameterInfo& parameter : text.info().parameters)
    parameters.emplace_back(parameter.name, parameter.size());
  return parameters;
}

/// The text that the reference is to read in place of `text`.
TextSystem judge_of(const TextSystem& text, const CheckOptions& options) {
  if (!options.against) return text;
  const TextSystem judge = read_text_file(*options.against);
  if (judge.name() != text.name())
    refuse({.key = "--against"}, fmt::format("{} is called {}", *options.against, judge.name()),
           fmt::format("another text of {}", text.name()));
  const SystemInfo &a = judge.info(), &b = text.info();
  if (a.coordinates != b.coordinates || a.constraints != b.constraints ||
      parameters_of(judge) != parameters_of(text))
    refuse({.key = "--against"},
           fmt::format("{} has other parameters, coordinates or numbers of constraints", *options.against));
  return judge;
}

/// The pairs to try, each scheme in its preferred form.
std::vector<const PairKernels*> pairs_of(const TextSystem& text, const Catalogue& catalogue,
                                         const std::vector<std::string>& schemes) {
  for (const std::string& name : schemes) {
    const SchemeInfo* scheme = catalogue.scheme(name);
    if (!scheme)
      refuse_unknown({.key = "--scheme"}, fmt::format("unknown scheme '{}'", name), name,
                     catalogue.scheme_names());
    if (const std::string why = text.why_not(*scheme); !why.empty())
      refuse({.key = "--scheme"}, fmt::format("{} does not run {}: {}", name, text.name(), why));
  }
  std::vector<const PairKernels*> pairs;
  for (const PairKernels& pair : catalogue.pairs) {
    if (pair.system->info != catalogue.system(text.name())->info || is_true_motion(pair)) continue;
    if (schemes.empty() || std::ranges::count(schemes, std::string(pair.scheme->name)) > 0)
      pairs.push_back(&pair);
  }
  return pairs;
}

class Table {
 public:
  Table() { fmt::print("{:<28}{:<20}{:>10}{:>14}\n", "law", "scheme", "value", "bound"); }
  void add(const Finding& finding) {
    const bool holds = finding.holds();
    ++(holds ? held_ : broken_);
    // An order and units in the last place are read as they are.
    const bool plain = finding.at_least || finding.bound == 0.0;
    const auto number = [&](double x) { return plain ? fmt::format("{:.4g}", x) : fmt::format("{:.1e}", x); };
    fmt::print("{:<28}{:<20}{:>10}{:>14}  {}\n", finding.law, finding.scheme, number(finding.value),
               (finding.at_least ? ">= " : "<= ") + number(finding.bound), holds ? "ok" : "BROKEN");
    std::fflush(stdout);
  }
  int close() const {
    fmt::print("{} hold, {} {} broken\n", held_, broken_, broken_ == 1 ? "is" : "are");
    return broken_ > 0 ? exit_bound_broken : exit_done;
  }

 private:
  int held_ = 0, broken_ = 0;
};

}  // namespace

int check(const CheckOptions& options) {
  const TextSystem text = read_text_file(options.system);
  const TextSystem judge = judge_of(text, options);
  const Catalogue catalogue = with_text(registered(), text);
  const auto pairs = pairs_of(text, catalogue, options.schemes);
  for (const std::string& warning : text.warnings()) tell("livens: " + printable(warning) + '\n');

  Table table;
  for (const Finding& finding : derivatives_of_text(text, judge)) table.add(finding);
  const Trial trial{text, judge, catalogue, options.step};
  for (const PairKernels* pair : pairs)
    try_laws(trial, *pair, [&](const Finding& finding) { table.add(finding); });
  return table.close();
}

}  // namespace livens::host
