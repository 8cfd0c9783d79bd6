#pragma once
// The kernel headers that belong to this program: what is compiled on first use is compiled against them.

#include <filesystem>
#include <string>
#include <vector>

namespace livens::host {

struct KernelHeaders {
  std::filesystem::path root;  ///< the directory that holds kernels/
  std::string digest;          ///< of all headers in it
};

/// Those beside the program (PREFIX/bin and PREFIX/include/livens), else those it was built from. Throws
/// RequestError where neither are there.
KernelHeaders kernel_headers();

/// Their paths from the root, in order: those for every machine (.hpp) and for a GPU (.cuh).
std::vector<std::string> kernel_header_paths(const KernelHeaders& headers);

/// A file of them, by its path from the root. Throws FileError.
std::string kernel_file(const KernelHeaders& headers, const std::string& path);

}  // namespace livens::host
