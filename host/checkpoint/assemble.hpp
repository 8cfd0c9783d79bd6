#pragma once
// A result file from the parts of a run, wherever they lie.

#include <functional>
#include <string>
#include <vector>

#include "ensembles/assembly.hpp"
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
  std::optional<Shard> shard;
};

struct Assembled {
  ensembles::Result result;  ///< without its instances
  Figures figures;
};

/// Writes the file. `about` brings backend, device, seed and wall_seconds. Throws FileError, also where parts
/// are missing or do not fit.
Assembled assemble(const Destination& to, const ensembles::Shape& shape,
                   const std::vector<PartSource>& sources, ensembles::Result about);

}  // namespace livens::host
