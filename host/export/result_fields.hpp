#pragma once
// The datasets of a result as a list, and their numbers row by row: for what writes them into other files.

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "host/layout/result_layout.hpp"
#include "host/results/result_file.hpp"

namespace livens::host {

/// A dataset of a result.
struct Field {
  std::string name;  ///< its path, "/instances/final_q"
  Shape shape;
  std::string unit, description;
  /// Doubles, 64-bit integers, or the codes of the statuses.
  enum class Kind { numbers, counts, codes } kind;

  std::int64_t rows() const { return shape[0].length; }
  /// Numbers in a row: an entry of the first axis.
  std::int64_t width() const;
};

/// All of them that are in the file, in the order of the layout, without the labels of axes.
std::vector<Field> fields_of(const ResultReader& file);

/// Some rows of a field, one after the other.
struct Rows {
  std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::uint8_t>> values;

  /// Appends entry `i`, in the shortest decimals that read back to the same.
  void append(std::string& text, std::size_t i) const;
};

/// Rows [first, first + count). Throws FileError.
Rows rows_of(const ResultReader& file, const Field& field, std::int64_t first, std::int64_t count);

/// Calls visit(first, count) for portions of `rows` rows with some `width` numbers each, of which one at a
/// time need be in memory.
void in_portions(std::int64_t rows, std::int64_t width,
                 const std::function<void(std::int64_t first, std::int64_t count)>& visit);

}  // namespace livens::host
