// Everything a GPU computes, against what a processor has computed: every pair to the bit, from the same
// parameters, and what a backend does beside that. Also what a GPU takes for it.
//
//   cuda_selftest [--small] [--expected DIGESTS] [--only TEXT]
//                                    all pairs, against the processor, or against the digests of a file: then
//                                    the processor takes part only where one differs. --only: cases whose
//                                    name contains the text
//   cuda_selftest --records          draws, records, statistics, copies, exhausted memory, several devices
//   cuda_selftest --time FILE [--sizes N,N...] [--seconds S] [--only TEXT]
//                                    steps per second of every pair and the cost of a sample, a JSON object a
//                                    line
//   cuda_selftest --advance SYSTEM SCHEME [INSTANCES BEATS]    two launches of a pair, for a profiler to look
//                                    at
//   cuda_selftest --compiled         whether the pair that a system takes by default has kernels, of every
//                                    system; needs no device
//   cuda_selftest --devices          the devices, a JSON object a line
//
// Exit status: 0 all equal, 1 something is wrong, 2 usage, 3 nothing was compared, 77 no device.

#include "tests/cuda/selftest.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/backends/cuda/cuda_registry.hpp"
#include "kernels/backends/registry.hpp"
#include "tests/cuda/backend_checks.hpp"
#include "tests/cuda/devices.hpp"
#include "tests/cuda/draws.hpp"
#include "tests/cuda/pairs.hpp"
#include "tests/cuda/resident.hpp"
#include "tests/cuda/timing.hpp"

namespace livens::selftest {
namespace {

struct Usage : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The words of the command line, taken one after the other.
class Words {
 public:
  Words(int count, char** words) : words_(words + 1, words + count) {}
  bool empty() const { return words_.empty(); }
  std::string take(const std::string& after) {
    if (empty()) throw Usage(after + ": something is missing behind it");
    const std::string word = words_.front();
    words_ = words_.subspan(1);
    return word;
  }
  std::int64_t take_number(const std::string& after) { return number(take(after)); }

  static std::int64_t number(const std::string& word) {
    char* end = nullptr;
    const std::int64_t value = std::strtoll(word.c_str(), &end, 10);
    if (word.empty() || *end != '\0' || value < 0) throw Usage(word + ": expected a whole number");
    return value;
  }

 private:
  std::span<char*> words_;
};

/// By the first pair that was compiled, and by the first of those whose difficult steps the processor takes.
void check_backends(const std::vector<CudaDevice>& devices, Tally& tally) {
  const PairKernels *first = nullptr, *leaving = nullptr;
  for (const PairKernels& pair : cpu_pairs(best_isa())) {
    const CudaPairKernels* const compiled = cuda_pair(pair);
    if (compiled == nullptr) continue;
    if (first == nullptr) first = &pair;
    if (leaving == nullptr && compiled->advance_difficult == nullptr) leaving = &pair;
  }
  if (first == nullptr) return;
  for (const CudaDevice& device : devices) {
    const std::string where = " on device " + std::to_string(device.index);
    tally.add("records and statistics" + where, [&] { return check_resident(*first, device); });
    tally.add("draws" + where, [&] { return check_draws(*first, device); });
    tally.add("copies" + where, [&] { return check_copy(*first, device); });
    if (leaving != nullptr)
      tally.add("copies with difficult steps" + where, [&] { return check_copy(*leaving, device); });
    tally.add("exhausted memory" + where, [&] { return check_exhausted_memory(*first, device); });
  }
  std::size_t next = 0;
  for (const PairKernels& pair : cpu_pairs(best_isa()))
    if (pair.unknowns > 0 && pair.advance_mixed != nullptr && cuda_pair(pair) != nullptr)
      tally.add(name_of(pair) + ", mixed, two stops",
                [&] { return check_mixed(pair, devices[next++ % devices.size()]); });
  tally.add("devices in turn", [&] { return check_devices_in_turn(*first, devices); });
}

int compare(Words words) {
  Selection selection;
  std::string digests;
  while (!words.empty()) {
    const std::string option = words.take("");
    if (option == "--small")
      selection.extent = small;
    else if (option == "--expected")
      digests = words.take(option);
    else if (option == "--only")
      selection.only = words.take(option);
    else
      throw Usage("no option " + option);
  }
  if (!digests.empty()) selection.expected = read_digests(digests);
  const auto devices = devices_or_why_none();
  if (devices.empty()) return exit_no_device;
  std::printf("%s\n", devices.front().name.c_str());
  Tally tally;
  compare_pairs(selection, devices, tally);
  return tally.conclude();
}

int time(Words words) {
  TimingRequest request;
  request.file = words.take("--time");
  while (!words.empty()) {
    const std::string option = words.take("");
    if (option == "--sizes") {
      request.sizes.clear();
      std::istringstream list(words.take(option));
      for (std::string size; std::getline(list, size, ',');)
        // Whole tiles.
        request.sizes.push_back(std::max<std::int64_t>(Words::number(size), 1) / tile_size * tile_size);
    } else if (option == "--seconds") {
      request.seconds = std::atof(words.take(option).c_str());
    } else if (option == "--only") {
      request.only = words.take(option);
    } else {
      throw Usage("no option " + option);
    }
  }
  return time_pairs(request);
}

int advance(Words words) {
  const std::string system = words.take("--advance"), scheme = words.take("--advance");
  const std::int64_t instances = words.empty() ? 0 : words.take_number("INSTANCES") / tile_size * tile_size;
  const std::int64_t beats = words.empty() ? 20 : words.take_number("BEATS");
  return advance_pair(system, scheme, instances, beats);
}

int check_records() {
  const auto devices = devices_or_why_none();
  if (devices.empty()) return exit_no_device;
  Tally tally;
  check_backends(devices, tally);
  return tally.conclude();
}

/// The pair that a system takes where none is named, of every system.
int check_compiled() {
  Tally tally;
  std::set<std::string> seen;
  for (const PairKernels& pair : cpu_pairs(best_isa())) {
    const SystemInfo& system = *pair.system->info;
    if (std::string_view(pair.scheme->name) != system.default_scheme) continue;
    if (!seen.insert(system.name).second) continue;  // another form
    tally.add(name_of(pair), [&]() -> std::string {
      const CudaPairKernels* const there = cuda_pair(pair);
      if (there == nullptr) return "FAIL not compiled for CUDA";
      return there->unknowns == pair.unknowns && there->record_width == pair.record_width
                 ? "ok"
                 : "FAIL compiled as another pair";
    });
  }
  return tally.conclude();
}

int run(Words words) {
  const Words all = words;
  const std::string first = words.empty() ? "" : words.take("");
  if (first == "--records") return check_records();
  if (first == "--time") return time(words);
  if (first == "--advance") return advance(words);
  if (first == "--compiled") return check_compiled();
  if (first == "--devices") return list_devices();
  return compare(all);
}

}  // namespace

int main(int argc, char** argv) try { return run({argc, argv}); } catch (const Usage& error) {
  std::fprintf(stderr, "cuda_selftest: %s\n", error.what());
  return exit_usage;
} catch (const std::exception& error) {
  std::fprintf(stderr, "cuda_selftest: %s\n", error.what());
  return exit_wrong;
}

}  // namespace livens::selftest
