#include "host/spec/table.hpp"

#include <map>

#include "host/checkpoint/sha256.hpp"

namespace livens::host {

std::string_view bytes_of(const std::vector<double>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)};
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
