#pragma once
// The kernel headers that belong to this program: what is compiled on first use is compiled against them.

#include <filesystem>
#include <string>

namespace livens::host {

struct KernelHeaders {
  std::filesystem::path root;  ///< the directory that holds kernels/
  std::string digest;          ///< of all headers in it
};

/// Those beside the program (PREFIX/bin and PREFIX/include/livens), else those it was built from. Throws
/// RequestError where neither are there.
KernelHeaders kernel_headers();

/// A file of them, by its path from the root. Throws FileError.
std::string kernel_file(const KernelHeaders& headers, const std::string& path);

}  // namespace livens::host
