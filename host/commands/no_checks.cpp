// verify, check, certify and bench in a build without the Eigen reference and the naive loops.

#include "host/commands/bench.hpp"
#include "host/commands/certify.hpp"
#include "host/commands/check.hpp"
#include "host/commands/verify.hpp"
#include "host/errors.hpp"

namespace livens::host {

int verify(const VerifyOptions&) {
  refuse({.key = "verify"}, "this build has no Eigen reference; configure with LIVENS_CHECKS=ON");
}

int check(const CheckOptions&) {
  refuse({.key = "check"}, "this build has no Eigen reference; configure with LIVENS_CHECKS=ON");
}

int certify(const CertifyOptions&) {
  refuse({.key = "certify"}, "this build has no Eigen reference; configure with LIVENS_CHECKS=ON");
}

int bench(const BenchOptions&) {
  refuse({.key = "bench"}, "this build has no naive loops to compare with; configure with LIVENS_CHECKS=ON");
}

}  // namespace livens::host
