// Memory, and how the warps of a block go on.

#include <sys/mman.h>

#include <random>
#include <set>

#include "ptx.hpp"

namespace livens::ptx {
namespace {

/// By its address. It is there before any module is and longer than all of them.
std::map<const char*, Memory>& memory() {
  static auto& all = *new std::map<const char*, Memory>;
  return all;
}

using Addresses = std::array<char*, warp_size>;
bool drawn = false;
std::mt19937 order;

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
Memory memory_before(const char* at) {
  const auto behind = memory().upper_bound(at);
  return behind == memory().begin() ? Memory{} : std::prev(behind)->second;
}

/// Passes of shared memory: different words of a bank come one after the other; of 8 bytes and more a part of
/// the warp at a time.
static std::size_t passes(const Addresses& at, Mask active, std::size_t bytes) {
  const std::size_t words = std::max<std::size_t>(1, bytes / 4);
  std::set<Word> reached[4][32];  // words, by the part of the warp and the bank
  each(active, [&](int l) {
    for (Word word = reinterpret_cast<Word>(at[l]) / 4, k = 0; k < words; ++word, ++k)
      reached[static_cast<std::size_t>(l) * words / warp_size][word % 32].insert(word);
  });
  std::size_t sum = 0;
  for (const auto& banks : reached) sum += std::ranges::max(banks, {}, &std::set<Word>::size).size();
  return sum;
}

Addresses Warp::addresses(const Instruction& i, std::size_t bytes) {
  Addresses at{};
  Memory in;  // most lanes are where the one before was
  const Lanes& from = row(i.address);
  each(active, [&](int l) {
    at[l] = reinterpret_cast<char*>(from[l] + i.offset);
    if (in.space == Space::local || !in.has(at[l], bytes))
      in = local_of(l).has(at[l], bytes) ? local_of(l) : memory_before(at[l]);
    if (!in.has(at[l], bytes)) fail(i, "lane " + std::to_string(l) + " is out of bounds");
    if (reinterpret_cast<Word>(at[l]) % bytes != 0) fail(i, "lane " + std::to_string(l) + " is not aligned");
  });
  if (counted.empty()) return at;
  std::set<Word> reached;  // of 32 bytes each; aligned as they are, the bytes of a lane lie in one
  each(active, [&](int l) { reached.insert(reinterpret_cast<Word>(at[l]) / 32); });
  if (in.space == Space::shared) counts[wavefronts] += passes(at, active, bytes);
  if (in.space == Space::global) counts[sectors] += reached.size();
  if (in.space == Space::local) counts[local] += i.name.find(".param") == std::string_view::npos;
  return at;
}

void draw_orders(unsigned seed) {
  drawn = seed != 0;
  order.seed(seed);
}
Mask late_ones() { return drawn ? static_cast<Mask>(order()) : 0; }

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
      const Word values[] = {threads, block % grid[0], block / grid[0], grid[0], grid[1]};
      for (int k = 0; k < 5; ++k) warp.row(ntid + k).fill(values[k]);
      warp.begin(kernel.first, threads - first);
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
