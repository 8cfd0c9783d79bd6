#pragma once
// PTX as it is read: the instructions of all functions in one list, their operands rows of a register file.

#include <array>
#include <cstdint>
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

class Warp;
struct Instruction;
using Run = void (*)(Warp&, const Instruction&);

/// How it goes on behind an instruction.
enum class Flow : std::uint8_t { next, branch, call, ret, sync, barrier };
enum class Space : std::uint8_t { any, global, shared, local, param };

/// The first rows of every register file: where memory begins (local memory elsewhere in every lane), a row
/// that nobody reads, and registers that the hardware fills.
enum Special : int {
  of_local,
  of_shared,
  of_dynamic_shared,
  of_arguments,
  unread,
  tid,  // x, y, z, as the following
  ntid = tid + 3,
  ctaid = ntid + 3,
  nctaid = ctaid + 3,
  laneid = nctaid + 3,
  special_count
};

struct Instruction {
  Run run = nullptr;
  Flow flow = Flow::next;
  Space space = Space::any;
  bool unless = false;  // it is done where the guard is not set
  int guard = -1;
  int to_count = 0, from_count = 0;
  std::array<int, 4> to{};    // rows that are written
  std::array<int, 5> from{};  // rows that are read
  std::int64_t offset = 0;    // added to the first of them
  int target = -1;            // of a branch, an instruction; of a call, its number
  int line = 0;
  std::string_view op;
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

struct Module {
  explicit Module(std::string text);
  Module(const Module&) = delete;
  ~Module();

  std::string text;
  std::vector<Instruction> code;
  std::vector<Call> calls;
  std::map<std::string, Function, std::less<>> functions;
  std::map<std::string, Variable, std::less<>> globals;  // at: an address of the host
  std::map<Word, int> constants;                         // the row of each
  int rows = special_count;
  std::int64_t local_bytes = 0, shared_bytes = 0;  // of a lane, of a block: for all functions together
  std::vector<std::shared_ptr<Warp>> warps;        // kept from launch to launch
};

/// The extent of a grid or a block.
struct Extent {
  unsigned x = 1, y = 1, z = 1;
};
/// From here on warps run in orders drawn from this, and lanes that have met go on at different times; 0: in
/// the order of their numbers, and together.
void draw_orders(unsigned seed);
/// Runs all blocks of a kernel, one after the other. Throws std::runtime_error where one does what it may
/// not.
void launch(Module& module, std::string_view kernel, Extent grid, Extent block, void** arguments,
            std::int64_t dynamic_shared);

/// What a kernel may reach of the global memory.
void add_memory(const void* memory, std::size_t bytes);
void remove_memory(const void* memory);

}  // namespace livens::ptx
