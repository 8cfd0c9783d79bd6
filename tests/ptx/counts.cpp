// ptx_selftest: cuda_selftest on a device that executes PTX, and
//
//   ptx_selftest --counts [TEXT]     what a step and an iteration of Newton's method take, of every pair
//                                    whose name contains the text: averages of a warp, a JSON object a line

#include <cstdio>
#include <valarray>

#include "kernels/backends/registry.hpp"
#include "tests/cuda/devices.hpp"
#include "tests/cuda/ensemble.hpp"
#include "tests/cuda/selftest.hpp"
#include "tests/digests/cases.hpp"
#include "tests/ptx/ptx.hpp"

namespace livens::selftest {
namespace {

using Taken = std::valarray<double>;  // as ptx::Count, and Newton iterations
constexpr std::size_t newton = ptx::count_kinds;

/// A warp of an ensemble: few of them wait for an instance whose steps are difficult.
constexpr int warps = 16;

/// Of a warp, a step: what a longer launch takes more than a shorter one, so that what stands before and behind
/// the steps does not count.
Taken step_of(const PairKernels& pair, const CudaDevice& device, double tolerance) {
  Settings settings = standard_settings(*pair.scheme);
  settings.tolerance = tolerance;
  Ensemble ensemble(pair, device, warps * tile_size, settings);
  std::int64_t at = 0;
  const auto launch = [&](std::int64_t steps) {
    const double before = ensemble.totals().newton_iterations;
    ptx::counts = {};
    ensemble.advance(at += steps);
    Taken taken(newton + 1);
    std::copy(ptx::counts.begin(), ptx::counts.end(), std::begin(taken));
    taken[newton] = (ensemble.totals().newton_iterations - before) / tile_size;
    return taken;
  };
  launch(4);  // the first steps know none before them
  constexpr std::int64_t steps = 16;
  const Taken shorter = launch(4), longer = launch(4 + steps);
  return (longer - shorter) / double(warps * steps);
}

void print(const char* what, const Taken& of) {
  std::printf(
      R"(, "%s": {"fp64": %.2f, "instructions": %.1f, "wavefronts": %.1f, "sectors": %.1f, "local": %.1f})",
      what, of[ptx::fp64], of[ptx::instructions], of[ptx::wavefronts], of[ptx::sectors], of[ptx::local]);
}

ExitStatus count_pairs(const std::string& only) {
  ptx::counted = "4cuda7advance";  // mangled; not that of difficult steps
  const CudaDevice device = devices_or_why_none().front();
  for (const Precision precision : {Precision::full, Precision::single})
    for (const PairKernels& pair : cpu_pairs(best_isa(), precision)) {
      if (cuda_pair(pair) == nullptr || name_of(pair).find(only) == std::string::npos) continue;
      const Taken step = step_of(pair, device, Settings{}.tolerance);
      std::printf(R"({"pair": "%s", "kernel": "%s", "unknowns": %d, "newton": %.3f, "lanes": %.2f)",
                  name_of(pair).c_str(), ptx::counted_kernel.c_str(), pair.unknowns, step[newton],
                  step[ptx::lanes] / step[ptx::instructions]);
      print("step", step);
      // With a tolerance that ends earlier; where it does not there is no iteration to be told apart.
      const Taken more = step - step_of(pair, device, 1e-3);
      if (more[newton] > 0.5) print("iteration", more / more[newton]);
      std::printf("}\n");
      std::fflush(stdout);
    }
  return exit_equal;
}

}  // namespace
}  // namespace livens::selftest

int main(int argc, char** argv) {
  if (argc < 2 || std::string_view(argv[1]) != "--counts") return livens::selftest::main(argc, argv);
  return livens::selftest::count_pairs(argc > 2 ? argv[2] : "");
}
