#include "host/results/hdf5_handles.hpp"

#include <cerrno>
#include <utility>

namespace livens::host::hdf5 {
namespace {

/// The innermost entry of the error stack.
std::string innermost_entry() {
  std::string entry = "HDF5 failed";
  const auto visit = [](unsigned depth, const H5E_error2_t* error, void* data) -> herr_t {
    if (depth == 0 && error->desc) *static_cast<std::string*>(data) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, visit, &entry);
  return entry;
}

// "unable to lock file, errno = 11, error message = 'Resource temporarily unavailable'"
bool is_of_locks(const std::string& entry) { return entry.starts_with("unable to lock file"); }
bool is_locked(const std::string& entry) {
  return is_of_locks(entry) &&
         entry.find("errno = " + std::to_string(EWOULDBLOCK) + ",") != std::string::npos;
}

/// In words: the system's message where the entry has one.
std::string innermost_reason() {
  const std::string entry = innermost_entry();
  // "file write failed: time = ..., errno = 28, error message = 'No space left on device', buf = ..."
  if (is_locked(entry)) return "it is open for writing in another program";
  const std::string marker = "error message = '";
  const std::size_t start = entry.find(marker);
  if (start == std::string::npos) return entry;
  const std::size_t first = start + marker.size();
  return entry.substr(first, entry.find('\'', first) - first);
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

hid_t with_locks_if_any(const std::function<hid_t(hid_t access)>& open) {
  const hid_t opened = open(H5P_DEFAULT);
  if (opened >= 0) return opened;
  const std::string entry = innermost_entry();
  if (!is_of_locks(entry) || is_locked(entry)) return opened;
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  check(H5Pset_file_locking(access, false, true));
  return open(access);
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
