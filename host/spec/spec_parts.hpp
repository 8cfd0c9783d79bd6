#pragma once
// The sections of a spec, in the order they are read: each takes its table and fills its part of the request.

#include <vector>

#include "host/spec/spec.hpp"
#include "host/spec/spec_section.hpp"

namespace livens::host {

/// Reads a spec section by section; later sections look up here what earlier ones have settled.
struct SpecReader {
  Section document;
  Catalogue catalogue;  ///< with the system of a text, once that is read
  const Overrides& overrides;
  const SystemInfo* system = nullptr;
  Spec spec;

  void read_system();
  /// [system] with `file` or [system.text]: the system enters the catalogue.
  const SystemInfo* read_text(const Section& section);
  /// Puts a text that was read from a file behind the spec, which is then all that a result needs.
  void keep_text();
  void read_scheme();
  void read_initial();
  void read_variations();
  void read_ensemble();
  void read_output();
  /// output.observe and output.stop: with expressions the system becomes one that evaluates them.
  void read_observe(const Section& output);
  /// Checks that need the whole request: the pair and the options of its form.
  void check_pair();
};

/// One [[ensemble.vary]] entry.
ensembles::Variation read_variation(const Section& entry, const SystemInfo& system);

}  // namespace livens::host
