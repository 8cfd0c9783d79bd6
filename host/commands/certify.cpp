// livens certify: the motion of a text by two programs, and how far they agree.

#include "host/commands/certify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "host/checks/certificate.hpp"
#include "host/errors.hpp"
#include "host/files/pending_file.hpp"
#include "host/page.hpp"
#include "host/printable.hpp"
#include "host/problems/problems.hpp"
#include "host/spec/spec.hpp"
#include "host/spec/spec_text.hpp"

namespace livens::host {
namespace {

constexpr int digits_wanted = 10;

Certificate certificate_in(const std::string& path) { return read_certificate(read_text(path), path); }

/// What of it is compared with `claimed`, where there is one.
int judge(const Certificate& made, const std::optional<Certificate>& claimed, int wanted, bool to_stderr) {
  const auto print = [&](const std::string& text) {
    const std::string line = wrapped(text, 2) + '\n';
    if (to_stderr) {
      tell(line);
    } else {
      fmt::print("{}", line);
      std::fflush(stdout);
    }
  };
  const auto largest = [](const CertifiedValues& kind) { return *std::ranges::max_element(kind.error); };
  print(
      fmt::format("{}: {} digits of q and v; errors at most {:.1e} of q, {:.1e} of v, {:.1e} of lambda, "
                  "{:.1e} of the energy; the tangent map grows to {:.1e}",
                  printable(made.name), made.digits(), largest(made.q), largest(made.v), largest(made.lambda),
                  largest(made.energy), *std::ranges::max_element(made.growth)));
  int status = exit_done;
  if (made.digits() < wanted) {
    print(fmt::format("{}: {} digits were wanted", printable(made.name), wanted));
    status = exit_bound_broken;
  }
  if (claimed) {
    const auto found = denials(*claimed, made);
    for (const std::string& denial : found)
      print(fmt::format("{}: WRONG: {}", printable(made.name), printable(denial)));
    if (!found.empty())
      status = exit_bound_broken;
    else
      print(fmt::format("{}: the certificate holds", printable(made.name)));
  }
  return status;
}

int certify_one(const TextSystem& text, double end, const std::optional<Certificate>& claimed, int wanted,
                const CertifyOptions& options) {
  if (!options.output.empty() && options.output != "-" && !options.overwrite)
    refuse_overwriting_result(options.output);
  const Certificate made = certificate_of(text, end);
  const int status = judge(made, claimed, wanted, options.output == "-");
  if (options.output == "-") {
    fmt::print("{}", certificate_json(made));
  } else if (!options.output.empty()) {
    write_text(options.output, certificate_json(made));
    fmt::print("written to {}\n", printable(options.output));
  }
  return status;
}

int certify_problem(const Problem& problem, const CertifyOptions& options) {
  std::optional<Certificate> claimed;
  if (!options.check.empty())
    claimed = certificate_in(options.check);
  else if (options.output.empty() && !options.end)
    claimed = read_certificate(problem.certificate, problem.name);
  const TextSystem text = read_text_system(problem.text, problem.name + ".toml", {});
  // A certificate that holds has the digits that it says.
  const int wanted = options.digits.value_or(claimed ? 0 : digits_wanted);
  return certify_one(text, options.end.value_or(claimed ? claimed->end : problem.end), claimed, wanted,
                     options);
}

}  // namespace

int certify(const CertifyOptions& options) {
  if (options.all) {
    if (options.end || !options.output.empty() || !options.check.empty())
      refuse({.key = "--all"}, "goes with none of --end, --output and --check");
    int status = exit_done;
    for (const Problem& one : problems()) status = std::max(status, certify_problem(one, options));
    return status;
  }
  if (options.problem.empty())
    refuse({.key = "TEXT"}, "is missing", "a text, the name of a problem, or --all");
  if (!names_text_file(options.problem)) {
    if (const Problem* known = problem(options.problem)) return certify_problem(*known, options);
    refuse_unknown({}, fmt::format("unknown problem '{}'", options.problem), options.problem,
                   problem_names());
  }
  const TextSystem text = read_text_file(options.problem);
  std::optional<Certificate> claimed;
  if (!options.check.empty()) claimed = certificate_in(options.check);
  if (!claimed && !options.end) refuse({.key = "--end"}, "is missing", "the last of the five times, s");
  return certify_one(text, options.end.value_or(claimed ? claimed->end : 0.0), claimed,
                     options.digits.value_or(claimed ? 0 : digits_wanted), options);
}

}  // namespace livens::host
