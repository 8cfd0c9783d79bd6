#pragma once
// What happens at the walls of a text, seen from outside of a step.

#include <functional>

#include "ensembles/request.hpp"
#include "ensembles/result.hpp"
#include "expressions/mechanics.hpp"
#include "host/checks/finding.hpp"

namespace livens::host {

struct FirstImpact {
  std::size_t wall;
  double time;  ///< s; not a number where there is none
};
FirstImpact first_impact(const ensembles::Result& result, std::size_t instance, std::size_t walls);

/// The first impact of every instance of a request, looked at from runs that end just before it and just after
/// it: the rate of the gap is -e times what it was, and, where the velocities satisfy the constraints, what
/// is lost is (1 - e^2) nu^2/(2 N K N) (equations/general.md, section 10 (d)). Nothing is reported where no
/// instance meets a wall.
void try_impacts(const expressions::Mechanics& mechanics, const ensembles::Request& request,
                 const std::function<ensembles::Result(const ensembles::Request&)>& run,
                 bool velocity_constraint, const std::string& scheme,
                 const std::function<void(const Finding&)>& found);

}  // namespace livens::host
