// The CUDA runtime, as far as livens is linked to it, of two devices that execute PTX: device memory is that
// of the host, everything is done at once, and machine code is the PTX in the fat binaries of the program.

#include <cuda_runtime_api.h>
#include <elf.h>
#include <zstd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <tuple>

#include "ptx.hpp"

namespace livens::ptx {
namespace {

struct Device {
  std::list<Module> modules;
  std::map<const void*, std::pair<Module*, std::string>> kernels;  // by their stub, or by themselves
  cudaError_t last = cudaSuccess;
  int current = 0;
  std::tuple<dim3, dim3, std::size_t, cudaStream_t> launch;  // between the brackets of a call
};
/// Made before the first fat binary registers itself, and never destroyed.
Device& device() {
  static Device& only = *new Device;
  return only;
}
constexpr std::size_t all_memory = 1 << 29;  // half of what addresses of 32 bits reach

cudaError_t wrong(cudaError_t error) { return device().last = error; }
const std::map<int, int> attributes = {{cudaDevAttrComputeCapabilityMajor, 9},
                                       {cudaDevAttrComputeCapabilityMinor, 0},
                                       {cudaDevAttrMultiProcessorCount, 1},
                                       {cudaDevAttrReservedSharedMemoryPerBlock, 1024},
                                       {cudaDevAttrMaxSharedMemoryPerMultiprocessor, 233472},
                                       {cudaDevAttrMaxThreadsPerMultiProcessor, 2048},
                                       {cudaDevAttrMaxGridDimX, 2147483647}};

template <class T>
T read(const char* at) {
  T value;
  return std::memcpy(&value, at, sizeof value), value;
}
/// The PTX of a fat binary: a header, and entries with headers of their own, also compressed.
std::string text_of(const void* wrapper) {
  const char* at = read<const char*>(static_cast<const char*>(wrapper) + 8);
  const char* const end = at + read<std::uint16_t>(at + 6) + read<std::uint64_t>(at + 8);
  constexpr std::uint64_t by_zstd = 0x8000;
  constexpr int ptx = 1;
  at += read<std::uint16_t>(at + 6);
  while (at < end && read<std::uint16_t>(at) != ptx)
    at += read<std::uint32_t>(at + 4) + read<std::uint64_t>(at + 8);
  if (at >= end) throw std::runtime_error("PTX: none in a fat binary");
  const char* const text = at + read<std::uint32_t>(at + 4);
  if (!(read<std::uint64_t>(at + 40) & by_zstd)) return text;
  std::string plain(read<std::uint64_t>(at + 56), '\0');
  if (ZSTD_decompress(plain.data(), plain.size(), text, read<std::uint32_t>(at + 16)) != plain.size())
    throw std::runtime_error("PTX: not compressed as it is known here");
  return plain.c_str();  // up to its zero
}

}  // namespace
}  // namespace livens::ptx

using namespace livens::ptx;

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<float, std::milli>;
Clock::time_point& time_of(cudaEvent_t event) { return *reinterpret_cast<Clock::time_point*>(event); }

/// What does this and succeeds.
#define DOES(name, parameters, ...) \
  cudaError_t name parameters { return __VA_ARGS__, cudaSuccess; }

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  if (const char* const seed = std::getenv("PTX_SEED")) draw_orders(static_cast<unsigned>(std::atoi(seed)));
  return reinterpret_cast<void**>(&device().modules.emplace_back(text_of(wrapper)));
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}
void __cudaRegisterFunction(void** module, const char* stub, char*, const char* name, int, uint3*, uint3*,
                            dim3*, dim3*, int*) {
  device().kernels[stub] = {reinterpret_cast<Module*>(module), name};
}
DOES(__cudaPushCallConfiguration, (dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream),
     device().launch = {grid, block, shared, stream});
DOES(__cudaPopCallConfiguration, (dim3 * grid, dim3* block, std::size_t* shared, void* stream),
     std::tie(*grid, *block, *shared, *static_cast<cudaStream_t*>(stream)) = device().launch);
DOES(__cudaGetKernel, (cudaKernel_t * kernel, const void* stub),
     *kernel = static_cast<cudaKernel_t>(const_cast<void*>(stub)));
