// Writes a result: HDF5, behind it the check block from the finished bytes, then the name.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "host/errors.hpp"
#include "host/files/pending_file.hpp"
#include "host/layout/result_layout.hpp"
#include "host/pairs/catalogue.hpp"
#include "host/results/check_block.hpp"
#include "host/results/dataset_reader.hpp"
#include "host/results/dataset_writer.hpp"
#include "host/results/hdf5_scales.hpp"
#include "host/results/hdf5_writing.hpp"
#include "host/results/result_file.hpp"
#include "host/spec/quantity_name.hpp"

namespace livens::host {
namespace {

/// SI unit of a varied quantity. Coordinates of one system differ in theirs.
std::string unit_of_quantity(const SystemInfo& system, const std::string& what) {
  if (what == "scheme.step") return "s";
  if (what.starts_with("initial.")) return unit_of(read_quantity_name({}, what, system), system);
  const std::string prefix = "system.";
  if (!what.starts_with(prefix)) return "SI";
  const ParameterInfo* parameter =
      find_parameter(system, what.substr(prefix.size(), what.find('[') - prefix.size()));
  return parameter ? parameter->unit : "SI";
}

void write_root(hid_t file, const ensembles::Result& result, const Provenance& provenance) {
  write_origin(file, result, provenance);
  // Absent datasets do not tell whether m and s are 0; a reader that merges has to know.
  hdf5::write_attribute(file, "coordinates", std::int64_t{result.coordinates});
  hdf5::write_attribute(file, "constraints", std::int64_t{result.constraints});
  hdf5::write_attribute(file, "momentum_maps", std::int64_t{result.momentum_maps});
}

/// The walker that frees the fields of a portion.
class Emptying {
 public:
  explicit Emptying(std::span<const std::string> left_out) : left_out_(left_out) {}
  std::string unit_of(const std::string&) const { return {}; }
  template <class T>
  bool has(const std::string&, const std::vector<T>& values) const {
    return !values.empty();
  }
  bool keeps(const std::string& name) const { return keeps_column(left_out_, name); }
  template <class T>
  void field(const std::string&, std::vector<T>& values, const Shape&, const std::string&,
             const std::string&) const {
    std::vector<T>().swap(values);  // no other way frees it
  }
  void status(const std::string&, std::vector<std::uint8_t>& codes, const Shape&, const std::string&) const {
    std::vector<std::uint8_t>().swap(codes);
  }
  void indices(const std::string&, std::int64_t, const std::string&) const {}
  void instances(const std::string&, std::int64_t, const std::vector<std::int64_t>&) const {}

 private:
  std::span<const std::string> left_out_;
};

std::string as_it_is(const std::string& path) { return path; }

/// Nothing where there are none.
void write_words(hid_t file, const char* key, const std::vector<std::string>& words) {
  if (!words.empty()) hdf5::write_attribute(file, key, fmt::format("{}", fmt::join(words, " ")));
}

void write_shard(hid_t file, const Shard& shard) {
  hdf5::write_attribute(file, "shard_first", shard.range.first);
  hdf5::write_attribute(file, "ensemble_size", shard.size);
  const auto bytes = static_cast<std::int64_t>(shard.samples.size());
  DatasetWriter writer(file, {});
  writer.axis("/shard/byte", bytes);
  writer.field("/shard/samples", shard.samples, {{"byte", bytes}}, "1",
               "statistics by blocks, for livens merge");
}

}  // namespace

UnitOf units_of(const SystemInfo& system) {
  return [&system](const std::string& what) { return unit_of_quantity(system, what); };
}

bool keeps_column(std::span<const std::string> left_out, const std::string& name) {
  return std::find(left_out.begin(), left_out.end(), name) == left_out.end();
}

void check_writable(const std::string& path) { const PendingFile attempt(path); }

struct ResultWriter::File {
  PendingFile pending;
  const ensembles::Result& result;
  UnitOf units;
  std::int64_t first_number;
  std::vector<std::string> left_out;
  std::optional<hdf5::Handle> hdf5_file;
  std::string observables;                  // names of the system's own, with spaces between
  std::map<std::string, std::string> axes;  // of those with several entries, likewise

  File(const std::string& path, const std::string& scratch, const ensembles::Result& result, UnitOf units,
       std::int64_t first_number, std::vector<std::string> left_out)
      : pending(path, scratch),
        result(result),
        units(std::move(units)),
        first_number(first_number),
        left_out(std::move(left_out)) {}

