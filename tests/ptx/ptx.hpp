#pragma once
// PTX as it is executed: a module is a list of instructions whose operands are rows of a register file, and a
// warp is 32 lanes, each at a place of its own in that list.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <list>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace livens::ptx {

inline constexpr int warp_size = 32;
using Word = std::uint64_t;
using Mask = std::uint32_t;                 // bit l: lane l
using Lanes = std::array<Word, warp_size>;  // a register of a warp; who reads it takes the bits that he wants

/// The first rows of every register file: one that nobody reads, and what the hardware fills.
enum Special { unread, tid, ntid, ctaid_x, ctaid_y, nctaid_x, nctaid_y, laneid, lanemask_ge, special_count };

/// An instruction, and how many more calls there could be around it: the first place is deepest in calls and, of
/// those as deep, first in the text.
using Place = Word;
inline constexpr Place a_call = Place{1} << 32, no_call = Place{1} << 63, undefined = ~Place{0};

/// What instructions of a name do.
struct Operation {
  void (*run)(struct Warp&, const struct Instruction&);
  bool writes = true;  // its first operand
  bool leads = false;  // its lanes to where they go on; those of others go on behind them
  int fp64 = 0;        // instructions of the FP64 pipe that it takes
};
/// None for a name that is not listed.
const Operation* find_operation(std::string_view name);

/// Memory whose address is in a row; in local memory `at` is counted from where that of the lane begins.
struct Variable {
  int row;
  Word at;
  std::size_t bytes;
};
struct Function {
  Place first = undefined;           // instruction
  std::vector<Variable> parameters;  // behind its result
};
struct Instruction : Operation {
  std::string_view name;
  int guard = -1;
  bool unless = false;        // it is done where the guard is not set
  std::vector<int> to, from;  // rows that are written and read
  int address = -1;           // of memory, the row
  Word offset = 0;            // is added
  Place target = 0;           // of a branch
  const Function* callee = nullptr;
};
struct Module {
  explicit Module(std::string its_text) : text(std::move(its_text)) {}
  Module(const Module&) = delete;
  /// Reads the text, the first time.
  void read();
  /// The beginning of a message: where a part of the text is.
  std::string line_of(std::string_view word) const;

  const std::string text;
  std::vector<Instruction> code;
  std::map<std::string, Function, std::less<>> functions;
  std::map<std::string, Variable, std::less<>> variables;
  std::vector<Variable> local, shared;
  std::map<Word, int> constants;  // the row of each
  int rows = special_count;
  std::size_t local_bytes = 0;  // of a lane, for all functions together
  std::list<Warp> warps;        // kept from launch to launch
};

/// Memory that lanes may reach. But for the local one of each, it is found by its address.
enum class Space { local, shared, arguments, global };
struct Memory {
  Space space{};
  char* first = nullptr;
  std::size_t bytes = 0;
  bool has(const char* at, std::size_t size) const { return at >= first && at + size <= first + bytes; }
};
/// It holds no numbers at first.
char* allocate(std::size_t bytes, Space space = Space::global);
void release(void*);
inline std::size_t allocated_bytes = 0;

/// From here on warps run in orders drawn from this, and some of the lanes that have met, drawn anew each
/// time, are late; 0: in the order of their numbers, and together.
void draw_orders(unsigned seed);
Mask late_ones();

using Addresses = std::array<char*, warp_size>;
/// Told of what every warp does, with the lanes that take part, and of every kernel that has ended.
struct Watcher {
  void (*instruction)(const Instruction&, Mask);
  void (*access)(const Instruction&, Mask, Space, const Addresses&, std::size_t bytes);
  void (*kernel)(std::string_view name);
};
inline const Watcher* watcher = nullptr;  // nobody

/// f(l) for the lanes of a mask.
template <class F>
void each(Mask mask, F f) {
  if (mask == ~Mask{0})
    for (int l = 0; l < warp_size; ++l) f(l);
  else
    for (; mask != 0; mask &= mask - 1) f(std::countr_zero(mask));
}

/// Lanes at the same place go on together. Those run next that are first, so that lanes which were apart meet
/// again.
struct Warp {
  Warp(const Module& of, int its_number)
      : module(of),
        number(its_number),
        registers(static_cast<std::size_t>(of.rows)),
        local_memory(of.local_bytes * warp_size) {
    for (const auto& [value, at] : of.constants) row(at).fill(value);
    for (int l = 0; l < warp_size; ++l) {
      for (const Variable& v : of.local) row(v.row)[l] = reinterpret_cast<Word>(local_of(l).first) + v.at;
      row(tid)[l] = static_cast<Word>(number * warp_size + l);
      row(laneid)[l] = static_cast<Word>(l);
      row(lanemask_ge)[l] = ~Mask{0} << l;
    }
  }

