#include "host/compilation/kernel_headers.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include "host/checkpoint/sha256.hpp"
#include "host/errors.hpp"

namespace livens::host {
namespace {

namespace fs = std::filesystem;

bool holds_kernels(const fs::path& root) {
  std::error_code none;
  return fs::is_regular_file(root / "kernels/backends/plugin.hpp", none);
}

fs::path find_root() {
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none);
  const fs::path installed = program.parent_path().parent_path() / LIVENS_INSTALLED_HEADERS;
  for (const fs::path& root : {installed, fs::path(LIVENS_SOURCE_TREE)})
    if (holds_kernels(root)) return root;
  throw RequestError("the headers of livens, which pairs are compiled against on first use, are neither in " +
                     installed.string() + " nor in " + LIVENS_SOURCE_TREE +
                     "; expected an installation with them");
}

std::string digest_of(const fs::path& root) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(root / "kernels"))
    if (entry.is_regular_file() && entry.path().extension() == ".hpp") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::string digests;
  for (const fs::path& file : files)
    digests += fs::relative(file, root).string() + ' ' + sha256_from(file.string(), 0) + '\n';
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

std::string kernel_file(const KernelHeaders& headers, const std::string& path) {
  const std::string full = (headers.root / path).string();
  std::ifstream file(full, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file || text.str().empty()) throw FileError(full, std::strerror(errno));
  return text.str();
}

}  // namespace livens::host
