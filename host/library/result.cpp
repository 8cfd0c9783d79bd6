// A result in memory as arrays: the layout of the file (result_layout.hpp), over the vectors themselves.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "expressions/nearest.hpp"
#include "host/errors.hpp"
#include "host/layout/result_layout.hpp"
#include "host/library/boundary.hpp"
#include "host/library/result_state.hpp"
#include "host/results/attributes.hpp"
#include "host/results/summary.hpp"

namespace livens {
namespace host {
namespace {

/// Lists the fields of the layout, and the labels of their axes; of a file those that it has, once they are
/// found to be of their type and shape there.
class Lister {
 public:
  explicit Lister(livens::Result::State& state, const ResultReader* file = nullptr)
      : state_(state), file_(file) {}

  std::string unit_of(const std::string& what) const { return state_.units(what); }
  template <class T>
  bool has(const std::string& name, const std::vector<T>& values) const {
    return file_ ? file_->has(name) : !values.empty();
  }
  bool keeps(const std::string& name) const { return keeps_column(state_.file.left_out, name); }
  template <class T>
  void field(const std::string& name, const std::vector<T>& values, const Shape& shape,
             const std::string& unit, const std::string& description) const {
    std::vector<T> none;
    if (file_) file_->rows(name, lengths_of(shape), 0, 0, none);
    list(name, values, shape, unit, description);
  }
  void status(const std::string& name, const std::vector<std::uint8_t>& values, const Shape& shape,
              const std::string& description) const {
    std::vector<std::uint8_t> none;
    if (file_) file_->code_rows(name, lengths_of(shape), 0, 0, none);
    list(name, values, shape, "1", description);
    add(status_attributes());
  }
  void attribute(const std::string&, const char* key, const auto& value) const {
    add({Attribute{key, value}});
  }
  void growth(const std::string&, const ensembles::Growth& growth) const { add(growth_attributes(growth)); }
  void axis(const std::string&, std::int64_t) const {}
  template <class T>
  void labels(const std::string& name, const std::vector<T>& values, const std::string& unit,
              const std::string& description) const {
    const std::string own = name.substr(name.rfind('/') + 1);
    list(name, values, {{own, static_cast<std::int64_t>(values.size())}}, unit, description);
  }
  void indices(const std::string& name, std::int64_t length, const std::string& description) const {
    labels(name, counting(length, 0), "1", description);
    if (const auto& names = names_of_axis(state_.file.result, name); !names.empty())
      add({Attribute{"names", fmt::format("{}", fmt::join(names, " "))}});
  }
  void instances(const std::string& name, std::int64_t length,
                 const std::vector<std::int64_t>& numbers) const {
    const std::int64_t first = state_.file.shard ? state_.file.shard->range.first : 0;
    const bool in_file = file_ && file_->has("/instances/number");
    labels(name,
           in_file           ? chosen(length)
           : numbers.empty() ? counting(length, first)
                             : numbers,
           "1", "number of the instance in the ensemble");
  }

 private:
  template <class T>
  void list(const std::string& name, const std::vector<T>& values, const Shape& shape,
            const std::string& unit, const std::string& description) const {
    std::vector<std::string> axes;
    for (const Axis& axis : shape) axes.push_back(axis.name);
    state_.arrays.push_back({name, unit, description, lengths_of(shape), std::span<const T>(values),
                             std::move(axes), attributes_of(unit, description)});
  }
  /// To the field that came last.
  void add(Attributes attributes) const {
    for (Attribute& one : attributes) state_.arrays.back().attributes.push_back(std::move(one));
  }
  const std::vector<std::int64_t>& counting(std::int64_t length, std::int64_t first) const {
    std::vector<std::int64_t>& numbers = state_.labels.emplace_back(static_cast<std::size_t>(length));
    std::iota(numbers.begin(), numbers.end(), first);
    return numbers;
  }

