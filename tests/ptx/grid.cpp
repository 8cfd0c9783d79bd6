// The blocks of a launch and their warps, each of which runs from barrier to barrier in its turn.

#include <sys/mman.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "warp.hpp"

namespace livens::ptx {
namespace {

/// Addresses of shared memory are also numbers of 32 bits.
std::shared_ptr<char> low_memory(std::size_t bytes) {
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("PTX: no memory below 4 GB");
  return {static_cast<char*>(memory), [bytes](char* it) { munmap(it, bytes); }};
}

struct Launch {
  Module& module;
  const Function& kernel;
  Extent grid, block;
  std::mt19937* order;
  std::vector<Warp*> warps;

  /// The lanes of a warp that are threads of the block.
  Mask enumerate(Warp& warp) const {
    Mask there = 0;
    for (int l = 0; l < warp_size; ++l) {
      const unsigned thread = static_cast<unsigned>(warp.number * warp_size + l);
      if (thread < block.x * block.y * block.z) there |= Mask{1} << l;
      warp.row(tid)[l] = thread % block.x;
      warp.row(tid + 1)[l] = thread / block.x % block.y;
      warp.row(tid + 2)[l] = thread / block.x / block.y;
      warp.row(laneid)[l] = static_cast<Word>(l);
    }
    return there;
  }
  void fill(int first, Extent extent) {
    for (Warp* const warp : warps) {
      warp->row(first).fill(extent.x);
      warp->row(first + 1).fill(extent.y);
      warp->row(first + 2).fill(extent.z);
    }
  }
  void begin() {
    for (Warp* const warp : warps) warp->begin(kernel.first, enumerate(*warp), order);
    fill(ntid, block);
    fill(nctaid, grid);
  }
  void run_block(Extent at) {
    begin();
    fill(ctaid, at);
    std::vector<Warp*> running = warps;
    while (!running.empty()) {
      if (order != nullptr) std::shuffle(running.begin(), running.end(), *order);
      std::erase_if(running, [](Warp* warp) { return !warp->run(); });
      pass_barrier(running);
    }
  }
  /// All that have not ended wait, at one barrier.
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
};

std::optional<std::mt19937> order;

}  // namespace

void draw_orders(unsigned seed) {
  order.reset();
  if (seed != 0) order.emplace(seed);
}

void launch(Module& module, std::string_view name, Extent grid, Extent block, void** arguments,
            std::int64_t dynamic_shared) {
  const auto found = module.functions.find(name);
  if (found == module.functions.end()) throw std::runtime_error("PTX: no kernel " + std::string(name));
  const Function& kernel = found->second;

  std::vector<Word> buffer;
  for (std::size_t k = 0; k < kernel.parameters.size(); ++k) {
    const auto at = static_cast<std::size_t>(kernel.parameters[k].at),
               bytes = static_cast<std::size_t>(kernel.parameters[k].bytes);
    buffer.resize((at + bytes + 7) / 8);
    std::memcpy(reinterpret_cast<char*>(buffer.data()) + at, arguments[k], bytes);
  }
  const std::int64_t own = (module.shared_bytes + 255) / 256 * 256;
  const std::shared_ptr<char> shared = low_memory(static_cast<std::size_t>(own + dynamic_shared + 1));
  Launch run{module, kernel, grid, block, order.has_value() ? &*order : nullptr, {}};
  const unsigned count = (block.x * block.y * block.z + warp_size - 1) / warp_size;
  for (unsigned k = 0; k < count; ++k) {
    if (k == module.warps.size()) module.warps.push_back(std::make_shared<Warp>(module, static_cast<int>(k)));
    Warp& warp = *module.warps[k];
    warp.shared = {shared.get(), own + dynamic_shared};
    warp.arguments = {reinterpret_cast<char*>(buffer.data()), static_cast<std::int64_t>(8 * buffer.size())};
    warp.row(of_shared).fill(reinterpret_cast<Word>(shared.get()));
    warp.row(of_dynamic_shared).fill(reinterpret_cast<Word>(shared.get() + own));
    warp.row(of_arguments).fill(reinterpret_cast<Word>(buffer.data()));
    run.warps.push_back(&warp);
  }
  for (Extent at{0, 0, 0}; at.z < grid.z; ++at.z)
    for (at.y = 0; at.y < grid.y; ++at.y)
      for (at.x = 0; at.x < grid.x; ++at.x) {
        std::memset(shared.get(), 0xff, static_cast<std::size_t>(own + dynamic_shared));
        run.run_block(at);
      }
}

}  // namespace livens::ptx
