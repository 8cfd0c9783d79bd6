// A Result whose arrays are NumPy's without a copy: each holds a share of the numbers, so that they live as
// long as any array that shows them. And a result in a file, by the reader of the program, row by row.

#include <functional>

#include "host/library/boundary.hpp"
#include "host/library/result_state.hpp"
#include "python/extension/module.hpp"

namespace livens::python {
namespace {

nb::dict attributes_of(const Array& array) {
  nb::dict attributes;
  for (const Attribute& one : array.attributes)
    attributes[one.name.c_str()] = std::visit([](const auto& value) { return nb::cast(value); }, one.value);
  return attributes;
}

/// A list of (name, axes, attributes, values).
nb::list arrays(const Result& result) {
  const nb::capsule owner(new Result(result), [](void* held) noexcept { delete static_cast<Result*>(held); });
  nb::list all;
  for (const Array& array : result.arrays())
    all.append(nb::make_tuple(
        array.name, array.axes, attributes_of(array),
        std::visit([&](auto values) { return shown(values, array.shape, owner); }, array.values)));
  return all;
}

template <class List, class Name>
std::string names_of(const List& list, Name name) {
  std::string names;
  for (const auto& one : list) names += (names.empty() ? "" : " ") + std::invoke(name, one);
  return names;
}

/// A result file whose numbers are read when they are used.
class Stored {
 public:
  explicit Stored(const std::string& path)
      : reader_(host::at_boundary([&] { return host::ResultReader(path); })),
        listed_(host::at_boundary([&] { return host::listed(reader_); })) {}

  const std::string& path() const { return reader_.path(); }

  /// A list of (name, axes, attributes, shape, values), values None where they have to be read by rows().
  nb::list arrays() const {
    const nb::capsule owner(new Result(listed_),
                            [](void* held) noexcept { delete static_cast<Result*>(held); });
    nb::list all;
    for (const Array& array : listed_.arrays())
      std::visit(
          [&](auto values) {
            std::int64_t entries = 1;
            for (const std::int64_t length : array.shape) entries *= length;
            const bool here = static_cast<std::int64_t>(values.size()) == entries;
            all.append(nb::make_tuple(array.name, array.axes, attributes_of(array), array.shape,
                                      type_of(values),
                                      here ? shown(values, array.shape, owner) : nb::object(nb::none())));
          },
          array.values);
    return all;
  }

  /// `count` rows, entries of the first axis, from row `first` on.
  nb::object rows(const std::string& name, std::int64_t first, std::int64_t count) const {
    const Array& array = listed_[name];
    return std::visit(
        [&](auto kind) {
          std::vector<typename decltype(kind)::value_type> values;
          {
            const nb::gil_scoped_release others;
            host::at_boundary([&] { read(array, first, count, values); });
          }
          std::vector<std::int64_t> shape = array.shape;
          shape.at(0) = count;
          return handed_over(std::move(values), std::move(shape));
        },
        array.values);
  }

  /// Those of the root of the file.
  nb::dict attributes() const {
    const auto& [result, provenance, shard, left_out] = reader_.outline();
    nb::dict all;
    all["livens_version"] = provenance.version;
    all["system"] = provenance.system;
    all["scheme"] = provenance.scheme;
    all["form"] = provenance.form;
    all["spec"] = provenance.spec;
    all["overrides"] = provenance.overrides;
    all["backend"] = result.backend;
    all["device"] = result.device;
    all["seed"] = result.seed;
    all["wall_seconds"] = result.wall_seconds;
    all["steps_per_second"] = result.steps_per_second;
    all["steps"] = static_cast<std::int64_t>(result.instances.steps);
    all["coordinates"] = result.coordinates;
    all["constraints"] = result.constraints;
    all["momentum_maps"] = result.momentum_maps;
    all["observables"] = names_of(result.instances.observables, &ensembles::Quantity::name);
    if (!result.wrt.empty()) all["wrt"] = names_of(result.wrt, std::identity());
    if (!result.labels.coordinates.empty())
      all["coordinate_names"] = names_of(result.labels.coordinates, std::identity());
    if (!result.labels.rows.empty()) all["constraint_names"] = names_of(result.labels.rows, std::identity());
    if (!result.joints.empty())
      all["joints"] = names_of(
          result.joints, [](const auto& one) -> const auto& { return one.joint.name; });
    if (!left_out.empty()) all["left_out"] = names_of(left_out, std::identity());
    if (shard) {
      all["shard_first"] = shard->range.first;
      all["ensemble_size"] = shard->size;
    }
    return all;
  }

 private:
  static const char* type_of(std::span<const double>) { return "f8"; }
  static const char* type_of(std::span<const std::int64_t>) { return "i8"; }
  static const char* type_of(std::span<const std::uint8_t>) { return "u1"; }
  template <class T>
  void read(const Array& array, std::int64_t first, std::int64_t count, std::vector<T>& values) const {
    if constexpr (std::is_same_v<T, std::uint8_t>)
      reader_.code_rows(array.name, array.shape, first, count, values);
    else
      reader_.rows(array.name, array.shape, first, count, values);
  }

  host::ResultReader reader_;
  Result listed_;
};

std::string too_many(const Result& result) {
  try {
    result.check();
    return {};
  } catch (const InstancesFailed& error) {
    return error.what();
  }
}

}  // namespace

void add_results(nb::module_& module) {
  nb::class_<Result>(module, "Result")
      .def("arrays", arrays)
      .def("save", &Result::save, nb::arg("path"), nb::call_guard<nb::gil_scoped_release>())
      .def("summary", &Result::summary)
      .def("too_many", too_many)
      .def_prop_ro("size", &Result::size)
      .def_prop_ro("failed", &Result::failed)
      .def_prop_ro("system", &Result::system)
      .def_prop_ro("scheme", &Result::scheme)
      .def_prop_ro("form", &Result::form)
      .def_prop_ro("spec", &Result::spec)
      .def_prop_ro("backend", &Result::backend)
      .def_prop_ro("device", &Result::device)
      .def_prop_ro("wall_seconds", &Result::wall_seconds);
  nb::class_<Stored>(module, "Stored")
      .def(nb::init<const std::string&>(), nb::arg("path"), nb::call_guard<nb::gil_scoped_release>())
      .def("arrays", &Stored::arrays)
      .def("rows", &Stored::rows, nb::arg("name"), nb::arg("first"), nb::arg("count"))
      .def("attributes", &Stored::attributes)
      .def("__getstate__", [](const Stored& stored) { return stored.path(); })
      .def("__setstate__", [](Stored& stored, const std::string& path) { new (&stored) Stored(path); });
  module.def("open_result", &open_result, nb::arg("path"), nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace livens::python
