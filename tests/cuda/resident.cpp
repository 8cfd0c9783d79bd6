#include "tests/cuda/resident.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/backends/cuda/cuda_backend.hpp"
#include "tests/digests/population.hpp"

namespace livens::selftest {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Three blocks, the last of them short and without the padding.
constexpr std::int64_t padded = 2 * block_size + 160, size = padded - 7;
constexpr Column columns[] = {Column::constraint, Column::dissipated_energy, Column::energy_error};

/// Values of both signs over 600 decades, some equal, some that are no numbers; every seventh instance is not
/// ok, and in the second block none.
double value_of(std::int64_t i, int column) {
  if (column == static_cast<int>(Column::status)) return i % 7 == 3 || i / block_size == 1 ? 1.0 : 0.0;
  const double x = std::ldexp(1.0 + static_cast<double>(i * 2654435761u % 1024) / 1024.0,
                              static_cast<int>(i * 40503u % 1990) - 995);
  const double special[] = {0.0, -0.0, infinity, -infinity, std::numeric_limits<double>::quiet_NaN(), 1.0};
  if (i % 11 < 6 && column % 2 == 0) return special[i % 11];
  return i % 2 == 0 ? x : -x;
}

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

bool same(const Moments& a, const Moments& b) {
  return a.n == b.n && bits(a.mean) == bits(b.mean) && bits(a.m2) == bits(b.m2) &&
         bits(a.min) == bits(b.min) && bits(a.max) == bits(b.max);
}

/// The first difference between what the device observed and the functions on the host.
std::string compare(const CudaBackend::Observed& observed, const double* records, int width) {
  const std::size_t count = std::size(columns);
  BlockScratch scratch;
  BlockSummary expected;
  std::vector<double> ascending(block_size);
  for (std::size_t at = 0; at < observed.summaries.size(); ++at) {
    const std::int64_t first = static_cast<std::int64_t>(at / count) * block_size;
    summarize_block(Alone{}, records, width, static_cast<int>(columns[at % count]), first,
                    static_cast<int>(std::min(block_size, size - first)), scratch, expected,
                    ascending.data());
    const BlockSummary& actual = observed.summaries[at];
    const auto what = [&](const char* part) {
      return "FAIL " + std::string(part) + " of block " + std::to_string(at / count) + ", column " +
             std::to_string(static_cast<int>(columns[at % count]));
    };
    if (!same(actual.moments, expected.moments)) return what("moments");
    if (actual.ok != expected.ok) return what("count");
    for (int g = 0; g < GroupedSquares::groups; ++g)
      if (bits(actual.squares.sum[g]) != bits(expected.squares.sum[g]) ||
          actual.squares.count[g] != expected.squares.count[g])
        return what("squares");
    const auto listed = observed.ascending(at);
    const auto same_bits = [](double a, double b) { return bits(a) == bits(b); };
    if (!std::equal(listed.begin(), listed.end(), ascending.begin(), same_bits)) return what("values");
  }
  return "ok";
}

}  // namespace

std::string check_resident(const PairKernels& pair, const CudaDevice& device) {
  const int width = pair.record_width;
  Population population(*pair.system->info, width, {.size = padded, .failures = false});
  const Batch& batch = population.batch();
  CudaBackend gpu(pair, device);
  gpu.take(batch);
  gpu.initial_states(batch);
  gpu.make_consistent(batch, Consistency::project, population.status().data());
  gpu.start(batch, standard_settings(*pair.scheme), population.status().data());

  const auto at = [&](std::int64_t i, int c) {
    return column_offset(i / tile_size, width, c) + i % tile_size;
  };
  for (std::int64_t i = 0; i < padded; ++i)
    for (int c = 0; c < width; ++c) population.records[at(i, c)] = value_of(i, c);
  const std::vector<double> put = population.records;
  gpu.put(batch);
  std::fill(population.records.begin(), population.records.end(), -1.0);
  // In this order: what has not been fetched must not have been touched.
  const RecordPart parts[] = {
      {2, 3, 5}, {3, 0, width}, {padded / tile_size, 0, 1}, {padded / tile_size, 0, width}};
  for (const RecordPart& part : parts) {
    gpu.fetch(batch, part);
    for (std::int64_t i = 0; i < part.tiles * tile_size; ++i)
      for (int c = part.first; c < part.last; ++c)
        if (bits(population.records[at(i, c)]) != bits(put[at(i, c)])) return "FAIL fetched records differ";
    if (&part == &parts[0] && population.records[at(0, 2)] != -1.0) return "FAIL more was fetched than asked";
  }
  std::int64_t failed = 0;
  for (std::int64_t i = 0; i < size; ++i) failed += is_ok(batch, width, i) ? 0 : 1;
  if (gpu.failed(size) != failed) return "FAIL the number of instances that have failed";
  return compare(gpu.observe(size, columns), put.data(), width);
}

}  // namespace livens::selftest
