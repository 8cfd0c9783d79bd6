// A Result whose arrays are NumPy's without a copy: each holds a share of the numbers, so that they live as
// long as any array that shows them.

#include "python/extension/module.hpp"

namespace livens::python {
namespace {

template <class T>
nb::object shown(std::span<const T> values, const std::vector<std::int64_t>& shape,
                 const nb::capsule& owner) {
  const std::vector<std::size_t> lengths(shape.begin(), shape.end());
  // The vectors behind the spans are not constant, and now the caller's to change.
  return nb::cast(
      nb::ndarray<nb::numpy, T>(const_cast<T*>(values.data()), lengths.size(), lengths.data(), owner));
}

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
  module.def("open_result", &open_result, nb::arg("path"), nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace livens::python
