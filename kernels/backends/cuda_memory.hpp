#pragma once
// An array in device memory that keeps its allocation between uses. Needs no CUDA header.

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace livens {

/// Copies to device memory; `name` is what the array is called in an error message, here and below.
void cuda_upload(void* to, const void* from, std::size_t bytes, const char* name);

/// Bytes on the device that was current when they were allocated.
class CudaMemory {
 public:
  CudaMemory() = default;
  CudaMemory(const CudaMemory&) = delete;
  CudaMemory& operator=(const CudaMemory&) = delete;
  ~CudaMemory();

  /// At least this many bytes; what they held is lost when they grow.
  void reserve(std::size_t bytes, const char* name);
  void upload(const void* from, std::size_t bytes, const char* name);
  void download(void* to, std::size_t bytes, const char* name) const;
  void* get() const { return memory_; }

 private:
  void* memory_ = nullptr;
  std::size_t capacity_ = 0;
};

template <class T>
class CudaArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  T* reserve(std::int64_t count, const char* name) {
    memory_.reserve(sizeof(T) * static_cast<std::size_t>(count), name);
    return get();
  }
  T* upload(const T* from, std::int64_t count, const char* name) {
    memory_.upload(from, sizeof(T) * static_cast<std::size_t>(count), name);
    return get();
  }
  void download(T* to, std::int64_t count, const char* name) const {
    memory_.download(to, sizeof(T) * static_cast<std::size_t>(count), name);
  }
  T* get() const { return static_cast<T*>(memory_.get()); }

 private:
  CudaMemory memory_;
};

}  // namespace livens
