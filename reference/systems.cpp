#include "systems.hpp"

#include "parameters.hpp"

namespace livens::reference {
namespace {

struct Entry {
  std::string name;
  System (*make)(Parameters&);
};

const std::vector<Entry>& table() {
  static const std::vector<Entry> entries = {
      {"four_particle", four_particle},     {"heavy_top", heavy_top},
      {"double_four_bar", double_four_bar}, {"mass_spring", mass_spring},
      {"spring_pendulum", spring_pendulum}, {"double_spherical_pendulum", double_spherical_pendulum},
      {"unit_circle", unit_circle},         {"foucault_pendulum", foucault_pendulum},
  };
  return entries;
}

}  // namespace

std::vector<std::string> systems() {
  std::vector<std::string> names;
  for (const Entry& entry : table()) names.push_back(entry.name);
  return names;
}

System make_system(const Model& model) {
  for (const Entry& entry : table()) {
    if (entry.name != model.system) continue;
    Parameters given(model);
    System system = entry.make(given);
    given.expect_no_more();
    return system;
  }
  throw std::invalid_argument("no system is called " + model.system);
}

}  // namespace livens::reference
