#include "host/compilation/kernel_headers.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "host/checkpoint/sha256.hpp"
#include "host/errors.hpp"

namespace livens::host {
namespace {

namespace fs = std::filesystem;

bool holds_kernels(const fs::path& root) {
  std::error_code none;
  return fs::is_regular_file(root / "kernels/backends/plugin.hpp", none);
}

/// The directory of the shared module that this is linked into, or of the program.
fs::path own_directory() {
  Dl_info module;
  static const char here = 0;
  return dladdr(&here, &module) != 0 ? fs::path(module.dli_fname).parent_path() : fs::path();
}

fs::path find_root() {
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none);
  const fs::path installed = program.parent_path().parent_path() / LIVENS_INSTALLED_HEADERS;
  const fs::path packed = own_directory() / "include";  // of a wheel
  for (const fs::path& root : {packed, installed, fs::path(LIVENS_SOURCE_TREE)})
    if (holds_kernels(root)) return root;
  throw RequestError("the headers of livens, which pairs are compiled against on first use, are neither in " +
                     installed.string() + " nor in " + LIVENS_SOURCE_TREE +
                     "; expected an installation with them");
}

std::vector<std::string> paths_under(const fs::path& root) {
  std::vector<std::string> paths{"expressions/operation.hpp"};  // which those of taylor/ name
  for (const char* folder : {"kernels", "taylor"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      if (const fs::path end = entry.path().extension();
          entry.is_regular_file() && (end == ".hpp" || end == ".cuh"))
        paths.push_back(fs::relative(entry.path(), root).string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string digest_of(const fs::path& root) {
  std::string digests;
  for (const std::string& path : paths_under(root))
    digests += path + ' ' + sha256_from((root / path).string(), 0) + '\n';
  return sha256_of(digests);
}

}  // namespace

KernelHeaders kernel_headers() {
  static const KernelHeaders headers = [] {
    const fs::path root = find_root();
    return KernelHeaders{root, digest_of(root)};
  }();
  return headers;
}

std::vector<std::string> kernel_header_paths(const KernelHeaders& headers) {
  return paths_under(headers.root);
}

std::string kernel_file(const KernelHeaders& headers, const std::string& path) {
  const std::string full = (headers.root / path).string();
  std::ifstream file(full, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file || text.str().empty()) throw FileError(full, std::strerror(errno));
  return text.str();
}

}  // namespace livens::host
