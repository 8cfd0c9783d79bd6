#pragma once
// The parts of the extension module.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "host/livens.hpp"

namespace livens::python {

namespace nb = nanobind;

/// The tables of the program: systems, schemes, statuses; and systems as text.
void add_tables(nb::module_& module);
/// Result, and open_result().
void add_results(nb::module_& module);
/// check(), run() and run_to_file().
void add_runs(nb::module_& module);

}  // namespace livens::python
