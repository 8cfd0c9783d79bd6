// livens._livens: liblivens for the package around it. Specs come as TOML, results go as arrays that nobody
// has copied; what a user sees of it is written in Python.

#include "python/extension/module.hpp"

#include "host/version.hpp"

namespace livens::python {
namespace {

/// Raises livens.errors.<name>(message).
void raise(const char* name, const char* message) {
  nb::object type = nb::module_::import_("livens.errors").attr(name);
  PyErr_SetObject(type.ptr(), nb::str(message).ptr());
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const SpecError& error) {
    raise("SpecError", error.what());
  } catch (const ResultError& error) {
    raise("ResultError", error.what());
  } catch (const DeviceError& error) {
    raise("DeviceError", error.what());
  } catch (const Error& error) {
    raise("LivensError", error.what());
  }
}

}  // namespace
}  // namespace livens::python

NB_MODULE(_livens, module) {
  nanobind::register_exception_translator(livens::python::translate);
  module.attr("version") = livens::host::version;
  livens::python::add_tables(module);
  livens::python::add_results(module);
  livens::python::add_runs(module);
}
