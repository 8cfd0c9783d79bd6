#pragma once
// A walker of the layout (result_layout.hpp) that meets the datasets of a result one by one, as fields.

#include <string>
#include <utility>
#include <vector>

#include "host/export/result_fields.hpp"

namespace livens::host {

/// What becomes of a field, and of attributes and axes, is for who derives from it to say.
class FieldWalker {
 public:
  explicit FieldWalker(const ResultReader& file) : file_(file), units_(file.units()) {}
  virtual ~FieldWalker() = default;

  std::string unit_of(const std::string& what) const { return units_(what); }
  template <class T>
  bool has(const std::string& name, const std::vector<T>&) const {
    return file_.has(name);
  }
  bool keeps(const std::string& name) const { return file_.has(path_of_column(name)); }
  void field(const std::string& name, const std::vector<double>&, const Shape& shape, const std::string& unit,
             const std::string& description) {
    meet({name, shape, unit, description, Field::Kind::numbers});
  }
  void field(const std::string& name, const std::vector<std::int64_t>&, const Shape& shape,
             const std::string& unit, const std::string& description) {
    meet({name, shape, unit, description, Field::Kind::counts});
  }
  void status(const std::string& name, const std::vector<std::uint8_t>&, const Shape& shape,
              const std::string& description) {
    meet({name, shape, "1", description, Field::Kind::codes});
  }

 protected:
  virtual void meet(Field field) = 0;

  const ResultReader& file_;
  const UnitOf units_;
};

}  // namespace livens::host
