#include "host/commands/program.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "ensembles/thread.hpp"
#include "host/backends/device_choice.hpp"
#include "host/commands/bench.hpp"
#include "host/commands/certify.hpp"
#include "host/commands/check.hpp"
#include "host/commands/colour.hpp"
#include "host/commands/commands.hpp"
#include "host/commands/completion.hpp"
#include "host/commands/help.hpp"
#include "host/commands/number_option.hpp"
#include "host/commands/standard_streams.hpp"
#include "host/commands/study_commands.hpp"
#include "host/commands/verify.hpp"
#include "host/complaint.hpp"
#include "host/errors.hpp"
#include "host/number_of.hpp"
#include "host/pairs/catalogue.hpp"
#include "host/printable.hpp"
#include "host/version.hpp"

namespace livens::host {
namespace {

/// One subcommand's options and what to call once they are parsed.
struct Arguments {
  RunArguments run;
  CompilationTarget target;
  VerifyOptions verify;
  CheckOptions check;
  CertifyOptions certify;
  BenchOptions bench;
  std::string name, file, output;
  std::vector<std::string> files, pair;
  std::vector<Threshold> thresholds;
  bool json = false, clear = false, expanded = false, pairs = false;
  std::string shell;
  std::string (*table)() = nullptr;  // of the contract
  std::function<int()> chosen;
};

/// "2/7": part 2 of 7, from 0.
std::optional<ShardOption> parse_shard(const std::string& typed) {
  const std::size_t slash = typed.find('/');
  if (slash == std::string::npos) return {};
  const auto index = number_of<std::int64_t>(typed.substr(0, slash)),
             count = number_of<std::int64_t>(typed.substr(slash + 1));
  if (!index || !count || *index < 0) return {};
  return ShardOption{*index, *count};
}

std::string shard_text(const std::string& typed) {
  return parse_shard(typed) ? "" : fmt::format("'{}' is not a shard; expected i/N, i from 0 to N-1", typed);
}

/// "all", or numbers with commas between them.
std::string devices_text(const std::string& typed) {
  return parse_devices(typed) ? ""
                              : fmt::format("'{}' is no list of devices; expected all, or e.g. 0,1", typed);
}

/// Options for how much is done at a time and where, and for going on after an interruption.
void add_portions(CLI::App* command, RunArguments& run) {
  command
      ->add_option_function<std::string>(
          "--devices",
          [&run](const std::string& typed) {
            run.options.devices = parse_devices(typed)->numbers;
            run.options.all_devices = run.options.devices.empty();
          },
          "CUDA device indices, or all (default: one)")
      ->check(devices_text)
      ->type_name("all|0,1");
  command
      ->add_option_function<std::string>(
          "--shard", [&run](const std::string& typed) { run.to.shard = parse_shard(typed); },
          "integrate only part i of N, for livens merge; in a Slurm job array the task's part")
      ->check(shard_text)
      ->type_name("i/N");
  add_number(command, "--memory", run.options.memory,
             "GiB for the state of the instances in memory: those integrated, and those being written", 1e-6,
             1e6)
      ->type_name("GIB")
      ->default_str(fmt::format("{}", run.options.memory));
  command->add_flag("--resume", run.to.resume,
                    "go on from the checkpoint of an interrupted run, if there is one");
  command->add_flag("--force", run.to.overwrite, "overwrite an existing result");
}

void add_setting(CLI::App* command, RunArguments& run) {
  command
      ->add_option("--set", run.overrides.settings,
                   "a value of the spec by its key, e.g. scheme.name=vi_a; may be repeated")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
}

/// A spec behind an option whose value may be left out is a slip: it would be overwritten.
std::string file_for_json(const std::string& typed) {
  return typed.ends_with(".toml")
             ? fmt::format("'{}' is a spec; expected it before --json, or --json FILE", typed)
             : "";
}

void add_json_file(CLI::App* command, RunArguments& run) {
  command
      ->add_option_function<std::vector<std::string>>(
          "--json",
          [&run](const std::vector<std::string>& typed) {
            run.json = typed.empty() || typed.front().empty() ? "-" : typed.front();
          },
          "the summary as JSON, into a file; -, or without one: in place of the text")
      ->check(file_for_json)
      ->type_name("[FILE]")
      ->expected(0, 1);
}

void add_run(CLI::App& app, Arguments& arguments) {
  CLI::App* command = app.add_subcommand("run", "integrate the ensemble of a spec and write its result file");
  RunArguments& run = arguments.run;
  command->footer(
      "Examples:\n"
      "  livens run study.toml -o study.h5\n"
      "  livens run study.toml --dry-run\n"
      "  livens run study.toml --set scheme.name=vi_b --steps 100 -o short.h5\n"
      "  livens run study.toml --resume\n"
      "  livens run study.toml --shard 2/7\n"
      "  cat study.toml | livens run - -o study.h5");
  command->add_option("SPEC.toml", run.spec, "what to integrate; -: from the standard input")->required();
  command->add_option("-o,--output", run.overrides.output, "result file, in place of output.file")
      ->type_name("FILE.h5");
  command->add_option("--backend", run.options.backend, "where to integrate: auto, cpu, cuda or reference")
      ->check(CLI::IsMember({"auto", "cpu", "cuda", "reference"}))
      ->type_name("NAME")
      ->capture_default_str();
  add_whole_number<std::int64_t>(command, "--size", run.overrides.size,
                                 "instances, in place of ensemble.size")
      ->type_name("N");
  add_whole_number<std::uint64_t>(command, "--seed", run.overrides.seed, "seed, in place of ensemble.seed")
      ->type_name("S");
  add_whole_number<std::int64_t>(command, "--steps", run.overrides.steps,
                                 "steps, in place of scheme.steps or scheme.end")
      ->type_name("K");
  add_whole_number(command, "--threads", run.options.threads, "CPU threads (default: all)", 1, most_threads)
      ->type_name("T");
  add_setting(command, run);
  add_portions(command, run);
  command->add_flag("--dry-run", run.dry,
                    "check everything, say how large and how long the run becomes, and write nothing");
  add_json_file(command, run);
  command->add_flag("--quiet", run.quiet, "no progress and no summary");
  command
      ->add_option_function<std::string>(
          "--progress",
          [&run](const std::string& style) {
            run.progress = style == "bar"    ? ProgressStyle::bar
                           : style == "json" ? ProgressStyle::json
                                             : ProgressStyle::none;
          },
          "on the standard error: bar, json or none")
      ->check(CLI::IsMember({"bar", "json", "none"}))
      ->type_name("STYLE");
  command->callback([&] { arguments.chosen = [&] { return host::run(arguments.run); }; });
}

void add_compilation(CLI::App& app, Arguments& arguments) {
  CLI::App* compile = app.add_subcommand(
      "compile", "compile beforehand what a spec needs and this program does not have, for livens run");
  compile->add_option("SPEC.toml", arguments.run.spec, "a spec")->required();
  add_setting(compile, arguments.run);
  compile
      ->add_option("--backend", arguments.target.backend,
                   "what to compile for: cpu, or cuda for a GPU as well, which need not be there")
      ->check(CLI::IsMember({"cpu", "cuda"}))
      ->type_name("NAME")
      ->capture_default_str();
  add_whole_number(compile, "--architecture", arguments.target.architecture,
                   "compute capability of the GPU without its point, e.g. 90; that of the first device when "
                   "left out",
                   50, 999)
      ->type_name("CC");
  compile->footer(
      "Examples:\n"
      "  livens compile study.toml\n"
      "  livens compile study.toml --backend cuda --architecture 90");
  compile->callback([&] {
    arguments.chosen = [&] {
      return host::compile_spec(arguments.run.spec, arguments.run.overrides, arguments.target);
    };
  });

  CLI::App* cache = app.add_subcommand("cache", "what was compiled on first use, and where it is");
  cache->add_flag("--clear", arguments.clear, "remove all of it");
  cache->footer(
      "Examples:\n"
      "  livens cache\n"
      "  livens cache --clear");
  cache->callback([&] { arguments.chosen = [&] { return host::cache(arguments.clear); }; });

  CLI::App* doctor = app.add_subcommand("doctor", "what of this machine livens can use, and what to install");
  doctor->footer(
      "Exit status 1 where something is missing that runs need.\n\n"
      "Examples:\n"
      "  livens doctor");
  doctor->callback([&] { arguments.chosen = host::doctor; });
}

/// A command that reads results: memory that does not suffice is no fault of the request.
template <class Command>
int reading(Command command) {
  try {
    return command();
  } catch (const std::bad_alloc&) {
    throw std::system_error(ENOMEM, std::generic_category(), "a file cannot be read");
  }
}

void add_readers(CLI::App& app, Arguments& arguments) {
  CLI::App* list = app.add_subcommand("list", "systems, schemes, and which scheme runs which system");
  CLI::Option* json = list->add_flag("--json", arguments.json, "all of it as JSON");
  list->add_flag("--pairs", arguments.pairs,
                 "which scheme runs which system, with unknowns, backends and precisions")
      ->excludes(json);
  CLI::Option* why = list->add_option("--why", arguments.pair,
                                      "the forms in which the scheme runs the system, or why it does not")
                         ->expected(2)
                         ->type_name("SYSTEM SCHEME")
                         ->excludes(json);
  const auto add_table = [&](const char* name, std::string (*table)(), const char* what) {
    why->excludes(list->add_flag_callback(
        name, [&arguments, table] { arguments.table = table; }, what));
  };
  add_table("--quantities", quantities_as_markdown, "what a result may have of every instance, as Markdown");
  add_table("--options", options_as_markdown, "the options of all schemes, as Markdown");
  add_table("--statuses", statuses_as_markdown, "the statuses of an instance, as Markdown");
  add_table("--names", names_of_all, "the names that livens show knows, a line each");
  list->footer(
      "Examples:\n"
      "  livens list\n"
      "  livens list --pairs\n"
      "  livens list --why mass_spring ems\n"
      "  livens list --json");
  list->callback([&] {
    arguments.chosen = [&] {
      if (!arguments.pair.empty()) return host::why(arguments.pair[0], arguments.pair[1]);
      if (!arguments.table) return host::list(arguments.json, arguments.pairs);
      fmt::print("{}", arguments.table());
      return int{exit_done};
    };
  });

  CLI::App* show = app.add_subcommand(
      "show",
      "one system: parameters, coordinates, initial state; one scheme: options, systems it runs; or one "
      "status of an instance: what to try");
  show->add_option("NAME", arguments.name,
                   "name of a system, a scheme or a status, see livens list; or the file of a system as text")
      ->required();
  show->footer(
      "Examples:\n"
      "  livens show double_spherical_pendulum\n"
      "  livens show vi_a\n"
      "  livens show newton_diverged\n"
      "  livens show cart.toml --json\n"
      "  livens show linkage.toml --expanded > without_bodies.toml");
  show->add_flag("--json", arguments.json, "as JSON");
  show->add_flag("--expanded", arguments.expanded,
                 "of a text with bodies, the text without them that it stands for, and nothing else");
  show->callback([&] {
    arguments.chosen = [&] { return host::show(arguments.name, arguments.json, arguments.expanded); };
  });

  CLI::App* info = app.add_subcommand("info", "check and summarize a result file");
  info->add_option("FILE.h5", arguments.file, "a result file")->required();
  info->footer(
      "Examples:\n"
      "  livens info study.h5\n"
      "  livens info study.h5 --above max_energy_error=1e-3\n"
      "  livens info study.h5 --json");
  CLI::Option* info_json = info->add_flag("--json", arguments.json, "as JSON");
  for (const bool above : {true, false})
    info->add_option_function<std::vector<std::string>>(
            above ? "--above" : "--below",
            [&arguments, above](const std::vector<std::string>& typed) {
              for (const std::string& each : typed) arguments.thresholds.push_back({above, each});
            },
            fmt::format("share of the instances in which a number is {} a value, with its binomial interval",
                        above ? "above" : "below"))
        ->type_name("NAME=VALUE")
        ->excludes(info_json);
  info->callback([&] {
    arguments.chosen = [&] {
      return reading([&] {
        return arguments.json ? host::info_as_json(arguments.file)
                              : host::info(arguments.file, arguments.thresholds);
      });
    };
  });

  CLI::App* merge = app.add_subcommand("merge", "join the shards of an ensemble into one result file");
  merge->add_option("PART.h5", arguments.files, "files that run --shard has written, all of them")
      ->required();
  merge->add_option("-o,--output", arguments.output, "result file to write")
      ->required()
      ->type_name("FILE.h5");
  merge->footer(
      "Examples:\n"
      "  livens merge study.*-of-7.h5 -o study.h5");
  merge->callback([&] {
    arguments.chosen = [&] {
      return reading([&] { return host::merge(arguments.files, arguments.output); });
    };
  });

  CLI::App* failures = app.add_subcommand("failures", "a spec that reruns the failed instances of a result");
  failures->add_option("FILE.h5", arguments.file, "a result file")->required();
  failures->add_option("-o,--output", arguments.output, "spec to write")->required()->type_name("SPEC.toml");
  failures->footer(
      "Examples:\n"
      "  livens failures study.h5 -o rerun.toml && livens run rerun.toml");
  failures->callback([&] {
    arguments.chosen = [&] {
      return reading([&] { return host::failures(arguments.file, arguments.output); });
    };
  });
}

void add_checks(CLI::App& app, Arguments& arguments, const Checks& checks) {
  CLI::App* verify = app.add_subcommand("verify",
                                        "compare every backend with the reference: motions, and projections "
                                        "onto the constraints (lockstep --check does so with cuBLAS)");
  CLI::Option* spec = verify->add_option("SPEC.toml", arguments.verify.spec, "a spec to compare on");
  verify->add_flag("--all", arguments.verify.all, "every pair")->excludes(spec);
  verify->add_option("--json", arguments.verify.json, "file for the figures")->type_name("FILE");
  verify->footer(
      "Examples:\n"
      "  livens verify study.toml\n"
      "  livens verify --all");
  verify->callback([&] { arguments.chosen = [&] { return checks.verify(arguments.verify); }; });

  CLI::App* check = app.add_subcommand("check", "try the laws of every scheme on a system written as text");
  CheckOptions& laws = arguments.check;
  check->add_option("SYSTEM.toml", laws.system, "a system as text")->required();
  check->add_option("--scheme", laws.schemes, "only this scheme; may be repeated")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  add_number(check, "--step", laws.step, "s (default: 0.01)", 1e-300, 1e300)->type_name("H");
  check
      ->add_option("--against", laws.against,
                   "another text of the system, which the reference reads in place of this one")
      ->type_name("OTHER.toml");
  check->footer(
      "Examples:\n"
      "  livens check cart.toml\n"
      "  livens check cart.toml --scheme ems --step 0.005");
  check->callback([&] { arguments.chosen = [&] { return checks.check(arguments.check); }; });

  CLI::App* certify =
      app.add_subcommand("certify", "compute the motion of a text by two programs, with error bars");
  CertifyOptions& values = arguments.certify;
  CLI::Option* problem = certify->add_option("TEXT", values.problem,
                                             "a system as text, or a problem of `livens problems`, whose own "
                                             "certificate is compared unless -o is given");
  certify->add_flag("--all", values.all, "make the certificates of all problems anew and compare")
      ->excludes(problem);
  add_number(certify, "--end", values.end, "the last of the five times, s", 1e-300, 1e300)->type_name("T");
  add_number(certify, "--digits", values.digits, "exit status 1 if q or v have fewer (default: 10)", 1, 16)
      ->type_name("N");
  certify->add_option("-o,--output", values.output, "where the certificate goes; -: the standard output")
      ->type_name("FILE.json");
  certify->add_option("--check", values.check, "compare with this certificate, which also says the times")
      ->type_name("FILE.json");
  certify->add_flag("--force", values.overwrite, "overwrite an existing file");
  certify->footer(
      "Examples:\n"
      "  livens certify cart.toml --end 10 -o cart.json\n"
      "  livens certify cart.toml --check cart.json\n"
      "  livens certify --all");
  certify->callback([&] { arguments.chosen = [&] { return checks.certify(arguments.certify); }; });

  CLI::App* bench = app.add_subcommand("bench", "measure steps per second against naive loops");
  bench
      ->add_option_function<std::string>(
          "--precision",
          [&arguments](const std::string& name) {
            for (const auto& [known, precision] : precisions)
              if (name == known) arguments.bench.precision = precision;
          },
          "double (the default), mixed or single")
      ->check(CLI::IsMember({"double", "mixed", "single"}))
      ->type_name("NAME");
  bench
      ->add_option("--only", arguments.bench.only,
                   "pairs and forms that begin like this, e.g. unit_circle/ems/full")
      ->type_name("SYSTEM/SCHEME/FORM");
  bench->add_option("--isa", arguments.bench.isa, "avx2 or avx512")
      ->check(CLI::IsMember({"avx2", "avx512"}))
      ->type_name("NAME");
  add_whole_number(bench, "--rounds", arguments.bench.rounds, "rounds of a tenth of a second, 7 by default",
                   1, 1000)
      ->type_name("N");
  CLI::Option* tangent =
      bench->add_flag("--tangent", arguments.bench.tangent,
                      "what a direction of [tangent] takes, in plain steps; compiles each pair");
  bench->add_option("--json", arguments.bench.json, "file for the figures")->type_name("FILE");
  bench
      ->add_flag("--markdown", arguments.bench.markdown,
                 "print them as a table in Markdown, when all are measured")
      ->excludes(tangent);
  bench->footer(
      "Examples:\n"
      "  livens bench\n"
      "  livens bench --only unit_circle/ems --json bench.json");
  bench->callback([&] { arguments.chosen = [&] { return checks.bench(arguments.bench); }; });
}

/// `app`: with all commands but this one, which completes itself as well.
void add_completion(CLI::App& app, Arguments& arguments) {
  CLI::App* completion =
      app.add_subcommand("completion", "a script that completes commands, options and files in a shell");
  completion->add_option("SHELL", arguments.shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(shells), std::end(shells))));
  completion->footer(
      "Examples:\n"
      "  source <(livens completion bash)\n"
      "  livens completion fish > ~/.config/fish/completions/livens.fish");
  completion->callback([&] {
    arguments.chosen = [&] {
      fmt::print("{}", completion_script(app, arguments.shell));
      return int{exit_done};
    };
  });
}

