#include "host/compilation/kernel_headers.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>

#include "host/errors.hpp"
#include "host/files/sha256.hpp"

namespace livens::host {
namespace {

namespace fs = std::filesystem;

bool holds_kernels(const fs::path& root) {
  std::error_code none;
  return fs::is_regular_file(root / "kernels/description/plugin.hpp", none);
}

/// The file that this is in: a shared module, or the program. By the kernel's word: dladdr() has the name by
/// which it was called, which for a program found through PATH, and for a library found through
/// LD_LIBRARY_PATH, may lead from the working directory.
fs::path own_file() {
  static const char here = 0;
  const auto address = reinterpret_cast<std::uintptr_t>(&here);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {  // "first-last rights offset device inode    path"
    std::uintptr_t first = 0, last = 0;
    const char* const end = line.data() + line.size();
    const auto [dash, one] = std::from_chars(line.data(), end, first, 16);
    if (one != std::errc() || dash == end) continue;
    const auto [behind, two] = std::from_chars(dash + 1, end, last, 16);
    if (two != std::errc() || address < first || address >= last) continue;
    const std::size_t path = line.find('/', static_cast<std::size_t>(behind - line.data()));
    return path == std::string::npos ? fs::path() : fs::path(line.substr(path));
  }
  return {};
}

fs::path find_root() {
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none);
  const fs::path installed = program.parent_path().parent_path() / LIVENS_INSTALLED_HEADERS;
  const fs::path packed = own_file().parent_path() / "include";  // of a wheel
  for (const fs::path& root : {packed, installed, fs::path(LIVENS_SOURCE_TREE)})
    if (root.is_absolute() && holds_kernels(root)) return root;  // relative where there is no /proc
  refuse({},
         "the headers of livens, which pairs are compiled against on first use, are neither in " +
             installed.string() + " nor in " + LIVENS_SOURCE_TREE,
         "an installation with them");
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
