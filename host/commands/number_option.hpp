#pragma once
// Options whose value is a number: what is checked is what is taken. CLI11 reads 010 as eight and -1 as 2^64
// - 1, and its numbers with a point depend on the locale.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <limits>
#include <optional>
#include <string>

#include "host/number_of.hpp"

namespace livens::host {

constexpr int most_threads = 4096;

/// A whole number from `low` to `high`.
template <class T, class Target>
CLI::Option* add_whole_number(CLI::App* command, const char* name, Target& target, const char* what,
                              T low = 0, T high = std::numeric_limits<T>::max()) {
  const auto problem = [low, high](const std::string& typed) {
    const std::optional<T> value = number_of<T>(typed);
    if (value && *value >= low && *value <= high) return std::string();
    return fmt::format("'{}' is not a number this option takes; expected an integer from {} to {}", typed,
                       low, high);
  };
  return command
      ->add_option_function<std::string>(
          name, [&target](const std::string& typed) { target = *number_of<T>(typed); }, what)
      ->check(problem);
}

/// A number from `low` to `high`.
template <class Target>
CLI::Option* add_number(CLI::App* command, const char* name, Target& target, const char* what, double low,
                        double high) {
  const auto read = [low, high](const std::string& typed) -> std::optional<double> {
    const std::optional<double> value = number_of<double>(typed);
    return value && *value >= low && *value <= high ? value : std::nullopt;
  };
  const auto problem = [read, low, high](const std::string& typed) {
    if (read(typed)) return std::string();
    return fmt::format("'{}' is not a number this option takes; expected one from {} to {}", typed, low,
                       high);
  };
  return command
      ->add_option_function<std::string>(
          name, [&target, read](const std::string& typed) { target = *read(typed); }, what)
      ->check(problem);
}

}  // namespace livens::host