cudaError_t cudaLaunchKernel(const void* stub, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                             cudaStream_t) {
  const auto found = device().kernels.find(stub);
  if (found == device().kernels.end()) return wrong(cudaErrorInvalidDeviceFunction);
  if (grid.z * block.y * block.z != 1 || shared != 0) return wrong(cudaErrorInvalidConfiguration);
  const auto& [module, name] = found->second;
  try {
    return launch(*module, name, {grid.x, grid.y}, block.x, arguments), cudaSuccess;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n  in %s\n", error.what(), name.c_str());
    return wrong(cudaErrorLaunchFailure);
  }
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared, cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

// What failed is told when it is waited for.
cudaError_t cudaGetLastError() { return std::exchange(device().last, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return device().last; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaGetLastError(); }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaGetLastError(); }
const char* cudaGetErrorName(cudaError_t) { return "cudaError"; }
const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaErrorMemoryAllocation ? "out of memory" : "see above";
}

DOES(cudaDriverGetVersion, (int* version), *version = CUDART_VERSION);
DOES(cudaRuntimeGetVersion, (int* version), *version = CUDART_VERSION);
DOES(cudaGetDeviceCount, (int* count), *count = 2);  // the same one twice
DOES(cudaGetDevice, (int* index), *index = device().current);
DOES(cudaSetDevice, (int index), device().current = index);
DOES(cudaGetDeviceProperties, (cudaDeviceProp * its, int), *its = {},
     std::strcpy(its->name, "PTX on a processor"), its->totalGlobalMem = all_memory, its->major = 9,
     its->multiProcessorCount = 1);
DOES(cudaDeviceGetAttribute, (int* value, cudaDeviceAttr attribute, int), *value = attributes.at(attribute));
DOES(cudaFuncGetAttributes, (cudaFuncAttributes * its, const void*), *its = {},
     its->maxThreadsPerBlock = 1024, its->ptxVersion = its->binaryVersion = 90);
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) { return cudaSuccess; }
DOES(cudaOccupancyMaxActiveBlocksPerMultiprocessor, (int* all, const void*, int, std::size_t), *all = 8);
DOES(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
     (int* all, const void*, int, std::size_t, unsigned), *all = 8);

DOES(cudaEventCreate, (cudaEvent_t * event), *event = reinterpret_cast<cudaEvent_t>(new Clock::time_point));
DOES(cudaEventDestroy, (cudaEvent_t event), delete &time_of(event));
DOES(cudaEventRecord, (cudaEvent_t event, cudaStream_t), time_of(event) = Clock::now());
DOES(cudaEventElapsedTime, (float* passed, cudaEvent_t from, cudaEvent_t to),
     *passed = Milliseconds(time_of(to) - time_of(from)).count());

DOES(cudaMemGetInfo, (std::size_t * free, std::size_t* all),
     *free = (*all = all_memory) - std::min(all_memory, allocated_bytes));
DOES(cudaHostAlloc, (void** memory, std::size_t bytes, unsigned), *memory = allocate(bytes));
cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  if (bytes + allocated_bytes > all_memory) return wrong(cudaErrorMemoryAllocation);
  return cudaHostAlloc(memory, bytes, 0);
}
DOES(cudaFree, (void* memory), release(memory));
DOES(cudaFreeHost, (void* memory), release(memory));
DOES(cudaMemset, (void* to, int value, std::size_t bytes), std::memset(to, value, bytes));
DOES(cudaMemcpy, (void* to, const void* from, std::size_t bytes, cudaMemcpyKind),
     std::memcpy(to, from, bytes));
DOES(cudaMemcpyAsync, (void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t),
     std::memcpy(to, from, bytes));
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind, cudaStream_t) {
  char* there = static_cast<char*>(to);
  for (const char* row = static_cast<const char*>(from); height-- > 0; row += from_pitch, there += to_pitch)
    std::memcpy(there, row, width);
  return cudaSuccess;
}

/// A module that was compiled on first use: PTX behind the header of an object (nvrtc.cpp).
cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* image, cudaJitOption*, void**, unsigned,
                                cudaLibraryOption*, void**, unsigned) {
  Module& module = device().modules.emplace_back(static_cast<const char*>(image) + sizeof(Elf64_Ehdr));
  module.read();
  *library = reinterpret_cast<cudaLibrary_t>(&module);
  return cudaSuccess;
}
cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  Module* const module = reinterpret_cast<Module*>(library);
  const auto found = module->functions.find(name);
  if (found == module->functions.end()) return wrong(cudaErrorSymbolNotFound);
  device().kernels[&*found] = {module, name};
  return __cudaGetKernel(kernel, &*found);
}
cudaError_t cudaLibraryGetGlobal(void** memory, std::size_t* bytes, cudaLibrary_t library, const char* name) {
  const auto& variables = reinterpret_cast<Module*>(library)->variables;
  const auto found = variables.find(name);
  if (found == variables.end()) return wrong(cudaErrorSymbolNotFound);
  *bytes = found->second.bytes;
  *memory = reinterpret_cast<void*>(found->second.at);
  return cudaSuccess;
}

}  // extern "C"
