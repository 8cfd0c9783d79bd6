#pragma once
// How far an ensemble is from its true motion: the same population is integrated once more by an accurate
// scheme (output.error_against), and the positions are compared.

#include "host/spec.hpp"

namespace livens::host {

/// The spec with the scheme that error_against names, at its standard tolerances. Instances, steps and
/// samples are the same; the true motion is neither retried nor watched.
Spec true_motion(const Spec& spec);

/// Adds /instances/position_error, at the end, and /trajectories/position_error, at the samples, to `result`:
/// the infinity norm of the difference in q, angles as they are; NaN where either motion has failed.
void add_position_error(const ensembles::Result& motion, ensembles::Result& result);

}  // namespace livens::host
