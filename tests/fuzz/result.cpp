// Any bytes as a result file, with a check block that fits half of the time, so that HDF5 gets to see them as
// well.

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include "host/errors.hpp"
#include "host/results/check_block.hpp"
#include "host/results/result_file.hpp"

namespace {

std::string scratch_file() {
  std::string name = "/tmp/livens-fuzz-XXXXXX";
  const int descriptor = mkstemp(name.data());
  if (descriptor < 0) std::abort();
  close(descriptor);
  return name;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace livens::host;
  static const std::string path = scratch_file();
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  if (size > 0 && data[size - 1] % 2 == 0) {
    const std::string block = make_check_block(path, static_cast<std::int64_t>(size));
    std::ofstream(path, std::ios::binary | std::ios::app) << block;
  }
  try {
    read_result(path);
  } catch (const FileError&) {
  }
  return 0;
}
