#pragma once
// Names of what may differ from instance to instance: "initial.v[10]", "initial.p[9:12]", "system.mass[*]",
// "scheme.step", in [[ensemble.vary]] and in the columns of a table.

#include <array>
#include <map>
#include <string>

#include "ensembles/request.hpp"
#include "host/spec/spec_section.hpp"

namespace livens::host {

struct QuantityName {
  ensembles::Target target;
  int first, count;  ///< scalar entries, as those of a Variation
  enum class Index { none, one, range } index;
};

/// Throws RequestError at `place`.
QuantityName read_quantity_name(const Place& place, const std::string& what, const SystemInfo& system);

/// x, x' and p(x): a coordinate, its velocity and its momentum.
std::array<std::string, 3> names_of(const CoordinateInfo& coordinate);

/// Of the entries of q: x, u[0], u[1]; empty where a system has no names for them.
std::vector<std::string> entry_names(const SystemInfo& system);

/// The unit of a part of the state: "SI" where its entries differ in theirs, or a text does not say it.
std::string unit_of(const QuantityName& quantity, const SystemInfo& system);

/// Units of the entries of q, v and p by the names under which they are observed, q[0] and x, as far as a text says them.
std::map<std::string, std::string> units_at_nodes(const SystemInfo& system);

/// Momenta of a system whose mass matrix is singular are refused.
void refuse_singular_momenta(const Place& place, ensembles::Target target, const SystemInfo& system);

}  // namespace livens::host
