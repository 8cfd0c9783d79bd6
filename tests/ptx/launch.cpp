// Memory, and how the warps of a block go on.

#include <sys/mman.h>

#include <random>

#include "ptx.hpp"

namespace livens::ptx {
namespace {

/// By its address. It is there before any module is and longer than all of them.
auto& memory() {
  static auto& all = *new std::map<const char*, Memory>;
  return all;
}

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

Addresses Warp::addresses(const Instruction& i, std::size_t bytes) {
  Addresses at{};
  Memory in;  // those lanes that do not reach their own are where the one before was, most of them
  each(active, [&](int l) {
    const Word to = row(i.address)[l] + i.offset;
    at[l] = reinterpret_cast<char*>(to);
    const bool its_own = local_of(l).has(at[l], bytes);
    if (!its_own && !in.has(at[l], bytes)) in = memory_before(at[l]);
    if (!its_own && !in.has(at[l], bytes)) fail(i, "out of bounds, lane", l);
    if ((to & (bytes - 1)) != 0) fail(i, "not aligned, lane", l);
  });
  if (watcher) watcher->access(i, active, in.first ? in.space : Space::local, at, bytes);
  return at;
}

void Warp::fail(const Instruction& at, const char* what, int which) const {
  throw std::runtime_error(module.line_of(at.name) + "warp " + std::to_string(number) + ": " +
                           std::string(at.name) + ": " + what +
                           (which < 0 ? "" : ' ' + std::to_string(which)));
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
  if (watcher) watcher->kernel(name);
}

}  // namespace livens::ptx
