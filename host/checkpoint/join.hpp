#pragma once
// A result file from the parts of a run, wherever they lie.

#include <functional>
#include <string>
#include <vector>

#include "ensembles/joined_parts.hpp"
#include "host/checkpoint/checkpoint.hpp"
#include "host/results/result_file.hpp"
#include "host/results/summary.hpp"

namespace livens::host {

/// A source of parts; each function goes through all of them.
struct PartSource {
  std::function<void(const SampleVisitor&)> samples;
  std::function<void(const InstancesVisitor&)> instances;
};

/// The parts in the segments of a finished run.
PartSource segments_of(const std::string& directory);

struct Destination {
  std::string path, scratch;  ///< as of ResultWriter
  UnitOf units;
  Provenance provenance;
  std::optional<Shard> shard;              ///< its sample parts are filled in
  std::vector<std::string> left_out = {};  ///< as of a ResultFile
};

struct Joined {
  ensembles::Result result;  ///< without its instances
  Figures figures;
};

/// Puts parts into a result file as they come: instances go straight to the pending file, samples are kept
/// until the end. Parts that do not fit throw FileError.
class Joiner : public ensembles::Journal {
 public:
  Joiner(Destination to, const ensembles::Shape& shape);

  void add(const ensembles::SamplePart& part) override;
  void add(ensembles::InstancesPart part) override { place(part); }
  /// The same, for parts that stay where they are.
  void place(const ensembles::InstancesPart& part);
  /// Frees what load() has back of a part that was placed, and brings it back.
  void unload(ensembles::InstancesPart& part) const;
  void load(ensembles::InstancesPart& part) const;
  bool wants_standing() override { return false; }
  void keep(const ensembles::Standing&) override {}

  /// Writes what is left. `about` brings backend, device, seed and wall_seconds. Throws FileError, also where
  /// parts are missing.
  Joined finish(const ensembles::Result& about);

 private:
  template <class Action>
  void attempt(Action action) const;

  Destination to_;
  ensembles::JoinedParts joined_;
  ensembles::Range range_;
  std::int64_t next_;          // instance
  std::uint64_t samples_ = 0;  // parts of a shard so far
  Joined made_;
  ResultWriter writer_;
};

/// The same from finished parts.
Joined join(const Destination& to, const ensembles::Shape& shape, const std::vector<PartSource>& sources,
            const ensembles::Result& about);

}  // namespace livens::host
