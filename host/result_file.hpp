#pragma once
// The result of an ensemble as a file (contract, section 4).

#include <string>

#include "ensembles/result.hpp"

namespace livens::host {

/// What the file says about the run besides its numbers.
struct Provenance {
  std::string version;  ///< of the program
  std::string system, scheme, form;
  std::string spec;       ///< the TOML text
  std::string overrides;  ///< options that replaced values of it
};

struct ResultFile {
  ensembles::Result result;
  Provenance provenance;
};

/// Throws FileError unless a file can be written under that name.
void check_writable(const std::string& path);

/// Writes the file, whole or not at all. Throws FileError.
void write_result(const std::string& path, const ensembles::Result& result, const SystemInfo& system,
                  const Provenance& provenance);

/// Checks length and SHA-256, then reads everything. Throws FileError.
/// Varied parameters and observables come in the order of their names.
ResultFile read_result(const std::string& path);

}  // namespace livens::host
