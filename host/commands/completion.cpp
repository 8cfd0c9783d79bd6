#include "host/commands/completion.hpp"

#include <fmt/format.h>

#include <sstream>
#include <vector>

namespace livens::host {
namespace {

/// What may stand behind an option, or as an argument of a command.
enum class Offer { nothing, anything, file, directory, system, scheme, word };

struct CompletedWord {
  std::vector<std::string> names;  // "-o", "--output"; of an argument its place-holder
  std::string meaning;
  Offer kind = Offer::nothing;
  bool pair = false;               // two words behind it
  std::string ending;              // of a file, ".toml"; empty: any
  std::vector<std::string> words;  // of Offer::word
};

struct CompletedCommand {
  std::string name, meaning;
  std::vector<CompletedWord> options, arguments;
};

/// "{cpu,cuda}" of a check that takes some words.
std::vector<std::string> words_of(const CLI::Option& option) {
  std::string type = option.get_type_name();
  const std::size_t open = type.find('{'), close = type.find('}');
  std::vector<std::string> words;
  if (open == std::string::npos || close == std::string::npos) return words;
  std::istringstream list(type.substr(open + 1, close - open - 1));
  for (std::string word; std::getline(list, word, ',');) words.push_back(word);
  return words;
}

/// By the place-holders of the help: FILE.h5, SPEC.toml, DIR, SYSTEM, SCHEME, NAME.
CompletedWord completed(const CLI::Option& option) {
  CompletedWord one;
  one.meaning = option.get_description();
  std::string place = option.get_type_name();
  if (option.get_positional()) {
    one.names = {option.get_name(true)};
    place = one.names.front();
  } else {
    for (const std::string& name : option.get_snames()) one.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) one.names.push_back("--" + name);
    if (option.get_type_size() == 0) return one;
    one.pair = option.get_expected_min() == 2;
  }
  one.words = words_of(option);
  const auto has = [&](const char* text) { return place.find(text) != std::string::npos; };
  if (!one.words.empty()) {
    one.kind = Offer::word;
  } else if (has(".toml") || has(".h5")) {
    one.kind = Offer::file;
    one.ending = has(".toml") ? ".toml" : ".h5";
  } else if (has("FILE")) {
    one.kind = Offer::file;
  } else if (has("DIR")) {
    one.kind = Offer::directory;
  } else if (has("SYSTEM") || (option.get_positional() && has("NAME"))) {
    one.kind = Offer::system;
  } else if (has("SCHEME")) {
    one.kind = Offer::scheme;
  } else {
    one.kind = Offer::anything;
  }
  return one;
}

std::vector<CompletedCommand> commands_of(const CLI::App& app) {
  std::vector<CompletedCommand> commands;
  for (const CLI::App* one : app.get_subcommands({})) {
    CompletedCommand& command =
        commands.emplace_back(CompletedCommand{one->get_name(), one->get_description(), {}, {}});
    for (const CLI::Option* option : one->get_options())
      (option->get_positional() ? command.arguments : command.options).push_back(completed(*option));
  }
  return commands;
}

/// For single quotes of a shell.
std::string in_quotes(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') result += "'\\'";
    result += c;
  }
  return result + "'";
}

/// The call that offers it.
std::string for_bash(const CompletedWord& one) {
  switch (one.kind) {
    case Offer::file:
      return fmt::format("_livens_files {}", in_quotes(one.ending));
    case Offer::directory:
      return "_livens_files /";
    case Offer::system:
    case Offer::scheme:
      return "_livens_words \"$(livens list --names 2>/dev/null)\"";
    case Offer::word:
      return fmt::format("_livens_words {}", in_quotes(fmt::format("{}", fmt::join(one.words, " "))));
    case Offer::anything:
    case Offer::nothing:
      break;
  }
  return ":";
}

