#pragma once
// The sections of a spec, in the order they are read: each takes its table and fills its part of the request.

#include <optional>
#include <string>
#include <vector>

#include "host/layout/dataset_names.hpp"
#include "host/spec/spec.hpp"
#include "host/spec/spec_section.hpp"
#include "host/spec/table.hpp"

namespace livens::host {

/// Reads a spec section by section; later sections look up here what earlier ones have settled.
struct SpecReader {
  Section document;
  Catalogue catalogue;  ///< with the system of a text, once that is read
  const Overrides& overrides;
  const Inputs& inputs;
  const SystemInfo* system = nullptr;
  Spec spec;

  /// The shortest of the files that have a row for every instance.
  struct RowsGiven {
    std::string file;
    std::int64_t rows;
  };
  std::optional<RowsGiven> rows_given;
  std::optional<EndOfRun> start;  ///< of [initial] from
  std::string kept_files;         ///< tables [files."..."], to be put behind the spec

  void read_system();
  /// [system] with `file` or [system.text]: the system enters the catalogue.
  const SystemInfo* read_text(const Section& section);
  /// Puts a text that was read from a file behind the spec, which is then all that a result needs.
  void keep_text();
  /// What nothing in the text of the system uses, nor what is observed.
  void warn_of_unused_parameters();
  void read_scheme();
  /// newton.tolerance where it is not given, from the step; to round-off where that varies, and where
  /// derivatives are carried, which magnify what it leaves.
  void settle_tolerance();
  void read_initial();
  /// Entries of [initial] by the names of coordinates: these alone replace the system's own.
  void read_named_initial(const Section& section);
  /// Names and units that a text has for entries of q and for rows.
  void label();
  /// [initial] from: parameters before variations are read, states behind them.
  void take_over_parameters();
  void take_over_states();
  void read_variations();
  void add_variation(const Place& place, ensembles::Variation variation);
  void read_table();
  /// Nothing where it is in HDF5, and that is not to be read.
  std::optional<Table> open_table(const Section& section) const;
  void read_ensemble();
  /// [tangent]: before output, whose expressions are then differentiated, too.
  void read_tangent();
  void read_output();
  void note_rest();
  template <class Reader>
  void read_event(const Section& entry, const Reader& reader);
  /// A key that is about impacts, on a system that has none.
  void refuse_without_walls(const Section& section, const char* key) const;
  /// output.observe, output.stop, output.event: with expressions the system becomes one that evaluates them.
  void read_observe(const Section& output);
  /// Refuses what would give two datasets or axes of the result one name: `name`, the last that is observed;
  /// anything at all that was read.
  AddedNames added_names() const;
  void refuse_doubled_name(const Place& place, const std::string& name) const;
  void refuse_doubled_names(const Place& place) const;
  void read_joints(const Section& output);
  void read_columns(const Section& output);
  /// A file with a row for every instance: the ensemble is no larger.
  void limit_size(const std::string& file, std::int64_t rows);
  /// What makes a file that a spec names the same file another time. Where the spec keeps that already, the
  /// two are compared.
  void keep_file(const Place& place, const std::string& typed, const std::string& sha256, std::int64_t rows,
                 const std::vector<std::string>& columns);
  /// Puts these tables behind the spec.
  void keep_files();

  /// Checks that need the whole request, sound as it is: the pair and the options of its form. Throws
  /// AbsentPair.
  void check_pair();
};

/// A path that is typed in a spec: from the directory of the spec.
std::string beside(const std::string& spec, const std::string& typed);
/// Refuses a file that is not one to be read to its end: nothing that has none, and nothing to wait for.
void expect_regular(const Place& place, const std::string& path);

/// Throws RequestError for a name that output.observe may not have. `exponents`: those of [tangent] that the system has
/// no columns of yet.
void check_observable(const Place& place, const std::string& name, const SystemInfo& system,
                      int exponents = 0);
/// Throws RequestError for what is no name of a dataset, and of a variable in every language that may read it.
void check_new_name(const Place& place, const std::string& name);

/// Puts tables behind the text of a spec; refuses a text behind which they cannot stand.
std::string with_tables(const std::string& text, const std::string& tables, const Place& place);

/// One [[ensemble.vary]] entry.
ensembles::Variation read_variation(const Section& entry, const SystemInfo& system);

}  // namespace livens::host
