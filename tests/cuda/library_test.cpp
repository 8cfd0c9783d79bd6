// Modules that NVRTC or nvcc compiled for a GPU that is not there, loaded by a CUDA runtime that is made up
// here: it reads them as a driver does, knows their kernels and the bytes of arguments that these take, and
// counts the launches.

#include <cuda_runtime_api.h>
#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <string>
#include <string_view>

#include "host/compilation/compiled.hpp"
#include "host/compilation/compiler.hpp"
#include "host/pairs/registry.hpp"
#include "host/pairs/text_pairs.hpp"
#include "kernels/backends/cuda/cuda_registry.hpp"
#include "kernels/backends/cuda/module_facts.hpp"

namespace livens {

/// This program has modules alone: nothing that is compiled ahead, which would want the real runtime.
std::span<const CudaPairKernels> cuda_pairs() { return {}; }
const CudaPairKernels* cuda_pair(const PairKernels&, std::string_view) { return nullptr; }

}  // namespace livens

namespace {

/// A section of a module, or none.
const Elf64_Shdr* section(const char* image, const std::string& name) {
  const auto& header = *reinterpret_cast<const Elf64_Ehdr*>(image);
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(image + header.e_shoff);
  const char* names = image + sections[header.e_shstrndx].sh_offset;
  for (int k = 0; k < header.e_shnum; ++k)
    if (names + sections[k].sh_name == name) return sections + k;
  return nullptr;
}

struct Kernel {
  std::string name;
  std::size_t bytes;  ///< of its arguments
};
std::map<std::string, Kernel> kernels;  // of the module that was loaded last, and those before
std::string image_of_facts;             // what a device would have of it

/// Constants of a kernel for a GPU of compute capability 9.0: what the driver needs, then its arguments.
constexpr std::size_t before_arguments = 0x210;

struct Launch {
  std::string kernel;
  unsigned blocks, threads;
};
std::vector<Launch> launches;

}  // namespace

extern "C" {

cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption*, void**, unsigned,
                                cudaLibraryOption*, void**, unsigned) {
  const auto& header = *static_cast<const Elf64_Ehdr*>(code);
  constexpr int cuda_machine = 190;
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_machine != cuda_machine)
    return cudaErrorInvalidKernelImage;
  *library = reinterpret_cast<cudaLibrary_t>(const_cast<void*>(code));
  return cudaSuccess;
}
cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  const char* image = reinterpret_cast<const char*>(library);
  const Elf64_Shdr* constants = section(image, std::string(".nv.constant0.") + name);
  if (!constants || !section(image, std::string(".text.") + name)) return cudaErrorSymbolNotFound;
  Kernel& known = kernels[name] = {name, constants->sh_size - before_arguments};
  *kernel = reinterpret_cast<cudaKernel_t>(&known);
  return cudaSuccess;
}
cudaError_t cudaLibraryGetGlobal(void** there, std::size_t* bytes, cudaLibrary_t library, const char* name) {
  const char* image = reinterpret_cast<const char*>(library);
  const Elf64_Shdr& symbols = *section(image, ".symtab");
  const char* names = image + section(image, ".strtab")->sh_offset;
  const auto& header = *reinterpret_cast<const Elf64_Ehdr*>(image);
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(image + header.e_shoff);
  for (std::size_t k = 0; k < symbols.sh_size / sizeof(Elf64_Sym); ++k) {
    const auto& symbol = reinterpret_cast<const Elf64_Sym*>(image + symbols.sh_offset)[k];
    if (std::string_view(names + symbol.st_name) != name) continue;
    image_of_facts.assign(image + sections[symbol.st_shndx].sh_offset + symbol.st_value, symbol.st_size);
    *there = image_of_facts.data();
    *bytes = symbol.st_size;
    return cudaSuccess;
  }
  return cudaErrorSymbolNotFound;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void**, std::size_t, cudaStream_t) {
  launches.push_back({static_cast<const Kernel*>(kernel)->name, grid.x, block.x});
  return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  *attributes = {};
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int, std::size_t) {
  *blocks = 4;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) {
  *value = 228 * 1024;
  return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) { return cudaSuccess; }
cudaError_t cudaGetLastError() { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
const char* cudaGetErrorName(cudaError_t error) {
  return error == cudaErrorInvalidKernelImage ? "cudaErrorInvalidKernelImage" : "an error";
}
const char* cudaGetErrorString(cudaError_t) { return "made up"; }
// No test here makes these calls.
cudaError_t cudaSetDevice(int) { return cudaErrorUnknown; }
cudaError_t cudaEventCreate(cudaEvent_t*) { return cudaErrorUnknown; }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaErrorUnknown; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaErrorUnknown; }
cudaError_t cudaEventElapsedTime(float*, cudaEvent_t, cudaEvent_t) { return cudaErrorUnknown; }
cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaErrorUnknown; }
cudaError_t cudaDriverGetVersion(int*) { return cudaErrorUnknown; }
cudaError_t cudaRuntimeGetVersion(int*) { return cudaErrorUnknown; }
cudaError_t cudaGetDeviceCount(int*) { return cudaErrorUnknown; }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp*, int) { return cudaErrorUnknown; }

}  // extern "C"

