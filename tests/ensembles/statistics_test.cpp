#include "ensembles/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <cmath>
#include <random>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/ensembles/oscillator_backend.hpp"
#include "tests/ensembles/summaries.hpp"

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

// A network that sorts all sequences of zeros and ones sorts everything (the 0-1 principle): all of 16 keys;
// and of the 1024 that a block has, some with few and with many equal keys.
TEST(BlockStatistics, TheNetworkSorts) {
  for (int pattern = 0; pattern < 1 << 16; ++pattern) {
    std::int32_t keys[16];
    for (int i = 0; i < 16; ++i) keys[i] = pattern >> i & 1;
    Alone{}.sort(keys, 16);
    ASSERT_TRUE(std::is_sorted(keys, keys + 16)) << pattern;
  }
  std::mt19937_64 engine(5);
  for (const int range : {1, 10, 1000, 1 << 30}) {
    std::vector<std::int32_t> keys(1024);
    for (std::int32_t& key : keys) key = static_cast<std::int32_t>(engine() % range) - range / 2;
    std::vector<std::int32_t> expected = keys;
    std::sort(expected.begin(), expected.end());
    Alone{}.sort(keys.data(), 1024);
    EXPECT_EQ(keys, expected);
  }
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

/// Threads that wait for each other, as those of a GPU.
struct Threads {
  int member, members;
  std::barrier<>& all;
  int rank() const { return member; }
  int size() const { return members; }
  void wait() const { all.arrive_and_wait(); }
  void sort(std::int32_t* keys, int count) const { sort_keys(*this, keys, count); }
};

TEST(BlockStatistics, ATeamMakesTheSameBits) {
  std::vector<double> records(block_size * static_cast<int>(Column::count));
  const std::vector<double> values = sample(records.size());
  for (std::size_t i = 0; i < records.size(); ++i)
    records[i] = std::ldexp(values[i], static_cast<int>(i % 60));
  constexpr int width = static_cast<int>(Column::count), column = static_cast<int>(Column::energy_error);
  for (std::int64_t i = 0; i < block_size; ++i)
    records[column_offset(i / tile_size, width, 0) + i % tile_size] = i % 9 == 1 ? 2.0 : 0.0;
  for (const int count : {1, 31, 700, 1024})
    for (const int members : {2, 3, 40}) {
      BlockScratch alone, shared;
      BlockSummary expected, actual;
      summarize_block(Alone{}, records.data(), width, column, 0, count, alone, expected);
      std::barrier<> all(members);
      {
        std::vector<std::jthread> team;
        for (int member = 0; member < members; ++member)
          team.emplace_back([&, member] {
            summarize_block(Threads{member, members, all}, records.data(), width, column, 0, count, shared,
                            actual);
          });
      }
      EXPECT_EQ(actual.moments, expected.moments);
      EXPECT_EQ(actual.squares, expected.squares);
      EXPECT_EQ(actual.ok, expected.ok);
      EXPECT_TRUE(std::equal(alone.bins, alone.bins + expected.moments.n, shared.bins));
    }
}

}  // namespace
}  // namespace livens::ensembles
