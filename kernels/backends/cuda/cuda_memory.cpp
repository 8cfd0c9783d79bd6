#include "kernels/backends/cuda/cuda_memory.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "kernels/backends/cuda/cuda_device.hpp"

namespace livens {
namespace {

/// The pinned buffer of a thread, in halves. A copy of the stream reads or writes one of them meanwhile.
class Staging {
 public:
  static constexpr std::size_t half = std::size_t{2} << 20;

  explicit Staging(std::string what) : what_(std::move(what)) { memory().reserve(2 * half, "transfers"); }

  char* operator[](std::size_t piece) const { return static_cast<char*>(memory().get()) + piece % 2 * half; }
  void begun(cudaError_t copy) const { cuda_check(copy, what_); }
  /// Waits for the copies begun.
  void end() const { cuda_check(cudaStreamSynchronize(nullptr), what_); }

  /// Brings pieces 0 .. count-1, at least one: `begin(piece)` begins the copy to their half, `take(piece)`
  /// empties it.
  template <class Begin, class Take>
  void bring(std::size_t count, const Begin& begin, const Take& take) const {
    begun(begin(std::size_t{0}));
    for (std::size_t piece = 0; piece < count; ++piece) {
      end();
      if (piece + 1 < count) begun(begin(piece + 1));
      take(piece);
    }
  }

 private:
  static CudaPinnedMemory& memory() {
    thread_local CudaPinnedMemory of_this_thread;
    return of_this_thread;
  }
  std::string what_;
};

/// Pieces of at most `most` that `all` is cut into.
std::size_t pieces(std::size_t all, std::size_t most) { return (all + most - 1) / most; }

}  // namespace

void cuda_upload(void* to, const void* from, std::size_t bytes, const char* name) {
  if (bytes == 0) return;
  constexpr std::size_t half = Staging::half;
  const Staging staging(std::string("CUDA: upload of ") + name);
  for (std::size_t piece = 0; piece < pieces(bytes, half); ++piece) {
    const std::size_t at = piece * half, size = std::min(half, bytes - at);
    std::memcpy(staging[piece], static_cast<const char*>(from) + at, size);
    staging.end();
    staging.begun(cudaMemcpyAsync(static_cast<char*>(to) + at, staging[piece], size, cudaMemcpyHostToDevice));
  }
  staging.end();
}

void cuda_download(void* to, const void* from, std::size_t bytes, const char* name) {
  if (bytes == 0) return;
  constexpr std::size_t half = Staging::half;
  const auto size = [&](std::size_t piece) { return std::min(half, bytes - piece * half); };
  const Staging staging(std::string("CUDA: download of ") + name);
  staging.bring(
      pieces(bytes, half),
      [&](std::size_t piece) {
        return cudaMemcpyAsync(staging[piece], static_cast<const char*>(from) + piece * half, size(piece),
                               cudaMemcpyDeviceToHost);
      },
      [&](std::size_t piece) {
        std::memcpy(static_cast<char*>(to) + piece * half, staging[piece], size(piece));
      });
}

std::size_t cuda_free_memory() {
  std::size_t free = 0, all = 0;
  cuda_check(cudaMemGetInfo(&free, &all), "CUDA: free memory");
  return free;
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
  auto* there = static_cast<char*>(to);
  if (bytes == pitch || bytes > Staging::half) {  // as it stands, or in long rows
    const std::size_t whole = bytes == pitch ? rows : 1;
    for (std::size_t row = 0; row < rows; row += whole)
      cuda_download(there + row * pitch, from + row * pitch, whole * bytes, name);
    return;
  }
  const std::size_t most = Staging::half / bytes;
  const auto count = [&](std::size_t piece) { return std::min(most, rows - piece * most); };
  const Staging staging(std::string("CUDA: download of ") + name);
  staging.bring(
      pieces(rows, most),
      [&](std::size_t piece) {  // one row behind the other
        return cudaMemcpy2DAsync(staging[piece], bytes, from + piece * most * pitch, pitch, bytes,
                                 count(piece), cudaMemcpyDeviceToHost);
      },
      [&](std::size_t piece) {
        for (std::size_t row = 0; row < count(piece); ++row)
          std::memcpy(there + (piece * most + row) * pitch, staging[piece] + row * bytes, bytes);
      });
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
