// Reads a result back, after its user block has vouched for every byte.

#include <algorithm>
#include <iterator>
#include <sstream>

#include "ensembles/observables.hpp"
#include "host/errors.hpp"
#include "host/results/hdf5_handles.hpp"
#include "host/results/result_file.hpp"
#include "host/results/result_layout.hpp"
#include "host/results/user_block.hpp"

namespace livens::host {
namespace {

class Reader {
 public:
  explicit Reader(hid_t file) : file_(file) {}

  std::string unit_of(const std::string&) const { return {}; }

  template <class T>
  bool has(const std::string& name, const std::vector<T>&) const {
    return hdf5::exists(file_, name);
  }

  template <class T>
  void field(const std::string& name, std::vector<T>& values, const Shape& shape, const std::string&,
             const std::string&) {
    read(name, values, shape, hdf5::type_of(values.data()));
  }

  void status(const std::string& name, std::vector<std::uint8_t>& values, const Shape& shape,
              const std::string&) {
    // The file's own enumeration: its codes are the numbers of Status.
    const hdf5::Handle dataset = hdf5::open_dataset(file_, name);
    read(name, values, shape, hdf5::Handle(H5Dget_type(dataset), H5Tclose));
  }

  template <class T>
  void attribute(const std::string&, const char*, const T&) {}

  void growth(const std::string& name, ensembles::Growth& growth) {
    const hdf5::Handle dataset = hdf5::open_dataset(file_, name);
    const std::vector<double> interval = hdf5::read_numbers(dataset, "growth_interval");
    const std::vector<double> window = hdf5::read_numbers(dataset, "growth_window");
    if (interval.size() != 2 || window.size() != 2) throw hdf5::Failure{name + " has an unexpected growth"};
    growth = {hdf5::read_number(dataset, "growth_exponent"), interval[0], interval[1], window[0], window[1]};
  }

 private:
  template <class T>
  void read(const std::string& name, std::vector<T>& values, const Shape& shape, hid_t type) {
    const hdf5::Handle dataset = hdf5::open_dataset(file_, name);
    const std::vector<hsize_t> found = hdf5::shape_of(dataset);
    if (Shape(found.begin(), found.end()) != shape) throw hdf5::Failure{name + " has an unexpected shape"};
    std::size_t entries = 1;
    for (const hsize_t length : found) entries *= length;
    values.resize(entries);
    if (entries > 0) hdf5::check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
  }

