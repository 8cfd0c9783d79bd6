// Launches on a CUDA runtime that is made up here: two devices, and events that know which of them they
// belong to. A real runtime refuses to record an event on another device than its own.

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kernels/backends/cuda/cuda_device.hpp"
#include "kernels/backends/cuda/cuda_launch.hpp"

namespace {

int current_device = 0;
std::vector<int> device_of_event;  // event n is the number n + 1 as a pointer
int launches_on[2] = {};
cudaError_t last_error = cudaSuccess;
std::vector<std::pair<int, int>> carveouts;  // device, percent

int device_of(cudaEvent_t event) { return device_of_event.at(reinterpret_cast<std::size_t>(event) - 1); }

}  // namespace

extern "C" {

cudaError_t cudaGetDevice(int* device) {
  *device = current_device;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  current_device = device;
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  device_of_event.push_back(current_device);
  *event = reinterpret_cast<cudaEvent_t>(device_of_event.size());
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  return device_of(event) == current_device ? cudaSuccess : cudaErrorInvalidResourceHandle;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t before, cudaEvent_t after) {
  *milliseconds = 1.0f;
  return device_of(before) == device_of(after) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}
cudaError_t launched = cudaSuccess;
cudaError_t cudaLaunchKernel(const void*, dim3 blocks, dim3, void**, std::size_t, cudaStream_t) {
  if (blocks.x == 0) return cudaErrorInvalidValue;
  ++launches_on[current_device];
  return launched;
}
cudaError_t cudaGetLastError() {
  const cudaError_t error = last_error;
  last_error = cudaSuccess;
  return error;
}
// A kernel whose blocks take 27 KB, eight of which a multiprocessor with 228 KB holds, and whose threads a
// stack of 90 KB.
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  *attributes = {};
  attributes->sharedSizeBytes = 27 * 1024;
  attributes->localSizeBytes = 90 * 1024;
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int, std::size_t) {
  *blocks = 8;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  switch (attribute) {
    case cudaDevAttrReservedSharedMemoryPerBlock:
      *value = 1024;
      break;
    case cudaDevAttrMultiProcessorCount:
      *value = 132;
      break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      *value = 2048;
      break;
    default:
      *value = 228 * 1024;
  }
  return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int percent) {
  carveouts.push_back({current_device, percent});
  return cudaSuccess;
}
const char* cudaGetErrorName(cudaError_t) { return "cudaErrorMemoryAllocation"; }
const char* cudaGetErrorString(cudaError_t) { return "out of memory"; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  device_of_event.at(reinterpret_cast<std::size_t>(event) - 1) = -1;
  return cudaSuccess;
}
// No test here makes these calls.
cudaError_t cudaDriverGetVersion(int*) { return cudaErrorUnknown; }
cudaError_t cudaRuntimeGetVersion(int*) { return cudaErrorUnknown; }
cudaError_t cudaGetDeviceCount(int*) { return cudaErrorUnknown; }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp*, int) { return cudaErrorUnknown; }

}  // extern "C"

namespace livens {
namespace {

void kernel(int) {}

CudaDevice device(int index) { return {index, "made up", 9, 0, 1, 0, 13000, 13000}; }

void launch() {
  const CudaLaunch of{"advance", "system", "scheme", "form", 0, 32, 32};
  of.run(kernel, 1);
}

TEST(Launches, AreTimedByEventsOfTheirDevice) {
  {
    CudaStopwatch stopwatches[2];
    for (int turn = 0; turn < 10; ++turn)
      for (const int index : {0, 1}) {
        cuda_use(device(index));
        stopwatches[index].start();
        launch();
        stopwatches[index].stop();
        EXPECT_EQ(stopwatches[index].seconds("a launch"), 1e-3);
      }
    EXPECT_EQ(device_of_event.size(), 4u);
    EXPECT_EQ(launches_on[0], 10);
    EXPECT_EQ(launches_on[1], 10);
  }
  EXPECT_EQ(std::count(device_of_event.begin(), device_of_event.end(), -1), 4);
}

// The rest of the memory is the cache in which the stacks of the threads live: no more than 8 * 28 KB of 228.
TEST(Launches, LeaveTheCacheWhatTheirBlocksDoNotFill) {
  for (int turn = 0; turn < 3; ++turn)
    for (const int index : {0, 1}) {
      cuda_use(device(index));
      launch();
    }
  const std::vector<std::pair<int, int>> once_a_device = {{0, 99}, {1, 99}};
  EXPECT_EQ(carveouts, once_a_device);
}

TEST(Launches, DoNotInheritTheErrorOfAnAllocation) {
  cuda_use(device(0));
  last_error = cudaErrorMemoryAllocation;
  EXPECT_THROW(cuda_check(cudaErrorMemoryAllocation, "an allocation"), std::runtime_error);
  EXPECT_NO_THROW(launch());
}

// Its first launch with instances has nothing left to reserve.
TEST(Launches, OfNoInstancesLoadTheKernel) {
  cuda_use(device(0));
  const int before = launches_on[0];
  CudaLaunch{"advance", "system", "scheme", "form", 0, 0, 32}.run(kernel, 1);
  EXPECT_EQ(launches_on[0], before + 1);
}

// A stack for each of 132 * 2048 threads.
TEST(Launches, WithoutMemoryForTheirStacksSaySo) {
  cuda_use(device(0));
  launched = cudaErrorMemoryAllocation;
  try {
    launch();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(),
                 "CUDA: advance of scheme (form) on system, instances 0 to 31, whose stacks take 24914165760 "
                 "bytes on this device: cudaErrorMemoryAllocation (out of memory)");
  }
  launched = cudaSuccess;
}

}  // namespace
}  // namespace livens