  /// The numbers of instances that were chosen.
  const std::vector<std::int64_t>& chosen(std::int64_t length) const {
    std::vector<std::int64_t>& numbers = state_.labels.emplace_back();
    file_->rows("/instances/number", {length}, 0, length, numbers);
    return numbers;
  }

  livens::Result::State& state_;
  const ResultReader* file_;
};

livens::Result listed_by(const Lister& lister, std::shared_ptr<livens::Result::State> state) {
  const ensembles::Result& result = state->file.result;
  walk_instances(lister, result.instances, result.size, result.coordinates);
  walk_samples(lister, result);
  return livens::Result(std::move(state));
}

}  // namespace

livens::Result make_result(ResultFile file, UnitOf units, std::string too_many) {
  auto state = std::make_shared<livens::Result::State>(
      livens::Result::State{std::move(file), std::move(units), std::move(too_many), {}, {}});
  return listed_by(Lister(*state), state);
}

livens::Result listed(const ResultReader& file) {
  auto state = std::make_shared<livens::Result::State>(
      livens::Result::State{file.outline(), file.units(), {}, {}, {}});
  return listed_by(Lister(*state, &file), state);
}

}  // namespace host

namespace {

template <class T>
std::span<const T> values_of(const Array& array, const char* type) {
  const auto* values = std::get_if<std::span<const T>>(&array.values);
  if (!values) throw SpecError({Mistake{{}, fmt::format("{} is no array of {}", array.name, type)}});
  return *values;
}

const Array* find(const std::vector<Array>& arrays, std::string_view name) {
  const auto found =
      std::find_if(arrays.begin(), arrays.end(), [&](const Array& array) { return array.name == name; });
  return found == arrays.end() ? nullptr : &*found;
}

}  // namespace

const std::vector<Array>& Result::arrays() const { return state_->arrays; }
bool Result::has(std::string_view name) const { return find(arrays(), name) != nullptr; }

const Array& Result::operator[](std::string_view name) const {
  if (const Array* array = find(arrays(), name)) return *array;
  std::vector<std::string> names;
  for (const Array& array : arrays()) names.push_back(array.name);
  throw SpecError({Mistake{
      {}, fmt::format("no array '{}' in this result", name), enumerate(names), nearest(name, names)}});
}

std::span<const double> Result::numbers(std::string_view name) const {
  return values_of<double>((*this)[name], "doubles");
}
std::span<const std::int64_t> Result::counts(std::string_view name) const {
  return values_of<std::int64_t>((*this)[name], "64-bit integers");
}
std::span<const std::uint8_t> Result::codes(std::string_view name) const {
  return values_of<std::uint8_t>((*this)[name], "bytes");
}

std::int64_t Result::size() const { return state_->file.result.size; }
std::int64_t Result::failed() const { return state_->file.result.failed(); }
const std::string& Result::system() const { return state_->file.provenance.system; }
const std::string& Result::scheme() const { return state_->file.provenance.scheme; }
const std::string& Result::form() const { return state_->file.provenance.form; }
const std::string& Result::spec() const { return state_->file.provenance.spec; }
const std::string& Result::backend() const { return state_->file.result.backend; }
const std::string& Result::device() const { return state_->file.result.device; }
double Result::wall_seconds() const { return state_->file.result.wall_seconds; }

std::string Result::summary() const {
  host::Figures figures;
  figures.add(state_->file.result.instances);
  return headline(state_->file.result, state_->file.provenance) + figures.text(state_->file.result);
}

void Result::check() const {
  if (!state_->too_many.empty()) throw InstancesFailed(state_->too_many);
}

void Result::save(const std::string& path) const {
  host::at_boundary([&] {
    const host::ResultFile& file = state_->file;
    host::ResultWriter writer(path, {}, file.result, state_->units, 0, file.left_out);
    writer.add(0, file.result.instances);
    writer.commit(file.provenance, file.shard);
  });
}

Result open_result(const std::string& path) {
  return host::at_boundary([&] {
    const host::ResultReader reader(path);
    return host::make_result(reader.everything(), reader.units(), {});
  });
}

}  // namespace livens
