// What instructions do, by their names. Arithmetic of floating point has its rounding written: without .rn
// ptxas may make one instruction of a product and a sum, and nobody knows the bits. With -fwrapv integers
// overflow as those of a GPU do.

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "ptx.hpp"

namespace livens::ptx {
namespace {

std::map<std::string, Operation, std::less<>> table;

/// The lowest bytes of both are the same.
template <class To, class From>
To as(From from) {
  To to{};
  std::memcpy(&to, &from, std::min(sizeof to, sizeof from));
  return to;
}

/// Adds what is a function of the values of its operands, in every lane.
template <class F, class Result, class... T>
void add(const std::string& name, int fp64, F, Result (F::*)(T...) const) {
  const auto run = [](Warp& warp, const Instruction& i) {
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      Lanes& to = warp.row(i.to[0]);
      const std::array<const Lanes*, sizeof...(k)> from = {&warp.row(i.from[k])...};
      each(warp.active, [&](int l) { to[l] = as<Word>(F{}(as<T>((*from[k])[l])...)); });
    }
    (std::index_sequence_for<T...>{});
  };
  table[name] = {.run = run, .fp64 = fp64};
}
template <class F>
void add(const std::string& name, F f) {
  add(name, 0, f, &F::operator());
}
template <class F>
void add(const std::string& name, int fp64, F f) {
  add(name, name.ends_with(".f64") ? fp64 : 0, f, &F::operator());
}

template <class T>
void add_integer(const std::string& type) {
  using W = __int128;
  constexpr int size = 8 * sizeof(T);
  add("add" + type, [](T a, T b) { return T(a + b); });
  add("sub" + type, [](T a, T b) { return T(a - b); });
  add("neg" + type, [](T a) { return T(0 - a); });
  add("mul.lo" + type, [](T a, T b) { return T(a * b); });
  add("mul.hi" + type, [](T a, T b) { return T(W(a) * W(b) >> size); });
  add("mul.wide" + type, [](T a, T b) { return Word(W(a) * W(b)); });
  add("mad.lo" + type, [](T a, T b, T c) { return T(a * b + c); });
  // Whatever is divided by zero has all bits.
  add("div" + type, [](T a, T b) { return b == 0 ? T(-1) : T(W(a) / W(b)); });
  add("rem" + type, [](T a, T b) { return b == 0 ? a : T(W(a) % W(b)); });
  add("min" + type, [](T a, T b) { return a < b ? a : b; });
  add("max" + type, [](T a, T b) { return a > b ? a : b; });
  add("and" + type, [](T a, T b) { return T(a & b); });
  add("or" + type, [](T a, T b) { return T(a | b); });
  add("xor" + type, [](T a, T b) { return T(a ^ b); });
  add("not" + type, [](T a) { return T(~a); });
  add("shl" + type, [](T a, std::uint32_t b) { return b < size ? T(a << b) : T(0); });
  add("shr" + type, [](T a, std::uint32_t b) { return T(W(a) >> std::min(b, 64u)); });
  add("bfi" + type, [](T from, T into, std::uint32_t at, std::uint32_t length) {
    const W mask = ~(~W(0) << std::min(length, 64u)) << std::min(at, 64u);
    return T((into & ~mask) | (W(from) << std::min(at, 64u) & mask));
  });
  add("clz" + type, [](T a) { return std::countl_zero(std::make_unsigned_t<T>(a)); });
  add("popc" + type, [](T a) { return std::popcount(std::make_unsigned_t<T>(a)); });
  add("brev" + type, [](T a) {
    T reversed = 0;
    for (int k = 0; k < size; ++k) reversed = T(reversed << 1 | (a >> k & 1));
    return reversed;
  });
}

template <class T>
void add_floating(const std::string& type) {
  add("add.rn" + type, 1, [](T a, T b) { return a + b; });
  add("sub.rn" + type, 1, [](T a, T b) { return a - b; });
  add("mul.rn" + type, 1, [](T a, T b) { return a * b; });
  add("fma.rn" + type, 1, [](T a, T b, T c) { return std::fma(a, b, c); });
  // Without their slow paths, by the machine code of nvcc 13 for compute capability 9.0.
  add("div.rn" + type, 8, [](T a, T b) { return a / b; });
  add("rcp.rn" + type, 5, [](T a) { return T(1) / a; });
  add("sqrt.rn" + type, 8, [](T a) { return std::sqrt(a); });
  add("neg" + type, [](T a) { return -a; });
  add("abs" + type, [](T a) { return std::fabs(a); });
  add("copysign" + type, [](T sign, T a) { return std::copysign(a, sign); });
  // Of a number and none the number; -0 is below 0.
  add("min" + type, 1, [](T a, T b) { return a != b ? std::fmin(a, b) : std::signbit(a) ? a : b; });
  add("max" + type, 1, [](T a, T b) { return a != b ? std::fmax(a, b) : std::signbit(a) ? b : a; });
  // The error of the sum, which is exact, says whether it was rounded away from 0.
  add("add.rz" + type, 1, [](T a, T b) {
    const T sum = a + b, of_b = sum - a, error = (a - (sum - of_b)) + (b - of_b);
    return (error < 0 && sum > 0) || (error > 0 && sum < 0) ? std::nextafter(sum, T(0)) : sum;
  });
  add("cvt.rni" + type + type, [](T a) { return std::nearbyint(a); });
  add("cvt.rzi" + type + type, [](T a) { return std::trunc(a); });
}

template <class T>
void add_comparisons(const std::string& type) {
  const auto put = [&](const std::string& name, auto holds) {
    const auto holds_or_unordered = [](T a, T b) {
      return std::isunordered(a, b) || decltype(holds){}(a, b);
    };
    add("setp." + name + type, 1, holds);
    add("setp." + name + "u" + type, 1, holds_or_unordered);
  };
  put("eq", [](T a, T b) { return a == b; });
  put("ne", [](T a, T b) { return a < b || a > b; });
  put("lt", [](T a, T b) { return a < b; });
  put("le", [](T a, T b) { return a <= b; });
  put("gt", [](T a, T b) { return a > b; });
  put("ge", [](T a, T b) { return a >= b; });
  put("num", [](T a, T b) { return !std::isunordered(a, b); });
  put("nan", [](T a, T b) { return std::isunordered(a, b); });
  add("selp" + type, [](T a, T b, Word p) { return p & 1 ? a : b; });
}

/// To an integer what is too large is the largest one, and what is not a number 0.
template <class To, class From>
To converted(From a) {
  using Limits = std::numeric_limits<To>;
  if constexpr (std::is_floating_point_v<From> && !std::is_floating_point_v<To>) {
    if (a != a) return 0;
    if (a <= static_cast<From>(Limits::min())) return Limits::min();
    if (a >= static_cast<From>(Limits::max())) return Limits::max();
  }
  return static_cast<To>(a);
}
template <class To, class From>
void add_conversion(const std::string& types) {
  constexpr bool from_integer = std::is_integral_v<From>, to_integer = std::is_integral_v<To>;
  const char* const rounding = to_integer                                  ? (from_integer ? "" : ".rzi")
                               : from_integer || sizeof(To) < sizeof(From) ? ".rn"
                                                                           : "";
  add("cvt" + (rounding + types), [](From a) { return converted<To>(a); });
}

/// From memory into registers, or back.
template <class T, bool loads>
void transfer(Warp& warp, const Instruction& i) {
  const std::vector<int>& rows = loads ? i.to : i.from;
  auto at = warp.addresses(i, rows.size() * sizeof(T));
  for (const int number : rows)
    each(warp.active, [&, &row = warp.row(number)](int l) {
      T value = static_cast<T>(row[l]);
      loads ? std::memcpy(&value, at[l], sizeof value) : std::memcpy(at[l], &value, sizeof value);
      if (loads) row[l] = static_cast<Word>(value);  // with its sign in what the register has more
      at[l] += sizeof value;
    });
}
/// A register, also in pieces, the lowest first: {%r1, %r2}.
template <class T>
void move(Warp& warp, const Instruction& i) {
  const std::size_t read = sizeof(T) / i.from.size(), written = sizeof(T) / i.to.size();
  each(warp.active, [&](int l) {
    if (read == written) return void(warp.row(i.to[0])[l] = warp.row(i.from[0])[l]);
    char whole[sizeof(T)] = {};
    for (std::size_t k = 0; k < i.from.size(); ++k)
      std::memcpy(whole + k * read, &warp.row(i.from[k])[l], read);
    for (std::size_t k = 0; k < i.to.size(); ++k)
      std::memcpy(&(warp.row(i.to[k])[l] = 0), whole + k * written, written);
  });
}

/// f(".s32", std::int32_t{}) and so on.
template <class F>
void for_each_type(F f) {
  f(".pred", std::uint8_t{}), f(".b8", std::uint8_t{}), f(".u8", std::uint8_t{}), f(".s8", std::int8_t{});
  f(".b16", std::uint16_t{}), f(".u16", std::uint16_t{}), f(".s16", std::int16_t{});
  f(".b32", std::uint32_t{}), f(".u32", std::uint32_t{}), f(".s32", std::int32_t{}), f(".f32", float{});
  f(".b64", std::uint64_t{}), f(".u64", std::uint64_t{}), f(".s64", std::int64_t{}), f(".f64", double{});
}

/// What a lane so many below (-1) or above (1) has, unless it lies outside the segment of the warp; the third
/// operand is the mask of segments and the last lane that is read.
template <int direction>
void shuffle(Warp& warp, const Instruction& i) {
  if (!warp.meet(i)) return;
  const Lanes from = warp.row(i.from[0]), by = warp.row(i.from[1]), limits = warp.row(i.from[2]);
  each(warp.active, [&](int l) {
    const int segment = static_cast<int>(limits[l] >> 8 & 31);
    const int last = (l & segment) | (static_cast<int>(limits[l] & 31) & ~segment);
    const int source = l + direction * static_cast<int>(by[l] & 31);
    const bool inside = direction * source <= direction * last;
    if (inside && !(warp.active >> source & 1)) warp.fail(i, "reads a lane that does not take part");
    warp.row(i.to[0])[l] = from[inside ? source : l];
    if (i.to.size() > 1) warp.row(i.to[1])[l] = inside;
  });
}
/// f of the lanes whose predicate is set, and all that take part.
template <class F>
Operation vote(F) {
  const auto run = [](Warp& warp, const Instruction& i) {
    if (!warp.meet(i)) return;
    const Word answer = F{}(warp.set_in(i.from[0]) & warp.active, warp.active);
    each(warp.active, [&](int l) { warp.row(i.to[0])[l] = answer; });
  };
  return {.run = run, .leads = true};
}

void branch(Warp& warp, const Instruction& i) { warp.put(warp.active, i.target); }
/// By reference: the addresses of parameters are what is passed.
void call(Warp& warp, const Instruction& i) {
  if (i.callee->first < 0) warp.fail(i, "what it calls is not in the text");
  each(warp.active, [&](int l) {
    for (std::size_t k = 0; k < i.from.size(); ++k)
      warp.row(i.callee->parameters[k].row)[l] = warp.row(i.from[k])[l];
    warp.calls[l].push_back(warp.here);
  });
  warp.put(warp.active, i.callee->first);
}
void come_back(Warp& warp, const Instruction&) {
  each(warp.active, [&](int l) {
    if (std::vector<int>& calls = warp.calls[l]; !calls.empty()) {
      warp.place[l] = calls.back();
      calls.pop_back();
    } else {
      warp.ended |= Mask{1} << l;
      warp.waiting = 0;  // they may wait for this one
    }
  });
}

void add_all() {
  for_each_type([](const std::string& type, auto t) {
    using T = decltype(t);
    add_comparisons<T>(type);
    if constexpr (std::is_floating_point_v<T>) {
      add_floating<T>(type);
      for (const char* name : {"ld", "st", "mov"}) table[name + type] = table[name + (".b" + type.substr(2))];
    } else {
      add_integer<T>(type);
      table["ld" + type] = {.run = transfer<T, true>};
      table["st" + type] = {.run = transfer<T, false>, .writes = false};
      table["mov" + type] = {.run = move<T>};
    }
    for_each_type([&](const std::string& from, auto f) { add_conversion<T, decltype(f)>(type + from); });
  });
  // Four bytes of two words, each as it is or eight times its sign.
  add("prmt.b32", [](std::uint32_t low, std::uint32_t high, std::uint32_t which) {
    std::uint32_t made = 0;
    for (int k = 0; k < 32; k += 8, which >>= 4) {
      const std::uint32_t byte = (Word{high} << 32 | low) >> 8 * (which & 7) & 255;
      made |= (which & 8 ? 255 * (byte >> 7) : byte) << k;
    }
    return made;
  });
  table["shfl.sync.up.b32"] = {.run = shuffle<-1>, .leads = true};
  table["shfl.sync.down.b32"] = {.run = shuffle<1>, .leads = true};
  table["vote.sync.ballot.b32"] = vote([](Mask set, Mask) { return set; });
  table["vote.sync.any.pred"] = vote([](Mask set, Mask) { return set != 0; });
  table["vote.sync.all.pred"] = vote([](Mask set, Mask all) { return set == all; });
  const auto meet = [](Warp& warp, const Instruction& i) { warp.meet(i); };
  const auto meet_block = [](Warp& warp, const Instruction& i) { warp.meet_block(i); };
  table["bar.warp.sync"] = {.run = meet, .writes = false, .leads = true};
  table["bar.sync"] = {.run = meet_block, .writes = false, .leads = true};
  table["bar.red.popc.u32"] = {.run = meet_block, .leads = true};
  table["bra"] = {.run = branch, .writes = false, .leads = true};
  table["call"] = {.run = call, .writes = false, .leads = true};
  table["ret"] = {.run = come_back, .leads = true};
  // Memory is in order here.
  table["membar.cta"] = table["nanosleep.u32"] = {.run = [](Warp&, const Instruction&) {}, .writes = false};
}

}  // namespace

const Operation* find_operation(std::string_view name) {
  if (table.empty()) add_all();
  std::string known(name);
  // Its address says where memory is, the operands how much is moved at once, and all of it is in order.
  if (known.starts_with("ld.") || known.starts_with("st.")) known.erase(2, known.rfind('.') - 2);
  if (known.starts_with("cvta.")) known = "mov.u64";
  if (known.ends_with(".uni")) known.erase(known.size() - 4);
  const auto found = table.find(known);
  return found == table.end() ? nullptr : &found->second;
}

}  // namespace livens::ptx