std::string bash(const std::vector<CompletedCommand>& commands) {
  std::string names, cases;
  for (const CompletedCommand& command : commands) {
    names += (names.empty() ? "" : " ") + command.name;
    std::string options, behind, second;
    for (const CompletedWord& option : command.options) {
      options += fmt::format("{}{}", options.empty() ? "" : " ", fmt::join(option.names, " "));
      if (option.kind == Offer::nothing) continue;
      const std::string offer =
          fmt::format("        {}) {}; return ;;\n", fmt::join(option.names, "|"), for_bash(option));
      behind += offer;
      if (option.pair) second += offer;
    }
    if (!second.empty())
      behind += fmt::format("      esac\n      case ${{COMP_WORDS[COMP_CWORD-2]}} in\n{}", second);
    const std::string argument = command.arguments.empty() ? ":" : for_bash(command.arguments.front());
    cases += fmt::format("    {})\n      case $before in\n{}      esac\n      options={}\n      {} ;;\n",
                         command.name, behind, in_quotes(options), argument);
  }
  return fmt::format(R"script(# Completion of livens in bash, written by `livens completion bash`.
_livens_words() {{ COMPREPLY=($(compgen -W "$1" -- "$word")); }}
# Files with an ending, and the directories on the way; "/": these alone.
_livens_files() {{
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -d -- "$word"))
  [[ $1 == / ]] || COMPREPLY+=($(compgen -f -X "!*$1" -- "$word"))
}}
_livens() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} options=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _livens_words '{} --help --version'
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
  [[ $word == -* ]] && _livens_words "$options"
}}
complete -F _livens livens
)script",
                     names, cases);
}

/// Of the part of an argument of _arguments behind its name.
std::string for_zsh(const CompletedWord& one) {
  switch (one.kind) {
    case Offer::file:
      return one.ending.empty() ? ":file:_files" : fmt::format(":file:_files -g \"*{}\"", one.ending);
    case Offer::directory:
      return ":directory:_files -/";
    case Offer::system:
    case Offer::scheme:
      return ":name:_livens_names";
    case Offer::word:
      return fmt::format(":word:({})", fmt::join(one.words, " "));
    case Offer::anything:
      return ":value: ";
    case Offer::nothing:
      break;
  }
  return {};
}

/// What _arguments and _describe would take for their own is escaped.
std::string meaning_in_zsh(const std::string& meaning) {
  std::string result;
  for (const char c : meaning) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh(const std::vector<CompletedCommand>& commands) {
  std::string names, cases;
  for (const CompletedCommand& command : commands) {
    names += "    " + in_quotes(command.name + ":" + meaning_in_zsh(command.meaning)) + "\n";
    cases += fmt::format("    {})\n      _arguments", command.name);
    for (const CompletedWord& option : command.options)
      for (const std::string& name : option.names)
        cases += " \\\n        " +
                 in_quotes(fmt::format("{}[{}]{}", name, meaning_in_zsh(option.meaning), for_zsh(option)));
    for (const CompletedWord& argument : command.arguments)
      cases += " \\\n        " + in_quotes("*" + for_zsh(argument));
    cases += " ;;\n";
  }
  return fmt::format(R"script(#compdef livens
# Completion of livens in zsh, written by `livens completion zsh`.
_livens_names() {{ local -a found; found=(${{(f)"$(livens list --names 2>/dev/null)"}}); compadd -a found; _files -g "*.toml" }}
_livens() {{
  local -a commands
  commands=(
{}  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
{}  esac
}}
_livens "$@"
)script",
                     names, cases);
}

std::string for_fish(const CompletedWord& one) {
  switch (one.kind) {
    case Offer::file:
      return one.ending.empty() ? "-F" : fmt::format("-xa '(__fish_complete_suffix {})'", one.ending);
    case Offer::directory:
      return "-xa '(__fish_complete_directories)'";
    case Offer::system:
    case Offer::scheme:
      return "-xa '(livens list --names 2>/dev/null)'";
    case Offer::word:
      return fmt::format("-xa {}", in_quotes(fmt::format("{}", fmt::join(one.words, " "))));
    case Offer::anything:
      return "-x";
    case Offer::nothing:
      break;
  }
  return {};
}

std::string fish(const std::vector<CompletedCommand>& commands) {
  std::string text =
      "# Completion of livens in fish, written by `livens completion fish`.\ncomplete -c livens -f\n";
  for (const CompletedCommand& command : commands) {
    text += fmt::format("complete -c livens -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        in_quotes(command.meaning));
    const std::string here =
        fmt::format("complete -c livens -n '__fish_seen_subcommand_from {}'", command.name);
    for (const CompletedWord& option : command.options) {
      std::string names;
      for (const std::string& name : option.names)
        names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      text += fmt::format("{}{} -d {} {}\n", here, names, in_quotes(option.meaning), for_fish(option));
    }
    for (const CompletedWord& argument : command.arguments)
      if (argument.kind != Offer::anything) text += fmt::format("{} {}\n", here, for_fish(argument));
  }
  return text;
}

}  // namespace

std::string completion_script(const CLI::App& app, const std::string& shell) {
  const std::vector<CompletedCommand> commands = commands_of(app);
  return shell == "bash" ? bash(commands) : shell == "zsh" ? zsh(commands) : fish(commands);
}

}  // namespace livens::host
