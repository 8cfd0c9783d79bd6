#pragma once
// What a shell completes behind `livens`: written from the commands and options that the program has.

#include <CLI/CLI.hpp>
#include <string>

namespace livens::host {

/// The shells there is a script for.
inline constexpr const char* shells[] = {"bash", "zsh", "fish"};

/// A script for a shell: commands, their options, words and files. Names of systems and schemes are asked of
/// `livens list` when they are completed, as programs differ in theirs.
std::string completion_script(const CLI::App& app, const std::string& shell);

}  // namespace livens::host
