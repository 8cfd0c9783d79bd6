// Loads, stores and moves. Addresses of all spaces are addresses of the host; every access is checked: within
// what its lane may reach, and aligned.

#include <algorithm>
#include <sstream>

#include "lanewise.hpp"

namespace livens::ptx {
namespace {

std::map<const char*, std::int64_t>& global_memory() {
  static std::map<const char*, std::int64_t> all;
  return all;
}

bool in_global(Warp& warp, const char* at, std::int64_t bytes) {
  if (warp.global.has(at, bytes)) return true;
  const auto behind = global_memory().upper_bound(at);
  if (behind == global_memory().begin()) return false;
  const auto& [first, size] = *std::prev(behind);
  warp.global = {const_cast<char*>(first), size};
  return warp.global.has(at, bytes);
}

/// The space in which a lane reaches these bytes. Parameters of a function are in local memory.
Space space_of(Warp& warp, const Instruction& i, int lane, const char* at, std::int64_t bytes) {
  const bool any = i.space == Space::any, parameter = i.space == Space::param;
  if (reinterpret_cast<Word>(at) % static_cast<Word>(bytes) == 0) {
    if (any || parameter || i.space == Space::local)
      if (warp.local_of(lane).has(at, bytes)) return Space::local;
    if (any || i.space == Space::shared)
      if (warp.shared.has(at, bytes)) return Space::shared;
    if (any || i.space == Space::global)
      if (in_global(warp, at, bytes)) return Space::global;
    if (any || parameter)
      if (warp.arguments.has(at, bytes)) return Space::param;
  }
  std::ostringstream text;
  text << bytes << " bytes at " << static_cast<const void*>(at)
       << " are not aligned, or out of bounds, in lane " << lane << " of warp " << warp.number << "";
  warp.fail(i, text.str());
}

using Addresses = std::array<char*, warp_size>;
Addresses addresses(Warp& warp, const Instruction& i, std::int64_t bytes) {
  Addresses at;
  const Lanes& base = warp.row(i.from[0]);
  each(warp.active, [&](int l) {
    at[l] = reinterpret_cast<char*>(base[l] + static_cast<Word>(i.offset));
    space_of(warp, i, l, at[l], bytes);
  });
  return at;
}

template <class T>
void load(Warp& warp, const Instruction& i) {
  const Addresses at = addresses(warp, i, i.to_count * sizeof(T));
  for (int k = 0; k < i.to_count; ++k) {
    Lanes& to = warp.row(i.to[k]);
    each(warp.active, [&](int l) {
      T value;
      std::memcpy(&value, at[l] + k * sizeof(T), sizeof(T));
      to[l] = static_cast<Word>(value);  // with its sign in what the register has more
    });
  }
}

template <class T>
void store(Warp& warp, const Instruction& i) {
  const Addresses at = addresses(warp, i, (i.from_count - 1) * sizeof(T));
  for (int k = 1; k < i.from_count; ++k) {
    const Lanes& from = warp.row(i.from[k]);
    each(warp.active, [&](int l) { std::memcpy(at[l] + (k - 1) * sizeof(T), &from[l], sizeof(T)); });
  }
}

void largest(Warp& warp, const Instruction& i) {
  const Addresses at = addresses(warp, i, sizeof(Word));
  each(warp.active, [&](int l) {
    const Word old = *reinterpret_cast<const Word*>(at[l]);
    const Word now = std::max(old, warp.row(i.from[1])[l]);
    std::memcpy(at[l], &now, sizeof now);
    warp.row(i.to[0])[l] = old;
  });
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

}  // namespace

void add_memory(const void* memory, std::size_t bytes) {
  global_memory()[static_cast<const char*>(memory)] = static_cast<std::int64_t>(bytes);
}
void remove_memory(const void* memory) { global_memory().erase(static_cast<const char*>(memory)); }

void add_memory_accesses(Operations& table) {
  const auto put = [&](const std::string& type, auto t) {
    using T = decltype(t);
    const auto access = [&](const std::string& where, Space space) {
      for (const char* vector : {"", ".v2", ".v4"}) {
        table["ld" + where + vector + type] = {load<T>, Flow::next, true, space, true};
        table["st" + where + vector + type] = {store<T>, Flow::next, false, space, true};
      }
    };
    for (const char* order : {"", ".volatile", ".relaxed.gpu"}) {
      access(order, Space::any);
      access(std::string(order) + ".global", Space::global);
    }
    access(".global.nc", Space::global);
    access(".const", Space::global);
    access(".shared", Space::shared);
    access(".volatile.shared", Space::shared);
    access(".local", Space::local);
    access(".param", Space::param);
    table["mov" + type] = {move<T>, Flow::next, true, Space::any, true};
  };
  for_each_integer(put);
  table["atom.global.max.u64"] = {largest, Flow::next, true, Space::global, true};
  put(".f32", std::uint32_t{});
  put(".f64", std::uint64_t{});
  table["mov.pred"] = {move<Word>};
  for (const char* space : {"global", "shared", "local", "param", "const"})
    for (const char* way : {"", "to."})
      table[std::string("cvta.") + way + space + ".u64"] = {move<Word>, Flow::next, true, Space::any, true};
}

}  // namespace livens::ptx
