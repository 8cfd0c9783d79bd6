#include "host/export/result_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "host/export/field_walker.hpp"

namespace livens::host {
namespace {

/// Notes what it meets.
class Listing : public FieldWalker {
 public:
  using FieldWalker::FieldWalker;

  template <class T>
  void attribute(const std::string&, const char*, const T&) const {}
  void growth(const std::string&, const ensembles::Growth&) const {}
  void axis(const std::string&, std::int64_t) const {}
  template <class T>
  void labels(const std::string&, const std::vector<T>&, const std::string&, const std::string&) const {}
  void indices(const std::string&, std::int64_t, const std::string&) const {}
  void instances(const std::string&, std::int64_t, const std::vector<std::int64_t>&) const {}

  std::vector<Field> fields;

 private:
  void meet(Field field) override { fields.push_back(std::move(field)); }
};

}  // namespace

std::int64_t Field::width() const {
  std::int64_t width = 1;
  for (std::size_t k = 1; k < shape.size(); ++k) width *= shape[k].length;
  return width;
}

std::vector<Field> fields_of(const ResultReader& file) {
  const ensembles::Result& outline = file.outline().result;
  Listing listing(file);
  walk_instances(listing, outline.instances, outline.size, outline.coordinates);
  walk_samples(listing, outline);
  return std::move(listing.fields);
}

void Rows::append(std::string& text, std::size_t i) const {
  std::visit([&](const auto& all) { fmt::format_to(std::back_inserter(text), "{}", all[i]); }, values);
}

Rows rows_of(const ResultReader& file, const Field& field, std::int64_t first, std::int64_t count) {
  const std::vector<std::int64_t> lengths = lengths_of(field.shape);
  Rows rows;
  switch (field.kind) {
    case Field::Kind::numbers:
      file.rows(field.name, lengths, first, count, rows.values.emplace<std::vector<double>>());
      break;
    case Field::Kind::counts:
      file.rows(field.name, lengths, first, count, rows.values.emplace<std::vector<std::int64_t>>());
      break;
    case Field::Kind::codes:
      file.code_rows(field.name, lengths, first, count, rows.values.emplace<std::vector<std::uint8_t>>());
      break;
  }
  return rows;
}

void in_portions(std::int64_t rows, std::int64_t width,
                 const std::function<void(std::int64_t first, std::int64_t count)>& visit) {
  constexpr std::int64_t entries = std::int64_t{1} << 22;  // 32 MiB of doubles
  const std::int64_t at_a_time = std::max<std::int64_t>(entries / std::max<std::int64_t>(width, 1), 1);
  for (std::int64_t first = 0; first < rows; first += at_a_time)
    visit(first, std::min(at_a_time, rows - first));
}

}  // namespace livens::host
