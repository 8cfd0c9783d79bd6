#pragma once
// The C++ compiler of the machine, and how it is called: an argument list and no shell, with the flags of the
// kernel units that are built with the program.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "host/compilation/kernel_headers.hpp"

namespace livens::host {

struct Compiler {
  std::vector<std::string> command;  ///< the first word is a path
  std::string version;               ///< what it says of itself
  bool gnu;                          ///< g++, which has flags that clang does not know

  /// Path and version: objects of different compilers are kept apart.
  std::string name() const;
};

/// CXX where that is set, else g++, else clang++, else the Python package ziglang. Nothing where none is
/// found; throws RequestError where CXX names a program that is not there.
std::optional<Compiler> find_compiler();

/// The flags of a kernel unit; `scheme_header` is empty for a system.
std::vector<std::string> kernel_flags(bool gnu, const std::string& isa, const std::string& scheme_header);

/// Compiles unit.cpp of a directory into object.so there, with compiler.log beside it. False where the
/// compiler failed. Throws std::system_error where it could not be called.
bool compile(const Compiler& compiler, const std::vector<std::string>& flags, const KernelHeaders& headers,
             const std::filesystem::path& directory);

}  // namespace livens::host
