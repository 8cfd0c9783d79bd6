// ptx_selftest: cuda_selftest on a device that executes PTX, and
//
//   ptx_selftest --counts [TEXT]     what a step and an iteration of Newton's method take, of every pair
//                                    whose name contains the text: averages of a warp, a JSON object a line

#include <algorithm>
#include <bit>
#include <cstdio>
#include <set>
#include <valarray>

#include "kernels/backends/registry.hpp"
#include "tests/cuda/devices.hpp"
#include "tests/cuda/ensemble.hpp"
#include "tests/cuda/selftest.hpp"
#include "tests/digests/cases.hpp"
#include "tests/ptx/ptx.hpp"

namespace livens::selftest {
namespace {

/// Warp by warp: instructions, the lanes that took part in them, those of the FP64 pipe, passes of shared memory, sectors
/// of 32 bytes of global memory, accesses of local memory; and Newton iterations.
enum Count { instructions, lanes, fp64, wavefronts, sectors, local, newton, count_kinds };
using Taken = std::valarray<double>;
const Taken nothing(0.0, count_kinds);

/// Of the kernel that runs, and of the steps that are counted.
Taken running = nothing, counts = nothing;
std::string counted_kernel;  // the last of them

/// Passes of shared memory: different words of a bank come one after the other; of 8 bytes and more a part of
/// the warp at a time.
std::size_t passes(const ptx::Addresses& at, ptx::Mask active, std::size_t bytes) {
  const std::size_t words = std::max<std::size_t>(1, bytes / 4);
  std::set<ptx::Word> reached[4][32];  // words, by the part of the warp and the bank
  ptx::each(active, [&](int l) {
    for (ptx::Word word = reinterpret_cast<ptx::Word>(at[l]) / 4, k = 0; k < words; ++word, ++k)
      reached[static_cast<std::size_t>(l) * words / ptx::warp_size][word % 32].insert(word);
  });
  std::size_t sum = 0;
  for (const auto& banks : reached) sum += std::ranges::max(banks, {}, &std::set<ptx::Word>::size).size();
  return sum;
}

const ptx::Watcher watcher{
    .instruction =
        [](const ptx::Instruction& i, ptx::Mask together) {
          running[instructions] += 1, running[lanes] += std::popcount(together), running[fp64] += i.fp64;
        },
    .access =
        [](const ptx::Instruction& i, ptx::Mask active, ptx::Space space, const ptx::Addresses& at,
           std::size_t bytes) {
          // Sectors of 32 bytes; aligned as they are, the bytes of a lane lie in one.
          std::set<ptx::Word> reached;
          ptx::each(active, [&](int l) { reached.insert(reinterpret_cast<ptx::Word>(at[l]) / 32); });
          if (space == ptx::Space::shared) running[wavefronts] += passes(at, active, bytes);
          if (space == ptx::Space::global) running[sectors] += reached.size();
          if (space == ptx::Space::local) running[local] += i.name.find(".param") == std::string_view::npos;
        },
    .kernel =
        [](std::string_view name) {
          const bool steps = name.find("4cuda7advance") != name.npos;  // mangled; not that of difficult steps
          if (steps) counts += running, counted_kernel = name;
          running = nothing;
        }};

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
    counts = nothing;
    ensemble.advance(at += steps);
    Taken taken = counts;
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
      what, of[fp64], of[instructions], of[wavefronts], of[sectors], of[local]);
}

ExitStatus count_pairs(const std::string& only) {
  ptx::watcher = &watcher;
  const CudaDevice device = devices_or_why_none().front();
  for (const Precision precision : {Precision::full, Precision::single})
    for (const PairKernels& pair : cpu_pairs(best_isa(), precision)) {
      if (cuda_pair(pair) == nullptr || name_of(pair).find(only) == std::string::npos) continue;
      const Taken step = step_of(pair, device, Settings{}.tolerance);
      std::printf(R"({"pair": "%s", "kernel": "%s", "unknowns": %d, "newton": %.3f, "lanes": %.2f)",
                  name_of(pair).c_str(), counted_kernel.c_str(), pair.unknowns, step[newton],
                  step[lanes] / step[instructions]);
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
