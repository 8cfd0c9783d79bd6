#pragma once
// The sections of a spec, in the order they are read: each takes its table and fills its part of the request.

#include <vector>

#include "host/spec/spec.hpp"
#include "host/spec/spec_section.hpp"

namespace livens::host {

/// Reads a spec section by section; later sections look up here what earlier ones have settled.
struct SpecReader {
  Section document;
  const Catalogue& catalogue;
  const Overrides& overrides;
  const SystemInfo* system = nullptr;
  Spec spec;

  void read_system();
  void read_scheme();
  void read_initial();
  void read_variations();
  void read_ensemble();
  void read_output();
  /// Checks that need the whole request: the pair and the options of its form.
  void check_pair();
};

/// One [[ensemble.vary]] entry.
ensembles::Variation read_variation(const Section& entry, const SystemInfo& system);

}  // namespace livens::host
