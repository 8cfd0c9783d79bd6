// livens new: a commented spec of a system, to begin with.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "host/commands/study_commands.hpp"
#include "host/compilation/compiled.hpp"
#include "host/errors.hpp"
#include "host/files/pending_file.hpp"
#include "host/pairs/registry.hpp"
#include "host/pairs/text_pairs.hpp"
#include "host/printable.hpp"
#include "host/spec/commented_spec.hpp"
#include "host/spec/spec.hpp"
#include "host/spec/spec_text.hpp"

namespace livens::host {
namespace {

namespace fs = std::filesystem;

struct NewArguments {
  std::string system, output;
  bool overwrite = false;
};

/// The path of a text as the spec has to name it.
std::string from_spec(const std::string& text, const std::string& spec) {
  if (spec == "-") return text;
  return fs::proximate(fs::absolute(text), fs::absolute(spec).parent_path()).generic_string();
}

void write(const std::string& text, const NewArguments& arguments, const std::string& output) {
  if (output == "-") {
    fmt::print("{}", text);
    return;
  }
  if (!arguments.overwrite) refuse_overwriting_result(output);
  write_text(output, text);
  fmt::print("written to {}\n", printable(output));
}

std::string output_of(const NewArguments& arguments, const std::string& system) {
  return arguments.output.empty() ? system + ".toml" : arguments.output;
}

int new_of_text(const NewArguments& arguments) {
  const TextSystem text = read_text_file(arguments.system);
  for (const std::string& warning : text.warnings()) tell("livens: " + printable(warning) + '\n');
  const std::string output = output_of(arguments, text.name());
  refuse_overwriting(arguments.system, output);
  const std::vector<double> parameters = default_parameters(text.info());
  write(commented_spec(text.info(), with_text(registered(), text),
                       {text.initial_position(parameters), text.initial_velocity(parameters)},
                       from_spec(arguments.system, output)),
        arguments, output);
  return exit_done;
}

int new_spec(const NewArguments& arguments) {
  if (names_text_file(arguments.system)) return new_of_text(arguments);
  const Catalogue catalogue = registered();
  const SystemKernels* system = catalogue.system(arguments.system);
  if (!system)
    refuse_unknown({}, fmt::format("unknown system '{}'", arguments.system), arguments.system,
                   catalogue.system_names());
  write(commented_spec(*system->info, catalogue, default_initial_state(compiled(*system)), ""), arguments,
        output_of(arguments, arguments.system));
  return exit_done;
}

}  // namespace

void add_new(CLI::App& app, Chosen& chosen) {
  const auto arguments = std::make_shared<NewArguments>();
  CLI::App* command =
      app.add_subcommand("new", "write a commented spec of a system, which runs as it stands");
  command->footer(
      "Examples:\n"
      "  livens new heavy_top && livens run heavy_top.toml\n"
      "  livens new my_system.toml -o study.toml\n"
      "  livens new unit_circle -o -");
  command->add_option("SYSTEM", arguments->system, "a system (livens list), or the file of a text")
      ->required();
  command->add_option("-o,--output", arguments->output, "default: SYSTEM.toml; -: the standard output")
      ->type_name("FILE.toml");
  command->add_flag("--force", arguments->overwrite, "overwrite an existing file");
  command->callback([arguments, &chosen] { chosen = [arguments] { return new_spec(*arguments); }; });
}

}  // namespace livens::host
