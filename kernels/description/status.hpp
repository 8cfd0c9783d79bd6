#pragma once
// How an instance ended.

#include <array>  // std::size
#include <cstdint>

namespace livens {

/// How an instance ended. The numbers are those of /instances/status.
enum class Status : std::uint8_t {
  ok = 0,
  newton_diverged = 1,
  singular_matrix = 2,
  not_finite = 3,
  wrong_branch = 4,
  inconsistent_initial = 5,
  invalid_parameter = 6,
  energy_balance = 7,
  stopped = 8,
  outside_table = 9,
  zeno = 10,
};

/// True for an instance that did not do what was asked of it; to meet a stop condition is no failure.
constexpr bool is_failure(Status status) { return status != Status::ok && status != Status::stopped; }

/// A status in words: its name in result files and messages, and what an instance with it did.
struct StatusRow {
  Status status;
  const char* name;
  const char* meaning;
};
inline constexpr StatusRow status_rows[] = {
    {Status::ok, "ok", "reached the end"},
    {Status::newton_diverged, "newton_diverged",
     "Newton's method did not converge, nor did it with substeps"},
    {Status::singular_matrix, "singular_matrix", "its matrix was singular, with pivoting too"},
    {Status::not_finite, "not_finite", "a value given, drawn or computed was not finite"},
    {Status::wrong_branch, "wrong_branch", "only roots that do not continue the motion were found"},
    {Status::inconsistent_initial, "inconsistent_initial",
     "its initial state violates the constraints and could not be projected, or may not be, or has "
     "directors that are left-handed"},
    {Status::invalid_parameter, "invalid_parameter",
     "a varied value is outside its domain, or gives a mass matrix that is not positive, or `scheme.step` so "
     "small that the steps to the end are more than 2^53, or damping so strong that `scheme.order` does not "
     "admit it in steps of that length"},
    {Status::energy_balance, "energy_balance", "its energy error exceeded `scheme.energy_balance`"},
    {Status::stopped, "stopped",
     "met a condition of `output.stop`, at `stop_time`; no failure: it keeps the node before"},
    {Status::outside_table, "outside_table",
     "left a table of its text that ends with `beyond = \"error\"`, within two steps of where it stayed"},
    {Status::zeno, "zeno",
     "had more than `scheme.max_impacts` impacts on a wall in one step, and they did not die out"},
};
inline constexpr int status_count = static_cast<int>(std::size(status_rows));

static_assert(
    [] {
      for (int code = 0; code < status_count; ++code)
        if (status_rows[code].status != static_cast<Status>(code)) return false;
      return true;
    }(),
    "the rows stand in the order of the enumerators");

}  // namespace livens
