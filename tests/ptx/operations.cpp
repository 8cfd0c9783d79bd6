// What instructions do, by their names. Arithmetic of floating point has its rounding written: without .rn
// ptxas may make one instruction of a product and a sum, and nobody knows the bits. With -fwrapv integers
// overflow as those of a GPU do.

#include <cmath>
#include <limits>
#include <type_traits>

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

/// Adds a function of the values of up to four operands, in every lane.
template <class T, class F>
void add(const std::string& name, int fp64, F) {
  const auto run = [](Warp& warp, const Instruction& i) {
    std::array<const Lanes*, 4> from;
    for (std::size_t k = 0; k < 4; ++k) from[k] = &warp.row(k < i.from.size() ? i.from[k] : unread);
    Lanes& to = warp.row(i.to[0]);
    const auto value = [&](std::size_t k, int l) { return as<T>((*from[k])[l]); };
    each(warp.active,
         [&](int l) { to[l] = as<Word>(F{}(value(0, l), value(1, l), value(2, l), value(3, l))); });
  };
  table[name] = {.run = run, .fp64 = std::is_same_v<T, double> ? fp64 : 0};
}
/// An expression of the operands a, b, c, d of type T; how many instructions of the FP64 pipe it takes.
#define FP64(count, name, ...)                                                                        \
  add<T>(name + type, count,                                                                          \
         []([[maybe_unused]] T a, [[maybe_unused]] T b, [[maybe_unused]] T c, [[maybe_unused]] T d) { \
           return __VA_ARGS__;                                                                        \
         })
#define DO(name, ...) FP64(0, name, T(__VA_ARGS__))
#define COMPARE(name, ...) \
  FP64(1, "setp." name, __VA_ARGS__), FP64(1, "setp." name "u", std::isunordered(a, b) || (__VA_ARGS__))

template <class T>
T inserted(T from, T into, unsigned at, unsigned length) {
  const __int128 mask = ~(~__int128{} << std::min(length, 64u)) << std::min(at, 64u);
  return T((into & ~mask) | (__int128{from} << std::min(at, 64u) & mask));
}
template <class T>
T reversed(T from) {
  T made = 0;
  for (unsigned k = 0; k < 8 * sizeof from; ++k) made = T(made << 1 | (from >> k & 1));
  return made;
}
/// Four bytes of two words, each as it is or eight times its sign.
Word permuted(Word low, Word high, Word which) {
  Word made = 0;
  for (int k = 0; k < 32; k += 8, which >>= 4) {
    const Word byte = (high << 32 | low) >> 8 * (which & 7) & 255;
    made |= (which & 8 ? 255 * (byte >> 7) : byte) << k;
  }
  return made;
}
/// Two words as one.
Word joined(std::uint32_t low, std::uint32_t high) { return Word{high} << 32 | low; }
template <class T>
void add_integer(const std::string& type) {
  using Wide = __int128;
  using Bits = std::make_unsigned_t<T>;
  DO("add", a + b), DO("sub", a - b), DO("neg", 0 - a), DO("min", a < b ? a : b), DO("max", a > b ? a : b);
  DO("mul.lo", a * b), DO("mul.hi", Wide(a) * Wide(b) >> 8 * sizeof a),
      FP64(0, "mul.wide", Wide(a) * Wide(b)), DO("mad.lo", a * b + c);
  // What is divided by zero has all bits.
  DO("div", b == 0 ? Wide(-1) : Wide(a) / b), DO("rem", b == 0 ? Wide(a) : Wide(a) % b);
  DO("and", a & b), DO("or", a | b), DO("xor", a ^ b), DO("not", ~a), DO("selp", c & 1 ? a : b);
  DO("shl", unsigned(b) < 64 ? Wide(a) << b : 0), DO("shr", Wide(a) >> std::min(unsigned(b), 64u));
  DO("clz", std::countl_zero(Bits(a))), DO("popc", std::popcount(Bits(a)));
  DO("bfi", inserted(a, b, unsigned(c), unsigned(d))), DO("brev", reversed(a)),
      DO("prmt", permuted(Word(a), Word(b), Word(c)));
  DO("shf.l.wrap", joined(std::uint32_t(a), std::uint32_t(b)) << (c & 31) >> 32),
      DO("shf.r.wrap", joined(std::uint32_t(a), std::uint32_t(b)) >> (c & 31));
}

