#include "host/results/attributes.hpp"

#include "kernels/description/interface.hpp"

namespace livens::host {
namespace {

/// The unit as pint reads it; empty where it is none: "SI" of entries that differ in theirs, "N, N m".
std::string units_of_pint(const std::string& unit) {
  if (unit == "1") return "dimensionless";
  return unit == "SI" || unit.find(',') != std::string::npos ? "" : unit;
}

}  // namespace

Attributes attributes_of(const std::string& unit, const std::string& description) {
  Attributes attributes = {{"unit", unit}, {"description", description}};
  const std::string units = units_of_pint(unit);
  if (!units.empty()) attributes.push_back({"units", units});
  attributes.push_back({"long_name", description});
  return attributes;
}

Attributes status_attributes() {
  std::vector<std::uint8_t> codes;
  std::string names;
  for (const StatusRow& row : status_rows) {
    codes.push_back(static_cast<std::uint8_t>(row.status));
    if (!names.empty()) names += ' ';
    names += row.name;
  }
  return {{"flag_values", codes}, {"flag_meanings", names}};
}

Attributes growth_attributes(const ensembles::Growth& growth) {
  return {{"growth_exponent", growth.exponent},
          {"growth_interval", std::vector<double>{growth.low, growth.high}},
          {"growth_window", std::vector<double>{growth.from, growth.to}}};
}

}  // namespace livens::host
