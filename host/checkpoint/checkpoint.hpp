#pragma once
// The directory beside a result that holds what a run has done so far: OUTPUT.checkpoint, or for the ranks of
// an MPI run a directory each below it.
//
//   segments   frames (segments.hpp): the run's identity, then its parts as they come
//   standing   the last checkpoint, replaced as a whole: how much of the segments counts, and where the run
//              stood
//
// Parts are held until a checkpoint is due or they take too much memory, so that those of a short run are
// written once, to its result; values that are in the unfinished result are not held but read from there.
// From then on parts go to the segments as they come.
//
// A run that is compared with the true motion (output.error_against) has two stages, each with its parts:
// first the true motion, then the run itself. The lock on the segments is taken before anything is read. A
// process may die at any moment: without a standing there is nothing to go on from; with one, the segments up
// to the length it names are on the disk.

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "ensembles/backend.hpp"
#include "ensembles/journal.hpp"
#include "host/checkpoint/directory.hpp"
#include "host/checkpoint/held_parts.hpp"
#include "host/checkpoint/segments.hpp"
#include "host/results/identity.hpp"

namespace livens::host {

/// Directory of a run's checkpoint.
std::string checkpoint_directory(const std::string& output);

/// Throws RequestError where a checkpoint stands in it that could be gone on from, or what no run has put
/// there; makes nothing.
void refuse_to_begin(const std::string& directory);

enum class Begin { anew, resume };

class Checkpoint : public ensembles::Journal {
 public:
  static constexpr std::size_t default_room = std::size_t{1} << 28;

  /// Opens the directory for a run. `every`: s of wall clock between checkpoints, 0 for none. Beginning anew
  /// throws RequestError where a checkpoint stands that could be gone on from; resuming one where it is of
  /// another run. Throws FileError where files cannot be read or written, or are damaged.
  /// Parts may take `room` bytes of memory; a checkpoint is wanted at once when `interrupted` says so.
  Checkpoint(const std::string& directory, const Identity& identity, double every, Begin begin,
             std::size_t room = default_room, ensembles::StopAsked interrupted = {});
  /// Removes what it has put into the directory, unless there is a checkpoint.
  ~Checkpoint() override;

  /// The standing to go on from, if there is one, and its stage.
  const std::optional<ensembles::Standing>& standing() const { return standing_; }
  Stage stage() const { return stage_; }
  /// Everything added and kept from here on is of that stage.
  void enter(Stage stage);
  /// True where a checkpoint has been written, now or earlier.
  bool written() const { return written_; }
  const std::string& directory() const { return directory_.path(); }

  void add(const ensembles::SamplePart& part) override;
  void add(ensembles::InstancesPart part) override;
  /// While parts are held: one whose values `load` has.
  void add_unloaded(ensembles::InstancesPart part, const Loading& load);
  /// Takes the values of all that is held into memory: what has them is about to go.
  void load() { held_.load(); }
  bool wants_standing() override;
  void keep(const ensembles::Standing& standing) override;
  void done(const ensembles::Standing& standing) override;

  /// Visits the parts of a stage in the order they came, or those of one kind. Throws FileError.
  void visit(Stage stage, const SampleVisitor& sample, const InstancesVisitor& instances) const;
  /// True while all parts are held.
  bool holds() const { return holding_; }
  /// Brings all parts to the segments, for other processes to read.
  void write_parts();

  /// Writes a checkpoint of the chunks that are done, unless one was written after them: the next has failed.
  void fall_back();
  /// Writes the checkpoint of a run that has nothing left to integrate.
  void finished(ensembles::Range range, double wall_seconds);
  /// The result is safe: everything may go.
  void discard();

 private:
  void read_back();
  void begin_anew();
  void append(Stage stage, const ensembles::SamplePart* sample, const ensembles::InstancesPart* instances);
  void write(const ensembles::Standing& standing, const Extent& extent);

  Directory directory_;
  Segments segments_;
  Identity identity_;
  double every_;
  std::size_t room_;
  ensembles::StopAsked interrupted_;
  HeldParts held_;
  bool holding_ = true;  // until parts go to the segments
  bool written_ = false, discarded_ = false;
  Stage stage_ = Stage::run;
  std::optional<ensembles::Standing> standing_;
  struct Done {
    ensembles::Standing standing;
    Extent extent;     // of the segments, or
    std::size_t held;  // parts that were held
  };
  std::optional<Done> done_;  // since the last checkpoint
  std::chrono::steady_clock::time_point kept_ = std::chrono::steady_clock::now();
};

/// Everything a run has put into its segments, or a stage of it. Throws FileError.
void read_parts(const std::string& directory, const SampleVisitor& sample, const InstancesVisitor& instances,
                Stage stage = Stage::run);

/// Sample parts from frames in memory; Throws Malformed.
void visit_samples(std::string_view frames, const SampleVisitor& sample);

}  // namespace livens::host
