#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <random>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "ptx.hpp"

namespace livens::ptx {
namespace {

std::map<const char*, std::int64_t>& all_global() {
  static auto& all = *new std::map<const char*, std::int64_t>;
  return all;
}

bool drawn = false;
std::mt19937 order;
Mask late_ones(Mask of) { return drawn ? of & static_cast<Mask>(order()) : 0; }

}  // namespace

std::shared_ptr<char> global_memory(std::size_t bytes) {
  char* const memory = static_cast<char*>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
  std::memset(memory, 0xff, bytes);
  all_global()[memory] = static_cast<std::int64_t>(bytes);
  return {memory, [](char* it) { all_global().erase(it), std::free(it); }};
}

Warp::Warp(const Module& of, int its_number)
    : module(of),
      number(its_number),
      registers_(static_cast<std::size_t>(of.rows)),
      local_(static_cast<std::size_t>(of.local_bytes) * warp_size) {
  for (const auto& [value, at] : of.constants) row(at).fill(value);
  for (int l = 0; l < warp_size; ++l) {
    row(of_local)[l] = reinterpret_cast<Word>(local_of(l).first);
    row(tid)[l] = static_cast<Word>(number * warp_size + l);
    row(laneid)[l] = static_cast<Word>(l);
    row(lanemask_ge)[l] = ~Mask{0} << l;
  }
}

void Warp::begin(int instruction, unsigned there) {
  ended = there < warp_size ? ~Mask{0} << there : 0;
  waiting_ = late_ = 0;
  for (auto& calls : calls_) calls.clear();
  put(~ended, instruction);
}

void Warp::fail(const Instruction& i, const std::string& what) const {
  throw std::runtime_error("PTX, line " + std::to_string(i.line) + ", warp " + std::to_string(number) + ": " +
                           std::string(i.name) + ": " + what);
}

std::array<char*, warp_size> Warp::addresses(const Instruction& i, std::int64_t bytes) {
  std::array<char*, warp_size> at{};
  bool in_local = false, in_shared = false, in_global = false;
  each(active, [&](int l) {
    at[l] = reinterpret_cast<char*>(row(i.from[0])[l] + static_cast<Word>(i.offset));
    const bool aligned = reinterpret_cast<Word>(at[l]) % static_cast<Word>(bytes) == 0;
    if (aligned && local_of(l).has(at[l], bytes)) return void(in_local = true);
    if (aligned && shared.has(at[l], bytes)) return void(in_shared = true);
    if (aligned && arguments.has(at[l], bytes)) return;
    const auto behind = all_global().upper_bound(at[l]);
    in_global = aligned && behind != all_global().begin() &&
                at[l] + bytes <= std::prev(behind)->first + std::prev(behind)->second;
    if (in_global) return;
    std::ostringstream text;
    text << bytes << " bytes at " << static_cast<const void*>(at[l]) << " in lane " << l;
    fail(i, text.str() + (aligned ? " are out of bounds" : " are not aligned"));
  });
  counts.local += in_local && i.name.find(".param") == std::string_view::npos;
  if (counts_memory && in_shared) counts.wavefronts += wavefronts(at, active, bytes);
  if (counts_memory && in_global) counts.sectors += sectors(at, active);
  return at;
}

void Warp::put(Mask lanes, int instruction) {
  each(lanes, [&](int l) { place_[l] = instruction; });
}

/// Finds the lanes that go on, and where they are.
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
      ++counts.instructions, counts.lanes += std::popcount(here), counts.fp64 += i.fp64;
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
      late_ = late_ones(doing);
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
  late_ = late_ones(wanted);
}

void draw_orders(unsigned seed) {
  drawn = seed != 0;
  order.seed(seed);
}

/// All warps that have not ended wait, at one barrier.
static void pass_barrier(const std::vector<Warp*>& waiting) {
  Word sum = 0;
  for (Warp* const warp : waiting) {
    const Instruction& i = *warp->stopped_at;
    if (&i != waiting.front()->stopped_at) warp->fail(i, "the warps of a block wait at different barriers");
    if (i.to_count > 0) sum += static_cast<Word>(std::popcount(warp->set_in(i.from[1]) & ~warp->ended));
  }
  for (Warp* const warp : waiting)
    if (warp->stopped_at->to_count > 0) warp->row(warp->stopped_at->to[0]).fill(sum);
}

void launch(Module& module, std::string_view name, Grid grid, unsigned threads, void** arguments) {
  module.read();
  const auto found = module.functions.find(name);
  if (found == module.functions.end()) throw std::runtime_error("PTX: no kernel " + std::string(name));
  const Function& kernel = found->second;
  const Counts before = counts;

  std::vector<Word> buffer;
  for (const Variable& parameter : kernel.parameters) {
    buffer.resize(static_cast<std::size_t>(parameter.at + parameter.bytes + 7) / 8);
    std::memcpy(reinterpret_cast<char*>(buffer.data()) + parameter.at, *arguments++,
                static_cast<std::size_t>(parameter.bytes));
  }
  // Addresses of shared memory are also numbers of 32 bits.
  static char* const shared = static_cast<char*>(
      mmap(nullptr, 1 << 18, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0));
  if (shared == MAP_FAILED || module.shared_bytes > 1 << 18)
    throw std::runtime_error("PTX: no memory below 4 GB");
  const unsigned count = (threads + warp_size - 1) / warp_size;
  while (module.warps.size() < count)
    module.warps.push_back(std::make_shared<Warp>(module, static_cast<int>(module.warps.size())));
  for (unsigned block = 0; block < grid.x * grid.y; ++block) {
    std::memset(shared, 0xff, static_cast<std::size_t>(module.shared_bytes));
    std::vector<Warp*> running;
    for (unsigned k = 0; k < count; ++k) {
      Warp& warp = *running.emplace_back(module.warps[k].get());
      warp.shared = {shared, module.shared_bytes};
      warp.arguments = {reinterpret_cast<char*>(buffer.data()), static_cast<std::int64_t>(8 * buffer.size())};
      warp.row(of_shared).fill(reinterpret_cast<Word>(shared));
      warp.row(of_arguments).fill(reinterpret_cast<Word>(buffer.data()));
      warp.row(ntid).fill(threads);
      warp.row(ctaid_x).fill(block % grid.x);
      warp.row(ctaid_y).fill(block / grid.x);
      warp.row(nctaid_x).fill(grid.x);
      warp.row(nctaid_y).fill(grid.y);
      warp.begin(kernel.first, threads - k * warp_size);
    }
    while (!running.empty()) {
      if (drawn) std::shuffle(running.begin(), running.end(), order);
      std::erase_if(running, [](Warp* warp) { return !warp->run(); });
      pass_barrier(running);
    }
  }
  if (name.find(counted) == std::string_view::npos)
    counts = before;
  else
    counts.kernel = name;
}

}  // namespace livens::ptx