/// The error of a sum, which is exact, says whether it was rounded away from 0.
template <class T>
T sum_toward_zero(T a, T b) {
  const T sum = a + b, of_b = sum - a, error = (a - (sum - of_b)) + (b - of_b);
  return (error < 0 && sum > 0) || (error > 0 && sum < 0) ? std::nextafter(sum, T(0)) : sum;
}
template <class T>
void add_floating(const std::string& type) {
  FP64(1, "add.rn", a + b), FP64(1, "sub.rn", a - b), FP64(1, "mul.rn", a * b),
      FP64(1, "fma.rn", std::fma(a, b, c));
  // Without their slow paths, by the machine code of nvcc 13 for compute capability 9.0.
  FP64(8, "div.rn", a / b), FP64(5, "rcp.rn", 1 / a), FP64(8, "sqrt.rn", std::sqrt(a));
  // Of a number and none the number; -0 is below 0.
  FP64(1, "min", a != b ? std::fmin(a, b) : std::signbit(a) ? a : b);
  FP64(1, "max", a != b ? std::fmax(a, b) : std::signbit(a) ? b : a);
  FP64(1, "add.rz", sum_toward_zero(a, b));
  DO("neg", -a), DO("abs", std::fabs(a)), DO("copysign", std::copysign(b, a));
  DO("cvt.rni" + type, std::nearbyint(a)), DO("cvt.rzi" + type, std::trunc(a));
}
template <class T>
void add_comparisons(const std::string& type) {
  COMPARE("eq", a == b), COMPARE("ne", a < b || a > b), COMPARE("lt", a < b), COMPARE("le", a <= b),
      COMPARE("gt", a > b), COMPARE("ge", a >= b);
  FP64(1, "setp.num", !std::isunordered(a, b)), FP64(1, "setp.nan", std::isunordered(a, b));
}

/// To an integer what is too large is the largest one, and what is not a number 0.
template <class To, class T>
To converted(T a) {
  using Limits = std::numeric_limits<To>;
  if constexpr (std::is_floating_point_v<T> && !std::is_floating_point_v<To>) {
    if (a != a) return 0;
    if (a <= static_cast<T>(Limits::min())) return Limits::min();
    if (a >= static_cast<T>(Limits::max())) return Limits::max();
  }
  return static_cast<To>(a);
}
template <class To, class T>
void add_conversion(const std::string& to, const std::string& type) {
  constexpr bool from_integer = std::is_integral_v<T>, to_integer = std::is_integral_v<To>;
  const std::string rounding = to_integer                               ? (from_integer ? "" : ".rzi")
                               : from_integer || sizeof(To) < sizeof(T) ? ".rn"
                                                                        : "";
  FP64(0, "cvt" + rounding + to, converted<To>(a));
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
template <auto f>
void vote(Warp& warp, const Instruction& i) {
  if (!warp.meet(i)) return;
  const Word answer = f(warp.set_in(i.from[0]) & warp.active, warp.active);
  each(warp.active, [&](int l) { warp.row(i.to[0])[l] = answer; });
}
void meet(Warp& warp, const Instruction& i) { warp.meet(i); }
void meet_block(Warp& warp, const Instruction& i) { warp.meet_block(i); }

void branch(Warp& warp, const Instruction& i) {
  warp.put(warp.active, warp.here / a_call * a_call + i.target);
}
/// By reference: the addresses of parameters are what is passed.
void call(Warp& warp, const Instruction& i) {
  if (i.callee->first == undefined) warp.fail(i, "what it calls is not in the text");
  each(warp.active, [&](int l) {
    for (std::size_t k = 0; k < i.from.size(); ++k)
      warp.row(i.callee->parameters[k].row)[l] = warp.row(i.from[k])[l];
    warp.calls[l].push_back(warp.here);
  });
  warp.put(warp.active, (warp.here / a_call - 1) * a_call + i.callee->first);
}
void come_back(Warp& warp, const Instruction&) {
  each(warp.active, [&](int l) {
    if (std::vector<Place>& calls = warp.calls[l]; !calls.empty()) {
      warp.place[l] = calls.back();
      calls.pop_back();
    } else {
      warp.ended |= Mask{1} << l;
      warp.waiting = 0;  // they may wait for this one
    }
  });
}

void add_all() {
  table = {{"bra", {branch, false, true}},
           {"call", {call, false, true}},
           {"ret", {come_back, true, true}},
           {"bar.warp.sync", {meet, false, true}},
           {"bar.sync", {meet_block, false, true}},
           {"bar.red.popc.u32", {meet_block, true, true}},
           {"shfl.sync.up.b32", {shuffle<-1>, true, true}},
           {"shfl.sync.down.b32", {shuffle<1>, true, true}},
           {"vote.sync.ballot.b32", {vote<[](Mask set, Mask) { return set; }>, true, true}},
           {"vote.sync.any.pred", {vote<[](Mask set, Mask) { return set != 0; }>, true, true}},
           {"vote.sync.all.pred", {vote<[](Mask set, Mask all) { return set == all; }>, true, true}},
           // Memory is in order here.
           {"membar.cta", {[](Warp&, const Instruction&) {}, false}}};
  table["nanosleep.u32"] = table["membar.cta"];
  for_each_type([](const std::string& type, auto t) {
    using T = decltype(t);
    add_comparisons<T>(type);
    if constexpr (std::is_floating_point_v<T>) {
      add_floating<T>(type);
      for (const char* name : {"ld", "st", "mov", "selp"})
        table[name + type] = table[name + (".b" + type.substr(2))];
    } else {
      add_integer<T>(type);
      table["ld" + type] = {transfer<T, true>};
      table["st" + type] = {transfer<T, false>, false};
      table["mov" + type] = {move<T>};
    }
    for_each_type([&](const std::string& to, auto t) { add_conversion<decltype(t), T>(to, type); });
  });
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
