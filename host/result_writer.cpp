// Writes a result: HDF5 behind an empty user block, the user block from the finished bytes, then the name.

#include <numeric>
#include <stdexcept>

#include "host/catalogue.hpp"
#include "host/errors.hpp"
#include "host/hdf5_handles.hpp"
#include "host/pending_file.hpp"
#include "host/result_file.hpp"
#include "host/result_layout.hpp"
#include "host/status_names.hpp"
#include "host/user_block.hpp"

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
  for (std::size_t code = 0; code < status_names.size(); ++code) {
    const auto value = static_cast<std::uint8_t>(code);
    hdf5::check(H5Tenum_insert(type, status_names[code], &value));
  }
  return type;
}

class Writer {
 public:
  Writer(hid_t file, const SystemInfo& system) : file_(file), system_(system) {}

  std::string unit_of(const std::string& what) const { return unit_of_quantity(system_, what); }

  template <class T>
  void field(const std::string& name, const std::vector<T>& values, const Shape& shape,
             const std::string& unit, const std::string& description) {
    write(name, values, shape, hdf5::type_of(values.data()), unit, description);
  }

  void status(const std::string& name, const std::vector<std::uint8_t>& values, const Shape& shape,
              const std::string& description) {
    write(name, values, shape, status_type(), "1", description);
  }

  template <class T>
  void attribute(const std::string& name, const char* key, const T& value) {
    hdf5::write_attribute(hdf5::open_dataset(file_, name), key, value);
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
    const hdf5::Handle dataset =
        hdf5::write_dataset(file_, name, type, {shape.begin(), shape.end()}, values.data());
    hdf5::write_attribute(dataset, "unit", unit);
    hdf5::write_attribute(dataset, "description", description);
  }

  hid_t file_;
  const SystemInfo& system_;
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
  // Absent datasets do not tell whether m and s are 0; a reader that merges has to know.
  hdf5::write_attribute(file, "coordinates", std::int64_t{result.coordinates});
  hdf5::write_attribute(file, "constraints", std::int64_t{result.constraints});
  hdf5::write_attribute(file, "momentum_maps", std::int64_t{result.momentum_maps});
  std::string observables;
  for (const auto& own : result.instances.observables)
    observables += (observables.empty() ? "" : " ") + own.name;
  hdf5::write_attribute(file, "observables", observables);
}

void write_hdf5(const std::string& path, const ensembles::Result& result, const SystemInfo& system,
                const Provenance& provenance) {
  const hdf5::Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  hdf5::check(H5Pset_userblock(creation, user_block_size));
  hdf5::check(H5Pset_obj_track_times(creation, false));
  hdf5::Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, H5P_DEFAULT), H5Fclose);
  Writer writer(file, system);
  walk(writer, result);
  write_root(file, result, provenance);
  hdf5::check(H5Fflush(file, H5F_SCOPE_GLOBAL));
  file.close_checked();
}

}  // namespace

void check_writable(const std::string& path) { const PendingFile attempt(path); }

void write_result(const std::string& path, const ensembles::Result& result, const SystemInfo& system,
                  const Provenance& provenance) {
  PendingFile pending(path);
  hdf5::prepare();
  try {
    write_hdf5(pending.temporary(), result, system, provenance);
  } catch (const hdf5::Failure& failure) {
    throw FileError(path, "cannot be written (" + failure.reason + ")");
  }
  pending.write_front(make_user_block(pending.temporary()));
  pending.commit();
}

}  // namespace livens::host
