// naive_loops: the rates of the comparator, and the published or closed-form numbers that show it is right.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "checks/checks.hpp"
#include "naive.hpp"

namespace naive = livens::naive;

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 0.3;
  for (const naive::Pair& pair : naive::pairs()) {
    const auto to_end = std::lround(pair.end / pair.default_step);
    const auto once = pair.integrate(0, to_end, 1e-10);
    const auto steps = static_cast<std::int64_t>(seconds * static_cast<double>(to_end) / once.seconds) + 1;
    std::vector<double> rates;
    for (int repeat = 0; repeat < 7; ++repeat) {
      const auto r = pair.integrate(0, steps, 1e-10);
      rates.push_back(static_cast<double>(r.steps) / r.seconds);
    }
    std::ranges::sort(rates);
    std::printf(
        "%s %s: %.0f steps/s (%.0f..%.0f), %.3f iterations a step, |dE| %.2e, |g| %.1e, |Gv| %.1e, "
        "|dJ| %.1e\n",
        pair.system.data(), pair.scheme.data(), rates[3], rates.front(), rates.back(),
        static_cast<double>(once.newton_iterations) / static_cast<double>(once.steps), once.max_energy_error,
        once.max_constraint, once.max_velocity_constraint, once.max_momentum_error);
    std::printf("  q(T) =");
    for (const double x : once.final_q) std::printf(" %.11f", x);
    std::printf("\n");
  }
  naive::check_end_states();
  naive::check_whole_runs();
  naive::check_observables();
  naive::check_closed_forms();
  return naive::failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
