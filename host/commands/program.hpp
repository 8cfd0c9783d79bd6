#pragma once
// The whole program behind main(): arguments in, exit status out.

namespace livens::host {

struct VerifyOptions;
struct CheckOptions;
struct BenchOptions;
struct CertifyOptions;

/// The subcommands that need the Eigen reference and the naive loops; each returns the exit status.
struct Checks {
  int (*verify)(const VerifyOptions&);
  int (*check)(const CheckOptions&);
  int (*bench)(const BenchOptions&);
  int (*certify)(const CertifyOptions&);
};

int program(int argc, const char* const* argv, const Checks& checks);

}  // namespace livens::host
