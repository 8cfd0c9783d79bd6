#include "host/spec/spec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "ensembles/population.hpp"
#include "expressions/toml_text.hpp"
#include "host/errors.hpp"
#include "host/spec/spec_parts.hpp"

namespace livens::host {
namespace {

toml::table parse(const std::string& text, const std::string& file) {
  try {
    return parse_toml(text, file);
  } catch (const toml::parse_error& error) {
    refuse({file, error.source().begin.line}, std::string(error.description()));
  }
}

/// Two values for a key: which of them is meant nobody knows.
void refuse_twice(const Overrides& overrides) {
  std::vector<std::pair<std::string, std::string>> typed;  // key, option
  if (overrides.size) typed.emplace_back("ensemble.size", "--size");
  if (overrides.seed) typed.emplace_back("ensemble.seed", "--seed");
  if (overrides.steps) typed.insert(typed.end(), {{"scheme.steps", "--steps"}, {"scheme.end", "--steps"}});
  if (overrides.output) typed.emplace_back("output.file", "--output");
  for (const std::string& setting : overrides.settings) {
    const std::string key = setting.substr(0, setting.find('='));
    const auto same = std::ranges::find(typed, key, &std::pair<std::string, std::string>::first);
    if (same != typed.end())
      refuse({.key = "--set"}, fmt::format("{} is set twice, also by {}", key, same->second),
             "one of the two");
    typed.emplace_back(key, "--set");
  }
}

}  // namespace

Spec parse_spec(const std::string& text, const std::string& file, const Catalogue& catalogue,
                const Overrides& overrides, const Inputs& inputs) {
  toml::table root = parse(text, file);
  refuse_twice(overrides);
  for (const std::string& setting : overrides.settings) apply_setting(root, setting);
  std::vector<Mistake> mistakes;
  SpecReader reader{
      Section(&root, file, "", 1, mistakes), catalogue, overrides, inputs, nullptr, {}, {}, {}, {}};
  const Section& document = reader.document;
  document.allow(
      std::vector<std::string>{"system", "scheme", "initial", "ensemble", "output", "tangent", "files"});
  reader.spec.text = text;
  reader.spec.overrides = overrides.text();
  reader.spec.output = std::filesystem::path(file).stem().string() + ".h5";
  document.attempt([&] { reader.read_system(); });
  if (!reader.system) refuse_together(mistakes, file);  // nothing else can be told without it
  for (const auto part : {&SpecReader::read_scheme, &SpecReader::read_initial,
                          &SpecReader::take_over_parameters, &SpecReader::read_variations,
                          &SpecReader::read_table, &SpecReader::take_over_states, &SpecReader::read_ensemble,
                          &SpecReader::read_tangent, &SpecReader::read_output, &SpecReader::settle_tolerance})
    document.attempt([&] { (reader.*part)(); });
  refuse_together(mistakes, file);  // what is wrong may be why a pair is not there
  reader.warn_of_unused_parameters();
  reader.check_pair();
  if (!reader.spec.request.text.empty() && !document.section("system").has("text")) reader.keep_text();
  reader.keep_files();
  return std::move(reader.spec);
}

std::string read_text(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  // An empty file sets failbit on `text` but reads well; a directory opens and fails on the first read.
  if (file) text << file.rdbuf();
  if (!file.is_open() || file.bad() || errno != 0) {
    refuse({path}, fmt::format("cannot be read ({})", std::strerror(errno)), "a spec in TOML");
  }
  return text.str();
}

Spec read_spec(const std::string& path, const Catalogue& catalogue, const Overrides& overrides,
               const Inputs& inputs) {
  if (path == "-") {
    std::ostringstream text;
    text << std::cin.rdbuf();
    return parse_spec(text.str(), "stdin", catalogue, overrides, inputs);
  }
  return parse_spec(read_text(path), path, catalogue, overrides, inputs);
}

void refuse_overwriting(const std::string& read, const std::string& target) {
  std::error_code none;
  if (std::filesystem::equivalent(read, target, none))
    refuse({target}, "is the spec itself, or a file that it names", "another file to write");
}

void refuse_overwriting_result(const std::string& target) {
  std::error_code none;
  if (std::filesystem::is_regular_file(std::filesystem::symlink_status(target, none)))
    refuse({target}, "already exists", "another file to write, or --force to replace it");
}

std::vector<std::string> with_note_of_projection(const Spec& spec, ensembles::Backend& backend) {
  const ensembles::Request& request = spec.request;
  std::vector<std::string> notes = spec.warnings;
  const bool given = request.q || request.v || request.p;
  if (backend.system().constraints == 0 || (!given && request.text.empty())) return notes;
  const ensembles::BaseMoved moved = ensembles::base_moved(request, backend);
  constexpr double round_off = 1e-10;  // as "require" has it
  std::vector<std::string> parts;
  if (moved.q > round_off * moved.largest_q) parts.push_back(fmt::format("q by up to {:.2g}", moved.q));
  if (moved.v > round_off * moved.largest_v) parts.push_back(fmt::format("v by up to {:.2g}", moved.v));
  if (parts.empty()) return notes;
  notes.push_back(printed(Mistake{
      {spec.consistency_place.file, spec.consistency_place.line, "initial"},
      fmt::format("the initial state violates the constraints, and is moved onto them: {}; consistency = "
                  "\"require\" refuses it",
                  fmt::join(parts, ", "))}));
  return notes;
}

void refuse_base_state(const Spec& spec, const ensembles::InconsistentBase& error) {
  refuse(spec.consistency_place, error.what(), "a consistent one, or \"project\"");
}

ensembles::Result run_ensemble(const Spec& spec, ensembles::Backend& backend,
                               const ensembles::Progress& progress, const ensembles::SampleWatch& watch) {
  try {
    return ensembles::run(spec.request, backend, progress, watch);
  } catch (const ensembles::InconsistentBase& error) {
    refuse_base_state(spec, error);
  }
}

}  // namespace livens::host
