#include "ensembles/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <stdexcept>
#include <vector>

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

}  // namespace
}  // namespace livens::ensembles
