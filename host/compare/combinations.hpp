#pragma once
// The runs of a comparison: every combination of the values that keys of a spec take.

#include <string>
#include <vector>

#include "host/spec/overrides.hpp"

namespace livens::host {

/// A key of the spec and the values that it takes, as typed behind --over.
struct Sweep {
  std::string key;                  ///< "scheme.step", "ensemble.vary[0].std"
  std::vector<std::string> values;  ///< in TOML, or a bare word
};

/// Reads "KEY=A,B". Commas in brackets, braces and quotation marks belong to a value: "system.mass=[1, 2],[3,
/// 4]" has two. Throws RequestError.
Sweep read_sweep(const std::string& typed);
/// All of them; no key may come twice. Throws RequestError.
std::vector<Sweep> read_sweeps(const std::vector<std::string>& typed);

/// A value of every sweep, in their order.
struct Combination {
  std::vector<std::string> values;
  std::string name;  ///< of its files, "name=ems,step=0.1"
};

inline constexpr std::size_t most_combinations = 10000;

/// The Cartesian product, the last sweep fastest. No two have the same name. Throws RequestError where there
/// are more than most_combinations.
std::vector<Combination> combinations_of(const std::vector<Sweep>& sweeps);

/// A combination for messages: "scheme.name=ems, scheme.step=0.1".
std::string described(const std::vector<Sweep>& sweeps, const Combination& combination);

/// Overrides with the values of a combination behind those that hold for all.
Overrides overrides_of(const std::vector<Sweep>& sweeps, const Combination& combination, Overrides common);

}  // namespace livens::host