  template <class Action>
  void attempt(Action action, const char* what = "written") const {
    const hdf5::Turn turn = hdf5::take_turn();
    hdf5::prepare();
    try {
      action();
    } catch (const hdf5::Failure& failure) {
      throw FileError(pending.path(), fmt::format("cannot be {} ({})", what, failure.reason));
    }
  }
};

ResultWriter::ResultWriter(const std::string& path, const std::string& scratch,
                           const ensembles::Result& result, UnitOf unit_of, std::int64_t first_number,
                           std::vector<std::string> left_out)
    : file_(std::make_unique<File>(path, scratch, result, std::move(unit_of), first_number,
                                   std::move(left_out))) {
  file_->attempt([&] { file_->hdf5_file.emplace(hdf5::create_file(file_->pending.temporary())); });
}

ResultWriter::~ResultWriter() {
  const hdf5::Turn turn = hdf5::take_turn();
  file_.reset();
}

void ResultWriter::add(std::int64_t first, const ensembles::Instances& instances) {
  file_->observables.clear();
  const auto add_word = [](std::string& words, const std::string& word) {
    words += (words.empty() ? "" : " ") + word;
  };
  for (const auto& own : instances.observables) {
    if (!keeps_column(file_->left_out, own.name)) continue;
    add_word(file_->observables, own.name);
    if (own.axes.empty()) continue;
    std::string& axes = file_->axes[own.name];
    axes.clear();
    for (const auto& axis : own.axes) add_word(axes, axis.name);
  }
  file_->attempt([&] {
    const ensembles::Result& result = file_->result;
    DatasetWriter writer(*file_->hdf5_file, file_->units,
                         DatasetWriter::Rows{first, result.size, file_->first_number}, file_->left_out);
    std::vector<std::string> named = named_axes_of(instances);
    std::erase_if(named, [&](const std::string& path) {
      return path.starts_with("/tangent") &&
             file_->observables.find(ensembles::tangent_group) == std::string::npos;
    });
    name_axes(writer, result, named, as_it_is);
    walk_instances(writer, instances, static_cast<std::int64_t>(instances.status.size()), result.coordinates);
  });
  file_->pending.send();
}

void ResultWriter::unload(ensembles::Instances& instances) const {
  const auto count = static_cast<std::int64_t>(instances.status.size());
  Emptying emptying(file_->left_out);
  walk_instances(emptying, instances, count, file_->result.coordinates);
}

void ResultWriter::load(std::int64_t first, std::int64_t count, ensembles::Instances& instances) const {
  file_->attempt(
      [&] {
        const hdf5::Source source(file_->pending.temporary());
        DatasetReader reader(source, file_->left_out, DatasetReader::Rows{first, file_->result.size});
        walk_instances(reader, instances, count, file_->result.coordinates);
      },
      "read back");
}

void ResultWriter::commit(const Provenance& provenance, const std::optional<Shard>& shard) {
  file_->attempt([&] {
    hdf5::Handle& file = *file_->hdf5_file;
    DatasetWriter writer(file, file_->units);
    name_axes(writer, file_->result, named_axes_of(file_->result.trajectories), as_it_is);
    walk_samples(writer, file_->result);
    write_root(file, file_->result, provenance);
    hdf5::write_attribute(file, "observables", file_->observables);
    for (const auto& [name, axes] : file_->axes)
      hdf5::write_attribute(hdf5::open_dataset(file, path_of_column(name)), axes_attribute, axes);
    std::vector<std::string> joints;
    for (const auto& entry : file_->result.joints) joints.push_back(entry.joint.name);
    write_words(file, "joints", joints);
    write_words(file, "left_out", file_->left_out);
    if (shard) write_shard(file, *shard);
    hdf5::check(H5Fflush(file, H5F_SCOPE_GLOBAL));
    file.close_checked();
  });
  const std::string& temporary = file_->pending.temporary();
  file_->pending.send();  // while the digest is made
  const auto length = static_cast<std::int64_t>(std::filesystem::file_size(temporary));
  file_->pending.write(make_check_block(temporary, length), length);
  file_->pending.commit();
}

void write_result(const std::string& path, const ensembles::Result& result, const SystemInfo& system,
                  const Provenance& provenance) {
  ResultWriter writer(path, {}, result, units_of(system));
  writer.add(0, result.instances);
  writer.commit(provenance);
}

}  // namespace livens::host
