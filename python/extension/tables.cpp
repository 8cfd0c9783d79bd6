// What the program knows, as JSON and TOML, which Python reads by itself.

#include <fmt/format.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <tuple>

#include "expressions/drawing.hpp"
#include "expressions/nearest.hpp"
#include "expressions/toml_text.hpp"
#include "host/backends/backends.hpp"
#include "host/backends/machine.hpp"
#include "host/compilation/compiled.hpp"
#include "host/library/boundary.hpp"
#include "host/pairs/registry.hpp"
#include "host/pairs/text_pairs.hpp"
#include "host/problems/problems.hpp"
#include "host/spec/facts_json.hpp"
#include "host/spec/initial_state.hpp"
#include "host/spec/spec_text.hpp"
#include "kernels/description/interface.hpp"
#include "python/extension/module.hpp"

namespace livens::python {
namespace {

/// All that the program knows, as {"systems": [...], "schemes": [...], "statuses": [...]}.
std::string tables() {
  const host::Catalogue catalogue = host::registered();
  nlohmann::ordered_json all;
  for (const SystemKernels& system : catalogue.systems)
    all["systems"].push_back(host::system_json(*system.info, catalogue.schemes_of(system.info->name)));
  for (const SchemeInfo* scheme : catalogue.schemes)
    all["schemes"].push_back(host::scheme_json(catalogue, *scheme));
  all["statuses"] = status_names();
  return all.dump();
}

/// A system as text: what the program knows of it, its tables [system.text], and what looks wrong.
nb::tuple text_system(const std::string& text, const std::string& source) {
  return host::at_boundary([&] {
    const TextSystem system = read_text_system(text, source, host::columns_beside(source));
    const host::Catalogue catalogue = host::with_text(host::registered(), system);
    return nb::make_tuple(host::system_json(system.info(), catalogue.schemes_of(system.name())).dump(),
                          host::as_tables(system), system.warnings());
  });
}

using Given = std::vector<std::pair<std::string, std::vector<double>>>;

/// Values of all parameters of a system, the defaults where none are given.
std::vector<double> parameters_of(const SystemInfo& system, const Given& given) {
  std::vector<double> values = host::default_parameters(system);
  for (const auto& [name, entries] : given) {
    const ParameterInfo* parameter = host::find_parameter(system, name);
    if (!parameter) refuse({.key = "system." + name}, "unknown parameter");
    if (static_cast<int>(entries.size()) != parameter->size())
      refuse({.key = "system." + name}, fmt::format("has {} values", entries.size()),
             fmt::format("{}", parameter->size()));
    std::ranges::copy(entries, values.begin() + host::parameter_offset(system, *parameter));
  }
  return values;
}

/// Initial q and v of a built-in system.
nb::tuple initial_state(const std::string& name, const Given& given) {
  const host::InitialState state = [&] {
    const nb::gil_scoped_release others;  // it may have to be compiled
    return host::at_boundary([&] {
      const SystemKernels* system = host::registered().system(name);
      if (!system) refuse({}, "unknown system '" + name + "'");
      return host::initial_state(host::compiled(*system), parameters_of(*system->info, given));
    });
  }();
  return nb::make_tuple(state.q, state.v);
}

/// The same of a system as text, which needs no compiler.
nb::tuple initial_state_of_text(const std::string& text, const std::string& source, const Given& given) {
  return host::at_boundary([&] {
    const TextSystem system = read_text_system(text, source, host::columns_beside(source));
    const std::vector<double> parameters = parameters_of(system.info(), given);
    return nb::make_tuple(system.initial_position(parameters), system.initial_velocity(parameters));
  });
}

/// What a system looks like: points by expressions, and the links between them.
class Drawn {
 public:
  /// Of the system that a text is, or without one of the built-in system of this name; `drawing` has the keys of [drawing].
  Drawn(const std::string& name, const std::string& text, const std::string& drawing) {
    host::at_boundary([&] {
      if (!text.empty()) text_ = read_text_system(text, name, host::columns_beside(name));
      info_ = text_ ? &text_->info() : host::registered().system(name)->info;
      const toml::table table = parse_toml(drawing, "");
      drawing_ = expressions::read_drawing(expressions::Table(table, {}), {});
      points_.emplace(drawing_, *info_, text_ ? &*text_ : nullptr);
    });
  }

