#pragma once
// How --help looks: within the width of a page, examples last.

#include <CLI/CLI.hpp>

namespace livens::host {

/// CLI11 breaks no line.
class HelpOnAPage : public CLI::Formatter {
 public:
  HelpOnAPage();
  std::string make_description(const CLI::App* app) const override;
  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option(const CLI::Option* option, bool positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
};

}  // namespace livens::host
