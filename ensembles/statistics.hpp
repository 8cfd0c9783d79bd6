#pragma once
// Statistics of an ensemble from those of its blocks of 1024 consecutive instances, by a tree that does not
// depend on who computed which block.
//
// The tree: node (l, i) stands for the blocks [i 2^l, (i+1) 2^l) as far as they exist. It is
// merge(node (l-1, 2i), node (l-1, 2i+1)), the lower blocks first, and its left child alone where the right
// one has no blocks. The root is the lowest node that holds all blocks, so the shape follows from the number
// of blocks. Any run of blocks is a list of complete nodes; runs that meet are joined at their common
// parents. That is why shards and ranks may cut anywhere between two blocks and reproduce the statistics of
// the whole, to the bit.

#include <cstdint>
#include <map>
#include <span>

#include "ensembles/distribution.hpp"
#include "ensembles/moments.hpp"
#include "kernels/stepping/statistics.hpp"

namespace livens::ensembles {

using livens::block_size;
using livens::GroupedSquares;

/// Blocks of an ensemble of `size` instances; the last one may be short.
constexpr std::int64_t block_count(std::int64_t size) { return (size + block_size - 1) / block_size; }

/// One observable over some instances.
struct Summary {
  Moments moments;
  Distribution points;
  GroupedSquares squares;
  bool exact = false;  ///< every value has a point of its own, and so it has in what this is merged into
  bool operator==(const Summary&) const = default;
};

/// Summary of finite numbers, in the order of their instances; `instances` are the instances' numbers in the
/// run. Every value has a point of its own.
Summary summarize(std::span<const double> values, std::span<const std::int64_t> instances);

/// Fewer points where there are more than most_points, unless all are to stay.
void condense(Summary& summary);

/// Condensed, unless both are exact.
Summary merge(const Summary& a, const Summary& b);

/// The quantile of its points, moved into [min, max]. For levels from 5 to 95 % it is off from the order
/// statistic of rank max(1, ceil(level n)) by at most quantile_resolution times Q95 - Q5 of the widest node
/// that was merged; not at all where the summary is exact, or has been merged from no more than most_points
/// values.
double quantile(const Summary& summary, double level);

/// Complete nodes of the tree over the blocks added so far.
class SummaryTree {
 public:
  struct Node {
    int level;  ///< the node stands for 2^level blocks
    Summary summary;
  };

  /// Adds the node of the blocks [first_block, first_block + 2^level), and joins what has become complete.
  /// Throws std::logic_error when a node that begins there is already present.
  void add(std::int64_t first_block, Summary summary, int level = 0);

  /// The nodes by their first block: what a shard hands over.
  const std::map<std::int64_t, Node>& nodes() const { return nodes_; }

  /// The root of the blocks present, the one of the whole ensemble where they are all of its blocks. Throws
  /// std::logic_error unless they are `first`, first + 1, ... without a gap. No blocks: the empty set.
  Summary total(std::int64_t first = 0) const;

 private:
  std::map<std::int64_t, Node> nodes_;
};

}  // namespace livens::ensembles
