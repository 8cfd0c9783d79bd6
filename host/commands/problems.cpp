// livens problems: the certified problems, listed and written.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "host/commands/study_commands.hpp"
#include "host/errors.hpp"
#include "host/files/pending_file.hpp"
#include "host/page.hpp"
#include "host/printable.hpp"
#include "host/problems/problems.hpp"
#include "host/spec/spec.hpp"

namespace livens::host {
namespace {

namespace fs = std::filesystem;

struct ProblemArguments {
  std::string name, folder = ".";
  bool json = false, overwrite = false;
};

int digits_of(const Problem& problem) {
  return nlohmann::json::parse(problem.certificate).at("digits").get<int>();
}

int list_problems() {
  Columns table("lrrl");
  table.row({"problem", "end", "digits", ""});
  for (const Problem& one : problems())
    table.row({one.name, fmt::format("{:.6g}", one.end), std::to_string(digits_of(one)), one.title});
  fmt::print("{}", table.text());
  return exit_done;
}

void write_told(const std::string& path, const std::string& text) {
  write_text(path, text);
  fmt::print("written to {}\n", printable(path));
}

int problems_asked_for(const ProblemArguments& arguments) {
  if (arguments.json) {
    fmt::print("{}", problems_json());
    return exit_done;
  }
  if (arguments.name.empty()) return list_problems();
  const Problem* one = problem(arguments.name);
  if (!one)
    refuse_unknown({}, fmt::format("unknown problem '{}'", arguments.name), arguments.name, problem_names());
  const auto say = [](const std::string& line) { fmt::print("{}\n", wrapped(line)); };
  say(one->title);
  say("from: " + one->source);
  say(fmt::format("units: {}; to {:g}; {} digits of q and v are certain", one->units, one->end,
                  digits_of(*one)));
  if (!one->note.empty()) say(one->note);
  const std::string base = (fs::path(arguments.folder) / one->name).string();
  for (const char* ending : {".toml", ".json"})
    if (!arguments.overwrite) refuse_overwriting_result(base + ending);
  write_told(base + ".toml", one->text);
  write_told(base + ".json", one->certificate);
  return exit_done;
}

}  // namespace

void add_problems(CLI::App& app, Chosen& chosen) {
  const auto arguments = std::make_shared<ProblemArguments>();
  CLI::App* command =
      app.add_subcommand("problems", "list the certified problems, or write one and its certificate");
  CLI::Option* name =
      command->add_option("NAME", arguments->name, "a problem: NAME.toml and NAME.json are written");
  command
      ->add_option("-o,--output", arguments->folder, "the folder for them (default: the working directory)")
      ->type_name("DIR");
  command->add_flag("--json", arguments->json, "print all of them as JSON")->excludes(name);
  command->add_flag("--force", arguments->overwrite, "replace files that stand there");
  command->footer(
      "Examples:\n"
      "  livens problems\n"
      "  livens problems andrews_squeezer && livens certify andrews_squeezer\n"
      "  livens problems --json > problems.json");
  command->callback(
      [arguments, &chosen] { chosen = [arguments] { return problems_asked_for(*arguments); }; });
}

}  // namespace livens::host
