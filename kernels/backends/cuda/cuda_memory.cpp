#include "kernels/backends/cuda/cuda_memory.hpp"

#include <cuda_runtime_api.h>

#include <string>

#include "kernels/backends/cuda/cuda_device.hpp"

namespace livens {

void cuda_upload(void* to, const void* from, std::size_t bytes, const char* name) {
  if (bytes > 0)
    cuda_check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), std::string("CUDA: upload of ") + name);
}

void cuda_download(void* to, const void* from, std::size_t bytes, const char* name) {
  if (bytes > 0)
    cuda_check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), std::string("CUDA: download of ") + name);
}

CudaMemory::~CudaMemory() {
  // At the exit of the program the driver may be gone already; the memory is then, too.
  if (memory_ != nullptr) static_cast<void>(cudaFree(memory_));
}

void CudaMemory::reserve(std::size_t bytes, const char* name) {
  if (bytes <= capacity_) return;
  const std::string what = "CUDA: " + std::to_string(bytes) + " bytes of device memory for " + name;
  if (memory_ != nullptr) cuda_check(cudaFree(memory_), what);
  memory_ = nullptr;
  capacity_ = 0;
  cuda_check(cudaMalloc(&memory_, bytes), what);
  capacity_ = bytes;
}

void CudaMemory::clear(std::size_t bytes, const char* name) {
  reserve(bytes, name);
  if (bytes > 0) cuda_check(cudaMemset(memory_, 0, bytes), std::string("CUDA: clearing of ") + name);
}

void CudaMemory::upload(const void* from, std::size_t bytes, const char* name) {
  reserve(bytes, name);
  cuda_upload(memory_, from, bytes, name);
}

void CudaMemory::download(void* to, std::size_t bytes, const char* name) const {
  cuda_download(to, memory_, bytes, name);
}

void CudaMemory::download_rows(void* to, std::size_t offset, std::size_t pitch, std::size_t bytes,
                               std::size_t rows, const char* name) const {
  if (bytes == 0 || rows == 0) return;
  const auto* from = static_cast<const char*>(memory_) + offset;
  cuda_check(cudaMemcpy2D(to, pitch, from, pitch, bytes, rows, cudaMemcpyDeviceToHost),
             std::string("CUDA: download of ") + name);
}

CudaPinnedMemory::~CudaPinnedMemory() {
  if (memory_ != nullptr) static_cast<void>(cudaFreeHost(memory_));
}

void CudaPinnedMemory::reserve(std::size_t bytes, const char* name) {
  if (bytes <= capacity_) return;
  const std::string what = "CUDA: " + std::to_string(bytes) + " bytes of pinned memory for " + name;
  if (memory_ != nullptr) cuda_check(cudaFreeHost(memory_), what);
  memory_ = nullptr;
  capacity_ = 0;
  cuda_check(cudaHostAlloc(&memory_, bytes, cudaHostAllocPortable), what);
  capacity_ = bytes;
}

}  // namespace livens
