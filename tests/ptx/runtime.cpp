// The CUDA runtime, as far as livens is linked to it, of two devices that execute PTX: device memory is that
// of the host, everything is done at once, and machine code is the PTX in the fat binaries of the program.

#include <cuda_runtime_api.h>
#include <elf.h>
#include <zstd.h>

#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <list>

#include "ptx.hpp"

namespace livens::ptx {
namespace {

struct Kernel {
  Module* module;
  std::string name;
};

/// Made before the first fat binary registers itself, and never destroyed.
struct Device {
  std::list<Module> modules;
  std::map<const void*, Kernel> kernels;  // by the address of their stub, or of themselves
  std::map<void*, std::shared_ptr<char>> memory;
  std::map<void*, std::size_t> taken;  // of the device
  std::size_t all = std::size_t{1} << 30;
  cudaError_t last = cudaSuccess;
  int current = 0;
  std::tuple<dim3, dim3, std::size_t, cudaStream_t> launch;  // between the brackets of a call
};
Device& device() {
  static Device& only = *new Device;
  return only;
}
cudaError_t answer(cudaError_t error) {
  if (error != cudaSuccess) device().last = error;
  return error;
}
template <class T>
cudaError_t give(T* place, T value) {
  *place = value;
  return cudaSuccess;
}

template <class T>
T read(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// The PTX of a fat binary: a header, and entries with headers of their own, also compressed.
std::string text_of(const void* wrapper) {
  const char* at = read<const char*>(static_cast<const char*>(wrapper) + 8);
  const char* const end = at + read<std::uint16_t>(at + 6) + read<std::uint64_t>(at + 8);
  constexpr std::uint64_t by_zstd = 0x8000;
  constexpr int ptx = 1;
  for (at += read<std::uint16_t>(at + 6); at < end;) {
    const auto head = read<std::uint32_t>(at + 4);
    const auto bytes = read<std::uint64_t>(at + 8);
    if (read<std::uint16_t>(at) == ptx) {
      std::string text(at + head, bytes);
      if (read<std::uint64_t>(at + 40) & by_zstd) {
        text.resize(read<std::uint64_t>(at + 56));
        if (ZSTD_decompress(text.data(), text.size(), at + head, read<std::uint32_t>(at + 16)) != text.size())
          throw std::runtime_error("PTX: not compressed as it is known here");
      }
      return text.c_str();  // up to its zero
    }
    at += head + bytes;
  }
  throw std::runtime_error("PTX: none in a fat binary");
}

}  // namespace
}  // namespace livens::ptx

using namespace livens::ptx;

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  if (const char* const seed = std::getenv("PTX_SEED")) draw_orders(static_cast<unsigned>(std::atoi(seed)));
  return reinterpret_cast<void**>(&device().modules.emplace_back(text_of(wrapper)));
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void** module, const char* stub, char*, const char* name, int, uint3*, uint3*,
                            dim3*, dim3*, int*) {
  device().kernels[stub] = {reinterpret_cast<Module*>(module), name};
}
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream) {
  device().launch = {grid, block, shared, stream};
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  std::tie(*grid, *block, *shared, *static_cast<cudaStream_t*>(stream)) = device().launch;
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* stub) {
  return give(kernel, static_cast<cudaKernel_t>(const_cast<void*>(stub)));
}
cudaError_t cudaLaunchKernel(const void* stub, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                             cudaStream_t) {
  const auto found = device().kernels.find(stub);
  if (found == device().kernels.end()) return answer(cudaErrorInvalidDeviceFunction);
  if (grid.z * block.y * block.z != 1 || shared != 0) return answer(cudaErrorInvalidConfiguration);
  try {
    launch(*found->second.module, found->second.name, {grid.x, grid.y}, block.x, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n  in %s\n", error.what(), found->second.name.c_str());
    return answer(cudaErrorLaunchFailure);
  }
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared, cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

cudaError_t cudaGetLastError() { return std::exchange(device().last, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return device().last; }
const char* cudaGetErrorName(cudaError_t) { return "cudaError"; }
const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaErrorMemoryAllocation ? "out of memory" : "see above";
}
// What failed is told when it is waited for.
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaGetLastError(); }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaGetLastError(); }

