#pragma once
// An array in device memory that keeps its allocation between uses. Needs no CUDA header.
//
// Every copy between host and device has a pinned side, which no paging moves, so that it runs at the speed
// of the bus and not through the small buffers of the driver. The arrays of a batch are not pinned
// themselves: to pin some 100 MB takes longer than to copy them once, and they live for one chunk. They are
// filled and read through a pinned buffer of 4 MiB for each thread, half of it on the bus and half being
// copied by the host.

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace livens {

/// Copies to device memory, and from there; `name` is what the array is called in an error message, here and
/// below.
void cuda_upload(void* to, const void* from, std::size_t bytes, const char* name);

void cuda_download(void* to, const void* from, std::size_t bytes, const char* name);

/// Bytes of the current device that nobody has taken.
std::size_t cuda_free_memory();

/// Bytes on the device that was current when they were allocated.
class CudaMemory {
 public:
  CudaMemory() = default;
  CudaMemory(const CudaMemory&) = delete;
  CudaMemory& operator=(const CudaMemory&) = delete;
  ~CudaMemory();

  /// At least this many bytes; what they held is lost when they grow.
  void reserve(std::size_t bytes, const char* name);
  /// As many bytes, all zero.
  void clear(std::size_t bytes, const char* name);
  void upload(const void* from, std::size_t bytes, const char* name);
  void download(void* to, std::size_t bytes, const char* name) const;
  /// `rows` pieces of `bytes` each, `pitch` bytes from one to the next on both sides; the first one stands
  /// `offset` bytes behind the beginning.
  void download_rows(void* to, std::size_t offset, std::size_t pitch, std::size_t bytes, std::size_t rows,
                     const char* name) const;
  void* get() const { return memory_; }

 private:
  void* memory_ = nullptr;
  std::size_t capacity_ = 0;
};

/// Bytes of the host that no paging moves.
class CudaPinnedMemory {
 public:
  CudaPinnedMemory() = default;
  CudaPinnedMemory(const CudaPinnedMemory&) = delete;
  CudaPinnedMemory& operator=(const CudaPinnedMemory&) = delete;
  ~CudaPinnedMemory();

  void reserve(std::size_t bytes, const char* name);
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
  /// As many zeros.
  T* clear(std::int64_t count, const char* name) {
    memory_.clear(sizeof(T) * static_cast<std::size_t>(count), name);
    return get();
  }
  T* upload(const T* from, std::int64_t count, const char* name) {
    memory_.upload(from, sizeof(T) * static_cast<std::size_t>(count), name);
    return get();
  }
  void download(T* to, std::int64_t count, const char* name) const {
    memory_.download(to, sizeof(T) * static_cast<std::size_t>(count), name);
  }
  /// `rows` times `width` values, `pitch` values apart, the first one at `offset`; `to` is laid out alike.
  void download_rows(T* to, std::int64_t offset, std::int64_t pitch, std::int64_t width, std::int64_t rows,
                     const char* name) const {
    const auto bytes = [](std::int64_t count) { return sizeof(T) * static_cast<std::size_t>(count); };
    memory_.download_rows(to + offset, bytes(offset), bytes(pitch), bytes(width),
                          static_cast<std::size_t>(rows), name);
  }
  T* get() const { return static_cast<T*>(memory_.get()); }

 private:
  CudaMemory memory_;
};

/// Pinned memory of the host, to which kernels write what the host reads.
template <class T>
class CudaPinnedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  T* reserve(std::int64_t count, const char* name) {
    memory_.reserve(sizeof(T) * static_cast<std::size_t>(count), name);
    return static_cast<T*>(memory_.get());
  }
  T* get() const { return static_cast<T*>(memory_.get()); }

 private:
  CudaPinnedMemory memory_;
};

}  // namespace livens
