#pragma once
// The systems and pairs a request may name: what `list` prints, and what a spec is checked against.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ensembles/request.hpp"
#include "kernels/description/interface.hpp"

namespace livens::host {

struct Catalogue {
  std::span<const SystemKernels> systems;
  std::span<const SchemeInfo* const> schemes;
  std::span<const PairKernels> pairs;              ///< every form of a pair is an entry of its own
  std::span<const PairKernels> single_pairs = {};  ///< those of them that single precision is offered for

  const SystemKernels* system(std::string_view name) const;  ///< null when unknown
  const SchemeInfo* scheme(std::string_view name) const;     ///< null when unknown
  const PairKernels* single(const PairKernels& pair) const;  ///< null when it is not offered
  bool offers(const PairKernels& pair, Precision precision) const;
  std::vector<std::string> system_names() const;
  std::vector<std::string> scheme_names() const;
  std::vector<std::string> schemes_of(std::string_view system) const;
};

/// The values that scheme.precision may have.
inline constexpr std::pair<const char*, Precision> precisions[] = {
    {"double", Precision::full}, {"mixed", Precision::mixed}, {"single", Precision::single}};
constexpr const char* precision_name(Precision precision) {
  return precisions[static_cast<int>(precision)].first;
}

/// Position of a parameter's first entry in the flattened array.
int parameter_offset(const SystemInfo& system, const ParameterInfo& parameter);

/// The default of every scalar parameter of a system.
std::vector<double> default_parameters(const SystemInfo& system);

/// The parameter of that name, or null.
const ParameterInfo* find_parameter(const SystemInfo& system, std::string_view name);

/// What `scheme.order` may be with these options, on a system whose mass matrix is constant and regular or is
/// not: the scheme's own, and those of composition.
std::vector<int> orders_of(const SchemeInfo& scheme, const Settings& settings, bool regular_mass);

/// The pair in the form that does what is asked, or the key of the spec that stands in the way and why.
struct PairChoice {
  const PairKernels* pair = nullptr;
  std::string key, problem, expected;
};
PairChoice choose_pair(const Catalogue& catalogue, const ensembles::Request& request);

}  // namespace livens::host
