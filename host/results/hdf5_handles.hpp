#pragma once
// The HDF5 C library behind handles that close themselves and calls that throw.

#include <hdf5.h>

#include <cstdint>
#include <string>
#include <vector>

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
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
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

/// To be called before anything else: the library's errors arrive as Failures, it prints nothing itself, and
/// does not clean up at exit.
void prepare();

/// Memory types of what a dataset holds.
hid_t type_of(const double*);
hid_t type_of(const std::int64_t*);
hid_t type_of(const std::uint8_t*);

/// Attributes of an open object.
void write_attribute(hid_t object, const char* name, const std::string& text);
void write_attribute(hid_t object, const char* name, double value);
void write_attribute(hid_t object, const char* name, std::int64_t value);
void write_attribute(hid_t object, const char* name, std::uint64_t value);
void write_attribute(hid_t object, const char* name, const std::vector<double>& values);
std::string read_text(hid_t object, const char* name);
double read_number(hid_t object, const char* name);
std::int64_t read_integer(hid_t object, const char* name);
std::uint64_t read_unsigned(hid_t object, const char* name);
std::vector<double> read_numbers(hid_t object, const char* name);

/// Makes a dataset; groups in its name are made where missing. Where it is large it is stored in compressed
/// chunks.
Handle create_dataset(hid_t file, const std::string& name, hid_t type, const std::vector<hsize_t>& shape);
/// Writes `rows` rows (entries of the first axis) from row `first` on, of a memory type.
void write_rows(hid_t dataset, hid_t type, hsize_t first, hsize_t rows, const void* values);
bool exists(hid_t file, const std::string& name);
Handle open_dataset(hid_t file, const std::string& name);
std::vector<hsize_t> shape_of(hid_t dataset);
/// Names of the links in a group, in the order of their characters.
std::vector<std::string> names_in(hid_t file, const std::string& group);

}  // namespace livens::host::hdf5
