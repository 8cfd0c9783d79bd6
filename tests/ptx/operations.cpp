// What instructions do, by their full names. Arithmetic of floating point has its rounding written: without
// .rn ptxas may make one instruction of a product and a sum, and nobody knows the bits. With -fwrapv integers
// overflow as those of a GPU do.

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "ptx.hpp"

namespace livens::ptx {
namespace {

template <class T>
T as(Word word) {
  T value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}
template <class T>
Word bits(T value) {
  Word word = 0;
  std::memcpy(&word, &value, sizeof value);
  return word;
}

template <class F, class Result, class... T, std::size_t... k>
void in_lanes(Warp& warp, const Instruction& i, Result (F::*)(T...) const, std::index_sequence<k...>) {
  Lanes& to = warp.row(i.to[0]);
  const std::array<const Lanes*, sizeof...(k)> from = {&warp.row(i.from[k])...};
  each(warp.active, [&](int l) { to[l] = bits<Result>(F{}(as<T>((*from[k])[l])...)); });
}
template <class F, class Result, class... T>
constexpr auto places(Result (F::*)(T...) const) {
  return std::index_sequence_for<T...>{};
}
/// The instruction that is a function of the values of its operands, in every lane.
template <class F>
Run lanewise(F) {
  return
      [](Warp& warp, const Instruction& i) { in_lanes<F>(warp, i, &F::operator(), places(&F::operator())); };
}

/// f(".s32", std::int32_t{}) and so on.
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

template <class T>
void add_integer(Operations& table, const std::string& type) {
  using W = __int128;
  constexpr int size = 8 * sizeof(T);
  const auto put = [&](const char* name, auto f) { table[name + type] = {lanewise(f)}; };
  put("add", [](T a, T b) { return T(a + b); });
  put("sub", [](T a, T b) { return T(a - b); });
  put("neg", [](T a) { return T(0 - a); });
  put("abs", [](T a) { return T(a < 0 ? 0 - a : a); });
  put("mul.lo", [](T a, T b) { return T(a * b); });
  put("mul.hi", [](T a, T b) { return T(W(a) * W(b) >> size); });
  put("mad.lo", [](T a, T b, T c) { return T(a * b + c); });
  if constexpr (size < 64) put("mul.wide", [](T a, T b) { return Word(W(a) * W(b)); });
  // Whatever is divided by zero has all bits.
  put("div", [](T a, T b) { return b == 0 ? T(-1) : T(W(a) / W(b)); });
  put("rem", [](T a, T b) { return b == 0 ? a : T(W(a) % W(b)); });
  put("min", [](T a, T b) { return a < b ? a : b; });
  put("max", [](T a, T b) { return a > b ? a : b; });
  put("and", [](T a, T b) { return T(a & b); });
  put("or", [](T a, T b) { return T(a | b); });
  put("xor", [](T a, T b) { return T(a ^ b); });
  put("not", [](T a) { return T(~a); });
  put("shl", [](T a, std::uint32_t b) { return b < size ? T(a << b) : T(0); });
  put("shr", [](T a, std::uint32_t b) { return b < size ? T(a >> b) : a < 0 ? T(-1) : T(0); });
  put("bfi", [](T from, T into, std::uint32_t at, std::uint32_t length) {
    const Word mask = at > 63 || length == 0 ? 0 : ~Word{0} >> (64 - std::min(length, 64u)) << at;
    return T((Word(into) & ~mask) | (Word(from) << (at & 63) & mask));
  });
  put("clz", [](T a) { return std::countl_zero(std::make_unsigned_t<T>(a)); });
  put("popc", [](T a) { return std::popcount(std::make_unsigned_t<T>(a)); });
  put("brev", [](T a) {
    T reversed = 0;
    for (int k = 0; k < size; ++k) reversed = T(reversed << 1 | (a >> k & 1));
    return reversed;
  });
}

/// As ltu a comparison also holds where one is not a number.
template <class T>
void add_comparisons(Operations& table, const std::string& type) {
  const auto put = [&](const std::string& name, auto f) {
    table["setp." + name + type] = {lanewise(f)};
    table["setp." + name + "u" + type] = {
        lanewise([](T a, T b) { return std::isunordered(a, b) || decltype(f){}(a, b); })};
  };
  put("eq", [](T a, T b) { return a == b; });
  put("ne", [](T a, T b) { return a < b || a > b; });
  put("lt", [](T a, T b) { return a < b; });
  put("le", [](T a, T b) { return a <= b; });
  put("gt", [](T a, T b) { return a > b; });
  put("ge", [](T a, T b) { return a >= b; });
  put("num", [](T a, T b) { return !std::isunordered(a, b); });
  put("nan", [](T a, T b) { return std::isunordered(a, b); });
  table["selp" + type] = {lanewise([](T a, T b, Word p) { return p & 1 ? a : b; })};
}

template <class T>
void add_floating(Operations& table, const std::string& type) {
  const auto put = [&](const char* name, auto f) { table[name + type] = {lanewise(f)}; };
  put("add.rn", [](T a, T b) { return a + b; });
  put("sub.rn", [](T a, T b) { return a - b; });
  put("mul.rn", [](T a, T b) { return a * b; });
  put("div.rn", [](T a, T b) { return a / b; });
  put("fma.rn", [](T a, T b, T c) { return std::fma(a, b, c); });
  put("rcp.rn", [](T a) { return T(1) / a; });
  put("sqrt.rn", [](T a) { return std::sqrt(a); });
  put("neg", [](T a) { return -a; });
  put("abs", [](T a) { return std::fabs(a); });
  put("copysign", [](T sign, T a) { return std::copysign(a, sign); });
  // Of a number and none the number; -0 is below 0.
  put("min", [](T a, T b) { return a != b ? std::fmin(a, b) : std::signbit(a) ? a : b; });
  put("max", [](T a, T b) { return a != b ? std::fmax(a, b) : std::signbit(a) ? b : a; });
}

/// To an integer what is too large is the largest one, and what is not a number 0.
template <class To, class From>
To saturated(From a) {
  using Limits = std::numeric_limits<To>;
  if (a != a) return 0;
  if (a <= static_cast<From>(Limits::min())) return Limits::min();
  return a >= static_cast<From>(Limits::max()) ? Limits::max() : static_cast<To>(a);
}

double add_towards_zero(double a, double b) {
  std::fesetround(FE_TOWARDZERO);
  volatile double x = a, y = b;  // neither is known to the compiler
  const double sum = x + y;
  x = sum;
  std::fesetround(FE_TONEAREST);
  return x;
}

void add_conversions(Operations& table) {
  const auto put = [&](const std::string& name, auto f) { table["cvt" + name] = {lanewise(f)}; };
  for_each_integer([&](const std::string& from, auto a) {
    using From = decltype(a);
    for_each_integer([&](const std::string& to, auto b) {
      put(to + from, [](From x) { return static_cast<decltype(b)>(x); });
    });
    for_each_floating([&](const std::string& to, auto b) {
      put(".rn" + to + from, [](From x) { return static_cast<decltype(b)>(x); });
      put(".rzi" + from + to, [](decltype(b) x) { return saturated<From>(x); });
    });
  });
  for_each_floating([&](const std::string& type, auto a) {
    put(".rni" + type + type, [](decltype(a) x) { return std::nearbyint(x); });
    put(".rzi" + type + type, [](decltype(a) x) { return std::trunc(x); });
  });
  put(".f64.f32", [](float a) { return double(a); });
  put(".rn.f32.f64", [](double a) { return float(a); });
}

template <class T>
void load(Warp& warp, const Instruction& i) {
  const auto at = warp.addresses(i, i.to_count * sizeof(T));
  for (int k = 0; k < i.to_count; ++k)
    each(warp.active, [&](int l) {
      T value;
      std::memcpy(&value, at[l] + k * sizeof(T), sizeof(T));
      warp.row(i.to[k])[l] = static_cast<Word>(value);  // with its sign in what the register has more
    });
}

template <class T>
void store(Warp& warp, const Instruction& i) {
  const auto at = warp.addresses(i, (i.from_count - 1) * sizeof(T));
  for (int k = 1; k < i.from_count; ++k)
    each(warp.active,
         [&](int l) { std::memcpy(at[l] + (k - 1) * sizeof(T), &warp.row(i.from[k])[l], sizeof(T)); });
}

/// A register, the address of a variable, or a register in pieces: {%r1, %r2}, the lowest first.
template <class T>
void move(Warp& warp, const Instruction& i) {
  const int pieces = std::max(i.to_count, i.from_count), width = 8 * static_cast<int>(sizeof(T)) / pieces;
  const Word piece = ~Word{0} >> (64 - width), offset = static_cast<Word>(i.offset);
  each(warp.active, [&](int l) {
    Word whole = warp.row(i.from[0])[l] + offset;
    if (pieces == 1) return void(warp.row(i.to[0])[l] = whole);
    for (int k = 1; k < i.from_count; ++k)
      whole = (whole & ~(piece << k * width)) | (warp.row(i.from[k])[l] & piece) << k * width;
    for (int k = 0; k < i.to_count; ++k)
      warp.row(i.to[k])[l] = i.to_count == 1 ? whole : whole >> k * width & piece;
  });
}

void add_memory(Operations& table) {
  const auto put = [&](const std::string& type, auto t) {
    using T = decltype(t);
    for (const std::string order : {"", ".volatile", ".relaxed.gpu"})
      for (const std::string space : {"", ".global", ".global.nc", ".const", ".shared", ".local", ".param"})
        for (const std::string vector : {"", ".v2", ".v4"}) {
          table["ld" + order + space + vector + type] = {load<T>, Flow::next, true, true};
          table["st" + order + space + vector + type] = {store<T>, Flow::next, false, true};
        }
    table["mov" + type] = {move<T>, Flow::next, true, true};
  };
  for_each_integer(put);
  put(".f32", std::uint32_t{});
  put(".f64", std::uint64_t{});
  for (const char* space : {"global", "shared", "local", "param", "const"})
    for (const char* way : {"cvta.", "cvta.to."}) table[std::string(way) + space + ".u64"] = table["mov.u64"];
}

enum class From { up, down, butterfly, index };

/// In segments of a warp; the third operand is their mask and the last lane that is read.
template <From way>
void shuffle(Warp& warp, const Instruction& i) {
  const Lanes from = warp.row(i.from[0]), by = warp.row(i.from[1]), limits = warp.row(i.from[2]);
  each(warp.active, [&](int l) {
    const int segment = static_cast<int>(limits[l] >> 8 & 31), first = l & segment;
    const int last = first | (static_cast<int>(limits[l] & 31) & ~segment), b = static_cast<int>(by[l] & 31);
    const int source = way == From::up          ? l - b
                       : way == From::down      ? l + b
                       : way == From::butterfly ? l ^ b
                                                : first | (b & ~segment);
    const bool inside = way == From::up ? source >= last : source <= last;
    if (inside && !(warp.active >> source & 1)) warp.fail(i, "reads a lane that does not take part");
    warp.row(i.to[0])[l] = from[inside ? source : l];
    if (i.to_count > 1) warp.row(i.to[1])[l] = inside;
  });
}

/// f of the lanes whose predicate is set, and all that take part.
template <class F>
Run vote(F) {
  return [](Warp& warp, const Instruction& i) {
    const Word answer = F{}(warp.set_in(i.from[0]) & warp.active, warp.active);
    each(warp.active, [&](int l) { warp.row(i.to[0])[l] = answer; });
  };
}

void nothing(Warp&, const Instruction&) {}

void add_meetings(Operations& table) {
  table["shfl.sync.up.b32"] = {shuffle<From::up>, Flow::sync};
  table["shfl.sync.down.b32"] = {shuffle<From::down>, Flow::sync};
  table["shfl.sync.bfly.b32"] = {shuffle<From::butterfly>, Flow::sync};
  table["shfl.sync.idx.b32"] = {shuffle<From::index>, Flow::sync};
  table["vote.sync.ballot.b32"] = {vote([](Mask set, Mask) { return set; }), Flow::sync};
  table["vote.sync.any.pred"] = {vote([](Mask set, Mask) { return set != 0; }), Flow::sync};
  table["vote.sync.all.pred"] = {vote([](Mask set, Mask all) { return set == all; }), Flow::sync};
  table["bar.warp.sync"] = {nothing, Flow::sync, false};
  table["bar.sync"] = table["barrier.sync"] = {nothing, Flow::barrier, false};
  table["bar.red.popc.u32"] = {nothing, Flow::barrier};
  table["bra"] = table["bra.uni"] = {nothing, Flow::branch, false};
  table["call"] = table["call.uni"] = {nothing, Flow::call, false};
  table["ret"] = {nothing, Flow::ret, false};
  // Memory is in order here.
  table["membar.cta"] = table["membar.gl"] = table["nanosleep.u32"] = {nothing, Flow::next, false};
}

}  // namespace

const Operations& operations() {
  static const Operations all = [] {
    Operations table;
    for_each_integer([&](const char* type, auto t) {
      add_integer<decltype(t)>(table, type);
      add_comparisons<decltype(t)>(table, type);
    });
    for_each_floating([&](const char* type, auto t) {
      add_floating<decltype(t)>(table, type);
      add_comparisons<decltype(t)>(table, type);
    });
    add_conversions(table);
    add_memory(table);
    add_meetings(table);
    table["prmt.b32"] = {lanewise([](std::uint32_t low, std::uint32_t high, std::uint32_t which) {
      const Word all = Word{high} << 32 | low;
      Word made = 0;
      for (int k = 0; k < 4; ++k) {
        const Word byte = all >> 8 * (which >> 4 * k & 7) & 255;
        made |= (which >> 4 * k & 8 ? (byte & 128 ? 255 : 0) : byte) << 8 * k;
      }
      return made;
    })};
    table["add.rz.f64"] = {lanewise([](double a, double b) { return add_towards_zero(a, b); })};
    table["mov.pred"] = {move<Word>};
    for (const std::string name : {"and", "or", "xor", "not"}) table[name + ".pred"] = table[name + ".b8"];
    // Quotients and roots without their slow paths, by the machine code of nvcc 13 for compute
    // capability 9.0.
    constexpr std::pair<const char*, int> of_fp64[] = {{"add.", 1},  {"sub.", 1}, {"mul.", 1}, {"fma.", 1},
                                                       {"setp.", 1}, {"min.", 1}, {"max.", 1}, {"rcp.", 5},
                                                       {"sqrt.", 8}, {"div.", 8}};
    for (auto& [name, operation] : table)
      for (const auto& [start, count] : of_fp64)
        if (name.starts_with(start) && name.ends_with(".f64")) operation.fp64 = count;
    return table;
  }();
  return all;
}

}  // namespace livens::ptx
