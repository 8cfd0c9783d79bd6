#include "host/results/result_size.hpp"

#include <algorithm>

#include "ensembles/instances.hpp"
#include "host/layout/result_layout.hpp"
#include "host/results/check_block.hpp"
#include "host/results/hdf5_writing.hpp"
#include "host/results/result_file.hpp"

namespace livens::host {
namespace {

/// Headers, attributes and references to axes of a dataset: some 2 KiB, and a global heap of 4 KiB at most,
/// which HDF5 begins for texts of variable length.
constexpr double header = 6144.0;
/// A reference to a text, and what a heap keeps beside it.
constexpr double text_width = 64.0;

/// The walker that writes nothing. Vectors are empty: their types and shapes are enough.
class Sizes {
 public:
  Sizes(const ensembles::Request& request, std::span<const std::string> left_out)
      : request_(request), left_out_(left_out) {
    labelled_.labels = request.labels;
  }
  ResultSize size{};

  bool keeps(const std::string& name) const { return keeps_column(left_out_, name); }

  std::string unit_of(const std::string&) const { return {}; }
  bool has(const std::string& name, const std::vector<double>& values) const {
    if (name.ends_with("/bin_width")) return true;
    return name.ends_with("/bound_exceeded") ? request_.energy_bound > 0.0 : !values.empty();
  }
  bool has(const std::string&, const std::vector<std::int64_t>&) const { return !request_.instances.empty(); }
  template <class T>
  void field(const std::string& name, const std::vector<T>&, const Shape& shape, const std::string&,
             const std::string&) {
    add(name, sizeof(T), shape);
  }
  void status(const std::string& name, const std::vector<std::uint8_t>&, const Shape& shape,
              const std::string&) {
    add(name, sizeof(std::uint8_t), shape);
  }
  template <class T>
  void attribute(const std::string&, const char*, const T&) {}
  void growth(const std::string&, const ensembles::Growth&) {}
  void axis(const std::string&, std::int64_t) { size.most += header; }
  template <class T>
  void labels(const std::string& name, const std::vector<T>& values, const std::string&, const std::string&) {
    add(name, sizeof(T), {{"", static_cast<std::int64_t>(values.size())}});
  }
  void indices(const std::string& name, std::int64_t length, const std::string&) {
    const std::vector<std::string>& names = names_of_axis(labelled_, name);
    if (names.empty() || name.ends_with(ensembles::tangent_axis))
      return add(name, sizeof(std::int64_t), {{"", length}});
    for (const std::string& one : names) size.most += text_width + static_cast<double>(one.size());
    size.most += header;
  }
  void instances(const std::string& name, std::int64_t length, const std::vector<std::int64_t>&) {
    indices(name, length, {});
  }

 private:
  void add(const std::string& name, double width, const Shape& shape) {
    double entries = 1.0;
    for (const Axis& axis : shape) entries *= static_cast<double>(axis.length);
    const bool histogram = name.ends_with("/histogram") || name.ends_with("/bins");
    (histogram ? size.histograms : size.numbers) += entries * width;
    // Large datasets may be cut in chunks of that many entries, of which the last one is stored whole.
    const double rest = entries >= hdf5::compressed_from ? width * hdf5::compressed_from : 0.0;
    size.most += entries * width + rest + header;
  }

  const ensembles::Request& request_;
  ensembles::Result labelled_{};  // by nothing else
  std::span<const std::string> left_out_;
};

/// A result of that shape without values.
ensembles::Result outline(const ensembles::Shape& shape, const std::vector<double>& bins) {
  ensembles::Result result{};
  result.coordinates = shape.coordinates;
  result.constraints = shape.constraints;
  result.momentum_maps = shape.momentum_maps;
  result.size = shape.range.size();
  result.time = shape.time;
  result.quantile_levels = shape.quantile_levels;
  for (std::size_t k = 0; k < shape.observables.size(); ++k) {
    ensembles::ObservableStatistics& entry = result.statistics.emplace_back();
    entry.name = shape.observables[k].name;
    entry.bin_count = static_cast<std::int64_t>(bins[k]);
  }
  for (const ensembles::Joint& joint : shape.joints) {
    ensembles::JointStatistics& entry = result.joints.emplace_back();
    entry.joint = joint;
    for (const ensembles::JointAxis& axis : joint.axes) {
      entry.middles.emplace_back(axis.bins);
      entry.edges.emplace_back(axis.bins + 1);
    }
  }
  result.trajectories.instance = shape.followed;
  for (const ensembles::Shape::Named& one : shape.observed)
    result.trajectories.observed.push_back({one.name, one.unit, one.description, {}});
  result.trajectories.tangents = shape.tangents;
  result.wrt = shape.wrt;
  return result;
}

}  // namespace

ResultSize result_size(const ensembles::Request& request, const SystemInfo& system,
                       const ensembles::Shape& shape, const std::vector<double>& bins,
                       std::span<const std::string> left_out, bool compared) {
  ensembles::Result result = outline(shape, bins);
  ensembles::Instances instances = ensembles::instances_to_collect(request, system);
  if (compared) {
    instances.observables.push_back({position_error_name, "SI", position_error_description, {}});
    result.trajectories.position_error.resize(1);
  }
  Sizes sizes(request, left_out);
  sizes.size.most = header + check_block_size;
  walk_instances(sizes, instances, shape.range.size(), shape.coordinates);
  walk_samples(sizes, result);
  return sizes.size;
}

}  // namespace livens::host
