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
  // Of kernels/math/quotients.hpp: f(x)/x of an odd function f, and the derivative of that over x.
  sinc,
  sinc_slope,
  sinhc,
  sinhc_slope,
  tanhc,
  tanhc_slope,
  atanhc,
  atanhc_slope,
  // Likewise, of a power: its exponent is the second operand.
  power_quotient,
  power_quotient_slope,
};

/// The operations of two operands; constants and leaves have none, all others one.
constexpr bool is_binary(Op op) { return (op >= Op::add && op <= Op::ratio) || op >= Op::power_quotient; }
constexpr int operands_of(Op op) { return op <= Op::leaf ? 0 : is_binary(op) ? 2 : 1; }

}  // namespace livens::expressions
