// How the lanes of a warp and the warps of a block go on, what memory they reach, and what of that is counted.

#include <sys/mman.h>

#include <algorithm>
#include <limits>
#include <random>
#include <set>
#include <stdexcept>
#include <utility>

#include "ptx.hpp"

namespace livens::ptx {
namespace {

/// By its address. It is there before any module is and longer than all of them.
std::map<const char*, Memory>& memory() {
  static auto& all = *new std::map<const char*, Memory>;
  return all;
}

/// What begins last before this, or none.
Memory memory_before(const char* at) {
  const auto behind = memory().upper_bound(at);
  return behind == memory().begin() ? Memory{} : std::prev(behind)->second;
}

bool drawn = false;
std::mt19937 order;
Mask late_ones(Mask of) { return drawn ? of & static_cast<Mask>(order()) : 0; }

using Addresses = std::array<char*, warp_size>;

/// Passes of shared memory: different words of a bank come one after the other; of 8 bytes and more a part of
/// the warp at a time.
std::size_t passes(const Addresses& at, Mask active, std::size_t bytes) {
  const std::size_t words = std::max<std::size_t>(1, bytes / 4);
  std::array<std::array<std::set<Word>, 32>, 4> parts;  // of the warp: the words in each bank
  each(active, [&](int l) {
    for (Word word = reinterpret_cast<Word>(at[l]) / 4, k = 0; k < words; ++word, ++k)
      parts[static_cast<std::size_t>(l) * words / warp_size][word % 32].insert(word);
  });
  std::size_t sum = 0;
  for (const auto& banks : parts) sum += std::ranges::max(banks, {}, &std::set<Word>::size).size();
  return sum;
}
/// Of 32 bytes each. Aligned as they are, the bytes of a lane lie in one.
std::size_t sectors_of(const Addresses& at, Mask active) {
  std::set<Word> all;
  each(active, [&](int l) { all.insert(reinterpret_cast<Word>(at[l]) / 32); });
  return all.size();
}

}  // namespace

// Addresses of shared memory are also numbers of 32 bits; so are those of all other memory.
char* allocate(std::size_t bytes, Space space) {
  void* const made =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  if (made == MAP_FAILED) throw std::runtime_error("PTX: no memory below 4 GB");
  memory()[static_cast<char*>(made)] = {space, static_cast<char*>(made), bytes};
  allocated_bytes += bytes;
  return static_cast<char*>(std::memset(made, 0xff, bytes));
}
void release(void* first) {
  const std::size_t bytes = memory()[static_cast<char*>(first)].bytes;
  munmap(first, bytes);
  memory().erase(static_cast<char*>(first));
  allocated_bytes -= bytes;
}

void draw_orders(unsigned seed) {
  drawn = seed != 0;
  order.seed(seed);
}

Warp::Warp(const Module& of, int its_number)
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

void Warp::fail(const Instruction& i, const std::string& what) const {
  throw std::runtime_error(module.line_of(i.name) + "warp " + std::to_string(number) + ": " +
                           std::string(i.name) + ": " + what);
}

Addresses Warp::addresses(const Instruction& i, std::size_t bytes) {
  Addresses at{};
  Memory in;  // most lanes are where the one before was
  std::array<bool, 4> reached{};
  const Lanes& from = row(i.address);
  each(active, [&](int l) {
    at[l] = reinterpret_cast<char*>(from[l] + i.offset);
    const bool aligned = (reinterpret_cast<Word>(at[l]) & (bytes - 1)) == 0,
               own = local_of(l).has(at[l], bytes);
    if (!own && !in.has(at[l], bytes)) in = memory_before(at[l]);
    if (!aligned || !(own || in.has(at[l], bytes)))
      fail(i, "lane " + std::to_string(l) + (aligned ? " is out of bounds" : " is not aligned"));
    reached[static_cast<std::size_t>(own ? Space::local : in.space)] = true;
  });
  if (!counts_memory) return at;
  const auto [in_local, in_shared, in_arguments, in_global] = reached;
  counts[local] += in_local && i.name.find(".param") == std::string_view::npos;
  if (in_shared) counts[wavefronts] += passes(at, active, bytes);
  if (in_global) counts[sectors] += sectors_of(at, active);
  return at;
}

void Warp::put(Mask lanes, int instruction) {
  each(lanes, [&](int l) { place[l] = instruction; });
}

bool Warp::choose() {
  Mask ready = ~(ended | waiting | late);
  if (ready == 0) ready = std::exchange(late, 0);
  if (ready == 0) return false;
  int first = std::countr_zero(ready);
  each(ready, [&](int l) {
    const std::size_t depth = calls[l].size(), most = calls[first].size();
    if (depth > most || (depth == most && place[l] < place[first])) first = l;
  });
  here = place[first];
  others = std::numeric_limits<int>::max();
  active = 0;
  each(~(ended | late), [&](int l) {
    if (calls[l].size() != calls[first].size()) return;
    if (place[l] == here) active |= Mask{1} << l;
    if (place[l] > here) others = std::min(others, place[l]);
  });
  waiting &= ~active;
  return true;
}

bool Warp::run() {
  for (stopped_at = nullptr; !stopped_at && choose();) {
    const Mask together = active;
    const Instruction* i;
    do {
      i = &module.code[static_cast<std::size_t>(here++)];
      if (i->guard >= 0) active = together & (i->unless ? ~set_in(i->guard) : set_in(i->guard));
      ++counts[instructions], counts[lanes] += std::popcount(together), counts[fp64] += i->fp64;
      if (i->leads) put(together & ~active, here), put(active, here - 1);
      if (active != 0) i->run(*this, *i);
      active = together;
    } while (!i->leads && here < others);
    if (!i->leads) put(together, here);
  }
  if (!stopped_at && waiting != 0)
    fail(module.code[static_cast<std::size_t>(place[std::countr_zero(waiting)])], "lanes wait for ever");
  return stopped_at != nullptr;
}

bool Warp::meet(const Instruction& i) {
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
  late = late_ones(wanted);
  return true;
}

void Warp::meet_block(const Instruction& i) {
  if (row(i.from[0])[0] != 0 || i.from.size() > 1 + i.to.size()) fail(i, "a barrier of some threads");
  if ((active | ended) != ~Mask{0}) {
    waiting |= active;
    return;
  }
  stopped_at = &i;
  put(active, here);
  late = late_ones(active);
}

/// All warps that have not ended wait, at one barrier, which may count lanes.
static void pass_barrier(const std::vector<Warp*>& waiting) {
  Word sum = 0;
  for (Warp* const warp : waiting) {
    const Instruction& i = *warp->stopped_at;
    if (&i != waiting[0]->stopped_at) warp->fail(i, "the warps of a block wait at different barriers");
    if (!i.to.empty()) sum += static_cast<Word>(std::popcount(warp->set_in(i.from[1]) & ~warp->ended));
  }
  for (Warp* const warp : waiting)
    for (const int counted : warp->stopped_at->to) warp->row(counted).fill(sum);
}

void launch(Module& module, std::string_view name, Grid grid, unsigned threads, void** arguments) {
  module.read();
  const auto found = module.functions.find(name);
  if (found == module.functions.end()) throw std::runtime_error("PTX: no kernel " + std::string(name));
  const Function& kernel = found->second;
  for (const Variable& v : kernel.parameters)
    std::memcpy(reinterpret_cast<void*>(v.at), *arguments++, v.bytes);
  while (module.warps.size() * warp_size < threads)
    module.warps.emplace_back(module, static_cast<int>(module.warps.size()));
  const auto before = counts;
  for (unsigned block = 0; block < grid[0] * grid[1]; ++block) {
    for (const Variable& v : module.shared) std::memset(reinterpret_cast<void*>(v.at), 0xff, v.bytes);
    std::vector<Warp*> running;
    for (Warp& warp : module.warps) {
      const unsigned first = static_cast<unsigned>(warp.number) * warp_size;
      if (first >= threads) break;
      warp.row(ntid).fill(threads);
      warp.row(ctaid_x).fill(block % grid[0]);
      warp.row(ctaid_y).fill(block / grid[0]);
      warp.row(nctaid_x).fill(grid[0]);
      warp.row(nctaid_y).fill(grid[1]);
      warp.ended = threads - first < warp_size ? ~Mask{0} << (threads - first) : 0;
      warp.waiting = warp.late = 0;
      for (auto& its : warp.calls) its.clear();
      warp.put(~Mask{0}, kernel.first);
      running.push_back(&warp);
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
    counted_kernel = name;
}

}  // namespace livens::ptx
