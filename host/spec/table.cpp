#include "host/spec/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "host/files/sha256.hpp"

namespace livens::host {

std::string_view bytes_of(const std::vector<double>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)};
}

std::pair<std::int64_t, int> rows_and_width(const Place& place, std::span<const std::int64_t> shape) {
  constexpr std::int64_t widest = 1 << 20;
  const bool column = shape.size() == 1, columns = shape.size() == 2 && shape[1] >= 1 && shape[1] <= widest;
  if (!column && !columns)
    refuse(place, fmt::format("has the shape ({})", fmt::join(shape, ", ")),
           "an array of N, or of N,k numbers");
  return {shape[0], column ? 1 : static_cast<int>(shape[1])};
}

void Table::add(const Place& place, Column column, std::int64_t height) {
  if (!columns.empty() && height != rows)
    refuse(place, fmt::format("has {} rows", height),
           fmt::format("{}, as '{}' has", rows, columns.front().name));
  rows = height;
  columns.push_back(std::move(column));
}

std::string Table::sha256() const {
  std::map<std::string, std::string_view> sorted;
  for (const Column& column : columns) sorted[column.name] = bytes_of(*column.values);
  std::vector<std::string_view> pieces;
  for (const auto& [name, bytes] : sorted) pieces.push_back(bytes);
  return hexadecimal(sha256_of(pieces));
}

std::string EndOfRun::sha256() const {
  std::vector<std::string_view> pieces = {bytes_of(*q), bytes_of(*v), bytes_of(*p)};
  for (const Table::Column& column : parameters) pieces.push_back(bytes_of(*column.values));
  pieces.emplace_back(reinterpret_cast<const char*>(status.data()), status.size());
  return hexadecimal(sha256_of(pieces));
}

}  // namespace livens::host
