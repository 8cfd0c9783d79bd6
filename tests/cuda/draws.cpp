#include "tests/cuda/draws.hpp"

#include <cstring>
#include <vector>

#include "kernels/backends/cuda/cuda_backend.hpp"
#include "tests/digests/population.hpp"

namespace livens::selftest {
namespace {

constexpr std::int64_t padded = block_size + 160, size = padded - 7;
/// The numbers of the instances need both words of the counter.
constexpr std::int64_t first_instance = (std::int64_t{1} << 32) - 1000;
constexpr double points[] = {0.5, -0.0, 1e-300, 7.0, 3.0};

/// Some direction numbers, of no sequence: what counts is that both sides take the same.
std::vector<std::uint64_t> some_directions(int values) {
  std::vector<std::uint64_t> directions;
  for (int i = 0; i < 64 * values; ++i) directions.push_back(0x9e3779b97f4a7c15 * (2 * i + 1));
  return directions;
}

/// Each law in each mode, of Sobol's sequence too; the last two are for all entries of the target, with one
/// value and with a value each. The lognormal law with sigma = 400 overflows and underflows, and steps of
/// 1e-300 s are too many to be counted.
std::vector<Draw> draws_on(Target target, int entries) {
  std::vector<Draw> draws;
  for (const Mode mode : {Mode::set, Mode::add, Mode::multiply})
    for (const Law law : {Law::normal, Law::uniform, Law::lognormal, Law::triangular, Law::exponential,
                          Law::truncated_normal, Law::values}) {
      Draw draw{.target = target, .first = entries - 1, .law = law, .mode = mode, .a = 0.25, .b = 0.75};
      if (law == Law::lognormal && mode == Mode::set) draw.b = 400.0;
      if (law == Law::triangular) draw.c = 0.5;
      if (law == Law::truncated_normal) {
        draw.c = 0.3;
        draw.d = 0.9;
        draw.low = -1.0;
        draw.high = 1.0;
      }
      if (law == Law::values) {
        draw.points = points;
        draw.point_count = 5;
        draw.stride = 3;
        draw.period = 30;
      }
      draw.seed = 0x123456789abcdef0;
      draw.entry = static_cast<std::uint32_t>(draws.size());
      draws.push_back(draw);
      static const std::vector<std::uint64_t> directions = some_directions(1);
      if (law == Law::values || mode == Mode::multiply) continue;
      draws.push_back(draw);
      draws.back().directions = directions.data();
    }
  draws.back().first = 0;
  draws.back().count = entries;
  draws.push_back(draws.front());
  draws.back().first = 0;
  draws.back().count = entries;
  draws.back().each = true;
  return draws;
}

bool same(const double* a, const double* b, std::int64_t count) {
  return std::memcmp(a, b, sizeof(double) * static_cast<std::size_t>(count)) == 0;
}

/// The values that the host has and those that the device brought.
class Compared {
 public:
  Compared(const PairKernels& pair, const CudaDevice& device, bool listed)
      : info_(*pair.system->info),
        expected_(info_, pair.record_width, {.size = padded, .failures = false}),
        actual_(info_, pair.record_width, {.size = padded, .failures = false}),
        gpu_(pair, device) {
    for (std::int64_t i = 0; i < padded; ++i) numbers_.push_back(i * i + 5);
    here_ = numbered(expected_.batch(), listed);
    there_ = numbered(actual_.batch(), listed);
    gpu_.take(there_);
  }

  bool equal_after(Draw draw) {
    if (draw.target == Target::step) draw.interval = 0.5;
    for (std::int64_t i = 0; i < padded; ++i) vary_instance(here_, info_.coordinates, draw, i);
    gpu_.draw(there_, draw);
    gpu_.fetch_initial(there_, {draw.target, draw.first, draw.first + draw.count});
    switch (draw.target) {
      case Target::parameter:
        return same(here_.varied[0], there_.varied[0], padded);
      case Target::step:
        return same(here_.varied_step, there_.varied_step, padded) &&
               std::memcmp(here_.steps_per_beat, there_.steps_per_beat, sizeof(std::int64_t) * padded) == 0;
      default:
        for (auto state : {&Population::q, &Population::v, &Population::p})
          if (!same((expected_.*state).data(), (actual_.*state).data(), padded * info_.coordinates))
            return false;
        return true;
    }
  }

 private:
  Batch numbered(Batch batch, bool listed) const {
    batch.first = first_instance;
    batch.last = first_instance + size;
    if (listed) batch.numbers = numbers_.data();
    return batch;
  }

  const SystemInfo& info_;
  Population expected_, actual_;
  CudaBackend gpu_;
  std::vector<std::int64_t> numbers_;
  Batch here_{}, there_{};
};

}  // namespace

std::string check_draws(const PairKernels& pair, const CudaDevice& device) {
  for (const bool listed : {false, true}) {
    Compared compared(pair, device, listed);
    for (const Target target : {Target::parameter, Target::q, Target::v, Target::p, Target::step}) {
      const bool state = target == Target::q || target == Target::v || target == Target::p;
      for (const Draw& draw : draws_on(target, state ? pair.system->info->coordinates : 1))
        if (!compared.equal_after(draw))
          return "FAIL draw " + std::to_string(draw.entry) + " of target " +
                 std::to_string(static_cast<int>(target)) + (listed ? ", of a list of instances" : "");
    }
  }
  return "ok";
}

}  // namespace livens::selftest
