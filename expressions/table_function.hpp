#pragma once
// A function of one number through given points: straight from point to point, or the cubic spline whose
// second derivative is 0 at both ends, or that of a period.

#include <string>
#include <vector>

namespace livens::expressions {

enum class Between : unsigned char { cubic, linear };
/// What it is before the first point and behind the last one: not a number, the value there, or the line on.
enum class Beyond : unsigned char { error, hold, linear };

class TableFunction {
 public:
  /// x increases, and has as many numbers as y, two at least. Of a period, of three at least, y ends where it begins.
  TableFunction(std::vector<double> x, std::vector<double> y, Between between, Beyond beyond, bool periodic);

  std::vector<double> x, y;
  Between between;
  Beyond beyond;
  bool periodic;
  std::vector<double> curvature;  ///< at the points

  /// Its slope jumps.
  bool has_corners() const { return between == Between::linear || (!periodic && beyond == Beyond::hold); }

  /// As a table of kernels/math/tables.hpp.
  int pieces, first_step = 1;
  double period = 0.0;
  const double* data() const { return data_.data(); }

  /// A C++ identifier, different for different tables, and the class of this name that the kernels take.
  std::string class_name() const;
  std::string class_text() const;

 private:
  void find_curvature();
  void append(double start, double value, double slope, double bend, double twist, double jump);
  void append_pieces();

  std::vector<double> data_;
};

}  // namespace livens::expressions
