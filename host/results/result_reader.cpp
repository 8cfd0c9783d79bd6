// Reads a result back, after its check block has vouched for every byte. That says nothing about who has made
// it: hdf5_reading.hpp looks at everything before it is read, and what numbers may not be is checked here.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <new>
#include <sstream>

#include "ensembles/observables.hpp"
#include "host/errors.hpp"
#include "host/layout/dataset_names.hpp"
#include "host/layout/result_layout.hpp"
#include "host/results/check_block.hpp"
#include "host/results/dataset_reader.hpp"
#include "host/results/hdf5_reading.hpp"
#include "host/results/result_file.hpp"

namespace livens::host {
namespace {

using hdf5::Failure;
using hdf5::Source;

/// The length of the first axis; the second, where there is one, is `width`.
std::int64_t rows_of(const Source& file, const std::string& name, std::int64_t* width = nullptr) {
  const hdf5::Lengths shape = file.shape_of(name);
  if (shape.empty() || shape.size() > (width ? 2 : 1)) throw Failure{name + " has an unexpected shape"};
  if (width) *width = shape.size() == 2 ? shape[1] : 1;
  return shape[0];
}

template <class T>
void read_row(const Source& file, const std::string& name, std::vector<T>& values) {
  file.read(name, {rows_of(file, name)}, values);
}

/// An integer of the root that has to lie within bounds.
std::int64_t bounded(const Source& file, const char* key, std::int64_t low, std::int64_t high) {
  const std::int64_t value = file.integer("/", key);
  if (value < low || value > high) throw Failure{std::string("the attribute ") + key + " is out of range"};
  return value;
}

/// Those of a text of the root; none where it is absent.
std::vector<std::string> words(const Source& file, const char* key) {
  std::vector<std::string> found;
  if (!file.has_attribute("/", key)) return found;
  std::istringstream text(file.text("/", key));
  for (std::string word; text >> word;) found.push_back(word);
  return found;
}

constexpr std::int64_t most_instances = std::int64_t{1} << 40;

/// d, m or s.
int dimension(const Source& file, const char* key) {
  return static_cast<int>(bounded(file, key, 0, 1 << 20));
}

/// A joint histogram without its counts.
ensembles::JointStatistics read_joint(const Source& file, const std::string& name) {
  const std::string at = std::string("/statistics/") + joint_group + "/" + name + "/";
  ensembles::JointStatistics entry;
  entry.joint.name = name;
  entry.joint.at_samples = file.has(at + "time");
  std::istringstream axes(file.text(at + "histogram", "of"));
  double cells = 1.0;
  for (std::string of; axes >> of;) {
    ensembles::JointAxis& axis = entry.joint.axes.emplace_back();
    const std::string edges = at + of + "_edges", description = file.text(edges, "description");
    axis.name = of;
    axis.unit = file.text(edges, "unit");
    axis.description = description.substr(0, description.rfind(": "));
    axis.bins = file.integer(edges, "bins");
    cells *= static_cast<double>(axis.bins);
    if (axis.bins < 2 || cells > static_cast<double>(ensembles::most_cells))
      throw Failure{edges + " has a number of bins that cannot be"};
    if (file.has_attribute(edges, "range")) {
      const std::vector<double> range = file.numbers(edges, "range");
      if (range.size() != 2 || !(range[0] < range[1]) || !std::isfinite(range[1] - range[0]))
        throw Failure{edges + " has an unexpected range"};
      axis.range = {range[0], range[1]};
    }
    read_row(file, edges, entry.edges.emplace_back());
    read_row(file, at + of, entry.middles.emplace_back());
  }
  if (entry.joint.axes.size() < 2) throw Failure{at + "histogram has too few axes"};
  return entry;
}

/// What stands beside the derivatives in their group.
const std::set<std::string> axes_of_followed_tangents = {"trajectory",
                                                         "instance",
                                                         "time",
                                                         "coordinate",
                                                         ensembles::tangent_axis,
                                                         ensembles::covariance_axes[0],
                                                         ensembles::covariance_axes[1]};

/// Names and units of what is varied or followed, and of the statistics.
void read_names(const Source& file, ResultFile& read, std::map<std::string, std::string>& units) {
  ensembles::Result& result = read.result;
  // output.extremes = false leaves them out together.
  const std::vector<std::string> kept = file.names_in("/instances");
  const bool violations = std::any_of(std::begin(columns), std::end(columns), [&](const ColumnRow& row) {
    return ensembles::is_largest_violation(row) &&
           std::find(kept.begin(), kept.end(), row.name) != kept.end();
  });
  result.instances.quantities =
      ensembles::record_quantities(result.constraints, result.momentum_maps, violations);
  std::erase_if(result.instances.quantities,
                [&](const ensembles::Quantity& one) { return !keeps_column(read.left_out, one.name); });
  const auto described = [&](const std::string& path, const std::string& name) {
    return ensembles::Quantity{name, file.text(path, "unit"), file.text(path, "description"), {}};
  };
  std::istringstream observables(file.text("/", "observables"));
  for (std::string name; observables >> name;) {
    const std::string path = path_of_column(name);
    ensembles::Quantity& own = result.instances.observables.emplace_back(described(path, name));
    std::istringstream axes(file.has_attribute(path, axes_attribute) ? file.text(path, axes_attribute) : "");
    const hdf5::Lengths shape = file.shape_of(path);
    for (std::string axis; axes >> axis;) {
      const std::size_t place = own.axes.size() + 1;
      if (place >= shape.size() || shape[place] < 0 || shape[place] > 1 << 20)
        throw Failure{path + " has an unexpected shape"};
      own.axes.push_back({axis, static_cast<std::int64_t>(shape[place])});
    }
    const auto directions = static_cast<std::int64_t>(result.wrt.size());
    if (name.starts_with(ensembles::tangent_group) &&
        (own.axes.empty() || (name != ensembles::tangent_covariance && own.axes.back().length != directions)))
      throw Failure{path + " has an unexpected shape"};
  }
  const std::set<std::string> known = datasets_of_trajectories(file.has("/trajectories/constraint_row"));
  for (const std::string& name : file.names_in("/trajectories"))
    if (!known.contains("/trajectories/" + name))
      result.trajectories.observed.push_back(described("/trajectories/" + name, name));
  for (const std::string& name : file.names_in("/tangent/trajectories")) {
    if (axes_of_followed_tangents.contains(name)) continue;
    const std::string path = path_of_followed_tangents() + name;
    const hdf5::Lengths shape = file.shape_of(path);
    const auto directions = static_cast<std::int64_t>(result.wrt.size());
    if (name == ensembles::followed_covariance) {
      const std::int64_t size = 2 * result.coordinates;
      if (shape.size() != 4 || shape[2] != size || shape[3] != size)
        throw Failure{path + " has an unexpected shape"};
      ensembles::Quantity& own = result.trajectories.tangents.emplace_back(described(path, name));
      for (const char* axis : ensembles::covariance_axes) own.axes.push_back({axis, size});
      continue;
    }
    if (shape.size() < 3 || shape.size() > 4 || shape.back() != directions ||
        (shape.size() == 4 && shape[2] != result.coordinates))
      throw Failure{path + " has an unexpected shape"};
    ensembles::Quantity& own = result.trajectories.tangents.emplace_back(described(path, name));
    if (shape.size() == 4) own.axes.push_back({"coordinate", result.coordinates});
    own.axes.push_back({ensembles::tangent_axis, directions});
  }
  for (const std::string& what : file.names_in("/instances/parameters")) {
    const std::string path = "/instances/parameters/" + what;
    std::int64_t width = 1;
    rows_of(file, path, &width);
    if (width > 1 << 20) throw Failure{path + " has an unexpected shape"};
    result.instances.parameters.push_back({what, static_cast<int>(width), {}});
    units[what] = file.text(path, "unit");
  }
  for (const std::string& name : file.names_in("/statistics")) {
    const std::string at = "/statistics/" + name + "/";
    if (name == "time" || name == "ok" || name == joint_group) continue;
    const std::string description = file.text(at + "mean", "description");
    ensembles::ObservableStatistics& entry = result.statistics.emplace_back();
    entry.name = name;
    entry.unit = file.text(at + "mean", "unit");
    entry.description = description.substr(0, description.rfind(": "));
    rows_of(file, at + "histogram", &entry.bin_count);
    DatasetReader(file).growth(at + "rms", entry.growth);
    result.quantile_levels = file.numbers(at + "quantiles", "levels");
  }
  // In the order of the spec, which is that of their parts.
  for (const std::string& name : words(file, "joints")) result.joints.push_back(read_joint(file, name));
}

void read_root(const Source& file, ResultFile& read) {
  ensembles::Result& result = read.result;
  result.coordinates = dimension(file, "coordinates");
  result.constraints = dimension(file, "constraints");
  result.momentum_maps = dimension(file, "momentum_maps");
  result.size = rows_of(file, "/instances/status");
  read_row(file, "/statistics/time", result.time);
  read_row(file, "/trajectories/instance", result.trajectories.instance);
  result.backend = file.text("/", "backend");
  result.device = file.text("/", "device");
  result.seed = file.natural("/", "seed");
  result.wall_seconds = file.number("/", "wall_seconds");
  result.steps_per_second = file.number("/", "steps_per_second");
  result.instances.steps = static_cast<double>(file.integer("/", "steps"));
  read.provenance = {file.text("/", "livens_version"), file.text("/", "system"), file.text("/", "scheme"),
                     file.text("/", "form"),           file.text("/", "spec"),   file.text("/", "overrides")};
  result.wrt = words(file, "wrt");
  result.labels = {words(file, "coordinate_names"), words(file, "constraint_names")};
  const auto fit = [](const std::vector<std::string>& names, int length) {
    return names.empty() || names.size() == static_cast<std::size_t>(length);
  };
  if (!fit(result.labels.coordinates, result.coordinates) || !fit(result.labels.rows, result.constraints))
    throw Failure{"there are not as many names as coordinates or constraints"};
  read.left_out = words(file, "left_out");
  if (!file.has("/shard")) return;
  const std::int64_t first = bounded(file, "shard_first", 0, most_instances - result.size);
  const std::int64_t last = first + result.size;
  read.shard = Shard{{first, last}, bounded(file, "ensemble_size", last, most_instances), {}};
}

/// Counts that add up.
void expect_counts(const std::vector<std::int64_t>& counts, const char* name) {
  std::int64_t sum = 0;
  for (const std::int64_t count : counts)
    if (count < 0 || __builtin_add_overflow(sum, count, &sum))
      throw Failure{std::string("/instances/") + name + " has counts that cannot be"};
}

void read_instances(const Source& file, const ResultFile& outline, ensembles::Instances& instances) {
  DatasetReader reader(file, outline.left_out);
  walk_instances(reader, instances, outline.result.size, outline.result.coordinates);
  expect_counts(instances.newton_iterations, "newton_iterations");
  expect_counts(instances.retried_steps, "retried_steps");
}

}  // namespace

/// Calls the action with the open file.
template <class Action>
auto ResultReader::attempt(Action action) const {
  const hdf5::Turn turn = hdf5::take_turn();
  hdf5::prepare();
  try {
    const Source file(path_);
    if (regular_file(path_) != file_) throw FileError(path_, "has been written to while it was read");
    return action(file);
  } catch (const Failure& failure) {
    throw FileError(path_, "cannot be read (" + failure.reason + ")");
  } catch (const std::bad_alloc&) {
    throw FileError(path_, "cannot be read (it takes more memory than there is)");
  }
}

ResultReader::ResultReader(const std::string& path) : path_(path), file_(check_file(path)), outline_{} {
  attempt([&](const Source& file) {
    read_root(file, outline_);
    read_names(file, outline_, units_);
  });
}

UnitOf ResultReader::units() const {
  return [units = units_](const std::string& what) { return units.at(what); };
}

ensembles::Instances ResultReader::instances() const {
  ensembles::Instances instances = outline_.result.instances;
  attempt([&](const Source& file) { read_instances(file, outline_, instances); });
  return instances;
}

bool ResultReader::has(const std::string& dataset) const {
  return attempt([&](const Source& file) { return file.has(dataset); });
}

void ResultReader::rows(const std::string& dataset, const std::vector<std::int64_t>& lengths,
                        std::int64_t first, std::int64_t count, std::vector<double>& values) const {
  attempt([&](const Source& file) { file.read_rows(dataset, lengths, first, count, values); });
}

void ResultReader::rows(const std::string& dataset, const std::vector<std::int64_t>& lengths,
                        std::int64_t first, std::int64_t count, std::vector<std::int64_t>& values) const {
  attempt([&](const Source& file) { file.read_rows(dataset, lengths, first, count, values); });
}

void ResultReader::code_rows(const std::string& dataset, const std::vector<std::int64_t>& lengths,
                             std::int64_t first, std::int64_t count, std::vector<std::uint8_t>& codes) const {
  attempt([&](const Source& file) {
    file.read_code_rows(dataset, lengths, first, count, codes);
    expect_statuses(codes, dataset);
  });
}

std::vector<std::uint8_t> ResultReader::samples() const {
  std::vector<std::uint8_t> frames;
  attempt([&](const Source& file) { read_row(file, "/shard/samples", frames); });
  return frames;
}

ResultFile ResultReader::everything() const {
  ResultFile whole = outline_;
  attempt([&](const Source& file) {
    read_instances(file, outline_, whole.result.instances);
    DatasetReader reader(file);
    walk_samples(reader, whole.result);
    if (whole.shard) read_row(file, "/shard/samples", whole.shard->samples);
  });
  return whole;
}

ResultFile read_result(const std::string& path) { return ResultReader(path).everything(); }

Identity ResultFile::identity() const {
  const ensembles::Range range = shard ? shard->range : ensembles::Range{0, result.size};
  return {provenance, result.seed, shard ? shard->size : result.size, range};
}

}  // namespace livens::host
