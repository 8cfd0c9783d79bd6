#include "host/export/netcdf_export.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <type_traits>

#include "host/checkpoint/pending_file.hpp"
#include "host/errors.hpp"
#include "host/export/field_walker.hpp"
#include "host/results/dataset_writer.hpp"

namespace livens::host {
namespace {

bool is_any_of(const std::string& name, std::initializer_list<const char*> words) {
  return std::ranges::any_of(words, [&](const char* word) { return name == word; });
}

/// A path in a result, in its pieces: the group, the quantity of a statistic, the dataset.
struct DatasetPlace {
  std::string group, quantity, name;
};
DatasetPlace place_of(const std::string& path) {
  const std::size_t second = path.find('/', 1), last = path.rfind('/');
  std::string quantity = last > second ? path.substr(second + 1, last - second - 1) : "";
  std::ranges::replace(quantity, '/', '_');  // joint/NAME
  return {path.substr(1, second - 1), quantity, path.substr(last + 1)};
}

/// The name in one group for all.
std::string flat(const std::string& path) {
  const DatasetPlace at = place_of(path);
  if (at.group == "trajectories" &&
      !is_any_of(at.name, {"trajectory", "time", "coordinate", "constraint", "momentum_map"}))
    return "/trajectory_" + at.name;
  if (at.group == "statistics" && !at.quantity.empty() && !is_any_of(at.name, {"time", "level"}))
    return "/" + at.quantity + "_" + at.name;
  return "/" + at.name;
}

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
        return writer().attribute(flat(name), key, flat(group + value).substr(1));
      }
    }
    writer().attribute(flat(name), key, value);
  }
  void growth(const std::string& name, const ensembles::Growth& growth) {
    writer().growth(flat(name), growth);
  }

  // Axes are the same in all groups but for the bins.
  void axis(const std::string& name, std::int64_t length) {
    if (is_new(name)) writer().axis(flat(name), length);
  }
  template <class T>
  void labels(const std::string& name, const std::vector<T>& values, const std::string& unit,
              const std::string& description) {
    if (is_new(name)) writer().labels(flat(name), values, unit, description);
  }
  void indices(const std::string& name, std::int64_t length, const std::string& description) {
    if (is_new(name)) writer().indices(flat(name), length, description);
  }
  void instances(const std::string& name, std::int64_t length, const std::vector<std::int64_t>&) {
    const Field numbers{"/instances/number", {{"instance", length}}, "", "", Field::Kind::counts};
    const bool chosen = file_.has(numbers.name);
    const auto& shard = file_.outline().shard;
    portions(length, 1, [&](std::int64_t first, std::int64_t count) {
      std::vector<std::int64_t> some(static_cast<std::size_t>(count));
      std::iota(some.begin(), some.end(), first + (shard ? shard->range.first : 0));
      if (chosen) some = std::get<1>(rows_of(file_, numbers, first, count).values);
      DatasetWriter(to_, units_, DatasetWriter::Rows{first, length, 0}).instances(flat(name), count, some);
    });
  }

 private:
  DatasetWriter writer() const { return {to_, units_}; }
  bool is_new(const std::string& name) const { return !hdf5::exists(to_, flat(name)); }

  /// in_portions(), with an empty one of nothing: a dataset without rows is one, too.
  static void portions(std::int64_t rows, std::int64_t width,
                       const std::function<void(std::int64_t, std::int64_t)>& visit) {
    if (rows == 0) return visit(0, 0);
    in_portions(rows, width, visit);
  }

  void meet(Field field) override {
    const std::string name = flat(field.name);
    if (!is_new(field.name)) {
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
