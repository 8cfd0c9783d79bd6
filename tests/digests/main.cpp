//   digests FILE           runs every pair on every instruction set of this processor; compares with the file
//   digests --write FILE   writes it
//   digests --write-large FILE [SYSTEM]   the same of longer runs of more instances, for a GPU to be compared
//   with;
//                          of all systems, or of one

#include <cstdio>
#include <exception>
#include <string_view>

#include "kernels/backends/registry.hpp"
#include "tests/digests/comparison.hpp"
#include "tests/digests/digests.hpp"

namespace livens::selftest {
namespace {

/// Of the pairs of one system, or of all where none is named.
Digests digests_of(Isa isa, const Extent& extent, std::string_view system = "") {
  Digests digests;
  for (const Precision precision : {Precision::full, Precision::single})
    for (const PairKernels& pair : cpu_pairs(isa, precision)) {
      if (!system.empty() && system != pair.system->info->name) continue;
      for (const Case& which : cases(extent)) {
        if (!which.suits(pair)) continue;
        Processor processor(pair);
        Comparison run(pair, which, processor, nullptr);
        run.run(extent.stops);
        digests[name_of(pair, which)] = run.digest();
      }
    }
  return digests;
}

/// Of all pairs: full forms may be the widest instruction set's alone, and lower precision plain code's.
Digests all_digests(const Extent& extent, std::string_view system = "") {
  Digests digests = digests_of(best_isa(), extent, system);
  if (usable(Isa::plain)) digests.merge(digests_of(Isa::plain, extent, system));
  return digests;
}

/// Digests that a build with fewer systems lacks are not missed.
int compare(const Digests& expected, const Digests& found, const char* isa) {
  int different = 0;
  for (const auto& [name, value] : found) {
    const auto known = expected.find(name);
    if (known != expected.end() && known->second == value) continue;
    ++different;
    std::printf("%s, %s: %s\n", isa, name.c_str(), known == expected.end() ? "not in the file" : "differs");
  }
  std::printf("%s: %zu digests, %d different\n", isa, found.size(), different);
  return different;
}

int check(const char* path) {
  const Digests expected = read_digests(path);
  int different = 0, compared = 0;
  for (const Isa isa : {Isa::plain, Isa::avx2, Isa::avx512}) {
    if (!usable(isa)) continue;
    different += compare(expected, digests_of(isa, small), isa_name(isa));
    ++compared;
  }
  return different > 0 || compared == 0 ? 1 : 0;
}

}  // namespace
}  // namespace livens::selftest

int main(int argc, char** argv) try {
  using namespace livens;
  using namespace livens::selftest;
  const std::string_view option = argc > 2 ? argv[1] : "";
  if (option == "--write" && argc == 3) {
    write_digests(argv[2], all_digests(small));
    return 0;
  }
  if (option == "--write-large" && argc <= 4) {
    write_digests(argv[2], all_digests(large, argc == 4 ? argv[3] : ""));
    return 0;
  }
  if (argc == 2) return check(argv[1]);
  std::fprintf(stderr, "usage: digests FILE, digests --write FILE, or digests --write-large FILE [SYSTEM]\n");
  return 2;
} catch (const std::exception& error) {
  std::fprintf(stderr, "digests: %s\n", error.what());
  return 1;
}
