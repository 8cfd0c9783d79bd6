// livens failures: a spec that reruns the instances that have failed, and only those.

#include <fmt/format.h>
#include <toml++/toml.h>

#include <filesystem>
#include <limits>
#include <new>
#include <sstream>
#include <stdexcept>

#include "expressions/toml_text.hpp"
#include "host/commands/colour.hpp"
#include "host/commands/commands.hpp"
#include "host/errors.hpp"
#include "host/files/pending_file.hpp"
#include "host/page.hpp"
#include "host/printable.hpp"
#include "host/results/remedies.hpp"
#include "host/results/result_file.hpp"
#include "host/spec/overrides.hpp"
#include "host/spec/spec_section.hpp"
#include "host/spec/spec_text.hpp"

namespace livens::host {
namespace {

/// Numbers in the ensemble of the instances that have failed.
std::vector<std::int64_t> failed_instances(const ResultFile& file) {
  const ensembles::Instances& instances = file.result.instances;
  const std::int64_t first = file.shard ? file.shard->range.first : 0;
  std::vector<std::int64_t> failed;
  for (std::size_t i = 0; i < instances.status.size(); ++i) {
    if (!is_failure(static_cast<Status>(instances.status[i]))) continue;
    failed.push_back(instances.number.empty() ? first + static_cast<std::int64_t>(i) : instances.number[i]);
  }
  return failed;
}

/// A table of a document, made where it is missing. Throws std::invalid_argument where the key has another
/// value.
toml::table& section(toml::table& root, const char* key) {
  toml::table* table = root.insert(key, toml::table{}).first->second.as_table();
  if (!table) throw std::invalid_argument(std::string(key) + ": wrong type; expected a table");
  return *table;
}

/// The spec of a run, with everything the command line replaced in it, and these instances alone.
toml::table rerun_of(const ResultFile& file, const std::vector<std::int64_t>& instances,
                     const std::string& output) {
  toml::table root = parse_toml(file.provenance.spec, "spec");
  const Overrides overrides = Overrides::from_text(file.provenance.overrides);
  for (const std::string& setting : overrides.settings) apply_setting(root, setting);
  toml::table& ensemble = section(root, "ensemble");
  if (overrides.size) ensemble.insert_or_assign("size", *overrides.size);
  if (overrides.steps) {
    section(root, "scheme").erase("end");
    section(root, "scheme").insert_or_assign("steps", *overrides.steps);
  }
  ensemble.insert_or_assign("seed", static_cast<std::int64_t>(file.result.seed));
  toml::array numbers;
  for (const std::int64_t number : instances) numbers.push_back(number);
  ensemble.insert_or_assign("instances", std::move(numbers));
  section(root, "output").insert_or_assign("file", std::filesystem::path(output).stem().string() + ".h5");
  section(root, "output").insert_or_assign("trajectories", static_cast<std::int64_t>(instances.size()));
  return root;
}

/// Text of that spec. Throws FileError where the file's own is none.
std::string rerun_text(const ResultFile& file, const std::vector<std::int64_t>& instances,
                       const std::string& path, const std::string& output) {
  std::ostringstream text;
  text << fmt::format("# The {} instances of {} that failed.\n", instances.size(), printable(path));
  try {
    toml::table root = rerun_of(file, instances, output);
    // The parser forgets the order of tables, and in the text of a system it is that of the coordinates.
    std::string system_text;
    if (const toml::table* table = root["system"]["text"].as_table()) {
      system_text = as_tables(read_text_system(*table, "spec", columns_beside(path)));
      section(root, "system").erase("text");
    }
    text << root << "\n\n" << system_text;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& problem) {
    throw FileError(path, fmt::format("has a spec that cannot be read ({})", problem.what()));
  }
  return text.str();
}

}  // namespace

int failures(const std::string& path, const std::string& output) {
  std::error_code none;
  if (std::filesystem::equivalent(path, output, none))
    refuse({output}, "is the result itself", "another file to write");
  const ResultFile file = read_result(path);
  const std::vector<std::int64_t> failed = failed_instances(file);
  if (failed.empty()) {
    fmt::print("{}: no instance has failed; nothing written\n", printable(path));
    return exit_done;
  }
  if (file.result.seed > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    refuse({path}, fmt::format("seed {} is more than a spec can hold", file.result.seed),
           "--seed with the spec itself");
  write_text(output, rerun_text(file, failed, path, output));
  std::array<std::int64_t, status_count> statuses{};
  for (const std::uint8_t code : file.result.instances.status) ++statuses.at(code);
  fmt::print(
      "{}\n{}",
      wrapped(fmt::format("{} failed instances; spec written to {}", failed.size(), printable(output))),
      with_coloured_statuses(advice(statuses), stdout));
  return exit_done;
}

}  // namespace livens::host
