#pragma once
// A TOML spec (contract, section 2) becomes a complete, checked request. Everything wrong is a Mistake of one
// RequestError, with file, line and key.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ensembles/ensemble.hpp"
#include "ensembles/request.hpp"
#include "host/errors.hpp"
#include "host/pairs/catalogue.hpp"
#include "host/spec/overrides.hpp"
#include "host/spec/table.hpp"

namespace livens::host {

struct Spec {
  ensembles::Request request;
  std::optional<ensembles::Tangent> adjoint;  ///< [tangent] where nothing is carried along (Inputs::adjoint)
  std::string output;                         ///< file to write
  double checkpoint_every = 60.0;             ///< s of wall clock; 0: off
  std::vector<std::string> left_out;          ///< datasets below /instances that output.columns does without
  std::string error_against;                  ///< scheme of the true motion for position_error; empty: none
  Place consistency_place;                    ///< for a base state that is refused
  std::string text;                ///< the TOML text, with that of a system in a file of its own behind it,
                                   ///< and what makes tables and results that it names the same
  std::string overrides;           ///< what the command line replaced in it
  std::vector<std::string> files;  ///< paths of tables and results that it names
  std::vector<std::string> warnings;  ///< of the system's text
};

/// A spec that is right but for this: no form of its scheme does on its system what is asked.
struct AbsentPair : RequestError {
  using RequestError::RequestError;
};

/// Reads a file. A file that cannot be read is a RequestError too.
Spec read_spec(const std::string& path, const Catalogue& catalogue, const Overrides& overrides = {},
               const Inputs& inputs = {});

/// The text of a spec's file. Throws RequestError.
std::string read_text(const std::string& path);

/// The same as read_spec() for a text; `file` is its name in messages.
Spec parse_spec(const std::string& text, const std::string& file, const Catalogue& catalogue,
                const Overrides& overrides = {}, const Inputs& inputs = {});

/// Throws RequestError where `target` is that file, the spec's own or one that it names.
void refuse_overwriting(const std::string& read, const std::string& target);
/// Throws RequestError where a file stands at `target`: a result that may have taken days.
void refuse_overwriting_result(const std::string& target);

/// The warnings of the spec, and one where projection moves a state that it or its text gives by more than round-off.
std::vector<std::string> with_note_of_projection(const Spec& spec, ensembles::Backend& backend);

/// Says what is wrong with the base state as of the spec. Throws RequestError.
[[noreturn]] void refuse_base_state(const Spec& spec, const ensembles::InconsistentBase& error);
/// ensembles::run, with what is wrong with the base state said as of the spec.
ensembles::Result run_ensemble(const Spec& spec, ensembles::Backend& backend,
                               const ensembles::Progress& progress = {},
                               const ensembles::SampleWatch& watch = {});

}  // namespace livens::host
