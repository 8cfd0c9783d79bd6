// livens certify: the motion of a text by two programs, and how far they agree.

#include "host/commands/certify.hpp"

#include <fmt/format.h>

#include <toml++/toml.h>

#include <algorithm>
#include <cstdio>

#include "host/checks/certificate.hpp"
#include "host/complaint.hpp"
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

/// A text as it was typed, and what messages call its file.
struct TypedText {
  std::string file, text;
};

/// What the text is refused for is said with its file, and the line of the key.
Certificate certified(const TextSystem& text, const TypedText& source, double end) {
  try {
    return certificate_of(text, end);
  } catch (RequestError& refusal) {
    const toml::table keys = toml::parse(source.text);
    for (Mistake& one : refusal.mistakes) {
      one.file = source.file;
      if (const toml::node* key = keys.get(one.key)) one.line = key->source().begin.line;
    }
    throw RequestError(refusal.mistakes);
  }
}

int certify_one(const TextSystem& text, const TypedText& source, double end,
                const std::optional<Certificate>& claimed, int wanted, const CertifyOptions& options) {
  if (!options.output.empty() && options.output != "-" && !options.overwrite)
    refuse_overwriting_result(options.output);
  const Certificate made = certified(text, source, end);
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
  const TypedText source{problem.name + ".toml", problem.text};
  // A certificate that holds has the digits that it says.
  const int wanted = options.digits.value_or(claimed ? 0 : digits_wanted);
  return certify_one(read_text_system(source.text, source.file, {}), source,
                     options.end.value_or(claimed ? claimed->end : problem.end), claimed, wanted, options);
}

/// The largest status that one of them alone would end with; those without a certificate are named at the end.
int certify_all(const CertifyOptions& options) {
  int status = exit_done;
  std::vector<Mistake> refused;
  for (const Problem& one : problems()) {
    try {
      status = std::max(status, certify_problem(one, options));
    } catch (const Interrupted&) {
      throw;
    } catch (...) {
      const Complaint complaint = complaint_about(std::current_exception());
      status = std::max(status, complaint.status);
      for (Mistake mistake : complaint.mistakes) {
        if (mistake.file.empty()) mistake.file = one.name + ".toml";
        refused.push_back(std::move(mistake));
      }
    }
  }
  if (!refused.empty()) tell(fmt::format("without a certificate:\n{}\n", printed(refused)));
  return status;
}

}  // namespace

int certify(const CertifyOptions& options) {
  if (options.all) {
    if (options.end || !options.output.empty() || !options.check.empty())
      refuse({.key = "--all"}, "goes with none of --end, --output and --check");
    return certify_all(options);
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
  return certify_one(text, {options.problem, read_text(options.problem)},
                     options.end.value_or(claimed ? claimed->end : 0.0), claimed,
                     options.digits.value_or(claimed ? 0 : digits_wanted), options);
}

}  // namespace livens::host
