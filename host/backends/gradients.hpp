#pragma once
// Gradients of sums over the nodes of every instance's motion, by what is compiled of a pair for that
// (docs/equations/tangents.md, section 7).

#include <cstdint>
#include <vector>

#include "ensembles/backend.hpp"
#include "ensembles/request.hpp"

namespace livens::host {

/// What a sum counts of the nodes of N instances; beats as Counted has them.
struct CountedNodes {
  std::vector<std::int64_t> beats;       ///< T, ascending; empty: the last node alone
  std::vector<double> q, p, v, sampled;  ///< N,T and a width each; empty: not counted
  std::int64_t kept_every = 0;           ///< as Counted has it
};

/// N,K for the N instances of a request with directions, whose values a backend of the processor has. Not numbers
/// where an instance does not come to the last of the nodes with status ok. The same bits whatever the threads and
/// whatever is kept. What is needed is compiled on first use. Throws Stopped where `stop` says so.
std::vector<double> gradients(const ensembles::Request& request, ensembles::Backend& backend,
                              const CountedNodes& counted, const ensembles::StopAsked& stop);

}  // namespace livens::host
