#pragma once
// Plain data as bytes, little-endian, and back. What is read may be anything: every length is checked against
// what is there before memory is taken for it.

#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace livens::host {

static_assert(std::endian::native == std::endian::little);

/// Bytes that are not what they should be.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class ByteWriter {
 public:
  void reserve(std::size_t count) { bytes_.reserve(count); }
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T>
  void put(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    put(static_cast<std::uint64_t>(values.size()));
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
  void put(const std::string& text) {
    put(static_cast<std::uint64_t>(text.size()));
    bytes_ += text;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  void get(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::memcpy(&value, next(sizeof value).data(), sizeof value);
  }
  template <class T>
  void get(std::vector<T>& values) {
    const std::size_t count = length(sizeof(T));
    values.resize(count);
    if (count > 0) std::memcpy(values.data(), next(count * sizeof(T)).data(), count * sizeof(T));
  }
  void get(std::string& text) { text = next(length(1)); }
  /// Number of things of at least `size` bytes each that follow.
  std::size_t length(std::size_t size) {
    std::uint64_t count;
    get(count);
    if (count > rest_.size() / size) throw Malformed("a length that is more than there is");
    return static_cast<std::size_t>(count);
  }
  std::string_view next(std::size_t count) {
    if (count > rest_.size()) throw Malformed("it ends too early");
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  void expect_end() const {
    if (!rest_.empty()) throw Malformed("more than there should be");
  }

 private:
  std::string_view rest_;
};

}  // namespace livens::host
