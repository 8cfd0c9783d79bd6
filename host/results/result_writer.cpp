// Writes a result: HDF5 behind an empty user block, the user block from the finished bytes, then the name.

#include <numeric>
#include <optional>
#include <stdexcept>

#include "host/checkpoint/pending_file.hpp"
#include "host/errors.hpp"
#include "host/results/hdf5_writing.hpp"
#include "host/results/result_file.hpp"
#include "host/results/result_layout.hpp"
#include "host/results/user_block.hpp"
#include "host/spec/catalogue.hpp"

namespace livens::host {
namespace {

/// SI unit of a varied quantity. Coordinates of one system differ in theirs.
std::string unit_of_quantity(const SystemInfo& system, const std::string& what) {
  if (what == "scheme.step") return "s";
  const std::string prefix = "system.";
  if (!what.starts_with(prefix)) return "SI";
  const ParameterInfo* parameter =
      find_parameter(system, what.substr(prefix.size(), what.find('[') - prefix.size()));
  return parameter ? parameter->unit : "SI";
}

hdf5::Handle status_type() {
  hdf5::Handle type(H5Tenum_create(H5T_NATIVE_UINT8), H5Tclose);
  for (std::size_t code = 0; code < status_count; ++code) {
    const auto value = static_cast<std::uint8_t>(code);
    hdf5::check(H5Tenum_insert(type, status_rows[code].name, &value));
  }
  return type;
}

/// Rows that a portion of the instances fills, of all.
struct Rows {
  std::int64_t first, all;
};

class Writer {
 public:
  /// `rows`: where what is written is a portion of datasets of more rows.
  Writer(hid_t file, const UnitOf& units, std::optional<Rows> rows = {})
      : file_(file), units_(units), rows_(rows) {}

  std::string unit_of(const std::string& what) const { return units_(what); }

  template <class T>
  bool has(const std::string&, const std::vector<T>& values) const {
    return !values.empty();
  }

  template <class T>
  void field(const std::string& name, const std::vector<T>& values, const Shape& shape,
             const std::string& unit, const std::string& description) {
    write(name, values, shape, hdf5::type_of(values.data()), unit, description);
  }

  void status(const std::string& name, const std::vector<std::uint8_t>& values, const Shape& shape,
              const std::string& description) {
    write(name, values, shape, status_type(), "1", description);
    const hdf5::Handle dataset = hdf5::open_dataset(file_, name);
    if (hdf5::has_attribute(dataset, "flag_values")) return;  // of an earlier portion
    std::vector<std::uint8_t> codes;
    std::string names;
    for (const StatusRow& row : status_rows) {
      codes.push_back(static_cast<std::uint8_t>(row.status));
      if (!names.empty()) names += ' ';
      names += row.name;
    }
    hdf5::write_attribute(dataset, "flag_values", codes);
    hdf5::write_attribute(dataset, "flag_meanings", names);
  }

  template <class T>
  void attribute(const std::string& name, const char* key, const T& value) {
    hdf5::write_attribute(hdf5::open_dataset(file_, name), key, value);
  }

  void growth(const std::string& name, const ensembles::Growth& growth) {
    attribute(name, "growth_exponent", growth.exponent);
    attribute(name, "growth_interval", std::vector<double>{growth.low, growth.high});
    attribute(name, "growth_window", std::vector<double>{growth.from, growth.to});
  }

 private:
  template <class T>
  void write(const std::string& name, const std::vector<T>& values, const Shape& shape, hid_t type,
             const std::string& unit, const std::string& description) {
    const auto entries = std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
    if (static_cast<std::int64_t>(values.size()) != entries) {
      throw std::logic_error(name + " has " + std::to_string(values.size()) + " entries instead of " +
                             std::to_string(entries));
    }
    const hdf5::Handle dataset = opened(name, type, shape, unit, description);
    hdf5::write_rows(dataset, type, rows_ ? rows_->first : 0, shape[0], values.data());
  }

  /// The dataset, made when its first rows come.
  hdf5::Handle opened(const std::string& name, hid_t type, const Shape& shape, const std::string& unit,
                      const std::string& description) {
    std::vector<hsize_t> extent(shape.begin(), shape.end());
    if (rows_) extent[0] = static_cast<hsize_t>(rows_->all);
    if (rows_ && hdf5::exists(file_, name)) {
      hdf5::Handle dataset = hdf5::open_dataset(file_, name);
      if (hdf5::shape_of(dataset) != extent) throw std::logic_error(name + " has rows of different lengths");
      return dataset;
    }
    hdf5::Handle dataset = hdf5::create_dataset(file_, name, type, extent);
    hdf5::write_attribute(dataset, "unit", unit);
    hdf5::write_attribute(dataset, "description", description);
    return dataset;
  }

