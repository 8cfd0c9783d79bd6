#include "ensembles/statistics.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

namespace livens::ensembles {

Summary summarize(std::span<const double> values, std::span<const std::int64_t> instances) {
  std::vector<double> ascending(values.begin(), values.end());
  std::sort(ascending.begin(), ascending.end());
  Summary summary{moments(values), distribution_of(ascending), {}};
  for (std::size_t i = 0; i < values.size(); ++i) summary.squares.add(instances[i], values[i]);
  return summary;
}

void condense(Summary& summary) {
  if (!summary.exact && summary.points.size() > most_points) summary.points = condensed(summary.points);
}

Summary merge(const Summary& a, const Summary& b) {
  Summary both{merge(a.moments, b.moments), merge(a.points, b.points), a.squares, a.exact && b.exact};
  for (int group = 0; group < GroupedSquares::groups; ++group) {
    both.squares.sum[group] += b.squares.sum[group];
    both.squares.count[group] += b.squares.count[group];
  }
  condense(both);
  return both;
}

double quantile(const Summary& summary, double level) {
  const double point = quantile(summary.points, level);
  return summary.moments.n == 0 ? point : std::clamp(point, summary.moments.min, summary.moments.max);
}

void SummaryTree::add(std::int64_t first_block, Summary summary, int level) {
  for (;; ++level) {
    const std::int64_t sibling_block = first_block ^ (std::int64_t{1} << level);
    const auto sibling = nodes_.find(sibling_block);
    if (sibling == nodes_.end() || sibling->second.level != level) break;
    summary = sibling_block < first_block ? merge(sibling->second.summary, summary)
                                          : merge(summary, sibling->second.summary);
    nodes_.erase(sibling);
    first_block = std::min(first_block, sibling_block);
  }
  if (!nodes_.emplace(first_block, Node{level, std::move(summary)}).second) {
    throw std::logic_error("statistics: a block was added twice");
  }
}

Summary SummaryTree::total(std::int64_t first) const {
  std::int64_t next = first;
  for (const auto& [first_block, node] : nodes_) {
    if (first_block != next) throw std::logic_error("statistics: a block is missing");
    next += std::int64_t{1} << node.level;
  }
  // Complete nodes of [0, B) shrink from left to right: the last two are the children of the lowest open
  // node, and so on.
  if (nodes_.empty()) return {};
  auto node = nodes_.rbegin();
  Summary total = node->second.summary;
  while (++node != nodes_.rend()) total = merge(node->second.summary, total);
  return total;
}

}  // namespace livens::ensembles
