#include "ensembles/joined_parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "ensembles/growth.hpp"
#include "ensembles/schedule.hpp"
#include "ensembles/tangents.hpp"

namespace livens::ensembles {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Rows of `width` values, of `count` instances at one sample, into an array R,K,width.
void place_rows(const std::vector<double>& rows, std::int64_t width, std::int64_t first, std::int64_t count,
                std::int64_t sample, std::int64_t samples, std::vector<double>& into) {
  if (static_cast<std::int64_t>(rows.size()) != count * width)
    throw std::logic_error("joined: a trajectory has the wrong shape");
  for (std::int64_t i = 0; i < count; ++i)
    std::copy_n(rows.begin() + i * width, width, into.begin() + ((first + i) * samples + sample) * width);
}

/// Bins of every sample, as many as the sample with the most has: behind its own they are empty, from the
/// upper edge of the last one on.
void fill_histograms(const std::vector<Histogram>& histograms, ObservableStatistics& entry) {
  for (const Histogram& one : histograms)
    entry.bin_count = std::max(entry.bin_count, static_cast<std::int64_t>(one.bins.size()));
  const auto length = histograms.size() * static_cast<std::size_t>(entry.bin_count);
  entry.histogram.assign(length, 0);
  entry.bins.assign(length, nan);
  std::size_t row = 0;
  for (const Histogram& one : histograms) {
    entry.bin_width.push_back(one.width);
    for (std::size_t k = 0; k < one.bins.size(); ++k) {
      entry.bins[row + k] = one.bins[k].value;
      entry.histogram[row + k] = one.bins[k].count;
    }
    const auto bins = static_cast<std::size_t>(entry.bin_count);
    if (!one.bins.empty())
      std::fill(entry.bins.begin() + static_cast<std::ptrdiff_t>(row + one.bins.size()),
                entry.bins.begin() + static_cast<std::ptrdiff_t>(row + bins),
                one.bins.back().value + one.width);
    row += bins;
  }
}

}  // namespace

Shape shape_of(const Request& request, const SystemInfo& system, Range range) {
  const Schedule schedule = make_schedule(request);
  Shape shape{
      system.coordinates, system.constraints, system.momentum_maps, range, {}, request.quantiles, {}, {}, {},
      request.joints};
  for (std::size_t k = 0; k < schedule.samples.size(); ++k) shape.time.push_back(schedule.time(k));
  for (std::int64_t i = range.first; i < std::min(request.trajectories, range.last); ++i)
    shape.followed.push_back(request.number_of(i));
  if (request.tangent) shape.wrt = request.tangent->names;
  for (FollowedTangents& one : followed_tangents(system, request))
    shape.tangents.push_back(std::move(one.quantity));
  shape.labels = request.labels;
  const auto named = [](const Observable& one) { return Shape::Named{one.name, one.unit, one.description}; };
  for (const Observable& one : observables_of(system, request.observe, request.units))
    shape.observables.push_back(named(one));
  for (const Observable& one : followed_observables(system, request.observe, request.units))
    shape.observed.push_back(named(one));
  return shape;
}

JoinedParts::JoinedParts(Shape shape)
    : shape_(std::move(shape)),
      samples_(static_cast<std::int64_t>(shape_.time.size())),
      followed_(static_cast<std::int64_t>(shape_.followed.size())),
      ok_(samples_),
      trees_(samples_, std::vector<SummaryTree>(shape_.observables.size())),
      joints_(shape_.joints.size()) {
  const std::int64_t nodes = followed_ * samples_;
  Trajectories& t = trajectories_;
  t.instance = shape_.followed;
  for (auto* array : {&t.q, &t.p, &t.v}) array->assign(nodes * shape_.coordinates, nan);
  for (auto* array : {&t.lambda, &t.gamma}) array->assign(nodes * shape_.constraints, nan);
  t.momentum.assign(nodes * shape_.momentum_maps, nan);
  for (auto* array : {&t.energy, &t.total_energy, &t.z}) array->assign(nodes, nan);
  for (const Shape::Named& one : shape_.observed)
    t.observed.push_back({one.name, one.unit, one.description, std::vector<double>(nodes, nan)});
  t.tangents = shape_.tangents;
  for (Quantity& one : t.tangents) one.values.assign(nodes * one.width(), nan);
}

void JoinedParts::add(const SamplePart& part) {
  const bool inside = part.sample >= 0 && part.sample < samples_ && part.range.first >= shape_.range.first &&
                      part.range.last <= shape_.range.last && part.range.first < part.range.last;
  if (!inside || part.statistics.observables.size() != trees_[part.sample].size() ||
      part.followed.observed.size() != shape_.observed.size() ||
      part.followed.tangents.size() != shape_.tangents.size())
    throw std::logic_error("joined: a part that does not belong to the run");
  ok_[part.sample] += part.statistics.ok;
  for (std::size_t k = 0; k < part.statistics.observables.size(); ++k)
    for (const auto& [first_block, node] : part.statistics.observables[k].nodes())
      trees_[part.sample][k].add(first_block, node.summary, node.level);
  add_joints(part);
  place(part.followed, part.range, part.sample);
}