/// CLI11 says only that a subcommand is required, not what is wrong with the word that was typed.
void expect_command(const CLI::App& app, int argc, const char* const* argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), argv[1]) == names.end())
    refuse_unknown({}, fmt::format("no command '{}' in this version", argv[1]), argv[1], names);
}

/// Parses, runs the subcommand, and sees that its output has arrived.
int parse_and_run(int argc, const char* const* argv, const Checks& checks) {
  Arguments arguments;
  CLI::App app("livens: structure-preserving integration of ensembles of constrained mechanical systems",
               "livens");
  app.set_version_flag("--version", std::string("livens ") + version);
  app.require_subcommand(1);
  app.formatter(std::make_shared<HelpOnAPage>());
  app.footer(
      "Examples:\n"
      "  livens run study.toml -o study.h5\n"
      "  livens show four_particle\n"
      "  livens run --help");
  add_new(app, arguments.chosen);
  add_run(app, arguments);
  add_compare(app, arguments.chosen);
  add_compilation(app, arguments);
  add_readers(app, arguments);
  add_export(app, arguments.chosen);
  add_problems(app, arguments.chosen);
  add_checks(app, arguments, checks);
  add_completion(app, arguments);
  expect_command(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app.exit(error);
    refuse({}, error.what());
  }
  const int status = arguments.chosen();
  if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category(), "standard output");
  return status;
}

}  // namespace

int program(int argc, const char* const* argv, const Checks& checks) {
  occupy_standard_streams();
  report_failed_writes();
  int status = exit_done;
  ensembles::with_thread_stack([&] {
    try {
      status = parse_and_run(argc, argv, checks);
    } catch (...) {
      if (nobody_reads()) end_unread();
      const Complaint complaint = complaint_about(std::current_exception());
      tell_problem(printed(complaint.mistakes));
      status = complaint.status;
    }
  });
  return status;
}

}  // namespace livens::host
