#pragma once
// The result of an ensemble, or of a shard of one, as a file (contract, section 4).

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "ensembles/journal.hpp"
#include "ensembles/result.hpp"
#include "host/checkpoint/identity.hpp"

namespace livens::host {

/// What makes a file a part of a larger result.
struct Shard {
  ensembles::Range range;             ///< of its instances in the run
  std::int64_t size;                  ///< N, of the whole
  std::vector<std::uint8_t> samples;  ///< its sample parts, as frames (segments.hpp): what a merge needs
};

struct ResultFile {
  ensembles::Result result;
  Provenance provenance;
  std::optional<Shard> shard;
  Identity identity() const;
};

/// Unit of a varied quantity by its `what`.
using UnitOf = std::function<std::string(const std::string& what)>;
UnitOf units_of(const SystemInfo& system);

/// Throws FileError unless a file can be written under that name.
void check_writable(const std::string& path);

/// Writes a file whose instances come portion by portion. It appears under its name when it is complete, or
/// not at all. Everything throws FileError.
class ResultWriter {
 public:
  /// `result` has everything but the instances, and outlives the writer. What is not complete lies in the
  /// directory `scratch`, on the file system of `path`; beside `path` where it is empty.
  ResultWriter(const std::string& path, const std::string& scratch, const ensembles::Result& result,
               UnitOf unit_of);
  ~ResultWriter();
  ResultWriter(const ResultWriter&) = delete;
  ResultWriter& operator=(const ResultWriter&) = delete;

  /// Instances `first`, first + 1, ... of the file.
  void add(std::int64_t first, const ensembles::Instances& instances);
  void commit(const Provenance& provenance, const std::optional<Shard>& shard = {});

 private:
  struct File;
  std::unique_ptr<File> file_;
};

/// A whole result at once.
void write_result(const std::string& path, const ensembles::Result& result, const SystemInfo& system,
                  const Provenance& provenance);

/// Checks length and SHA-256, then reads everything. Throws FileError.
/// Varied parameters and observables come in the order of their names.
ResultFile read_result(const std::string& path);

/// Unit of a varied quantity as a file has it. Throws FileError.
UnitOf units_in(const std::string& path);

}  // namespace livens::host
