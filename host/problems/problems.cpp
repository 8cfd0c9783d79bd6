#include "host/problems/problems.hpp"

#include <toml++/toml.h>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace livens::host {
namespace {

std::vector<Problem> read_problems() {
  const toml::table about = toml::parse(embedded_about());
  std::vector<Problem> all;
  for (const EmbeddedProblem& one : embedded_problems()) {
    const toml::node_view of = about[one.name];
    const auto text = [&](const char* key) { return of[key].value_or<std::string>(""); };
    const std::optional<double> end = of["end"].value<double>();
    if (!end) throw std::logic_error("problems/about.toml has no end of " + std::string(one.name));
    all.push_back({std::string(one.name), text("title"), text("source"), text("units"), text("note"), *end,
                   std::string(one.text), std::string(one.certificate)});
  }
  return all;
}

}  // namespace

const std::vector<Problem>& problems() {
  static const std::vector<Problem> all = read_problems();
  return all;
}

const Problem* problem(std::string_view name) {
  const auto found = std::ranges::find(problems(), name, &Problem::name);
  return found == problems().end() ? nullptr : &*found;
}

std::vector<std::string> problem_names() {
  std::vector<std::string> names;
  for (const Problem& one : problems()) names.push_back(one.name);
  return names;
}

std::string problems_json() {
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  for (const Problem& one : problems())
    all[one.name] = {{"title", one.title},
                     {"source", one.source},
                     {"units", one.units},
                     {"note", one.note},
                     {"end", one.end},
                     {"text", one.text},
                     {"certificate", nlohmann::ordered_json::parse(one.certificate)}};
  return all.dump(1) + '\n';
}

}  // namespace livens::host
