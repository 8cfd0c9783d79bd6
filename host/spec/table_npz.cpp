// A .npz is a ZIP archive of .npy files, stored or deflated (numpy.lib.format).

#include <fmt/format.h>
#include <minizip/unzip.h>

#include <bit>
#include <charconv>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "host/spec/table.hpp"

namespace livens::host {
namespace {

static_assert(std::endian::native == std::endian::little);  // so are the numbers that are read

/// No stream of deflate is longer than this many times its compressed length.
constexpr std::uint64_t most_expansion = 1032;

class Archive {
 public:
  explicit Archive(const std::string& path) : path_(path), file_(unzOpen64(path.c_str())) {
    if (!file_) refuse({path_, ""}, "cannot be read; expected an archive as numpy.savez writes it");
  }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;
  ~Archive() { unzClose(file_); }

  bool first() { return unzGoToFirstFile(file_) == UNZ_OK; }
  bool next() { return unzGoToNextFile(file_) == UNZ_OK; }

  std::string name() {
    unz_file_info64 info{};
    std::string name(1 << 12, '\0');
    if (unzGetCurrentFileInfo64(file_, &info, name.data(), name.size() - 1, nullptr, 0, nullptr, 0) != UNZ_OK)
      refuse({path_, ""}, "is damaged");
    size_ = info.uncompressed_size;
    if (size_ / most_expansion > info.compressed_size) refuse({path_, ""}, "is damaged");
    return name.c_str();
  }

  /// The file whose name() was asked for last. The archive has a checksum of it.
  std::string contents(const std::string& name) {
    std::string bytes(size_, '\0');
    bool good = unzOpenCurrentFile(file_) == UNZ_OK;
    for (std::size_t at = 0; good && at < bytes.size();) {
      const auto part = static_cast<unsigned>(std::min<std::size_t>(bytes.size() - at, 1u << 30));
      const int read = unzReadCurrentFile(file_, bytes.data() + at, part);
      good = read > 0;
      at += good ? static_cast<std::size_t>(read) : 0;
    }
    good = unzCloseCurrentFile(file_) == UNZ_OK && good;
    if (!good) refuse({path_, name}, "is damaged");
    return bytes;
  }

 private:
  std::string path_;
  unzFile file_;
  std::uint64_t size_ = 0;
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
          refuse(place, fmt::format("holds {}; expected integers up to 2^53, which a double keeps", stored));
      values[static_cast<std::size_t>(i * width + k)] = static_cast<double>(stored);
    }
  }
}

/// An array of numbers of 8 or 4 bytes; `rows` is what it has.
Table::Column read_npy(const Place& place, const std::string& name, std::string_view bytes,
                       std::int64_t& rows) {
  const auto refuse_unless = [&](bool good) {
    if (!good) refuse(place, "is no array as NumPy writes it");
  };
  refuse_unless(bytes.size() >= 12 && bytes.starts_with("\x93NUMPY"));
  const bool short_length = bytes[6] == 1;
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 8, short_length ? 2 : 4);
  const std::size_t begin = short_length ? 10 : 12;
  refuse_unless(bytes.size() - begin >= length);
  const std::string_view dictionary = bytes.substr(begin, length);
  bytes.remove_prefix(begin + length);
  const std::string_view type = value_of(dictionary, "descr");
  const std::vector<std::int64_t> shape = shape_of(value_of(dictionary, "shape"));
  std::int64_t width = 1;
  std::tie(rows, width) = rows_and_width(place, shape);
  const std::int64_t size = type == "'<f8'" || type == "'<i8'"   ? 8
                            : type == "'<f4'" || type == "'<i4'" ? 4
                                                                 : 0;
  if (size == 0)
    refuse(place, fmt::format("has values of type {}; expected '<f8', '<f4', '<i8' or '<i4'", type));
  const auto stored = static_cast<std::int64_t>(bytes.size());
  refuse_unless(rows >= 0 && rows <= stored && stored == rows * width * size);
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
    std::string name = archive.name();
    const std::string bytes = archive.contents(name);
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    std::int64_t rows = 0;
    Table::Column column = read_npy({path, name}, name, bytes, rows);
    table.add({path, name}, std::move(column), rows);
  }
  return table;
}

}  // namespace livens::host
