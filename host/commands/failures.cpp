// livens failures: a spec that reruns the instances that have failed, and only those.

#include <fmt/format.h>
#include <toml++/toml.h>

#include <filesystem>
#include <limits>
#include <sstream>

#include "host/checkpoint/pending_file.hpp"
#include "host/commands/commands.hpp"
#include "host/errors.hpp"
#include "host/results/result_file.hpp"
#include "host/spec/overrides.hpp"
#include "host/spec/spec_section.hpp"

namespace livens::host {
namespace {

/// Numbers in the ensemble of the instances that are not ok.
std::vector<std::int64_t> failed_instances(const ResultFile& file) {
  const ensembles::Instances& instances = file.result.instances;
  const std::int64_t first = file.shard ? file.shard->range.first : 0;
  std::vector<std::int64_t> failed;
  for (std::size_t i = 0; i < instances.status.size(); ++i) {
    if (instances.status[i] == static_cast<std::uint8_t>(Status::ok)) continue;
    failed.push_back(instances.number.empty() ? first + static_cast<std::int64_t>(i) : instances.number[i]);
  }
  return failed;
}

/// A table of a document, made where it is missing.
toml::table& section(toml::table& root, const char* key) {
  return *root.insert(key, toml::table{}).first->second.as_table();
}

/// The spec with everything the command line replaced in it.
toml::table spec_of(const ResultFile& file, const std::string& path) {
  try {
    toml::table root = toml::parse(file.provenance.spec);
    const Overrides overrides = Overrides::from_text(file.provenance.overrides);
    for (const std::string& setting : overrides.settings) apply_setting(root, setting);
    if (overrides.size) section(root, "ensemble").insert_or_assign("size", *overrides.size);
    if (overrides.steps) {
      section(root, "scheme").erase("end");
      section(root, "scheme").insert_or_assign("steps", *overrides.steps);
    }
    section(root, "ensemble").insert_or_assign("seed", static_cast<std::int64_t>(file.result.seed));
    return root;
  } catch (const std::exception& problem) {
    throw FileError(path, fmt::format("has a spec that cannot be read ({})", problem.what()));
  }
}

}  // namespace

int failures(const std::string& path, const std::string& output) {
  const ResultFile file = read_result(path);
  const std::vector<std::int64_t> failed = failed_instances(file);
  if (failed.empty()) {
    fmt::print("{}: no instance has failed; nothing written\n", path);
    return exit_done;
  }
  if (file.result.seed > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    throw RequestError(
        fmt::format("{}: seed {} is more than a spec can hold; expected --seed with the spec itself", path,
                    file.result.seed));
  toml::table root = spec_of(file, path);
  toml::array numbers;
  for (const std::int64_t number : failed) numbers.push_back(number);
  section(root, "ensemble").insert_or_assign("instances", std::move(numbers));
  section(root, "output").insert_or_assign("file", std::filesystem::path(output).stem().string() + ".h5");
  section(root, "output").insert_or_assign("trajectories", static_cast<std::int64_t>(failed.size()));
  std::ostringstream text;
  text << "# The " << failed.size() << " instances of " << path << " that failed.\n" << root << '\n';
  write_text(output, text.str());
  fmt::print("{} failed instances; spec written to {}\n", failed.size(), output);
  return exit_done;
}

}  // namespace livens::host
