#include "expressions/table_function.hpp"

#include <cstdint>
#include <cstring>
#include <limits>

#include "expressions/code.hpp"
#include "kernels/math/tables.hpp"

namespace livens::expressions {

TableFunction::TableFunction(std::vector<double> x, std::vector<double> y, Between between, Beyond beyond,
                             bool periodic)
    : x(std::move(x)),
      y(std::move(y)),
      between(between),
      beyond(beyond),
      periodic(periodic),
      curvature(this->x.size()),
      pieces(static_cast<int>(this->x.size()) + 1) {
  if (periodic) period = this->x.back() - this->x.front();
  while (2 * first_step < pieces) first_step *= 2;
  if (between == Between::cubic) find_curvature();
  append_pieces();
}

/// The slopes of neighbouring cubics agree where, with h the lengths and m the slopes of the chords,
///   h_(i-1) M_(i-1) + 2 (h_(i-1) + h_i) M_i + h_i M_(i+1) = 6 (m_i - m_(i-1))
/// Solved one after the other (Gauss and Seidel), with and without a period: a sweep halves the error at
/// least, since the diagonal is twice the rest of its row.
void TableFunction::find_curvature() {
  constexpr int sweeps = 64;
  const std::size_t last = x.size() - 1;
  const auto h = [&](std::size_t i) { return x[i + 1] - x[i]; };
  const auto chord = [&](std::size_t i) { return (y[i + 1] - y[i]) / h(i); };
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (std::size_t i = periodic ? 0 : 1; i < last; ++i) {
      const std::size_t before = i == 0 ? last - 1 : i - 1;
      curvature[i] =
          (6.0 * (chord(i) - chord(before)) - h(before) * curvature[before] - h(i) * curvature[i + 1]) /
          (2.0 * (h(before) + h(i)));
      if (i == 0) curvature[last] = curvature[0];
    }
}

void TableFunction::append(double start, double value, double slope, double bend, double twist, double jump) {
  data_.insert(data_.end(), {start, value, slope, bend, twist, jump});
}

void TableFunction::append_pieces() {
  const std::size_t last = x.size() - 1;
  struct Slopes {
    double begin, end;
  };
  const auto slopes = [&](std::size_t i) -> Slopes {
    const double h = x[i + 1] - x[i], chord = (y[i + 1] - y[i]) / h;
    return {chord - h * (2.0 * curvature[i] + curvature[i + 1]) / 6.0,
            chord + h * (curvature[i] + 2.0 * curvature[i + 1]) / 6.0};
  };
  const auto inside = [&](std::size_t i, double start, double jump) {
    append(start, y[i], slopes(i).begin, 0.5 * curvature[i],
           (curvature[i + 1] - curvature[i]) / (6.0 * (x[i + 1] - x[i])), jump);
  };
  const auto outside = [&](double start, double value, double slope, double jump) {
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    if (beyond == Beyond::error)
      append(start, nothing, nothing, nothing, nothing, nothing);
    else
      append(start, value, beyond == Beyond::linear ? slope : 0.0, 0.0, 0.0, jump);
  };
  const bool is_straight = between == Between::linear;
  const double first_slope = slopes(0).begin, last_slope = slopes(last - 1).end;
  double at_start = beyond == Beyond::hold ? first_slope : 0.0;
  if (periodic) {
    // The first piece again; of the one before it nothing is asked.
    at_start = is_straight ? first_slope - last_slope : 0.0;
    inside(0, x[0], at_start);
  } else {
    outside(x[0], y[0], first_slope, 0.0);
  }
  for (std::size_t i = 0; i < last; ++i)
    inside(i, x[i], i == 0 ? at_start : is_straight ? slopes(i).begin - slopes(i - 1).begin : 0.0);
  if (periodic)
    inside(0, x[last], at_start);
  else
    outside(x[last], y[last], last_slope, beyond == Beyond::hold ? -last_slope : 0.0);
}

namespace {

/// FNV-1a of the bits: a name, not a seal.
class Hash {
 public:
  void add(std::uint64_t word) {
    for (int byte = 0; byte < 64; byte += 8) value_ = (value_ ^ (word >> byte & 255)) * 0x100000001b3u;
  }
  void add(double number) {
    std::uint64_t bits;
    std::memcpy(&bits, &number, sizeof bits);
    add(bits);
  }
  std::string digits() const {
    std::string result;
    for (int shift = 60; shift >= 0; shift -= 4) result += "0123456789abcdef"[value_ >> shift & 15];
    return result;
  }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace

std::string TableFunction::class_name() const {
  Hash hash;
  for (const double number : x) hash.add(number);
  for (const double number : y) hash.add(number);
  for (const int choice : {static_cast<int>(between), static_cast<int>(beyond), periodic ? 1 : 0})
    hash.add(static_cast<std::uint64_t>(choice));
  return "Table" + hash.digits();
}

std::string TableFunction::class_text() const {
  std::string text = "struct " + class_name() +
                     " {\n  static constexpr int pieces = " + std::to_string(pieces) +
                     ", first_step = " + std::to_string(first_step) +
                     ";\n  static constexpr double period = " + literal(period) +
                     ";\n  LIVENS_HD static const double* data() {\n"
                     "    static constexpr double numbers[] = {\n";
  for (std::size_t i = 0; i < data_.size(); ++i) {
    const bool is_begin = i % piece_width == 0;
    text += (is_begin ? "        " : " ") + literal(data_[i]) + ((i + 1) % piece_width == 0 ? ",\n" : ",");
  }
  return text + "    };\n    return numbers;\n  }\n};\n";
}

}  // namespace livens::expressions
