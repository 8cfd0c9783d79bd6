#include "host/export/netcdf_export.hpp"

#include <iterator>
#include <numeric>
#include <type_traits>

#include "host/errors.hpp"
#include "host/export/field_walker.hpp"
#include "host/files/pending_file.hpp"
#include "host/layout/dataset_names.hpp"
#include "host/results/dataset_writer.hpp"

namespace livens::host {
namespace {

/// The axes of a dataset: bins are those of one quantity, and all axes of a joint histogram but time its own.
Shape flat_axes(const std::string& path, Shape shape) {
  const std::string own = place_of(path).quantity;
  for (Axis& axis : shape)
    if (axis.name == "bin" || (path.starts_with("/statistics/joint/") && axis.name != "time"))
      axis.name = own + "_" + axis.name;
  return shape;
}

/// Writes what it meets anew.
class Flattening : public FieldWalker {
 public:
  Flattening(const ResultReader& file, hid_t to) : FieldWalker(file), to_(to) {}

  template <class T>
  void attribute(const std::string& name, const char* key, const T& value) {
    if constexpr (std::is_same_v<T, std::string>) {
      if (key == std::string_view("coordinates")) {  // they have other names here
        const std::string group = name.substr(0, name.rfind('/') + 1);
        return writer().attribute(netcdf_name(name), key, netcdf_name(group + value).substr(1));
      }
    }
    writer().attribute(netcdf_name(name), key, value);
  }
  void growth(const std::string& name, const ensembles::Growth& growth) {
    writer().growth(netcdf_name(name), growth);
  }

  // Axes are the same in all groups but for the bins.
  void axis(const std::string& name, std::int64_t length) {
    if (is_new(netcdf_axis(name))) writer().axis(netcdf_axis(name), length);
  }
  template <class T>
  void labels(const std::string& name, const std::vector<T>& values, const std::string& unit,
              const std::string& description) {
    if (is_new(netcdf_axis(name))) writer().labels(netcdf_axis(name), values, unit, description);
  }
  void indices(const std::string& name, std::int64_t length, const std::string& description) {
    if (is_new(netcdf_axis(name))) writer().indices(netcdf_axis(name), length, description);
  }
  void instances(const std::string& name, std::int64_t length, const std::vector<std::int64_t>&) {
    const Field numbers{"/instances/number", {{"instance", length}}, "", "", Field::Kind::counts};
    const bool chosen = file_.has(numbers.name);
    const auto& shard = file_.outline().shard;
    portions(length, 1, [&](std::int64_t first, std::int64_t count) {
      std::vector<std::int64_t> some(static_cast<std::size_t>(count));
      std::iota(some.begin(), some.end(), first + (shard ? shard->range.first : 0));
      if (chosen) some = std::get<1>(rows_of(file_, numbers, first, count).values);
      DatasetWriter(to_, units_, DatasetWriter::Rows{first, length, 0})
          .instances(netcdf_axis(name), count, some);
    });
  }

 private:
  DatasetWriter writer() const { return {to_, units_}; }
  bool is_new(const std::string& name) const { return !hdf5::exists(to_, name); }

  /// in_portions(), with an empty one of nothing: a dataset without rows is one, too.
  static void portions(std::int64_t rows, std::int64_t width,
                       const std::function<void(std::int64_t, std::int64_t)>& visit) {
    if (rows == 0) return visit(0, 0);
    in_portions(rows, width, visit);
  }

  void meet(Field field) override {
    const std::string name = netcdf_name(field.name);
    if (!is_new(name)) {
      if (place_of(field.name).name == "time") return;  // of the statistics and of the trajectories
      throw FileError(file_.path(), "has two datasets that would be " + name.substr(1) + " in one group");
    }
    portions(field.rows(), field.width(), [&](std::int64_t first, std::int64_t count) {
      Shape shape = flat_axes(field.name, field.shape);
      DatasetWriter to(to_, units_, DatasetWriter::Rows{first, field.rows(), 0});
      shape[0].length = count;
      std::visit([&](const auto& values) { to.field(name, values, shape, field.unit, field.description); },
                 rows_of(file_, field, first, count).values);
    });
    if (field.kind == Field::Kind::codes) write_meanings(hdf5::open_dataset(to_, name));
  }

  hid_t to_;
};

}  // namespace

void export_netcdf(const ResultReader& file, const std::string& path) {
  PendingFile pending(path);
  const hdf5::Turn turn = hdf5::take_turn();
  hdf5::prepare();
  try {
    const ResultFile& outline = file.outline();
    hdf5::Handle to = hdf5::create_file(pending.temporary());
    Flattening flattening(file, to);
    const UnitOf units = file.units();
    DatasetWriter writer(to, units);
    name_axes(writer, outline.result, named_axes_of(outline.result.instances), netcdf_axis);
    name_axes(writer, outline.result, named_axes_of(outline.result.trajectories), netcdf_axis);
    walk_instances(flattening, outline.result.instances, outline.result.size, outline.result.coordinates);
    walk_samples(flattening, outline.result);
    write_origin(to, outline.result, outline.provenance);
    to.close_checked();
  } catch (const hdf5::Failure& failure) {
    throw FileError(path, "cannot be written (" + failure.reason + ")");
  }
  pending.commit();
}

}  // namespace livens::host