void JoinedParts::place(const Trajectories& followed, Range range, std::int64_t sample) {
  const std::int64_t first = range.first - shape_.range.first;
  const std::int64_t count = std::clamp<std::int64_t>(followed_ - first, 0, range.size());
  const auto rows = [&](const std::vector<double>& values, std::int64_t width, std::vector<double>& into) {
    place_rows(values, width, first, count, sample, samples_, into);
  };
  const std::int64_t d = shape_.coordinates, m = shape_.constraints, s = shape_.momentum_maps;
  rows(followed.q, d, trajectories_.q);
  rows(followed.p, d, trajectories_.p);
  rows(followed.v, d, trajectories_.v);
  rows(followed.lambda, m, trajectories_.lambda);
  rows(followed.gamma, m, trajectories_.gamma);
  rows(followed.momentum, s, trajectories_.momentum);
  rows(followed.energy, 1, trajectories_.energy);
  rows(followed.total_energy, 1, trajectories_.total_energy);
  rows(followed.z, 1, trajectories_.z);
  for (std::size_t k = 0; k < followed.observed.size(); ++k)
    rows(followed.observed[k].values, 1, trajectories_.observed[k].values);
  for (std::size_t k = 0; k < followed.tangents.size(); ++k)
    rows(followed.tangents[k].values, trajectories_.tangents[k].width(), trajectories_.tangents[k].values);
  if (followed.position_error.empty()) return;
  trajectories_.position_error.resize(trajectories_.z.size(), nan);
  rows(followed.position_error, 1, trajectories_.position_error);
}

ObservableStatistics JoinedParts::statistics_of(std::size_t observable) const {
  const Shape::Named& described = shape_.observables[observable];
  ObservableStatistics entry;
  entry.name = described.name;
  entry.unit = described.unit;
  entry.description = described.description;
  std::vector<Histogram> histograms;
  std::vector<GroupedSquares> squares;
  for (const std::vector<SummaryTree>& trees : trees_) {
    const Summary summary = trees[observable].total(shape_.range.first / block_size);
    const Moments& moments = summary.moments;
    entry.mean.push_back(moments.n > 0 ? moments.mean : nan);
    entry.std.push_back(standard_deviation(moments));
    entry.min.push_back(moments.n > 0 ? moments.min : nan);
    entry.max.push_back(moments.n > 0 ? moments.max : nan);
    entry.rms.push_back(moments.n > 0 ? std::sqrt(mean_square(summary.squares)) : nan);
    for (const double level : shape_.quantile_levels) entry.quantiles.push_back(quantile(summary, level));
    squares.push_back(summary.squares);
    // Of values that are all there the tails may be as many bins.
    const bool few = summary.points.size() <= most_points;
    histograms.push_back(histogram(few ? summary.points : condensed(summary.points)));
  }
  entry.growth = growth(shape_.time, squares);
  fill_histograms(histograms, entry);
  return entry;
}

void JoinedParts::add_joints(const SamplePart& part) {
  auto given = part.joints.begin();
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const Joint& joint = shape_.joints[k];
    if (!joint.is_at(part.sample, samples_)) continue;
    if (given == part.joints.end() || !belongs(*given, joint.axes))
      throw std::logic_error("joined: a joint histogram that does not belong to the run");
    const auto [so_far, is_first] = joints_[k].emplace(part.sample, *given);
    if (!is_first) so_far->second = merge(joint.axes, so_far->second, *given);
    ++given;
  }
  if (given != part.joints.end()) throw std::logic_error("joined: too many joint histograms");
}

JointStatistics JoinedParts::joint_of(std::size_t joint) const {
  JointStatistics entry;
  entry.joint = shape_.joints[joint];
  if (joints_[joint].empty()) throw std::logic_error("joined: a joint histogram is missing");
  // One set of bins for all samples.
  JointHistogram all = joints_[joint].begin()->second;
  for (const auto& [sample, histogram] : joints_[joint]) all = merge(entry.joint.axes, all, histogram);
  for (std::size_t k = 0; k < all.axes.size(); ++k) {
    const std::vector<double>& edges = entry.edges.emplace_back(bin_edges(entry.joint.axes[k], all.axes[k]));
    std::vector<double>& middles = entry.middles.emplace_back();
    for (std::size_t bin = 0; bin + 1 < edges.size(); ++bin)
      middles.push_back(edges[bin] + 0.5 * (edges[bin + 1] - edges[bin]));
  }
  for (const auto& [sample, histogram] : joints_[joint]) {
    const std::vector<std::int64_t> counts = all_cells(histogram, all.axes);
    entry.histogram.insert(entry.histogram.end(), counts.begin(), counts.end());
  }
  return entry;
}

void JoinedParts::finish(Result& result) {
  result.coordinates = shape_.coordinates;
  result.constraints = shape_.constraints;
  result.momentum_maps = shape_.momentum_maps;
  result.size = shape_.range.size();
  result.time = shape_.time;
  result.ok = std::move(ok_);
  result.quantile_levels = shape_.quantile_levels;
  result.wrt = shape_.wrt;
  result.labels = shape_.labels;
  for (std::size_t k = 0; k < shape_.observables.size(); ++k) result.statistics.push_back(statistics_of(k));
  for (std::size_t k = 0; k < joints_.size(); ++k) result.joints.push_back(joint_of(k));
  result.trajectories = std::move(trajectories_);
}

}  // namespace livens::ensembles
