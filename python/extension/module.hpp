#pragma once
// The parts of the extension module.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <span>

#include "host/livens.hpp"

namespace livens::python {

namespace nb = nanobind;

/// Doubles in one piece.
using Numbers = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

/// Numbers as an array of NumPy that lives as long as what `owner` holds.
template <class T>
nb::object shown(std::span<const T> values, const std::vector<std::int64_t>& shape,
                 const nb::capsule& owner) {
  const std::vector<std::size_t> lengths(shape.begin(), shape.end());
  // The vectors behind the spans are not constant, and now the caller's to change.
  return nb::cast(
      nb::ndarray<nb::numpy, T>(const_cast<T*>(values.data()), lengths.size(), lengths.data(), owner));
}
/// An array of values that are nobody else's.
template <class T>
nb::object handed_over(std::vector<T> values, std::vector<std::int64_t> shape) {
  auto* const kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(kept, [](void* held) noexcept { delete static_cast<std::vector<T>*>(held); });
  return shown(std::span<const T>(*kept), shape, owner);
}
template <class T>
nb::object handed_over(std::vector<T> values) {
  const auto length = static_cast<std::int64_t>(values.size());
  return handed_over(std::move(values), {length});
}

/// The tables of the program: systems, schemes, statuses; and systems as text.
void add_tables(nb::module_& module);
/// Result, and open_result().
void add_results(nb::module_& module);
/// check(), run() and run_to_file().
void add_runs(nb::module_& module);

}  // namespace livens::python
