#include "host/checkpoint/parts.hpp"

#include <algorithm>
#include <cmath>

#include "host/files/bytes.hpp"

namespace livens::host {
namespace {

using namespace ensembles;

// Each function states the fields of a type once; a Stream is a Writer or a Reader.
struct Writer {
  ByteWriter bytes;
  template <class... Fields>
  void operator()(const Fields&... fields) {
    (bytes.put(fields), ...);
  }
};
struct Reader {
  ByteReader bytes;
  template <class... Fields>
  void operator()(Fields&... fields) {
    (bytes.get(fields), ...);
  }
};

template <class... T>
std::size_t bytes_in(const std::vector<T>&... vectors) {
  return ((vectors.size() * sizeof(T)) + ... + 0);
}

std::size_t bytes_in(const std::vector<Quantity>& quantities) {
  std::size_t bytes = 0;
  for (const Quantity& one : quantities) bytes += bytes_in(one.values);
  return bytes;
}

void write_quantities(Writer& stream, const std::vector<Quantity>& quantities) {
  stream(std::uint64_t{quantities.size()});
  for (const Quantity& one : quantities) {
    stream(one.name, one.unit, one.description, one.values, std::uint64_t{one.axes.size()});
    for (const EntriesAxis& axis : one.axes) stream(axis.name, axis.length);
  }
}
void read_quantities(Reader& stream, std::vector<Quantity>& quantities) {
  for (std::size_t left = stream.bytes.length(sizeof(std::uint64_t)); left > 0; --left) {
    Quantity& one = quantities.emplace_back();
    stream(one.name, one.unit, one.description, one.values);
    for (std::size_t axes = stream.bytes.length(sizeof(std::uint64_t)); axes > 0; --axes) {
      EntriesAxis& axis = one.axes.emplace_back();
      stream(axis.name, axis.length);
    }
  }
}

template <class Stream, class Part>
void trajectories(Stream& stream, Part& t) {
  stream(t.instance, t.q, t.p, t.v, t.lambda, t.gamma, t.momentum, t.energy, t.total_energy, t.z,
         t.position_error);
}

template <class Stream, class Part>
void instances(Stream& stream, Part& i) {
  stream(i.initial_q, i.initial_v, i.final_q, i.final_v, i.final_p, i.status, i.failed_step,
         i.newton_iterations, i.retried_steps, i.bound_exceeded, i.number, i.steps);
}

template <class Stream, class Part>
void standing(Stream& stream, Part& s) {
  stream(s.chunk, s.tick, s.samples, s.failed, s.wall_seconds, s.records, s.bound_exceeded, s.extremes);
}

void write_statistics(Writer& stream, const SampleStatistics& statistics) {
  stream(statistics.ok, std::uint64_t{statistics.observables.size()});
  for (const SummaryTree& tree : statistics.observables) {
    stream(std::uint64_t{tree.nodes().size()});
    for (const auto& [first_block, node] : tree.nodes())
      stream(first_block, std::int64_t{node.level}, node.summary.moments, node.summary.points,
             node.summary.squares, std::int64_t{node.summary.exact});
  }
}

/// True where counting and merging may rely on a summary: no count beyond any ensemble, finite points that
/// ascend.
bool sound(const Summary& summary) {
  const auto count = [](std::int64_t n) { return n >= 0 && n <= std::int64_t{1} << 40; };
  const Distribution& points = summary.points;
  return count(summary.moments.n) &&
         std::all_of(points.begin(), points.end(),
                     [&](const Point& point) { return std::isfinite(point.value) && count(point.count); }) &&
         std::all_of(std::begin(summary.squares.count), std::end(summary.squares.count), count) &&
         std::adjacent_find(points.begin(), points.end(), [](const Point& a, const Point& b) {
           return a.value >= b.value;
         }) == points.end();
}

void read_statistics(Reader& stream, SampleStatistics& statistics) {
  stream(statistics.ok);
  statistics.observables.resize(stream.bytes.length(sizeof(std::uint64_t)));
  for (SummaryTree& tree : statistics.observables) {
    for (std::size_t left = stream.bytes.length(sizeof(std::int64_t)); left > 0; --left) {
      std::int64_t first_block, level, exact;
      Summary summary;
      stream(first_block, level, summary.moments, summary.points, summary.squares, exact);
      summary.exact = exact != 0;
      if (first_block < 0 || level < 0 || level > 40 || first_block % (std::int64_t{1} << level) != 0 ||
          !sound(summary))
        throw Malformed("a block that cannot be");
      tree.add(first_block, std::move(summary), static_cast<int>(level));
    }
  }
}

void write_joints(Writer& stream, const std::vector<JointHistogram>& joints) {
  stream(std::uint64_t{joints.size()});
  for (const JointHistogram& one : joints) stream(one.axes, one.cells);
}
void read_joints(Reader& stream, std::vector<JointHistogram>& joints) {
  for (std::size_t left = stream.bytes.length(sizeof(std::uint64_t)); left > 0; --left) {
    JointHistogram& one = joints.emplace_back();
    stream(one.axes, one.cells);
  }
}

template <class Fill>
auto decoded(std::string_view bytes, Fill fill) {
  Reader stream{ByteReader(bytes)};
  try {
    auto part = fill(stream);
    stream.bytes.expect_end();
    return part;
  } catch (const std::logic_error& error) {  // of the tree
    throw Malformed(error.what());
  }
}

}  // namespace

std::size_t bytes_of(const SamplePart& part) {
  const Trajectories& t = part.followed;
  std::size_t bytes =
      bytes_in(t.q, t.p, t.v, t.lambda, t.gamma, t.momentum) + bytes_in(t.observed) + bytes_in(t.tangents);
  for (const SummaryTree& tree : part.statistics.observables)
    for (const auto& [first_block, node] : tree.nodes()) bytes += sizeof node + bytes_in(node.summary.points);
  for (const JointHistogram& joint : part.joints) bytes += bytes_in(joint.axes, joint.cells);
  return bytes;
}

std::size_t bytes_of(const InstancesPart& part) {
  const Instances& i = part.instances;
  std::size_t bytes = bytes_in(i.initial_q, i.initial_v, i.final_q, i.final_v, i.final_p) +
                      bytes_in(i.status, i.failed_step, i.newton_iterations, i.retried_steps) +
                      bytes_in(i.bound_exceeded, i.number) + bytes_in(i.quantities) + bytes_in(i.observables);
  for (const Instances::Varied& varied : i.parameters) bytes += bytes_in(varied.values);
  return bytes;
}

std::string encode(const SamplePart& part) {
  Writer stream;
  stream(part.range, part.sample);
  write_statistics(stream, part.statistics);
  trajectories(stream, part.followed);
  write_quantities(stream, part.followed.observed);
  write_quantities(stream, part.followed.tangents);
  write_joints(stream, part.joints);
  return stream.bytes.take();
}

std::string encode(const InstancesPart& part) {
  Writer stream;
  // A string that grows holds what it has twice at times. Names and lengths take a few KiB.
  stream.bytes.reserve(bytes_of(part) + (1 << 16));
  stream(part.range);
  instances(stream, part.instances);
  stream(std::uint64_t{part.instances.parameters.size()});
  for (const Instances::Varied& varied : part.instances.parameters)
    stream(varied.what, varied.width, varied.values);
  write_quantities(stream, part.instances.quantities);
  write_quantities(stream, part.instances.observables);
  return stream.bytes.take();
}

std::string encode(const Standing& where) {
  Writer stream;
  standing(stream, where);
  return stream.bytes.take();
}

SamplePart decode_sample(std::string_view bytes) {
  return decoded(bytes, [](Reader& stream) {
    SamplePart part;
    stream(part.range, part.sample);
    read_statistics(stream, part.statistics);
    trajectories(stream, part.followed);
    read_quantities(stream, part.followed.observed);
    read_quantities(stream, part.followed.tangents);
    read_joints(stream, part.joints);
    return part;
  });
}

InstancesPart decode_instances(std::string_view bytes) {
  return decoded(bytes, [](Reader& stream) {
    InstancesPart part;
    stream(part.range);
    instances(stream, part.instances);
    for (std::size_t left = stream.bytes.length(sizeof(std::uint64_t)); left > 0; --left) {
      Instances::Varied& varied = part.instances.parameters.emplace_back();
      stream(varied.what, varied.width, varied.values);
    }
    read_quantities(stream, part.instances.quantities);
    read_quantities(stream, part.instances.observables);
    return part;
  });
}

Standing decode_standing(std::string_view bytes) {
  return decoded(bytes, [](Reader& stream) {
    Standing where;
    standing(stream, where);
    return where;
  });
}

}  // namespace livens::host
