// The CUDA runtime, as far as livens asks for it, of one device that executes PTX: device memory is that of
// the host, and machine code the PTX in the fat binaries that nvcc has put into the program.

#include <cuda_runtime_api.h>
#include <zstd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <stdexcept>
#include <utility>

#include "module.hpp"

namespace livens::ptx {
namespace {

/// A text, read once it is needed.
struct Binary {
  std::string text;
  std::unique_ptr<Module> module;
  Module& get() {
    if (!module) module = std::make_unique<Module>(std::move(text));
    return *module;
  }
};
struct Kernel {
  Binary* binary;
  std::string name;
};

/// Made before the first fat binary registers itself, and never destroyed.
struct Device {
  std::list<Binary> binaries;
  std::list<Kernel> of_libraries;
  std::map<const void*, Kernel> kernels;  // by the address of their stub, or of themselves
  std::map<void*, std::size_t> memory;
  std::size_t taken = 0, all = std::size_t{1} << 30;
  double seconds = 0.0;  // in kernels
  cudaError_t last = cudaSuccess;

  cudaError_t answer(cudaError_t error) {
    if (error != cudaSuccess) last = error;
    return error;
  }
};
Device& device() {
  static Device& only = *new Device;
  return only;
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

struct Configuration {
  dim3 grid, block;
  std::size_t shared;
  cudaStream_t stream;
} configuration;

thread_local int current = 0;

char* aligned(std::size_t bytes) {
  char* const memory = static_cast<char*>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
  add_memory(memory, bytes);
  std::memset(memory, 0xff, bytes);  // no number
  return memory;
}

}  // namespace
}  // namespace livens::ptx

using namespace livens::ptx;

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  if (const char* const seed = std::getenv("PTX_SEED")) draw_orders(static_cast<unsigned>(std::atoi(seed)));
  return reinterpret_cast<void**>(&device().binaries.emplace_back(Binary{text_of(wrapper), nullptr}));
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 0; }
void __cudaRegisterFunction(void** binary, const char* stub, char*, const char* name, int, uint3*, uint3*,
                            dim3*, dim3*, int*) {
  device().kernels[stub] = {reinterpret_cast<Binary*>(binary), name};
}
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream) {
  configuration = {grid, block, shared, stream};
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  *grid = configuration.grid, *block = configuration.block, *shared = configuration.shared;
  *static_cast<cudaStream_t*>(stream) = configuration.stream;
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* stub) {
  *kernel = static_cast<cudaKernel_t>(const_cast<void*>(stub));
  return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void* stub, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                             cudaStream_t) {
  const auto found = device().kernels.find(stub);
  if (found == device().kernels.end()) return device().answer(cudaErrorInvalidDeviceFunction);
  const auto begin = std::chrono::steady_clock::now();
  try {
    launch(found->second.binary->get(), found->second.name, {grid.x, grid.y, grid.z},
           {block.x, block.y, block.z}, arguments, static_cast<std::int64_t>(shared));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n  in %s\n", error.what(), found->second.name.c_str());
    return device().answer(cudaErrorLaunchFailure);
  }
  device().seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared, cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

cudaError_t cudaGetLastError() { return std::exchange(device().last, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return device().last; }
const char* cudaGetErrorName(cudaError_t error) {
  return error == cudaErrorMemoryAllocation ? "cudaErrorMemoryAllocation" : "cudaError";
}
const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaErrorMemoryAllocation ? "out of memory" : "see above";
}

cudaError_t cudaDriverGetVersion(int* version) { return *version = CUDART_VERSION, cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int* version) { return *version = CUDART_VERSION, cudaSuccess; }
cudaError_t cudaGetDeviceCount(int* count) { return *count = 2, cudaSuccess; }  // the same one twice
cudaError_t cudaGetDevice(int* index) { return *index = current, cudaSuccess; }
cudaError_t cudaSetDevice(int index) { return current = index, cudaSuccess; }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  std::strcpy(properties->name, "PTX on a processor");
  properties->major = 9;
  properties->multiProcessorCount = 1;
  properties->totalGlobalMem = device().all;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  static const std::map<cudaDeviceAttr, int> all = {{cudaDevAttrComputeCapabilityMajor, 9},
                                                    {cudaDevAttrComputeCapabilityMinor, 0},
                                                    {cudaDevAttrMultiProcessorCount, 1},
                                                    {cudaDevAttrWarpSize, warp_size},
                                                    {cudaDevAttrReservedSharedMemoryPerBlock, 1024},
                                                    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, 233472},
                                                    {cudaDevAttrMaxSharedMemoryPerBlock, 49152},
                                                    {cudaDevAttrMaxSharedMemoryPerBlockOptin, 232448},
                                                    {cudaDevAttrMaxThreadsPerBlock, 1024},
                                                    {cudaDevAttrMaxThreadsPerMultiProcessor, 2048},
                                                    {cudaDevAttrMaxGridDimX, 2147483647}};
  const auto known = all.find(attribute);
  if (known == all.end()) return device().answer(cudaErrorInvalidValue);
  return *value = known->second, cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* stub) {
  *attributes = {};
  const auto found = device().kernels.find(stub);
  if (found == device().kernels.end()) return device().answer(cudaErrorInvalidDeviceFunction);
  attributes->ptxVersion = attributes->binaryVersion = 90;
  attributes->maxThreadsPerBlock = 1024;
  attributes->sharedSizeBytes = static_cast<std::size_t>(found->second.binary->get().shared_bytes);
  return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) { return cudaSuccess; }
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int, std::size_t) {
  return *blocks = 8, cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*, int, std::size_t,
                                                                   unsigned) {
  return *blocks = 8, cudaSuccess;
}

