#pragma once
// NVRTC, NVIDIA's compiler as a library, opened where it is found at run time: a program needs it neither to
// be built nor to start.

#include <memory>
#include <string>
#include <vector>

#include "host/compilation/compiler.hpp"

namespace livens::host {

/// A kernel header as NVRTC reads it. Its front end holds what a lambda has captured for no constant, as C++
/// did before P2280, and g++, clang++ and nvcc do not: so the number of a turn of an unrolled loop, `i.value`
/// in our sources, is spelled by its type, (decltype(i)::value). Replaced are names that are the parameter of
/// a generic lambda somewhere in the text.
std::string as_nvrtc_reads(const std::string& text);

/// The NVRTC of this machine, for a compute capability (10 major + minor). Null where none is found; throws
/// RequestError where LIVENS_NVRTC names none, or where it does not compile for the capability.
std::unique_ptr<Compiler> find_nvrtc(int architecture);

/// Where a CUDA toolkit may be: CUDA_HOME, CUDA_PATH, /usr/local/cuda.
std::vector<std::string> cuda_toolkits();

/// What nvcc and NVRTC are told alike.
std::vector<std::string> module_flags(int architecture);
std::vector<std::string> nvrtc_flags(int architecture);

}  // namespace livens::host