  hid_t file_;
};

std::int64_t length_of(hid_t file, const std::string& name, std::size_t axis = 0) {
  const std::vector<hsize_t> shape = hdf5::shape_of(hdf5::open_dataset(file, name));
  return shape.size() > axis ? static_cast<std::int64_t>(shape[axis]) : 1;
}

/// Whether a dataset of /trajectories is always there, or not by output.observe.
bool is_trajectory(const std::string& name) {
  constexpr const char* known[] = {"instance", "time",         "q",     "p",
                                   "v",        "lambda",       "gamma", "momentum",
                                   "energy",   "total_energy", "z",     position_error_name};
  return std::find(std::begin(known), std::end(known), name) != std::end(known);
}

/// Everything the layout takes its shapes from.
void read_lengths(hid_t file, ensembles::Result& result) {
  result.coordinates = static_cast<int>(hdf5::read_integer(file, "coordinates"));
  result.constraints = static_cast<int>(hdf5::read_integer(file, "constraints"));
  result.momentum_maps = static_cast<int>(hdf5::read_integer(file, "momentum_maps"));
  result.size = length_of(file, "/instances/status");
  result.time.resize(static_cast<std::size_t>(length_of(file, "/statistics/time")));
  result.trajectories.instance.resize(static_cast<std::size_t>(length_of(file, "/trajectories/instance")));
  result.instances.quantities = ensembles::record_quantities(result.constraints, result.momentum_maps);
  const auto described = [&](const std::string& group, const std::string& name) {
    const hdf5::Handle dataset = hdf5::open_dataset(file, group + name);
    return ensembles::Quantity{
        name, hdf5::read_text(dataset, "unit"), hdf5::read_text(dataset, "description"), {}};
  };
  std::istringstream observables(hdf5::read_text(file, "observables"));
  for (std::string name; observables >> name;)
    result.instances.observables.push_back(described("/instances/", name));
  for (const std::string& name : hdf5::names_in(file, "/trajectories"))
    if (!is_trajectory(name)) result.trajectories.observed.push_back(described("/trajectories/", name));
  for (const std::string& what : hdf5::names_in(file, "/instances/parameters")) {
    const auto width = static_cast<int>(length_of(file, "/instances/parameters/" + what, 1));
    result.instances.parameters.push_back({what, width, {}});
  }
  for (const std::string& name : hdf5::names_in(file, "/statistics")) {
    const std::string at = "/statistics/" + name + "/";
    if (name == "time" || name == "ok") continue;
    const hdf5::Handle mean = hdf5::open_dataset(file, at + "mean");
    const std::string description = hdf5::read_text(mean, "description");
    result.statistics.emplace_back();
    result.statistics.back().name = name;
    result.statistics.back().unit = hdf5::read_text(mean, "unit");
    result.statistics.back().description = description.substr(0, description.rfind(": "));
    result.statistics.back().bins.resize(static_cast<std::size_t>(length_of(file, at + "bins")));
    result.quantile_levels = hdf5::read_numbers(hdf5::open_dataset(file, at + "quantiles"), "levels");
  }
}

Shard read_shard(hid_t file, std::int64_t instances) {
  const std::int64_t first = hdf5::read_integer(file, "shard_first");
  Shard shard{{first, first + instances}, hdf5::read_integer(file, "ensemble_size"), {}};
  shard.samples.resize(static_cast<std::size_t>(length_of(file, "/shard/samples")));
  const hdf5::Handle dataset = hdf5::open_dataset(file, "/shard/samples");
  hdf5::check(H5Dread(dataset, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, shard.samples.data()));
  return shard;
}

ResultFile read_hdf5(const std::string& path) {
  ResultFile read{};
  const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  read_lengths(file, read.result);
  Reader reader(file);
  walk_instances(reader, read.result.instances, read.result.size, read.result.coordinates);
  walk_samples(reader, read.result);
  read.result.backend = hdf5::read_text(file, "backend");
  read.result.device = hdf5::read_text(file, "device");
  read.result.seed = hdf5::read_unsigned(file, "seed");
  read.result.wall_seconds = hdf5::read_number(file, "wall_seconds");
  read.result.steps_per_second = hdf5::read_number(file, "steps_per_second");
  read.provenance = {hdf5::read_text(file, "livens_version"), hdf5::read_text(file, "system"),
                     hdf5::read_text(file, "scheme"),         hdf5::read_text(file, "form"),
                     hdf5::read_text(file, "spec"),           hdf5::read_text(file, "overrides")};
  read.result.instances.steps = static_cast<double>(hdf5::read_integer(file, "steps"));
  if (hdf5::exists(file, "/shard")) read.shard = read_shard(file, read.result.size);
  return read;
}

}  // namespace

ResultFile read_result(const std::string& path) {
  check_user_block(path);
  hdf5::prepare();
  try {
    return read_hdf5(path);
  } catch (const hdf5::Failure& failure) {
    throw FileError(path, "cannot be read (" + failure.reason + ")");
  }
}

Identity ResultFile::identity() const {
  const ensembles::Range range = shard ? shard->range : ensembles::Range{0, result.size};
  return {provenance, result.seed, shard ? shard->size : result.size, range};
}

UnitOf units_in(const std::string& path) {
  return [path](const std::string& what) {
    hdf5::prepare();
    try {
      const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
      return hdf5::read_text(hdf5::open_dataset(file, "/instances/parameters/" + what), "unit");
    } catch (const hdf5::Failure& failure) {
      throw FileError(path, "cannot be read (" + failure.reason + ")");
    }
  };
}

}  // namespace livens::host
