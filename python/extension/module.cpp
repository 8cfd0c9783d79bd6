// livens._livens: liblivens for the package around it. Specs come as TOML, results go as arrays that nobody
// has copied; what a user sees of it is written in Python.

#include "python/extension/module.hpp"

#include "host/version.hpp"

namespace livens::python {
namespace {

/// Of livens.errors.
nb::object type_named(const char* name) { return nb::module_::import_("livens.errors").attr(name); }

void raise(const char* name, const nb::object& arguments) {
  PyErr_SetObject(type_named(name).ptr(), arguments.ptr());
}

/// None in place of what there is not.
template <class T>
nb::object given(const T& value) {
  if (value == T{}) return nb::none();
  return nb::cast(value);
}

/// livens.errors.Mistake.
nb::object as_python(const Mistake& mistake) {
  return type_named("Mistake")(mistake.problem, given(mistake.key), given(mistake.expected),
                               given(mistake.suggestion), given(mistake.file), given(mistake.line),
                               given(mistake.excerpt),
                               mistake.excerpt.empty() ? nb::object(nb::none()) : nb::cast(mistake.caret));
}

void raise(const SpecError& error) {
  nb::list mistakes;
  for (const Mistake& mistake : error.mistakes) mistakes.append(as_python(mistake));
  raise("SpecError", nb::tuple(mistakes));
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const SpecError& error) {
    raise(error);
  } catch (const ResultError& error) {
    raise("ResultError", nb::str(error.what()));
  } catch (const DeviceError& error) {
    raise("DeviceError", nb::str(error.what()));
  } catch (const Error& error) {
    raise("LivensError", nb::str(error.what()));
  }
}

/// What the program prints of the fields of livens.errors.Mistake.
std::string printed(const std::string& problem, const std::optional<std::string>& key,
                    const std::optional<std::string>& expected, const std::optional<std::string>& suggestion,
                    const std::optional<std::string>& file, std::optional<std::int64_t> line,
                    const std::optional<std::string>& excerpt, std::optional<std::size_t> caret) {
  return livens::printed({{file.value_or(""), line.value_or(0), key.value_or("")},
                          problem,
                          expected.value_or(""),
                          suggestion.value_or(""),
                          excerpt.value_or(""),
                          caret.value_or(0)});
}

}  // namespace
}  // namespace livens::python

NB_MODULE(_livens, module) {
  nanobind::register_exception_translator(livens::python::translate);
  module.attr("version") = livens::host::version;
  module.def("printed", livens::python::printed);
  livens::python::add_tables(module);
  livens::python::add_results(module);
  livens::python::add_runs(module);
}
