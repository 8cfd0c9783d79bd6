#pragma once
// livens verify: the projection onto the constraints, of every backend against the reference.

#include <nlohmann/json_fwd.hpp>

#include "ensembles/request.hpp"

namespace livens::host {

/// Displaces the states of a request whose own are consistent.
void displace(ensembles::Request& request, int coordinates);

/// Prints what the backends present make of the initial states of (the first block of) an ensemble, one line
/// and one entry of `json` a backend. Whether every instance keeps to its bound on each.
bool verify_projection(const PairKernels& pair, const ensembles::Request& request,
                       nlohmann::ordered_json& json);

}  // namespace livens::host
