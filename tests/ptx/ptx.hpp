#pragma once
// PTX as it is executed: a module is a list of instructions whose operands are rows of a register file, and a
// warp is 32 lanes, each at a place of its own in that list.

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace livens::ptx {

inline constexpr int warp_size = 32;
using Word = std::uint64_t;
using Mask = std::uint32_t;                 // bit l: lane l
using Lanes = std::array<Word, warp_size>;  // a register of a warp; who reads it takes the bits that he wants

/// The first rows of every register file: where memory begins (local memory elsewhere in every lane), a row
/// that nobody reads, and what the hardware fills.
enum Special : int {
  of_local,
  of_shared,
  of_arguments,
  unread,
  tid,
  ntid,
  ctaid_x,
  ctaid_y,
  nctaid_x,
  nctaid_y,
  laneid,
  lanemask_ge,
  special_count
};

enum class Flow : std::uint8_t { next, branch, call, ret, sync, barrier };

class Warp;
struct Instruction;
using Run = void (*)(Warp&, const Instruction&);

/// What instructions of a name do. A name that is not in the table is refused.
struct Operation {
  Run run;
  Flow flow = Flow::next;  // how it goes on behind it
  bool writes = true;      // its first operand
  bool address = false;    // the first that it reads may be one
  int fp64 = 0;            // instructions of the FP64 pipe that it takes
};
using Operations = std::map<std::string, Operation, std::less<>>;
const Operations& operations();

struct Instruction : Operation {
  std::string_view name;
  int line = 0;
  int guard = -1;
  bool unless = false;  // it is done where the guard is not set
  int to_count = 0, from_count = 0;
  std::array<int, 4> to{};    // rows that are written
  std::array<int, 5> from{};  // rows that are read
  std::int64_t offset = 0;    // added to the first of them
  int target = -1;            // of a branch, an instruction; of a call, its number
};

struct Variable {
  std::int64_t at = 0, bytes = 0;
};
struct Function {
  int first = -1;                    // instruction
  std::vector<Variable> parameters;  // of a kernel in the buffer of its arguments, else in local memory
  Variable result;
};
/// Where its arguments and its result lie in the local memory of the caller.
struct Call {
  const Function* function;
  std::vector<std::int64_t> arguments;
  std::int64_t result = -1;
};

/// Memory that kernels may reach as long as this lives; it holds no numbers at first.
std::shared_ptr<char> global_memory(std::size_t bytes);

struct Module {
  explicit Module(std::string its_text) : text(std::move(its_text)) {}
  Module(const Module&) = delete;
  /// Reads the text, the first time.
  void read();

  std::string text;
  std::vector<Instruction> code;
  std::vector<Call> calls;
  std::map<std::string, Function, std::less<>> functions;
  std::map<std::string, Variable, std::less<>> globals;  // at: an address of the host
  std::vector<std::shared_ptr<char>> memory;             // of these
  std::map<Word, int> constants;                         // the row of each
  int rows = special_count;
  std::int64_t local_bytes = 0, shared_bytes = 0;  // of a lane, of a block: for all functions together
  std::vector<std::shared_ptr<Warp>> warps;        // kept from launch to launch
};

/// From here on warps run in orders drawn from this, and some of the lanes that have met, drawn anew each
/// time, wait until no other can go on; 0: in the order of their numbers, and together.
void draw_orders(unsigned seed);
/// Runs all blocks of a kernel, one after the other. Throws std::runtime_error where one does what it may
/// not.
struct Grid {
  unsigned x = 1, y = 1;
};
void launch(Module& module, std::string_view kernel, Grid grid, unsigned threads, void** arguments);

/// Of what has run, warp by warp: instructions, the lanes that took part in them, those of the FP64 pipe,
/// passes of shared memory, sectors of 32 bytes of global memory, accesses of local memory.
struct Counts {
  std::string kernel;  // the last that was counted
  double instructions = 0, lanes = 0, fp64 = 0, wavefronts = 0, sectors = 0, local = 0;
};
inline Counts counts;
inline std::string counted;         // part of the names of the kernels
inline bool counts_memory = false;  // which takes longer than an access
int wavefronts(const std::array<char*, warp_size>& at, Mask, std::int64_t bytes);
int sectors(const std::array<char*, warp_size>& at, Mask);

/// A part of the memory that a lane may reach.
struct Memory {
  char* first = nullptr;
  std::int64_t bytes = 0;
  bool has(const char* at, std::int64_t size) const { return at >= first && at + size <= first + bytes; }
};

/// Lanes at the same place go on together. Those run next that are deepest in calls and, of these, first in
/// the text, so that lanes which were apart meet again.
class Warp {
 public:
  Warp(const Module& of, int number);

  /// Before a block: its first `there` lanes at an instruction.
  void begin(int instruction, unsigned there);
  /// Runs to the end, or (true) to a barrier of the block, `stopped_at`.
  bool run();
  [[noreturn]] void fail(const Instruction& at, const std::string& what) const;

  Lanes& row(int number) { return registers_[static_cast<std::size_t>(number)]; }
  /// The lanes in which a predicate is set.
  Mask set_in(int predicate) {
    Mask mask = 0;
    for (int l = 0; l < warp_size; ++l) mask |= static_cast<Mask>(row(predicate)[l] & 1) << l;
    return mask;
  }
  Memory local_of(int lane) { return {local_.data() + lane * module.local_bytes, module.local_bytes}; }
  /// The addresses that the active lanes reach, checked: within what they may, and aligned.
  std::array<char*, warp_size> addresses(const Instruction&, std::int64_t bytes);

  const Module& module;
  const int number;
  Memory shared, arguments;  // of the block, of the kernel
  Mask active = 0;           // lanes that do the instruction
  Mask ended = 0;
  const Instruction* stopped_at = nullptr;

 private:
  bool choose();
  bool leave(const Instruction&, Mask doing);
  void meet(const Instruction&, Mask doing);
  void enter(const Call&, int lane);
  void come_back(int lane);
  void put(Mask lanes, int instruction);

  std::vector<Lanes> registers_;
  std::vector<char> local_;  // of all lanes
  int place_[warp_size] = {};
  std::vector<int> calls_[warp_size];  // instructions
  Mask waiting_ = 0;                   // for others at a .sync or a barrier
  Mask late_ = 0;
  int here_ = 0;  // where the active lanes are
  int meet_ = 0;  // where the next lanes of their depth are
};

/// f(l) for the lanes of a mask.
template <class F>
void each(Mask mask, F f) {
  if (mask == ~Mask{0})
    for (int l = 0; l < warp_size; ++l) f(l);
  else
    for (; mask != 0; mask &= mask - 1) f(std::countr_zero(mask));
}

}  // namespace livens::ptx
