// The numbers that show the loops right: published, in closed form, or conserved.
#pragma once

#include <cstdio>
#include <string>

namespace livens::naive {

inline int failures = 0;

inline void expect(const std::string& what, double error, double bound) {
  const bool good = error <= bound;
  failures += !good;
  std::printf("  %-79s %9.2e  (<= %.0e)  %s\n", what.c_str(), error, bound, good ? "ok" : "WRONG");
}

void check_end_states();    ///< final positions from the authors' own code
void check_whole_runs();    ///< what takes every node of a run
void check_observables();   ///< largest changes of energy, constraints and momentum
void check_closed_forms();  ///< orders against exact motions

}  // namespace livens::naive
