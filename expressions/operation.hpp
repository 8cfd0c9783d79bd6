#pragma once
// The operations of expressions.

#include <cstdint>

namespace livens::expressions {

enum class Op : std::uint8_t {
  constant,
  leaf,
  negate,
  add,
  subtract,
  multiply,
  divide,
  ratio,  // a/b, and 0 where both are 0
  sqrt,
  sin,
  cos,
  exp,
  log,
  tanh,
  abs,
  sign,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  // Of kernels/math/quotients.hpp: f(x)/x of an odd function f, and the derivative of that over x.
  sinc,
  sinc_slope,
  sinhc,
  sinhc_slope,
  tanhc,
  tanhc_slope,
  atanhc,
  atanhc_slope,
  table,          // a function that a table gives, or a derivative of it
  inverse_power,  // a^(-b/2) of an odd number b, in series alone (taylor/inverse_powers.hpp)
  // Likewise, of a power: its exponent is the second operand.
  power_quotient,
  power_quotient_slope,
  min,
  max,
  atan2,
  // Conditions, 1 or 0; and the second operand where the first, a condition, holds, else 0.
  less,
  less_or_equal,
  kept,
  // [f(b) - f(a)]/(b - a), and its derivative by b.
  asin_quotient,
  asin_quotient_slope,
  atan_quotient,
  atan_quotient_slope,
  log_quotient,
  log_quotient_slope,
  table_quotient,
  table_quotient_slope,
};

/// The operations of two operands; constants and leaves have none, all others one.
constexpr bool is_binary(Op op) { return (op >= Op::add && op <= Op::ratio) || op >= Op::inverse_power; }
constexpr int operands_of(Op op) { return op <= Op::leaf ? 0 : is_binary(op) ? 2 : 1; }
constexpr bool is_of_table(Op op) { return op == Op::table || op >= Op::table_quotient; }

}  // namespace livens::expressions
