// livens compare: one spec with every combination of the values that keys of it take, and a table of the
// runs.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "host/commands/number_option.hpp"
#include "host/commands/study_commands.hpp"
#include "host/compare/comparison.hpp"
#include "host/compare/comparison_table.hpp"
#include "host/errors.hpp"
#include "host/printable.hpp"

namespace livens::host {
namespace {

struct CompareArguments {
  ComparisonOptions options;
  std::vector<std::string> over;
};

int compare(const CompareArguments& arguments) {
  const Ranks ranks([] { return false; });
  if (ranks.count() > 1) refuse({.key = "compare"}, "runs in one process", "it without mpirun");
  ComparisonOptions options = arguments.options;
  options.run.note = [](const std::string& line) { tell("livens: " + line + '\n'); };
  Comparison comparison(options, read_sweeps(arguments.over));
  const int status = comparison.run();
  if (!options.quiet)
    fmt::print("{}\nwritten to {}\n", table_as_text(comparison.sweeps(), comparison.runs()),
               printable(options.directory));
  return status;
}

void add_machine(CLI::App* command, ComparisonOptions& options) {
  command->add_option("--backend", options.run.backend, "auto, cpu, cuda or reference")
      ->check(CLI::IsMember({"auto", "cpu", "cuda", "reference"}).description(""))
      ->type_name("NAME")
      ->capture_default_str();
  add_whole_number(command, "--threads", options.run.threads, "CPU threads (default: all)", 1, most_threads)
      ->type_name("T");
  add_number(command, "--memory", options.run.memory, "GiB for the state of the instances", 1e-6, 1e6)
      ->type_name("GIB")
      ->default_str(fmt::format("{}", options.run.memory));
  command
      ->add_option_function<std::string>(
          "--progress",
          [&options](const std::string& style) {
            options.progress = style == "bar"    ? ProgressStyle::bar
                               : style == "json" ? ProgressStyle::json
                                                 : ProgressStyle::none;
          },
          "of each run: bar, json or none")
      ->check(CLI::IsMember({"bar", "json", "none"}).description(""))
      ->type_name("STYLE");
}

}  // namespace

void add_compare(CLI::App& app, Chosen& chosen) {
  const auto arguments = std::make_shared<CompareArguments>();
  ComparisonOptions& options = arguments->options;
  CLI::App* command =
      app.add_subcommand("compare", "run a spec with every combination of some values, into one table");
  command->footer(
      "Examples:\n"
      "  livens compare study.toml --over scheme.name=ems,vi_a,rattle -o schemes\n"
      "  livens compare study.toml --over scheme.name=ems,vi_a \\\n"
      "    --over scheme.step=0.1,0.05,0.025 --set scheme.newton.tolerance=0 -o orders\n"
      "  livens compare study.toml --over 'system.mass=[1, 1],[1, 2]' -o masses\n"
      "  livens compare study.toml --over ensemble.seed=1,2,3 -o seeds --resume\n"
      "With output.error_against = \"reference_ode\" in the spec, the order is that of\n"
      "the position.");
  command->add_option("SPEC.toml", options.spec, "what all runs begin with")->required();
  command->add_option("--over", arguments->over, "a key of the spec and its values; may be repeated")
      ->type_name("KEY=A,B")
      ->required()
      ->expected(1)
      ->take_all();
  command->add_option("-o,--output", options.directory, "directory of the results and table.csv")
      ->required()
      ->type_name("DIR");
  command->add_option("--set", options.overrides.settings, "a value for all runs; may be repeated")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
  command->add_flag("--skip-absent", options.skip_absent, "leave out pairs that are not there");
  CLI::Option* resume =
      command->add_flag("--resume", options.resume, "keep what is finished, go on with the rest");
  command->add_flag("--force", options.overwrite, "replace results that stand there")->excludes(resume);
  add_machine(command, options);
  command->add_flag("--quiet", options.quiet, "no progress and no table");
  command->callback([arguments, &chosen] { chosen = [arguments] { return compare(*arguments); }; });
}

}  // namespace livens::host
