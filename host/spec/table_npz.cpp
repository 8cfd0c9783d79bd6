// A .npz is a ZIP archive of .npy files, stored or deflated (numpy.lib.format).

#include <fmt/format.h>
#include <minizip/unzip.h>

#include <bit>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>

#include "host/spec/table.hpp"

namespace livens::host {
namespace {

static_assert(std::endian::native == std::endian::little);  // so are the numbers that are read

/// No stream of deflate is longer than this many times its compressed length.
constexpr std::uint64_t most_expansion = 1032;
/// Of an array of numbers, in bytes: NumPy's have some hundred.
constexpr std::uint32_t longest_dictionary = 1 << 16;

class Archive {
 public:
  explicit Archive(const std::string& path) : path_(path), file_(unzOpen64(path.c_str())) {
    if (!file_) refuse({path_}, "cannot be read", "an archive as numpy.savez writes it");
    std::error_code none;
    left_ = std::filesystem::file_size(path, none);
  }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;
  ~Archive() { unzClose(file_); }

  bool first() { return unzGoToFirstFile(file_) == UNZ_OK; }
  bool next() { return unzGoToNextFile(file_) == UNZ_OK; }

  /// The name of the file at hand, which is opened. No two files have bytes of the archive in common, and
  /// none is longer than its bytes can become, whatever the directory says.
  std::string open() {
    unz_file_info64 info{};
    std::string name(1 << 12, '\0');
    if (unzGetCurrentFileInfo64(file_, &info, name.data(), name.size() - 1, nullptr, 0, nullptr, 0) !=
            UNZ_OK ||
        info.compressed_size > left_ || info.uncompressed_size / most_expansion > info.compressed_size ||
        unzOpenCurrentFile(file_) != UNZ_OK)
      refuse({path_}, "is damaged");
    left_ -= info.compressed_size;
    size_ = info.uncompressed_size;
    name_ = name.c_str();
    return name_;
  }

  /// Bytes of the file that is open.
  std::uint64_t size() const { return size_; }

  /// Its next bytes.
  std::string read(std::uint64_t count) {
    std::string bytes(count, '\0');
    for (std::size_t at = 0; at < bytes.size();) {
      const auto part = static_cast<unsigned>(std::min<std::size_t>(bytes.size() - at, 1u << 30));
      const int read = unzReadCurrentFile(file_, bytes.data() + at, part);
      if (read <= 0) refuse({path_, 0, name_}, "is damaged");
      at += static_cast<std::size_t>(read);
    }
    return bytes;
  }

  /// Behind its last byte: the archive has a checksum of it.
  void close() {
    if (unzCloseCurrentFile(file_) != UNZ_OK) refuse({path_, 0, name_}, "is damaged");
  }

 private:
  std::string path_, name_;
  unzFile file_;
  std::uint64_t left_ = 0, size_ = 0;  // bytes of the archive that no file has had; of the file that is open
};

/// The value of a key of the dictionary that a .npy begins with, up to the comma or bracket that ends it.
std::string_view value_of(std::string_view dictionary, std::string_view key) {
  const std::size_t at = dictionary.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) return {};
  std::string_view value = dictionary.substr(at + key.size() + 3);
  while (value.starts_with(' ')) value.remove_prefix(1);
  return value.substr(0, value.find_first_of(value.starts_with('(') ? ")" : ",}"));
}

/// The numbers of "(1000, 3".
std::vector<std::int64_t> shape_of(std::string_view text) {
  std::vector<std::int64_t> shape;
  for (const char *at = text.data(), *end = at + text.size(); at != end;) {
    std::int64_t length = 0;
    const auto [last, error] = std::from_chars(at, end, length);
    if (error == std::errc()) shape.push_back(length);
    at = error == std::errc() ? last : at + 1;
  }
  return shape;
}

constexpr std::int64_t most_whole = std::int64_t{1} << 53;

template <class Stored>
void convert(const Place& place, std::string_view bytes, bool fortran_order, std::int64_t rows,
             std::int64_t width, std::vector<double>& values) {
  values.resize(static_cast<std::size_t>(rows * width));
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t k = 0; k < width; ++k) {
      Stored stored;
      const std::int64_t at = fortran_order ? k * rows + i : i * width + k;
      std::memcpy(&stored, bytes.data() + static_cast<std::size_t>(at) * sizeof stored, sizeof stored);
      if constexpr (sizeof stored == 8 && std::is_integral_v<Stored>)
        if (stored > most_whole || stored < -most_whole)
          refuse(place, fmt::format("holds {}", stored), "integers up to 2^53, which a double keeps");
      values[static_cast<std::size_t>(i * width + k)] = static_cast<double>(stored);
    }
  }
}

/// An array of numbers of 8 or 4 bytes; `rows` is what it has. Its numbers are unpacked when its shape has
/// said how many there are.
Table::Column read_npy(Archive& archive, const Place& place, const std::string& name, std::int64_t& rows) {
  const auto refuse_unless = [&](bool good) {
    if (!good) refuse(place, "is no array as NumPy writes it");
  };
  refuse_unless(archive.size() >= 12);
  const std::string start = archive.read(12);
  refuse_unless(start.starts_with("\x93NUMPY"));
  const bool short_length = start[6] == 1;
  std::uint32_t length = 0;
  std::memcpy(&length, start.data() + 8, short_length ? 2 : 4);
  const std::uint64_t begin = (short_length ? 10 : 12) + std::uint64_t{length};
  refuse_unless(begin >= start.size() && begin <= archive.size() && length <= longest_dictionary);
  const std::string dictionary = start.substr(short_length ? 10 : 12) + archive.read(begin - start.size());
  const std::string_view type = value_of(dictionary, "descr");
  const std::vector<std::int64_t> shape = shape_of(value_of(dictionary, "shape"));
  std::int64_t width = 1;
  std::tie(rows, width) = rows_and_width(place, shape);
  const std::int64_t size = type == "'<f8'" || type == "'<i8'"   ? 8
                            : type == "'<f4'" || type == "'<i4'" ? 4
                                                                 : 0;
  if (size == 0) refuse(place, fmt::format("has values of type {}", type), "'<f8', '<f4', '<i8' or '<i4'");
  const std::uint64_t stored = archive.size() - begin, row = static_cast<std::uint64_t>(width * size);
  refuse_unless(rows >= 0 && stored % row == 0 && stored / row == static_cast<std::uint64_t>(rows));
  const std::string bytes = archive.read(stored);
  archive.close();
  const bool fortran_order = value_of(dictionary, "fortran_order") == "True";
  std::vector<double> values;
  const auto take = [&](auto stored_as) {
    convert<decltype(stored_as)>(place, bytes, fortran_order, rows, width, values);
  };
  if (type == "'<f8'") take(0.0);
  if (type == "'<f4'") take(0.0f);
  if (type == "'<i8'") take(std::int64_t{0});
  if (type == "'<i4'") take(std::int32_t{0});
  return {name, static_cast<int>(width), std::make_shared<const std::vector<double>>(std::move(values))};
}

}  // namespace

Table read_npz(const std::string& path) {
  Archive archive(path);
  Table table;
  for (bool more = archive.first(); more; more = archive.next()) {
    std::string name = archive.open();
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    std::int64_t rows = 0;
    Table::Column column = read_npy(archive, {path, 0, name}, name, rows);
    table.add({path, 0, name}, std::move(column), rows);
  }
  return table;
}

}  // namespace livens::host
