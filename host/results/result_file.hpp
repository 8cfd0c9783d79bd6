#pragma once
// The result of an ensemble, or of a shard of one, as a file (contract, section 4).

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ensembles/journal.hpp"
#include "ensembles/result.hpp"
#include "host/files/regular_file.hpp"
#include "host/results/identity.hpp"

namespace livens::host {

/// The data that make a file a part of a larger result.
struct Shard {
  ensembles::Range range;             ///< of its instances in the run
  std::int64_t size;                  ///< N, of the whole
  std::vector<std::uint8_t> samples;  ///< its sample parts, as frames (segments.hpp): what a merge needs
};

struct ResultFile {
  ensembles::Result result;
  Provenance provenance;
  std::optional<Shard> shard;
  std::vector<std::string> left_out = {};  ///< datasets below /instances that output.columns does without
  Identity identity() const;
};

/// False for a dataset that is left out; its name below /instances.
bool keeps_column(std::span<const std::string> left_out, const std::string& name);

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
  /// directory `scratch`, on the file system of `path`; beside `path` where it is empty. `first_number`: of
  /// instance 0 of the file in its ensemble. `left_out`: as of a ResultFile.
  ResultWriter(const std::string& path, const std::string& scratch, const ensembles::Result& result,
               UnitOf unit_of, std::int64_t first_number = 0, std::vector<std::string> left_out = {});
  ~ResultWriter();
  ResultWriter(const ResultWriter&) = delete;
  ResultWriter& operator=(const ResultWriter&) = delete;

  /// Instances `first`, first + 1, ... of the file.
  void add(std::int64_t first, const ensembles::Instances& instances);
  /// Frees the values of a portion that was added, but for those that are left out of the file: load() has
  /// them back.
  void unload(ensembles::Instances& instances) const;
  /// Reads the values of `count` instances from `first` on, as they were before unload().
  void load(std::int64_t first, std::int64_t count, ensembles::Instances& instances) const;
  void commit(const Provenance& provenance, const std::optional<Shard>& shard = {});

 private:
  struct File;
  std::unique_ptr<File> file_;
};

/// A whole result at once.
void write_result(const std::string& path, const ensembles::Result& result, const SystemInfo& system,
                  const Provenance& provenance);

/// A result file, from anywhere. Its length and SHA-256 are checked once; then every number is read when it
/// is asked for. Everything throws FileError, also where the file is written to in between.
class ResultReader {
 public:
  explicit ResultReader(const std::string& path);

  const std::string& path() const { return path_; }
  /// Everything but /instances, /shard/samples and the numbers of /statistics and /trajectories: of these the
  /// names, units, bins, growth, times and numbers of instances. Varied parameters and observables come in
  /// the order of their names.
  const ResultFile& outline() const { return outline_; }
  Identity identity() const { return outline_.identity(); }
  UnitOf units() const;

  ensembles::Instances instances() const;

  /// One dataset by its path: whether it is there, and `count` of its rows (entries of the first axis) from
  /// row `first` on. Its type and its lengths have to be those given. Codes are those of the statuses.
  bool has(const std::string& dataset) const;
  void rows(const std::string& dataset, const std::vector<std::int64_t>& lengths, std::int64_t first,
            std::int64_t count, std::vector<double>& values) const;
  void rows(const std::string& dataset, const std::vector<std::int64_t>& lengths, std::int64_t first,
            std::int64_t count, std::vector<std::int64_t>& values) const;
  void code_rows(const std::string& dataset, const std::vector<std::int64_t>& lengths, std::int64_t first,
                 std::int64_t count, std::vector<std::uint8_t>& codes) const;
  /// Sample parts of a shard, as frames.
  std::vector<std::uint8_t> samples() const;
  /// The whole file.
  ResultFile everything() const;

 private:
  template <class Action>
  auto attempt(Action action) const;

  std::string path_;
  RegularFile file_;
  ResultFile outline_;
  std::map<std::string, std::string> units_;  // of varied quantities
};

/// ResultReader(path).everything().
ResultFile read_result(const std::string& path);

}  // namespace livens::host
