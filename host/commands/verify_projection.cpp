#include "host/commands/verify_projection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ensembles/population.hpp"
#include "host/backends/backends.hpp"
#include "host/backends/reference_backend.hpp"
#include "host/compilation/compiled.hpp"
#include "host/pairs/registry.hpp"

namespace livens::host {
namespace {

using ensembles::Population;
using ensembles::Range;

/// Of one backend; the largest figures of its instances.
struct Comparison {
  std::int64_t compared = 0;
  std::int64_t failed_alone = 0;  // on the backend or on the reference, but not on both
  double q = 0.0, q_bound = 0.0;  // distance in the infinity norm, and what round-off may make of it
  double v = 0.0, v_bound = 0.0;
  bool ok = true;
};

Comparison compare(const ReferenceBackend& reference, ensembles::Request request, const std::string& name) {
  const std::unique_ptr<ensembles::Backend> backend = make_backend(request, name, 1);
  const Range range{0, std::min(request.size, ensembles::block_size)};
  // The states as drawn, by the same backend: its own initial state may differ from another's by rounding.
  request.consistency = Consistency::keep;
  const Population given(request, range, *backend);
  request.consistency = Consistency::project;
  const Population projected(request, range, *backend);
  Comparison r;
  for (std::int64_t i = 0; i < range.size(); ++i) {
    if (given.status()[i] != static_cast<std::uint8_t>(Status::ok)) continue;
    const bool found = projected.status()[i] == static_cast<std::uint8_t>(Status::ok);
    try {
      const auto error = reference.projection_error(given.batch(), projected.batch(), i);
      if (!found) {
        ++r.failed_alone;
        continue;
      }
      ++r.compared;
      r.ok = r.ok && error.q <= error.q_bound && error.v <= error.v_bound;
      r.q = std::max(r.q, error.q);
      r.v = std::max(r.v, error.v);
      r.q_bound = std::max(r.q_bound, error.q_bound);
      r.v_bound = std::max(r.v_bound, error.v_bound);
    } catch (const reference::StepFailure&) {
      if (found) ++r.failed_alone;
    }
  }
  r.ok = r.ok && r.failed_alone == 0;
  return r;
}

}  // namespace

void displace(ensembles::Request& request, int coordinates) {
  // A thousandth of a metre: little beside any length, much beside a rounding.
  for (int c = 0; c < coordinates; ++c)
    request.variations.push_back({fmt::format("initial.q[{}]", c),
                                  ensembles::Target::q,
                                  c,
                                  1,
                                  ensembles::Law::normal,
                                  ensembles::Mode::add,
                                  0.0,
                                  1e-3,
                                  {}});
}

bool verify_projection(const PairKernels& pair, const ensembles::Request& request,
                       nlohmann::ordered_json& json) {
  const char* const system = pair.system->info->name;
  const ReferenceBackend reference(with_compiled_system(pair));
  bool all_ok = true;
  for (const std::string& name : backends_of(pair)) {
    if (name == "reference" || (name == "cuda" && !cuda_usable())) continue;
    const Comparison c = compare(reference, request, name);
    fmt::print("{:<28}projection onto the constraints, {}: q {:.1e} (bound {:.1e}), v {:.1e} ({:.1e})  {}\n",
               system, name, c.q, c.q_bound, c.v, c.v_bound, c.ok ? "ok" : "BROKEN");
    if (c.failed_alone > 0)
      fmt::print("  {} instances compared; {} have no projection on one side alone\n", c.compared,
                 c.failed_alone);
    json.push_back({{"system", system},
                    {"backend", name},
                    {"against", "reference"},
                    {"compared", c.compared},
                    {"failed_on_one", c.failed_alone},
                    {"difference", {{"q", c.q}, {"v", c.v}}},
                    {"bound", {{"q", c.q_bound}, {"v", c.v_bound}}},
                    {"ok", c.ok}});
    all_ok = all_ok && c.ok;
  }
  return all_ok;
}

}  // namespace livens::host
