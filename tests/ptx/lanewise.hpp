#pragma once
// Instructions that do the same in every lane, as functions of numbers.

#include <utility>

#include "warp.hpp"

namespace livens::ptx {

template <class F, class Result, class... Arguments, std::size_t... k>
void in_lanes(Warp& warp, const Instruction& i, Result (F::*)(Arguments...) const,
              std::index_sequence<k...>) {
  Lanes& to = warp.row(i.to[0]);
  const std::array<const Lanes*, sizeof...(k)> from = {&warp.row(i.from[k])...};
  each(warp.active, [&](int l) { to[l] = bits<Result>(F{}(as<Arguments>((*from[k])[l])...)); });
}
template <class Owner, class Result, class... Arguments>
constexpr auto places(Result (Owner::*)(Arguments...) const) {
  return std::index_sequence_for<Arguments...>{};
}

/// The instruction that is a function of the values of its operands: lanewise([](T a, T b) { return a + b;
/// }).
template <class F>
Run lanewise(F) {
  return
      [](Warp& warp, const Instruction& i) { in_lanes<F>(warp, i, &F::operator(), places(&F::operator())); };
}

/// f(".s32", std::int32_t{}) and so on, of the types of integers, or of floating point.
template <class F>
void for_each_integer(F f) {
  f(".u8", std::uint8_t{}), f(".b8", std::uint8_t{}), f(".s8", std::int8_t{});
  f(".u16", std::uint16_t{}), f(".b16", std::uint16_t{}), f(".s16", std::int16_t{});
  f(".u32", std::uint32_t{}), f(".b32", std::uint32_t{}), f(".s32", std::int32_t{});
  f(".u64", std::uint64_t{}), f(".b64", std::uint64_t{}), f(".s64", std::int64_t{});
}
template <class F>
void for_each_floating(F f) {
  f(".f32", float{}), f(".f64", double{});
}

}  // namespace livens::ptx
