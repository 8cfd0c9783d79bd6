#pragma once
// 32 lanes, each at a place of its own: the calls it is in, and an instruction. Lanes at the same place go on
// together. Those run next that are deepest in calls and, of these, first in the text, so that lanes which
// were apart meet again.

#include <bit>
#include <cstring>
#include <random>

#include "module.hpp"

namespace livens::ptx {

struct Memory {
  char* first = nullptr;
  std::int64_t bytes = 0;
  bool has(const char* at, std::int64_t size) const { return at >= first && at + size <= first + bytes; }
};

class Warp {
 public:
  Warp(const Module& of, int number);

  /// Before a block: the lanes of `there` at an instruction. With `order` some of those that have met at a
  /// barrier, drawn anew each time, wait until no other can go on.
  void begin(int instruction, Mask there, std::mt19937* order);
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

  const Module& module;
  const int number;
  Memory shared, arguments;  // of the block, of the kernel
  Memory global;             // the part that was reached last
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
  std::mt19937* order_ = nullptr;
};

/// f(l) for the lanes of a mask.
template <class F>
void each(Mask mask, F f) {
  if (mask == ~Mask{0})
    for (int l = 0; l < warp_size; ++l) f(l);
  else
    for (; mask != 0; mask &= mask - 1) f(std::countr_zero(mask));
}

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

/// What the instructions do, by their full names: one that is not in the table is refused.
struct Operation {
  Run run;
  Flow flow = Flow::next;
  bool writes = true;  // its first operand
  Space space = Space::any;
  bool address = false;  // the first that it reads may be one
};
using Operations = std::map<std::string, Operation, std::less<>>;
void add_arithmetic(Operations&);
void add_memory_accesses(Operations&);
void add_warp_operations(Operations&);

}  // namespace livens::ptx