// Everything is done at once: what failed is told when it is waited for.
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaGetLastError(); }
cudaError_t cudaDeviceSynchronize() { return cudaGetLastError(); }
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return *event = reinterpret_cast<cudaEvent_t>(new double(0.0)), cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return delete reinterpret_cast<double*>(event), cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  return *reinterpret_cast<double*>(event) = device().seconds, cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaGetLastError(); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  const double seconds = *reinterpret_cast<double*>(to) - *reinterpret_cast<double*>(from);
  return *milliseconds = static_cast<float>(1e3 * seconds), cudaSuccess;
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* all) {
  return *all = device().all, *free = device().all - device().taken, cudaSuccess;
}
cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  if (device().taken + bytes > device().all) return device().answer(cudaErrorMemoryAllocation);
  device().taken += device().memory[*memory = aligned(bytes)] = bytes;
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* memory) { return remove_memory(memory), std::free(memory), cudaSuccess; }
cudaError_t cudaFree(void* memory) {
  if (memory == nullptr) return cudaSuccess;
  device().taken -= device().memory.extract(memory).mapped();
  return cudaFreeHost(memory);
}
cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) {
  return *memory = aligned(bytes), cudaSuccess;
}
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

/// A module that was compiled on first use is PTX here (nvrtc.cpp).
cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* image, cudaJitOption*, void**, unsigned,
                                cudaLibraryOption*, void**, unsigned) {
  const char* const text = static_cast<const char*>(image);
  if (std::strncmp(text, "//", 2) != 0) return device().answer(cudaErrorInvalidKernelImage);
  *library = reinterpret_cast<cudaLibrary_t>(&device().binaries.emplace_back(Binary{text, nullptr}));
  return cudaSuccess;
}
cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  Kernel& found = device().of_libraries.emplace_back(Kernel{reinterpret_cast<Binary*>(library), name});
  device().kernels[&found] = found;
  if (!found.binary->get().functions.contains(name)) return device().answer(cudaErrorSymbolNotFound);
  return *kernel = reinterpret_cast<cudaKernel_t>(&found), cudaSuccess;
}
cudaError_t cudaLibraryGetGlobal(void** memory, std::size_t* bytes, cudaLibrary_t library, const char* name) {
  const Module& module = reinterpret_cast<Binary*>(library)->get();
  const auto found = module.globals.find(name);
  if (found == module.globals.end()) return device().answer(cudaErrorSymbolNotFound);
  *memory = reinterpret_cast<void*>(found->second.at);
  return *bytes = static_cast<std::size_t>(found->second.bytes), cudaSuccess;
}

}  // extern "C"
