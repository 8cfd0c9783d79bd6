#include "host/commands/help.hpp"

#include "host/page.hpp"

namespace livens::host {
namespace {

constexpr std::size_t meanings = 28;  // column at which what an option does begins

/// A name, and what it does beside or below it.
std::string entry(const std::string& name, const std::string& meaning) {
  std::string line = "  " + name;
  if (line.size() + 2 > meanings) {
    line += '\n' + std::string(meanings, ' ');
  } else {
    line.resize(meanings, ' ');
  }
  return line + wrapped(meaning, meanings, meanings) + '\n';
}

}  // namespace

HelpOnAPage::HelpOnAPage() { column_width(meanings); }

std::string HelpOnAPage::make_description(const CLI::App* app) const {
  return wrapped(CLI::Formatter::make_description(app));
}

std::string HelpOnAPage::make_usage(const CLI::App* app, std::string name) const {
  return wrapped(CLI::Formatter::make_usage(app, std::move(name)), 2);
}

/// What is typed behind a name. Which options exclude each other is said by who gives both.
std::string HelpOnAPage::make_option_opts(const CLI::Option* option) const {
  std::string text;
  // Behind a colon CLI11 says what it checks.
  const std::string type = option->get_type_name();
  if (option->get_type_size() != 0 && !option->get_positional()) text += ' ' + type.substr(0, type.find(':'));
  if (!option->get_default_str().empty()) text += " (" + option->get_default_str() + ")";
  if (option->get_expected_max() == CLI::detail::expected_max_vector_size) text += " ...";
  return option->get_required() ? text + " REQUIRED" : text;
}

std::string HelpOnAPage::make_option(const CLI::Option* option, bool positional) const {
  std::string name = make_option_name(option, positional);
  if (const std::size_t comma = name.find(','); comma != std::string::npos) name.insert(comma + 1, " ");
  return entry(name + make_option_opts(option), make_option_desc(option));
}

std::string HelpOnAPage::make_subcommand(const CLI::App* command) const {
  return entry(command->get_name(), command->get_description());
}

}  // namespace livens::host
