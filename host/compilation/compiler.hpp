#pragma once
// Whatever turns a unit into an object: a C++ compiler for the processor, NVRTC or nvcc for a GPU.

#include <filesystem>
#include <memory>
#include <string>

#include "host/compilation/translation_unit.hpp"

namespace livens::host {

class Compiler {
 public:
  virtual ~Compiler() = default;
  /// Path and version: objects of different compilers are kept apart.
  virtual std::string name() const = 0;
  /// Compiles the unit's source in a directory into its object there, with compiler.log beside it. False
  /// where the compiler failed. Throws std::system_error where it could not be called.
  virtual bool compile(const TranslationUnit& unit, const KernelHeaders& headers,
                       const std::filesystem::path& directory) const = 0;
};

/// CXX where that is set, else g++, else clang++, else the Python package ziglang. Null where none is found;
/// throws RequestError where CXX names a program that is not there.
std::unique_ptr<Compiler> find_cpp_compiler();
/// NVRTC, LIVENS_NVRTC where that is set, else nvcc. Null where neither is found; throws RequestError where
/// LIVENS_NVRTC names no NVRTC, or what is found does not compile for the compute capability (10 major +
/// minor).
std::unique_ptr<Compiler> find_cuda_compiler(int architecture);

/// All that a compiler of the unit is told but where things are, for its key.
std::string cpp_flags(const TranslationUnit& unit);
std::string cuda_flags(int architecture);

}  // namespace livens::host
