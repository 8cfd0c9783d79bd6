#pragma once
// The HDF5 C library behind handles that close themselves and calls that throw.

#include <hdf5.h>

#include <functional>
#include <mutex>
#include <string>

namespace livens::host::hdf5 {

/// A call of the library that failed; the message is the library's innermost reason.
struct Failure {
  std::string reason;
};

/// Identifier of an open object, closed with it.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  /// Takes an identifier fresh from the library; a negative one is a Failure.
  Handle(hid_t id, Close close);
  Handle(Handle&& other) noexcept;
  Handle& operator=(Handle&& other) noexcept;
  ~Handle();

  operator hid_t() const { return id_; }
  /// Closes now, so that a failure to write what is buffered is seen.
  void close_checked();

 private:
  hid_t id_;
  Close close_;
};

/// Throws Failure for a negative return value.
void check(herr_t returned);

/// A file that open(access) opens: with HDF5's own locks, or without them on a file system that has none, where
/// it opens nothing otherwise. In one process a file is open in one of these ways alone.
hid_t with_locks_if_any(const std::function<hid_t(hid_t access)>& open);

/// While one lives no other thread is in the library, which keeps state of its own.
using Turn = std::unique_lock<std::recursive_mutex>;
Turn take_turn();

/// To be called before anything else, on every thread: the library's errors arrive as Failures, it prints
/// nothing itself, loads no filters from elsewhere, and does not clean up at exit.
void prepare();

}  // namespace livens::host::hdf5
