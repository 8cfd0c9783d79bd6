#include "warp.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace livens::ptx {

Warp::Warp(const Module& of, int its_number)
    : module(of),
      number(its_number),
      registers_(static_cast<std::size_t>(of.rows)),
      local_(static_cast<std::size_t>(of.local_bytes) * warp_size) {
  for (const auto& [value, at] : of.constants) row(at).fill(value);
  for (int l = 0; l < warp_size; ++l) row(of_local)[l] = reinterpret_cast<Word>(local_of(l).first);
}

void Warp::begin(int instruction, Mask there, std::mt19937* order) {
  ended = ~there;
  waiting_ = late_ = 0;
  order_ = order;
  global = {};
  for (auto& calls : calls_) calls.clear();
  put(there, instruction);
}

void Warp::fail(const Instruction& i, const std::string& what) const {
  throw std::runtime_error("PTX, line " + std::to_string(i.line) + ", warp " + std::to_string(number) + ": " +
                           std::string(i.op) + ": " + what);
}

void Warp::put(Mask lanes, int instruction) {
  each(lanes, [&](int l) { place_[l] = instruction; });
}

bool Warp::choose() {
  Mask ready = ~(ended | waiting_ | late_);
  if (ready == 0) ready = std::exchange(late_, 0);
  if (ready == 0) return false;
  int first = std::countr_zero(ready);
  each(ready, [&](int l) {
    const std::size_t depth = calls_[l].size(), most = calls_[first].size();
    if (depth > most || (depth == most && place_[l] < place_[first])) first = l;
  });
  here_ = place_[first];
  meet_ = std::numeric_limits<int>::max();
  active = 0;
  each(~(ended | late_), [&](int l) {
    if (calls_[l].size() != calls_[first].size()) return;
    if (place_[l] == here_) active |= Mask{1} << l;
    if (place_[l] > here_) meet_ = std::min(meet_, place_[l]);
  });
  waiting_ &= ~active;
  return true;
}

bool Warp::run() {
  while (choose()) {
    const Mask here = active;
    while (true) {
      const Instruction& i = module.code[static_cast<std::size_t>(here_)];
      const Mask doing = i.guard < 0 ? here : here & (i.unless ? ~set_in(i.guard) : set_in(i.guard));
      if (i.flow != Flow::next) {
        put(here & ~doing, here_ + 1);
        put(doing, here_);
        if (doing != 0 && leave(i, doing)) return true;
        break;
      }
      active = doing;
      if (doing != 0) i.run(*this, i);
      if (++here_ < meet_) continue;
      put(here, here_);
      break;
    }
  }
  if (waiting_ != 0)
    fail(module.code[static_cast<std::size_t>(place_[std::countr_zero(waiting_)])], "lanes wait for ever");
  return false;
}

/// Takes these lanes from here to where they go on; true at a barrier of the block where all are.
bool Warp::leave(const Instruction& i, Mask doing) {
  switch (i.flow) {
    case Flow::branch:
      put(doing, i.target);
      return false;
    case Flow::call:
      each(doing, [&](int l) { enter(module.calls[static_cast<std::size_t>(i.target)], l); });
      return false;
    case Flow::ret:
      each(doing, [&](int l) { come_back(l); });
      return false;
    case Flow::sync:
      meet(i, doing);
      return false;
    default:  // Flow::barrier
      if ((doing | ended) != ~Mask{0}) {
        waiting_ |= doing;
        return false;
      }
      stopped_at = &i;
      put(doing, here_ + 1);
      if (order_ != nullptr) late_ = doing & static_cast<Mask>((*order_)());
      return true;
  }
}

void Warp::enter(const Call& call, int lane) {
  for (std::size_t k = 0; k < call.arguments.size(); ++k) {
    const Variable& parameter = call.function->parameters[k];
    std::memcpy(local_of(lane).first + parameter.at, local_of(lane).first + call.arguments[k],
                static_cast<std::size_t>(parameter.bytes));
  }
  calls_[lane].push_back(here_);
  place_[lane] = call.function->first;
}

void Warp::come_back(int lane) {
  if (calls_[lane].empty()) {
    ended |= Mask{1} << lane;
    waiting_ = 0;  // they may wait for this one
    return;
  }
  place_[lane] = calls_[lane].back() + 1;
  const Instruction& from = module.code[static_cast<std::size_t>(calls_[lane].back())];
  const Call& call = module.calls[static_cast<std::size_t>(from.target)];
  calls_[lane].pop_back();
  if (call.result >= 0)
    std::memcpy(local_of(lane).first + call.result, local_of(lane).first + call.function->result.at,
                static_cast<std::size_t>(call.function->result.bytes));
}

/// The lanes that the last operand names do the instruction once all of them are here.
void Warp::meet(const Instruction& i, Mask doing) {
  const Lanes& named = row(i.from[i.from_count - 1]);
  const auto wanted = static_cast<Mask>(named[std::countr_zero(doing)]);
  if ((wanted & doing & -doing) == 0) fail(i, "a lane does not name itself");
  if ((wanted & ended) != 0) fail(i, "lanes that have ended are waited for");
  if ((wanted & doing) != wanted) {
    waiting_ |= doing;
    return;
  }
  each(wanted, [&](int l) {
    if (static_cast<Mask>(named[l]) != wanted) fail(i, "lanes name different ones");
  });
  active = wanted;
  i.run(*this, i);
  put(wanted, here_ + 1);
  if (order_ != nullptr) late_ = wanted & static_cast<Mask>((*order_)());
}

}  // namespace livens::ptx