cudaError_t cudaDriverGetVersion(int* version) { return give(version, CUDART_VERSION); }
cudaError_t cudaRuntimeGetVersion(int* version) { return give(version, CUDART_VERSION); }
cudaError_t cudaGetDeviceCount(int* count) { return give(count, 2); }  // the same one twice
cudaError_t cudaGetDevice(int* index) { return give(index, device().current); }
cudaError_t cudaSetDevice(int index) { return give(&device().current, index); }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  std::strcpy(properties->name, "PTX on a processor");
  properties->major = 9;
  properties->multiProcessorCount = 1;
  properties->totalGlobalMem = device().all;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  switch (attribute) {
    case cudaDevAttrComputeCapabilityMajor:
      return give(value, 9);
    case cudaDevAttrComputeCapabilityMinor:
      return give(value, 0);
    case cudaDevAttrMultiProcessorCount:
      return give(value, 1);
    case cudaDevAttrReservedSharedMemoryPerBlock:
      return give(value, 1024);
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return give(value, 233472);
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return give(value, 2048);
    case cudaDevAttrMaxGridDimX:
      return give(value, 2147483647);
    default:
      return answer(cudaErrorInvalidValue);
  }
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* stub) {
  *attributes = {};
  const auto found = device().kernels.find(stub);
  if (found == device().kernels.end()) return answer(cudaErrorInvalidDeviceFunction);
  found->second.module->read();
  attributes->ptxVersion = attributes->binaryVersion = 90;
  attributes->maxThreadsPerBlock = 1024;
  attributes->sharedSizeBytes = static_cast<std::size_t>(found->second.module->shared_bytes);
  return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) { return cudaSuccess; }
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int, std::size_t) {
  return give(blocks, 8);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*, int, std::size_t,
                                                                   unsigned) {
  return give(blocks, 8);
}

using Clock = std::chrono::steady_clock;
Clock::time_point* time_of(cudaEvent_t event) { return reinterpret_cast<Clock::time_point*>(event); }
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return give(event, reinterpret_cast<cudaEvent_t>(new Clock::time_point));
}
cudaError_t cudaEventDestroy(cudaEvent_t event) { return delete time_of(event), cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) { return give(time_of(event), Clock::now()); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  return give(milliseconds, std::chrono::duration<float, std::milli>(*time_of(to) - *time_of(from)).count());
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* all) {
  *free = *all = device().all;
  for (const auto& [memory, bytes] : device().taken) *free -= bytes;
  return cudaSuccess;
}
cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) {
  const std::shared_ptr<char> made = global_memory(bytes);
  device().memory[made.get()] = made;
  return give(memory, static_cast<void*>(made.get()));
}
cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  std::size_t free = 0, all = 0;
  cudaMemGetInfo(&free, &all);
  if (bytes > free) return answer(cudaErrorMemoryAllocation);
  cudaHostAlloc(memory, bytes, 0);
  device().taken[*memory] = bytes;
  return cudaSuccess;
}
cudaError_t cudaFree(void* memory) {
  return device().memory.erase(memory), device().taken.erase(memory), cudaSuccess;
}
cudaError_t cudaFreeHost(void* memory) { return cudaFree(memory); }
cudaError_t cudaMemset(void* memory, int value, std::size_t bytes) {
  return std::memset(memory, value, bytes), cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  return std::memcpy(to, from, bytes), cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t) {
  return cudaMemcpy(to, from, bytes, kind);
}
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind, cudaStream_t) {
  for (std::size_t row = 0; row < height; ++row)
    std::memcpy(static_cast<char*>(to) + row * to_pitch, static_cast<const char*>(from) + row * from_pitch,
                width);
  return cudaSuccess;
}

/// A module that was compiled on first use: a segment that is PTX (nvrtc.cpp).
cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* image, cudaJitOption*, void**, unsigned,
                                cudaLibraryOption*, void**, unsigned) {
  const auto segment = read<Elf64_Phdr>(static_cast<const char*>(image) + sizeof(Elf64_Ehdr));
  Module& module = device().modules.emplace_back(static_cast<const char*>(image) + segment.p_offset);
  module.read();
  return give(library, reinterpret_cast<cudaLibrary_t>(&module));
}
cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  Module* const module = reinterpret_cast<Module*>(library);
  const auto found = module->functions.find(name);
  if (found == module->functions.end()) return answer(cudaErrorSymbolNotFound);
  device().kernels[&*found] = {module, name};
  return give(kernel, reinterpret_cast<cudaKernel_t>(&*found));
}
cudaError_t cudaLibraryGetGlobal(void** memory, std::size_t* bytes, cudaLibrary_t library, const char* name) {
  const Module* const module = reinterpret_cast<Module*>(library);
  const auto found = module->globals.find(name);
  if (found == module->globals.end()) return answer(cudaErrorSymbolNotFound);
  return give(memory, reinterpret_cast<void*>(found->second.at)),
         give(bytes, static_cast<std::size_t>(found->second.bytes));
}

}  // extern "C"