  hid_t file_;
  const UnitOf& units_;
  std::optional<Rows> rows_;
};

void write_root(hid_t file, const ensembles::Result& result, const Provenance& provenance) {
  hdf5::write_attribute(file, "livens_version", provenance.version);
  hdf5::write_attribute(file, "system", provenance.system);
  hdf5::write_attribute(file, "scheme", provenance.scheme);
  hdf5::write_attribute(file, "form", provenance.form);
  hdf5::write_attribute(file, "spec", provenance.spec);
  hdf5::write_attribute(file, "overrides", provenance.overrides);
  hdf5::write_attribute(file, "backend", result.backend);
  hdf5::write_attribute(file, "device", result.device);
  hdf5::write_attribute(file, "seed", result.seed);
  hdf5::write_attribute(file, "wall_seconds", result.wall_seconds);
  hdf5::write_attribute(file, "steps_per_second", result.steps_per_second);
  hdf5::write_attribute(file, "steps", static_cast<std::int64_t>(result.instances.steps));
  // Absent datasets do not tell whether m and s are 0; a reader that merges has to know.
  hdf5::write_attribute(file, "coordinates", std::int64_t{result.coordinates});
  hdf5::write_attribute(file, "constraints", std::int64_t{result.constraints});
  hdf5::write_attribute(file, "momentum_maps", std::int64_t{result.momentum_maps});
}

void write_shard(hid_t file, const Shard& shard) {
  hdf5::write_attribute(file, "shard_first", shard.range.first);
  hdf5::write_attribute(file, "ensemble_size", shard.size);
  const hdf5::Handle dataset =
      hdf5::create_dataset(file, "/shard/samples", H5T_NATIVE_UINT8, {shard.samples.size()});
  hdf5::write_rows(dataset, H5T_NATIVE_UINT8, 0, shard.samples.size(), shard.samples.data());
  hdf5::write_attribute(dataset, "description", std::string("statistics by blocks, for livens merge"));
}

hdf5::Handle create_file(const std::string& path) {
  const hdf5::Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  hdf5::check(H5Pset_userblock(creation, user_block_size));
  hdf5::check(H5Pset_obj_track_times(creation, false));
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, H5P_DEFAULT), H5Fclose};
}

}  // namespace

UnitOf units_of(const SystemInfo& system) {
  return [&system](const std::string& what) { return unit_of_quantity(system, what); };
}

void check_writable(const std::string& path) { const PendingFile attempt(path); }

struct ResultWriter::File {
  PendingFile pending;
  const ensembles::Result& result;
  UnitOf units;
  std::optional<hdf5::Handle> hdf5_file;
  std::string observables;  // names of the system's own, with spaces between

  File(const std::string& path, const std::string& scratch, const ensembles::Result& result, UnitOf units)
      : pending(path, scratch), result(result), units(std::move(units)) {}

  template <class Action>
  void attempt(Action action) {
    const hdf5::Turn turn = hdf5::take_turn();
    hdf5::prepare();
    try {
      action();
    } catch (const hdf5::Failure& failure) {
      throw FileError(pending.path(), "cannot be written (" + failure.reason + ")");
    }
  }
};

ResultWriter::ResultWriter(const std::string& path, const std::string& scratch,
                           const ensembles::Result& result, UnitOf unit_of)
    : file_(std::make_unique<File>(path, scratch, result, std::move(unit_of))) {
  file_->attempt([&] { file_->hdf5_file.emplace(create_file(file_->pending.temporary())); });
}

ResultWriter::~ResultWriter() {
  const hdf5::Turn turn = hdf5::take_turn();
  file_.reset();
}

void ResultWriter::add(std::int64_t first, const ensembles::Instances& instances) {
  file_->observables.clear();
  for (const auto& own : instances.observables)
    file_->observables += (file_->observables.empty() ? "" : " ") + own.name;
  file_->attempt([&] {
    const ensembles::Result& result = file_->result;
    Writer writer(*file_->hdf5_file, file_->units, Rows{first, result.size});
    walk_instances(writer, instances, static_cast<std::int64_t>(instances.status.size()), result.coordinates);
  });
}

void ResultWriter::commit(const Provenance& provenance, const std::optional<Shard>& shard) {
  file_->attempt([&] {
    hdf5::Handle& file = *file_->hdf5_file;
    Writer writer(file, file_->units);
    walk_samples(writer, file_->result);
    write_root(file, file_->result, provenance);
    hdf5::write_attribute(file, "observables", file_->observables);
    if (shard) write_shard(file, *shard);
    hdf5::check(H5Fflush(file, H5F_SCOPE_GLOBAL));
    file.close_checked();
  });
  file_->pending.write_front(make_user_block(file_->pending.temporary()));
  file_->pending.commit();
}

void write_result(const std::string& path, const ensembles::Result& result, const SystemInfo& system,
                  const Provenance& provenance) {
  ResultWriter writer(path, {}, result, units_of(system));
  writer.add(0, result.instances);
  writer.commit(provenance);
}

}  // namespace livens::host
