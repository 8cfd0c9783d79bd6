// Digests of all datasets of a result file: two runs have the same ones where every number is the same to the
// bit.
//
//   dataset_digests FILE.h5 DIGESTS           compares; exit status 0 all equal, 1 some differ, 3 there is no
//   dataset dataset_digests --write FILE.h5 DIGESTS   writes them

#include <hdf5.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/cuda/tally.hpp"
#include "tests/digests/digests.hpp"

namespace livens::selftest {
namespace {

/// FNV-1a, 64 bits, over the values as they stand in the file.
std::uint64_t digest_of(hid_t dataset) {
  const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  std::vector<unsigned char> bytes(static_cast<std::size_t>(count) * H5Tget_size(type));
  if (!bytes.empty() && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
    throw std::runtime_error("a dataset cannot be read");
  if (H5Tis_variable_str(type) > 0) {  // what was read are their places: names, of axes
    std::string words;
    for (hssize_t i = 0; i < count; ++i) {
      const char* word = nullptr;
      std::memcpy(&word, bytes.data() + static_cast<std::size_t>(i) * sizeof word, sizeof word);
      words += word ? word : "";
      words += '\0';
    }
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, bytes.data());
    bytes.assign(words.begin(), words.end());
  } else if (H5Tdetect_class(type, H5T_VLEN) > 0) {
    throw std::runtime_error("a dataset of variable length");
  }
  H5Sclose(space);
  H5Tclose(type);
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (const unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3ull;
  return hash;
}

herr_t add_digest(hid_t file, const char* name, const H5L_info_t*, void* digests) try {
  const hid_t object = H5Oopen(file, name, H5P_DEFAULT);
  if (H5Iget_type(object) == H5I_DATASET) (*static_cast<Digests*>(digests))[name] = digest_of(object);
  H5Oclose(object);
  return 0;
} catch (const std::exception& error) {
  std::printf("%s: %s\n", name, error.what());
  return -1;
}

Digests digests_of(const std::string& path) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) throw std::runtime_error(path + ": cannot be opened");
  Digests digests;
  if (H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, add_digest, &digests) < 0)
    throw std::runtime_error(path + ": cannot be read");
  H5Fclose(file);
  return digests;
}

ExitStatus compare(const Digests& found, const Digests& expected) {
  int different = 0;
  const auto report = [&](const std::string& name, const char* what) {
    std::printf("FAIL %s %s\n", name.c_str(), what);
    ++different;
  };
  for (const auto& [name, value] : expected) {
    const auto at = found.find(name);
    if (at == found.end())
      report(name, "is missing");
    else if (at->second != value)
      report(name, "differs");
  }
  for (const auto& [name, value] : found)
    if (!expected.contains(name)) report(name, "is not expected");
  std::printf("%zu datasets, %d different\n", found.size(), different);
  if (different > 0) return exit_wrong;
  return found.empty() ? exit_nothing : exit_equal;
}

}  // namespace
}  // namespace livens::selftest

int main(int argc, char** argv) try {
  using namespace livens::selftest;
  const bool write = argc == 4 && std::string_view(argv[1]) == "--write";
  if (argc != 3 && !write) {
    std::fprintf(stderr, "usage: dataset_digests [--write] FILE.h5 DIGESTS\n");
    return exit_usage;
  }
  const Digests found = digests_of(argv[argc - 2]);
  if (write) {
    write_digests(argv[argc - 1], found);
    return exit_equal;
  }
  return compare(found, read_digests(argv[argc - 1]));
} catch (const std::exception& error) {
  std::fprintf(stderr, "dataset_digests: %s\n", error.what());
  return livens::selftest::exit_wrong;
}
