#include "ensembles/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/ensembles/oscillator_backend.hpp"
#include "tests/ensembles/summaries.hpp"
#include "tests/ensembles/team_of_threads.hpp"

namespace livens::ensembles {
namespace {

std::vector<double> sample(std::size_t n) {
  std::mt19937_64 engine(11);
  std::vector<double> values(n);
  for (double& value : values) value = 2.0 + std::ldexp(static_cast<double>(engine() >> 11), -52);
  return values;
}

// Blocks of unlike mean and spread: the order and the grouping of merges show in the bits.
std::vector<double> uneven_sample(std::size_t n) {
  std::vector<double> values = sample(n);
  for (std::size_t i = 0; i < n; ++i) values[i] *= static_cast<double>(1 + (i / block_size) % 7 * 5);
  return values;
}

std::vector<Summary> blocks_of(const std::vector<double>& values) {
  std::vector<Summary> blocks;
  for (std::size_t first = 0; first < values.size(); first += block_size) {
    blocks.push_back(
        summary_of(std::span(values).subspan(first, std::min<std::size_t>(block_size, values.size() - first)),
                   static_cast<std::int64_t>(first)));
  }
  return blocks;
}

SummaryTree tree_of(const std::vector<Summary>& blocks, std::size_t first, std::size_t last) {
  SummaryTree tree;
  for (std::size_t block = first; block < last; ++block)
    tree.add(static_cast<std::int64_t>(block), blocks[block]);
  return tree;
}

// The definition, top down: the left child takes the largest power of two of blocks that leaves some for the
// right one.
Summary recursive(const std::vector<Summary>& blocks, std::size_t first, std::size_t last) {
  if (last - first == 1) return blocks[first];
  std::size_t left = 1;
  while (2 * left < last - first) left *= 2;
  return merge(recursive(blocks, first, first + left), recursive(blocks, first + left, last));
}

// Error bounds with u = 2^-53, A = max |x|, L levels of the tree, N values.
// Mean: a block's sum errs by at most 1023 u n A, its division by u A. A merge forms mean_a + delta share
// with three roundings of delta share, |delta| <= 2A, and one of the sum: 7 u A, and inherits a convex
// combination of its children's errors. In all E = (1024 + 8 L) u A, the eighth u being for products of u.
// M2: within a block the differences from the computed mean give M2 + n e^2, e <= E, with 3 roundings a term
// and 1023 of the sum: 1027 u. A merge adds w delta^2, w = n_a n_b/n, where delta errs by D = 2 (E + u A): 2
// w |delta| D + w D^2, and 6 roundings a level. By Cauchy-Schwarz sum w |delta| <= sqrt(sum w) sqrt(M2), and
// sum w <= N L/4.
TEST(Statistics, AgreeWithLongDouble) {
  const std::vector<double> values = sample(20000);
  const std::vector<Summary> blocks = blocks_of(values);
  const Moments m = tree_of(blocks, 0, blocks.size()).total().moments;
  long double mean = 0, m2 = 0;
  for (const double x : values) mean += x;
  mean /= values.size();
  for (const double x : values) m2 += (x - mean) * (x - mean);
  const double u = 0x1p-53, largest = *std::max_element(values.begin(), values.end());
  const double levels = std::ceil(std::log2(blocks.size())), n = static_cast<double>(values.size());
  const double mean_bound = (1024 + 8 * levels) * u * largest;
  const double delta_bound = 2 * (mean_bound + u * largest), weights = n * levels / 4;
  const double m2_bound = (1027 + 6 * levels) * u * static_cast<double>(m2) + n * mean_bound * mean_bound +
                          2 * delta_bound * std::sqrt(weights * static_cast<double>(m2)) +
                          weights * delta_bound * delta_bound;
  EXPECT_EQ(m.n, 20000);
  EXPECT_LE(std::fabs(static_cast<double>(m.mean - mean)), mean_bound);
  EXPECT_LE(std::fabs(static_cast<double>(m.m2 - m2)), m2_bound);
  EXPECT_EQ(m.min, *std::min_element(values.begin(), values.end()));
  EXPECT_EQ(m.max, largest);
}

TEST(SummaryTree, ShapeFollowsFromTheNumberOfBlocks) {
  const std::vector<Summary> blocks = blocks_of(uneven_sample(37 * block_size - 100));
  for (std::size_t count = 1; count <= blocks.size(); ++count) {
    EXPECT_EQ(tree_of(blocks, 0, count).total(), recursive(blocks, 0, count)) << count;
  }
  // The bits do tell shapes apart: one after the other is not the same.
  Summary in_a_row;
  for (const Summary& block : blocks) in_a_row = merge(in_a_row, block);
  EXPECT_NE(in_a_row, recursive(blocks, 0, blocks.size()));
  EXPECT_NE(merge(blocks[0], blocks[1]), merge(blocks[1], blocks[0]));
}

TEST(SummaryTree, AnySplitInThreeGivesTheSameBits) {
  const std::vector<Summary> blocks = blocks_of(uneven_sample(21 * block_size - 500));
  const Summary whole = tree_of(blocks, 0, blocks.size()).total();
  for (std::size_t a = 0; a <= blocks.size(); ++a) {
    for (std::size_t b = a; b <= blocks.size(); ++b) {
      SummaryTree joined = tree_of(blocks, b, blocks.size());
      for (const SummaryTree& shard : {tree_of(blocks, 0, a), tree_of(blocks, a, b)}) {
        for (const auto& [first, node] : shard.nodes()) joined.add(first, node.summary, node.level);
      }
      EXPECT_EQ(joined.total(), whole) << a << ' ' << b;
    }
  }
}

TEST(SummaryTree, MissingAndRepeatedBlocks) {
  const std::vector<Summary> blocks = blocks_of(uneven_sample(5 * block_size));
  EXPECT_THROW(tree_of(blocks, 1, 5).total(), std::logic_error);
  SummaryTree tree = tree_of(blocks, 0, 1);
  EXPECT_THROW(tree.add(0, blocks[0]), std::logic_error);
  EXPECT_EQ(SummaryTree().total(), Summary());
}

TEST(Blocks, OfAnEnsemble) {
  EXPECT_EQ(block_count(1), 1);
  EXPECT_EQ(block_count(1024), 1);
  EXPECT_EQ(block_count(1025), 2);
}

// The statistics of a block against those of lists.
TEST(BlockStatistics, AgreeWithListsOfTheValuesThatCount) {
  constexpr int width = OscillatorBackend::width;
  constexpr Column columns[] = {Column::constraint, Column::energy_error};
  constexpr std::int64_t size = 2 * block_size + 77, padded = size + 19;
  std::vector<double> records(padded * width, 3.0);
  const std::vector<double> values = sample(2 * padded);
  const auto at = [&](std::int64_t i, Column c) -> double& {
    return records[column_offset(i / tile_size, width, static_cast<int>(c)) + i % tile_size];
  };
  for (std::int64_t i = 0; i < padded; ++i) {
    at(i, Column::status) = i % 5 == 2 ? 1.0 : 0.0;
    for (int k = 0; k < 2; ++k)
      at(i, columns[k]) = (i % 3 - 1.0) * std::ldexp(values[2 * i + k], i % 80 - 40);
    if (i % 17 == 4) at(i, columns[1]) = i % 2 == 0 ? NAN : -INFINITY;
  }
  Batch batch{};
  batch.size = padded;
  batch.records = records.data();
  OscillatorBackend backend;
  const std::vector<BlockStatistics> blocks = backend.observe(batch, size, columns);
  ASSERT_EQ(blocks.size(), 3u);
  for (std::int64_t block = 0; block < 3; ++block) {
    const std::int64_t first = block * block_size, last = std::min(first + block_size, size);
    std::int64_t ok = 0;
    for (std::int64_t i = first; i < last; ++i) ok += at(i, Column::status) == 0.0;
    EXPECT_EQ(blocks[block].ok, ok);
    for (int k = 0; k < 2; ++k) {
      std::vector<double> kept;
      std::vector<std::int64_t> numbers;
      for (std::int64_t i = first; i < last; ++i) {
        if (at(i, Column::status) != 0.0 || !std::isfinite(at(i, columns[k]))) continue;
        kept.push_back(at(i, columns[k]));
        numbers.push_back(i);
      }
      EXPECT_EQ(blocks[block].summaries[k], summarize(kept, numbers)) << block << ' ' << k;
    }
  }
}

/// Records with a column of values of both signs over 18 decades, zeros of both signs, infinities and NaN
/// among them; every ninth instance is not ok.
std::vector<double> uneven_records(int width, int column) {
  std::vector<double> records(static_cast<std::size_t>(block_size * width));
  const std::vector<double> values = sample(block_size);
  const double special[] = {-0.0, 0.0, INFINITY, -INFINITY, NAN};
  for (std::int64_t i = 0; i < block_size; ++i) {
    double* const at = &records[column_offset(i / tile_size, width, 0) + i % tile_size];
    at[0] = i % 9 == 1 ? 2.0 : 0.0;
    at[column * tile_size] =
        i % 13 < 5 ? special[i % 13]
                   : std::ldexp(i % 2 == 0 ? values[i] : -values[i], static_cast<int>(i * 40503 % 61) - 30);
  }
  return records;
}

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

// With more members than instances, as many, and numbers that divide nothing. A race would show as another
// number.
TEST(BlockStatistics, ATeamMakesTheSameBits) {
  constexpr int width = static_cast<int>(Column::count), column = static_cast<int>(Column::energy_error);
  const std::vector<double> records = uneven_records(width, column);
  for (const int count : {1, 2, 31, 33, 700, 1024})
    for (const int members : {2, 3, 40, 64}) {
      SCOPED_TRACE(std::to_string(count) + " instances, " + std::to_string(members) + " members");
      BlockScratch alone, shared;
      BlockSummary expected, actual;
      std::vector<double> expected_values(count), values(count);
      summarize_block(Alone{}, records.data(), width, column, 0, count, alone, expected,
                      expected_values.data());
      TeamOfThreads::run(members, [&](const TeamOfThreads& team) {
        summarize_block(team, records.data(), width, column, 0, count, shared, actual, values.data());
      });
      EXPECT_EQ(actual.moments.n, expected.moments.n);
      for (auto value : {&Moments::mean, &Moments::m2, &Moments::min, &Moments::max})
        EXPECT_EQ(bits(actual.moments.*value), bits(expected.moments.*value));
      EXPECT_EQ(actual.squares, expected.squares);
      EXPECT_EQ(actual.ok, expected.ok);
      for (std::int64_t i = 0; i < actual.moments.n; ++i)
        ASSERT_EQ(bits(values[i]), bits(expected_values[i])) << i;
      EXPECT_TRUE(std::is_sorted(values.begin(), values.begin() + actual.moments.n));
    }
}

// What does not count adds -0: not even the sign of a sum of zeros changes.
TEST(BlockStatistics, SumsPassOverWhatDoesNotCount) {
  for (const int count : {1, 15, 16, 17, 500}) {
    std::vector<double> values = sample(count), kept;
    for (int i = 0; i < count; ++i) {
      if (i % 3 == 1) values[i] = NAN;
      if (i % 3 == 2) values[i] *= -1e-9;
      if (i % 3 != 1) kept.push_back(values[i]);
    }
    double sum = 0.0;
    for (const double x : kept) sum += x;
    EXPECT_EQ(bits(sum_in_order(values.data(), count)), bits(sum));
  }
  const double zeros[] = {-0.0, NAN, -0.0};
  EXPECT_EQ(bits(sum_in_order(zeros, 3)), bits(0.0));
}

// Of equal zeros the first one is the least and the largest, wherever rows of a team begin.
TEST(BlockStatistics, TheFirstOfTwoZerosStays) {
  constexpr int width = static_cast<int>(Column::count), column = static_cast<int>(Column::energy_error);
  for (const bool negative_first : {false, true}) {
    std::vector<double> records(static_cast<std::size_t>(block_size * width));
    for (std::int64_t i = 0; i < block_size; ++i)
      records[column_offset(i / tile_size, width, column) + i % tile_size] =
          (i < 40) == negative_first ? -0.0 : 0.0;
    BlockScratch scratch;
    BlockSummary summary;
    std::vector<double> values(block_size);
    summarize_block(Alone{}, records.data(), width, column, 0, block_size, scratch, summary, values.data());
    EXPECT_EQ(std::signbit(summary.moments.min), negative_first);
    EXPECT_EQ(std::signbit(summary.moments.max), negative_first);
    EXPECT_EQ(distribution_of(values), (Distribution{{0.0, block_size}}));
  }
}

TEST(Keys, AreInTheOrderOfTheirNumbers) {
  using Limits = std::numeric_limits<double>;
  const double ascending[] = {
      -Limits::max(),       -1.0, -Limits::min(),           -Limits::denorm_min(), 0.0,
      Limits::denorm_min(), 1.0,  std::nextafter(1.0, 2.0), Limits::max()};
  for (std::size_t k = 0; k < std::size(ascending); ++k) {
    EXPECT_EQ(bits(value_of(key_of(ascending[k]))), bits(ascending[k]));
    EXPECT_LT(key_of(ascending[k]), k + 1 < std::size(ascending) ? key_of(ascending[k + 1]) : no_key);
  }
  EXPECT_EQ(key_of(-0.0), key_of(0.0));
}

// Digits that all keys share are passed over; an odd number of those that are not ends in the other memory.
TEST(Keys, AreSortedByATeamOfOne) {
  std::mt19937_64 engine(7);
  for (const std::uint64_t mask :
       {~std::uint64_t{0}, std::uint64_t{0xff00}, std::uint64_t{0xff0000ff00ff}, std::uint64_t{0}})
    for (const int count : {0, 1, 2, 1000, 1024}) {
      std::vector<std::uint64_t> keys(count), expected;
      for (std::uint64_t& key : keys) key = engine() & mask;
      expected = keys;
      std::sort(expected.begin(), expected.end());
      Alone{}.sort(keys.data(), count);
      EXPECT_EQ(keys, expected) << mask << ' ' << count;
    }
}

}  // namespace
}  // namespace livens::ensembles