  void begin(Place instruction, unsigned threads) {
    ended = threads < warp_size ? ~Mask{0} << threads : 0;
    waiting = late = 0;
    for (auto& its : calls) its.clear();
    put(~Mask{0}, no_call + instruction);
  }
  /// Of the lanes that can go on those that do, and how far. False where there are none.
  bool choose() {
    Mask ready = ~(ended | waiting | late);
    if (ready == 0) ready = std::exchange(late, 0);
    if (ready == 0) return false;
    here = others = ~Place{0};
    each(ready, [&](int l) { here = std::min(here, place[l]); });
    active = 0;
    each(~(ended | late), [&](int l) {
      if (place[l] == here) active |= Mask{1} << l;
      if (place[l] > here) others = std::min(others, place[l]);
    });
    waiting &= ~active;
    return true;
  }
  /// Runs to the end, or (true) to a barrier of the block, `stopped_at`.
  bool run() {
    for (stopped_at = nullptr; !stopped_at && choose();) {
      const Mask together = active;
      const Instruction* i;
      do {
        i = &instruction(here++);
        if (i->guard >= 0) active = together & (i->unless ? ~set_in(i->guard) : set_in(i->guard));
        if (watcher) watcher->instruction(*i, together);
        if (i->leads) put(together & ~active, here), put(active, here - 1);
        if (active != 0) i->run(*this, *i);
        active = together;
      } while (!i->leads && here < others);
      if (!i->leads) put(together, here);
    }
    if (!stopped_at && waiting != 0)
      fail(instruction(place[std::countr_zero(waiting)]), "lanes wait for ever");
    return stopped_at != nullptr;
  }

  /// True once all lanes that the last operand names are here, which are active then. Else these wait.
  bool meet(const Instruction& i) {
    const Lanes& named = row(i.from.back());
    const auto wanted = static_cast<Mask>(named[std::countr_zero(active)]);
    if ((wanted & active & -active) == 0) fail(i, "a lane does not name itself");
    if ((wanted & ended) != 0) fail(i, "lanes that have ended are waited for");
    if ((wanted & active) != wanted) {
      waiting |= active;
      return false;
    }
    each(wanted, [&](int l) {
      if (static_cast<Mask>(named[l]) != wanted) fail(i, "lanes name different ones");
    });
    active = wanted;
    put(wanted, here);
    late = wanted & late_ones();
    return true;
  }
  /// Stops the warp once all of its lanes are here.
  void meet_block(const Instruction& i) {
    if (row(i.from[0])[0] != 0 || i.from.size() > 1 + i.to.size()) fail(i, "a barrier of some threads");
    if ((active | ended) != ~Mask{0}) {
      waiting |= active;
      return;
    }
    stopped_at = &i;
    put(active, here);
    late = active & late_ones();
  }

  /// The addresses that the active lanes reach, checked: within what they may, and aligned.
  Addresses addresses(const Instruction&, std::size_t bytes);
  [[noreturn]] void fail(const Instruction& at, const char* what, int which = -1) const;
  Lanes& row(int number) { return registers[static_cast<std::size_t>(number)]; }
  Mask set_in(int predicate) {
    Mask mask = 0;
    for (int l = 0; l < warp_size; ++l) mask |= static_cast<Mask>(row(predicate)[l] & 1) << l;
    return mask;
  }
  Memory local_of(int lane) {
    return {Space::local, local_memory.data() + std::size_t(lane) * module.local_bytes, module.local_bytes};
  }
  const Instruction& instruction(Place at) const { return module.code[at % a_call]; }
  void put(Mask lanes, Place at) {
    each(lanes, [&](int l) { place[l] = at; });
  }

  const Module& module;
  const int number;
  std::vector<Lanes> registers;
  std::vector<char> local_memory;       // of all lanes
  Place place[warp_size] = {};          // that is next
  std::vector<Place> calls[warp_size];  // where they come back to
  Mask active = 0, ended = 0;           // lanes that do the instruction; that have no more
  Mask waiting = 0, late = 0;           // for others at a .sync or a barrier; until no other can go on
  Place here = 0, others = 0;           // behind the instruction; where the next lanes are
  const Instruction* stopped_at = nullptr;
};

using Grid = std::array<unsigned, 2>;
/// Runs the blocks of a kernel, one after the other. Throws std::runtime_error where one does what it may not.
void launch(Module& module, std::string_view kernel, Grid grid, unsigned threads, void** arguments);

}  // namespace livens::ptx
