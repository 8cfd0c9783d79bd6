#pragma once
// PTX as it is executed: a module is a list of instructions whose operands are rows of a register file, and a
// warp is 32 lanes, each at a place of its own in that list.

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace livens::ptx {

inline constexpr int warp_size = 32;
using Word = std::uint64_t;
using Mask = std::uint32_t;                 // bit l: lane l
using Lanes = std::array<Word, warp_size>;  // a register of a warp; who reads it takes the bits that he wants

/// The first rows of every register file: one that nobody reads, and what the hardware fills.
enum Special { unread, tid, ntid, ctaid_x, ctaid_y, nctaid_x, nctaid_y, laneid, lanemask_ge, special_count };

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
  int first = -1;                    // instruction; none where it is only declared
  std::vector<Variable> parameters;  // behind its result
};
struct Instruction : Operation {
  std::string_view name;
  int guard = -1;
  bool unless = false;        // it is done where the guard is not set
  std::vector<int> to, from;  // rows that are written and read
  int address = -1;           // of memory, the row
  Word offset = 0;            // is added
  int target = -1;            // of a branch
  const Function* callee = nullptr;
};
struct Module {
  explicit Module(std::string its_text) : text(std::move(its_text)) {}
  Module(const Module&) = delete;
  /// Reads the text, the first time.
  void read();
  /// The beginning of a message: where a part of the text is.
  std::string line_of(std::string_view word) const;

  std::string text;
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

/// Lanes at the same place go on together. Those run next that are deepest in calls and, of these, first in
/// the text, so that lanes which were apart meet again.
struct Warp {
  Warp(const Module& of, int number);
  /// Runs to the end, or (true) to a barrier of the block, `stopped_at`.
  bool run();
  bool choose();
  void put(Mask lanes, int instruction);
  /// True once all lanes that the last operand names are here, which are active then. Else these wait.
  bool meet(const Instruction&);
  /// Stops the warp once all of its lanes are here.
  void meet_block(const Instruction&);
  [[noreturn]] void fail(const Instruction& at, const std::string& what) const;

  Lanes& row(int number) { return registers[static_cast<std::size_t>(number)]; }
  Mask set_in(int predicate) {
    Mask mask = 0;
    for (int l = 0; l < warp_size; ++l) mask |= static_cast<Mask>(row(predicate)[l] & 1) << l;
    return mask;
  }
  Memory local_of(int lane) {
    return {Space::local, local_memory.data() + std::size_t(lane) * module.local_bytes, module.local_bytes};
  }
  /// The addresses that the active lanes reach, checked: within what they may, and aligned.
  std::array<char*, warp_size> addresses(const Instruction&, std::size_t bytes);

  const Module& module;
  const int number;
  std::vector<Lanes> registers;
  std::vector<char> local_memory;     // of all lanes
  int place[warp_size] = {};          // the instruction that is next
  std::vector<int> calls[warp_size];  // where they come back to
  Mask active = 0, ended = 0;         // lanes that do the instruction; that have no more
  Mask waiting = 0, late = 0;         // for others at a .sync or a barrier; until no other can go on
  int here = 0, others = 0;           // behind the instruction; where the next lanes as deep are
  const Instruction* stopped_at = nullptr;
};

/// From here on warps run in orders drawn from this, and some of the lanes that have met, drawn anew each
/// time, are late; 0: in the order of their numbers, and together.
void draw_orders(unsigned seed);
using Grid = std::array<unsigned, 2>;
/// Runs the blocks of a kernel, one after the other. Throws std::runtime_error where one does what it may not.
void launch(Module& module, std::string_view kernel, Grid grid, unsigned threads, void** arguments);

/// Of what has run, warp by warp: instructions, the lanes that took part in them, those of the FP64 pipe,
/// passes of shared memory, sectors of 32 bytes of global memory, accesses of local memory.
enum Count { instructions, lanes, fp64, wavefronts, sectors, local, count_kinds };
inline std::array<double, count_kinds> counts;
inline std::string counted;         // part of the names of the kernels
inline std::string counted_kernel;  // the last of them
inline bool counts_memory = false;  // which takes longer than an access

/// f(l) for the lanes of a mask.
template <class F>
void each(Mask mask, F f) {
  if (mask == ~Mask{0})
    for (int l = 0; l < warp_size; ++l) f(l);
  else
    for (; mask != 0; mask &= mask - 1) f(std::countr_zero(mask));
}

}  // namespace livens::ptx