  const expressions::Drawing& drawing() const { return drawing_; }

  /// Of K states, one after the other, and their times: shape (K, points, 3).
  nb::object at(const Numbers& q, const Numbers& times, const Given& given) const {
    return host::at_boundary([&] {
      std::vector<double> parameters = parameters_of(*info_, given);
      if (const TextSystem* const text = text_ ? &*text_ : host::text_of_equations(*info_))
        text->complete(parameters);
      const auto d = static_cast<std::size_t>(info_->coordinates);
      if (q.size() != d * times.size())
        refuse({.key = "q"}, fmt::format("{} numbers", q.size()), fmt::format("{} of each state", d));
      std::vector<double> points;
      for (std::size_t k = 0; k < times.size(); ++k) {
        expressions::Values values;
        values.position = std::span(q.data() + k * d, d);
        values.parameters = parameters;
        values.time = times.data()[k];
        std::ranges::copy(points_->at(values), std::back_inserter(points));
      }
      return handed_over(std::move(points), {static_cast<std::int64_t>(times.size()),
                                             static_cast<std::int64_t>(drawing_.points.size()), 3});
    });
  }

 private:
  std::optional<TextSystem> text_;
  const SystemInfo* info_;
  expressions::Drawing drawing_;
  std::optional<expressions::DrawnPoints> points_;
};

std::vector<std::string> point_names(const Drawn& drawn) {
  std::vector<std::string> names;
  for (const auto& point : drawn.drawing().points) names.push_back(point.name);
  return names;
}

std::vector<std::pair<std::size_t, std::size_t>> point_links(const Drawn& drawn) {
  std::vector<std::pair<std::size_t, std::size_t>> links;
  for (const auto& [a, b] : drawn.drawing().links) links.emplace_back(a, b);
  return links;
}

/// What lv.doctor() has of this machine: name, state, what was found, advice.
std::vector<std::tuple<std::string, std::string, std::string, std::string>> machine() {
  std::vector<std::tuple<std::string, std::string, std::string, std::string>> all;
  for (const host::Finding& one : host::look_at_machine()) {
    constexpr const char* states[] = {"ok", "no", "bad"};
    all.emplace_back(one.name, states[static_cast<int>(one.state)], one.found, one.advice);
  }
  return all;
}

}  // namespace

void add_tables(nb::module_& module) {
  module.def("tables", tables);
  module.def("text_system", text_system, nb::arg("text"), nb::arg("source"));
  module.def("initial_state", initial_state, nb::arg("name"), nb::arg("parameters"));
  module.def("initial_state_of_text", initial_state_of_text, nb::arg("text"), nb::arg("source"),
             nb::arg("parameters"));
  nb::class_<Drawn>(module, "Drawn")
      .def(nb::init<const std::string&, const std::string&, const std::string&>(), nb::arg("name"),
           nb::arg("text"), nb::arg("drawing"))
      .def("names", point_names)
      .def("links", point_links)
      .def("at", &Drawn::at, nb::arg("q"), nb::arg("times"), nb::arg("parameters"));
  module.def("nearest", [](const std::string& typed, const std::vector<std::string>& names) {
    return nearest(typed, names);
  });
  module.def("enumerate", [](const std::vector<std::string>& names) { return enumerate(names); });
  module.def("problems", [] { return host::at_boundary(host::problems_json); });
  module.def("machine", [] { return host::at_boundary(machine); });
  module.def("cuda_usable", [] { return host::at_boundary(host::cuda_usable); });
}

}  // namespace livens::python
