#pragma once
// What to try where an instance has failed, by its status: the kernels know of statuses (status_rows), these
// sentences of the keys of a spec.

#include <array>
#include <string>

#include "kernels/description/interface.hpp"

namespace livens::host {

struct Remedy {
  Status status;
  const char* text;  ///< empty for what is no failure
};
inline constexpr Remedy remedies[] = {
    {Status::ok, ""},
    {Status::newton_diverged,
     "a smaller `scheme.step`; more `scheme.newton.max_iterations` or `scheme.retry`; another `scheme.form` "
     "or scheme"},
    {Status::singular_matrix,
     "a smaller `scheme.step`; `scheme.form = \"full\"`; initial states away from where constraints depend "
     "on each other"},
    {Status::not_finite,
     "values and laws without nan and inf; a smaller `scheme.step` where the motion runs away"},
    {Status::wrong_branch,
     "a smaller `scheme.step`, so that the root that continues the motion is the nearest"},
    {Status::inconsistent_initial,
     "`initial.consistency = \"project\"`; values that are nearer to the constraints"},
    {Status::invalid_parameter,
     "a law that stays in the domain (`livens show SYSTEM`): uniform, lognormal, truncated_normal; "
     "of moments of inertia none above the sum of the others"},
    {Status::energy_balance, "a smaller `scheme.step`, or a larger `scheme.energy_balance`"},
    {Status::stopped, ""},
    {Status::outside_table,
     "a table with more points, `beyond = \"hold\"` or \"linear\"; an earlier `scheme.end`"},
    {Status::zeno, "a smaller `scheme.step`; more `scheme.max_impacts`; restitutions below 1"},
};

static_assert(
    [] {
      if (std::size(remedies) != std::size(status_rows)) return false;
      for (int code = 0; code < status_count; ++code)
        if (remedies[code].status != static_cast<Status>(code) ||
            (*remedies[code].text != '\0') != is_failure(static_cast<Status>(code)))
          return false;
      return true;
    }(),
    "a remedy for every failure, in the order of the statuses");

/// Of the statuses that occur, instances by status: a line or two each. Empty where nothing has failed.
std::string advice(const std::array<std::int64_t, status_count>& instances);

}  // namespace livens::host
