#include "host/spec/overrides.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "host/number_of.hpp"

namespace livens::host {
namespace {

/// For a shell: in single quotes, one of which is '\''.
std::string quoted(const std::string& word) {
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// Words of a line as a shell takes them, as far as text() makes use of it.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  bool inside = false, word = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (!inside && c == ' ') {
      word = false;
      continue;
    }
    if (!word) words.emplace_back();
    word = true;
    if (c == '\'')
      inside = !inside;
    else if (!inside && c == '\\' && i + 1 < line.size())
      words.back() += line[++i];
    else
      words.back() += c;
  }
  return words;
}

template <class T>
T number(const std::string& word) {
  if (const std::optional<T> value = number_of<T>(word); value && *value >= T{}) return *value;
  throw std::invalid_argument("no whole number: " + word);
}

}  // namespace

std::string Overrides::text() const {
  std::string typed;
  if (size) typed += fmt::format(" --size {}", *size);
  if (seed) typed += fmt::format(" --seed {}", *seed);
  if (steps) typed += fmt::format(" --steps {}", *steps);
  for (const std::string& setting : settings) typed += " --set " + quoted(setting);
  return typed.empty() ? typed : typed.substr(1);
}

Overrides Overrides::from_text(const std::string& text) {
  const std::vector<std::string> words = words_of(text);
  if (words.size() % 2 != 0) throw std::invalid_argument("options that cannot be read: " + text);
  Overrides overrides;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const std::string &option = words[i], &value = words[i + 1];
    if (option == "--size")
      overrides.size = number<std::int64_t>(value);
    else if (option == "--seed")
      overrides.seed = number<std::uint64_t>(value);
    else if (option == "--steps")
      overrides.steps = number<std::int64_t>(value);
    else if (option == "--set")
      overrides.settings.push_back(value);
    else
      throw std::invalid_argument("an option that is not known: " + option);
  }
  return overrides;
}

}  // namespace livens::host
