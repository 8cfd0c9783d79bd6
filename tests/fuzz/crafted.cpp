// A result file with some of its places made something else, sealed again (tests/host/crafted_result.hpp):
// three bytes a change, the place, what becomes of it, and whether there are more. Then what the commands
// make of it.

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "host/checkpoint/checkpoint.hpp"
#include "host/errors.hpp"
#include "host/files/bytes.hpp"
#include "host/results/result_file.hpp"
#include "tests/host/crafted_result.hpp"

namespace {

namespace fs = std::filesystem;
using namespace livens::host;

/// The paths of the changed file and of the intact one it is made from.
struct Scratch {
  std::string changed, intact;
  Scratch() {
    std::string name = "/tmp/livens-fuzz-XXXXXX";
    if (!mkdtemp(name.data())) std::abort();
    changed = name + "/changed.h5";
    intact = name + "/intact.h5";
    write_sample_shard(intact);
  }
};

void read(const std::string& path) {
  try {
    const ResultReader reader(path);
    reader.everything();
    const std::vector<std::uint8_t> frames = reader.samples();
    visit_samples({reinterpret_cast<const char*>(frames.data()), frames.size()},
                  [](const livens::ensembles::SamplePart&) {});
  } catch (const FileError&) {
  } catch (const Malformed&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Scratch scratch;
  fs::copy_file(scratch.intact, scratch.changed, fs::copy_options::overwrite_existing);
  for (std::size_t i = 0; i + 2 < size && i < 24; i += 3) {
    const std::vector<PlaceInFile> places = places_in(scratch.changed);
    if (places.empty()) break;
    // Root attributes come first: the third byte reaches the places beyond the first 256.
    const PlaceInFile& place = places[(data[i] + 256u * (data[i + 2] >> 1)) % places.size()];
    change(scratch.changed, place, data[i + 1] % changes_of(place).size(), scratch.intact);
    if (data[i + 2] % 2 == 0) break;
  }
  read(scratch.changed);
  return 0;
}
