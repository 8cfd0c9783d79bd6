// Copies between host and device on a runtime that is made up: "device" memory is the host's, and a copy that
// is not waited for has not happened. What is read too early, or overwritten while the bus still needs it, is
// wrong; and no copy may have two sides that are not pinned.

#include "kernels/backends/cuda/cuda_memory.hpp"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <vector>

namespace {

std::deque<std::function<void()>> under_way;
std::map<const char*, std::size_t> pinned;  // bytes, by their beginning
int from_pageable = 0;

bool is_pinned(const void* at) {
  const auto after = pinned.upper_bound(static_cast<const char*>(at));
  if (after == pinned.begin()) return false;
  const auto& [first, bytes] = *std::prev(after);
  return static_cast<const char*>(at) < first + bytes;
}
void note(const void* to, const void* from, cudaMemcpyKind kind) {
  from_pageable += !is_pinned(kind == cudaMemcpyHostToDevice ? from : to);
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  *memory = std::malloc(bytes);
  return cudaSuccess;
}
cudaError_t cudaFree(void* memory) {
  std::free(memory);
  return cudaSuccess;
}
cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) {
  *memory = std::malloc(bytes);
  pinned[static_cast<const char*>(*memory)] = bytes;
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* memory) {
  std::free(memory);
  return cudaSuccess;
}
cudaError_t cudaMemset(void* memory, int value, std::size_t bytes) {
  std::memset(memory, value, bytes);
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
  for (; !under_way.empty(); under_way.pop_front()) under_way.front()();
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t) {
  note(to, from, kind);
  under_way.push_back([=] { std::memcpy(to, from, bytes); });
  return cudaSuccess;
}
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t rows, cudaMemcpyKind kind, cudaStream_t) {
  note(to, from, kind);
  under_way.push_back([=] {
    for (std::size_t row = 0; row < rows; ++row)
      std::memcpy(static_cast<char*>(to) + row * to_pitch, static_cast<const char*>(from) + row * from_pitch,
                  width);
  });
  return cudaSuccess;
}
const char* cudaGetErrorName(cudaError_t) { return "cudaErrorMemoryAllocation"; }
const char* cudaGetErrorString(cudaError_t) { return "out of memory"; }
// No test here makes these calls.
cudaError_t cudaMemGetInfo(std::size_t*, std::size_t*) { return cudaErrorUnknown; }
cudaError_t cudaGetLastError() { return cudaErrorUnknown; }
cudaError_t cudaSetDevice(int) { return cudaErrorUnknown; }
cudaError_t cudaDriverGetVersion(int*) { return cudaErrorUnknown; }
cudaError_t cudaRuntimeGetVersion(int*) { return cudaErrorUnknown; }
cudaError_t cudaGetDeviceCount(int*) { return cudaErrorUnknown; }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp*, int) { return cudaErrorUnknown; }

}  // extern "C"

namespace livens {
namespace {

std::vector<double> numbers(std::int64_t count) {
  std::vector<double> values(count);
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

// Less than half of the pinned buffer, as much, and several of them; 2 MiB are 2^18 numbers.
TEST(Transfers, BringWhatWasUploaded) {
  for (const std::int64_t count : {0, 1, 1000, 1 << 18, (1 << 18) + 1, 5 << 18, (5 << 18) + 77}) {
    const auto values = numbers(count);
    CudaArray<double> there;
    there.upload(values.data(), count, "numbers");
    std::vector<double> here(count);
    there.download(here.data(), count, "numbers");
    EXPECT_EQ(here, values) << count;
  }
  EXPECT_EQ(from_pageable, 0);
  EXPECT_TRUE(under_way.empty());
}

// Columns of rows, whole rows, and rows that are longer than half of the buffer.
TEST(Transfers, BringRowsAndTouchNothingElse) {
  struct Case {
    std::int64_t offset, pitch, width, rows;
  };
  for (const auto& [offset, pitch, width, rows] :
       {Case{0, 100, 100, 9000}, Case{7, 100, 3, 9000}, Case{64, 2000, 32, 700}, Case{1, 3, 1, 700001},
        Case{5, 400000, 300000, 3}, Case{0, 10, 4, 0}}) {
    const std::int64_t count = pitch * rows;
    const auto values = numbers(count);
    CudaArray<double> there;
    there.upload(values.data(), count, "numbers");
    std::vector<double> here(count, -1.0), expected(count, -1.0);
    there.download_rows(here.data(), offset, pitch, width, rows, "numbers");
    for (std::int64_t row = 0; row < rows; ++row)
      for (std::int64_t k = 0; k < width; ++k)
        expected[row * pitch + offset + k] = values[row * pitch + offset + k];
    EXPECT_TRUE(here == expected) << pitch << ", " << width;
  }
  EXPECT_EQ(from_pageable, 0);
  EXPECT_TRUE(under_way.empty());
}

}  // namespace
}  // namespace livens
