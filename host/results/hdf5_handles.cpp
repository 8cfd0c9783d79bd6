#include "host/results/hdf5_handles.hpp"

#include <utility>

namespace livens::host::hdf5 {
namespace {

/// The innermost entry of the error stack, from the system's message on where it has one.
std::string innermost_reason() {
  std::string reason = "HDF5 failed";
  const auto visit = [](unsigned depth, const H5E_error2_t* error, void* data) -> herr_t {
    if (depth == 0 && error->desc) *static_cast<std::string*>(data) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, visit, &reason);
  // "file write failed: time = ..., errno = 28, error message = 'No space left on device', buf = ..."
  const std::string marker = "error message = '";
  const std::size_t start = reason.find(marker);
  if (start == std::string::npos) return reason;
  const std::size_t first = start + marker.size();
  return reason.substr(first, reason.find('\'', first) - first);
}

}  // namespace

Handle::Handle(hid_t id, Close close) : id_(id), close_(close) {
  if (id < 0) throw Failure{innermost_reason()};
}

Handle::Handle(Handle&& other) noexcept
    : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}

Handle& Handle::operator=(Handle&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(close_, other.close_);
  return *this;
}

Handle::~Handle() {
  if (id_ >= 0) close_(id_);
}

void Handle::close_checked() { check(close_(std::exchange(id_, H5I_INVALID_HID))); }

void check(herr_t returned) {
  if (returned < 0) throw Failure{innermost_reason()};
}

Handle without_locks() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  check(H5Pset_file_locking(access, false, true));
  return access;
}

Turn take_turn() {
  static std::recursive_mutex turns;
  return Turn(turns);
}

void prepare() {
  // At exit it would flush once more what could not be written, and crash on a full disk. Handles close
  // everything.
  H5dont_atexit();
  H5PLset_loading_state(0);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

}  // namespace livens::host::hdf5