namespace livens::host {
namespace {

class Libraries : public testing::Test {
 protected:
  static constexpr std::size_t range = 2 * sizeof(std::int64_t);  // [first, last) of every launch

  Libraries()
      : text(read_text_system(kernel_file({LIVENS_TEXTS, ""}, "unit_circle.toml"), "unit_circle.toml")),
        catalogue(with_text(registered(), text)) {
    launches.clear();
    kernels.clear();
  }
  /// ems on the text, compiled for the processor, and its modules.
  const PairKernels& on_processor(Precision precision) {
    for (const PairKernels& pair : precision == Precision::single ? catalogue.single_pairs : catalogue.pairs)
      if (pair.scheme->name == std::string_view("ems")) {
        modules = compiled_modules(pair, precision, 90);
        return compiled(pair, precision);
      }
    throw std::logic_error("no ems");
  }

  TextSystem text;
  Catalogue catalogue;
  CudaModules modules;
};

TEST_F(Libraries, AreLaunchedWithWhatTheirKernelsTake) {
  if (!find_cuda_compiler(90)) GTEST_SKIP() << "neither NVRTC nor nvcc";
  for (const Precision precision : {Precision::full, Precision::mixed, Precision::single}) {
    const PairKernels& pair = on_processor(precision);
    const CudaSystemKernels system = load_system(modules.system, *pair.system);
    const CudaPairKernels loaded = load_pair(modules.pair, system, pair);
    EXPECT_EQ(loaded.precision, pair.precision);
    EXPECT_EQ(loaded.record_width, pair.record_width);
    launches.clear();
    const Batch batch{};
    const Settings settings{};
    int left = 0;
    system.initial_states(batch, 0, 64);
    system.momenta(batch, 0, 64);
    system.velocities(batch, 0, 64);
    system.make_consistent(batch, Consistency::project, nullptr, nullptr, 0, 64);
    loaded.start(batch, settings, nullptr, 0, 1024);
    loaded.advance(batch, settings, 10, &left, 0, 1024);
    loaded.advance_difficult(batch, settings, 10, 1.0, 0, 1024);
    loaded.advance(batch, settings, 10, &left, 1024, 1024);  // none: it only loads the kernel
    std::vector<std::string> names;
    for (const Launch& launch : launches) {
      names.push_back(launch.kernel);
      EXPECT_EQ(launch.threads, 128u) << launch.kernel;  // ems on a circle fits into a thread
      EXPECT_EQ(launch.blocks, names.size() > 4 && names.size() < 8 ? 8u : 1u) << launch.kernel;
    }
    EXPECT_EQ(names, (std::vector<std::string>{"livens_initial_states", "livens_momenta", "livens_velocities",
                                               "livens_make_consistent", "livens_start", "livens_advance",
                                               "livens_advance_difficult", "livens_advance"}));
  }
  // Arguments are aligned to their own sizes, the last one of 8 bytes.
  const std::size_t word = sizeof(std::int64_t), b = sizeof(Batch), s = sizeof(Settings);
  EXPECT_EQ(kernels["livens_initial_states"].bytes, b + range);
  EXPECT_EQ(kernels["livens_momenta"].bytes, b + range);
  EXPECT_EQ(kernels["livens_velocities"].bytes, b + range);
  EXPECT_EQ(kernels["livens_make_consistent"].bytes, b + 3 * word + range);
  EXPECT_EQ(kernels["livens_start"].bytes, b + s + word + range);
  EXPECT_EQ(kernels["livens_advance"].bytes, b + s + 2 * word + range);
  EXPECT_EQ(kernels["livens_advance_difficult"].bytes, b + s + 2 * word + range);
}

TEST_F(Libraries, OfAnotherVersionAreRefused) {
  if (!find_cuda_compiler(90)) GTEST_SKIP() << "neither NVRTC nor nvcc";
  const PairKernels& pair = on_processor(Precision::full);
  const CudaSystemKernels system = load_system(modules.system, *pair.system);
  PairKernels other = pair;
  other.record_width += 1;
  EXPECT_THROW(load_pair(modules.pair, system, other), std::runtime_error);
  EXPECT_THROW(load_pair(modules.system, system, pair), std::runtime_error);
  EXPECT_THROW(load_system({"text",
                            "no module, but a text that is longer than its header would be, so that "
                            "it can be looked at"},
                           *pair.system),
               std::runtime_error);
}

}  // namespace
}  // namespace livens::host
