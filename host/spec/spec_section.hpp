#pragma once
// A table of a TOML document that remembers where everything stands, so that every complaint names file, line
// and key. What is wrong is gathered, so that a user hears of all of it at once.

#include <toml++/toml.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "host/errors.hpp"

namespace livens::host {

/// The place where a value was typed: a line of the spec, or an option of the command line.
struct Place {
  std::string where;  ///< "four.toml:12" or "--size"
  std::string key;    ///< "ensemble.size", or empty for an option
  unsigned line = 0;  ///< of the spec; 0: of none
};

/// One line about what is wrong, and the line of the spec that it is about.
struct Problem : RequestError {
  Problem(unsigned at, const std::string& message) : RequestError(message), line(at) {}
  unsigned line;
};
using Problems = std::vector<Problem>;

/// "where: key: problem", on one line whatever the user typed.
std::string line_about(const Place& place, const std::string& problem);
/// Throws that as a Problem.
[[noreturn]] void refuse(const Place& place, const std::string& problem);

/// Throws a RequestError where there are problems: a line for each, in the order of the lines of the spec.
void refuse_together(Problems problems);

/// Puts "a.b=value" into a document, the value in TOML; a bare word is a string. Complaints about the value
/// later name
/// "--set". Throws RequestError.
void apply_setting(toml::table& root, const std::string& setting);

class Section {
 public:
  /// `path` is the dotted name of the table, empty for the document; `line` stands in where the table is
  /// absent.
  /// `problems` gathers, and outlives the section.
  Section(const toml::table* table, std::string file, std::string path, unsigned line, Problems& problems);

  /// Does a part of the reading; a problem in it is kept, and the rest of the spec read all the same.
  template <class Part>
  void attempt(Part part) const {
    try {
      part();
    } catch (const Problem& problem) {
      problems_->push_back(problem);
    }
  }
  bool sound() const { return problems_->empty(); }  ///< no problem so far, anywhere in the spec

  /// A problem for every key that is not among `known`, with the nearest where one is near.
  void allow(std::span<const std::string> known) const;
  std::vector<std::string> keys() const;
  const std::string& file() const { return file_; }
  bool has(std::string_view key) const;
  /// Place of a key; of the table where the key is absent.
  Place place(std::string_view key) const;

  /// The value of a key, nothing when it is absent; another type is refused, with what it seems to mean.
  std::optional<double> number(std::string_view key) const;
  std::optional<std::int64_t> integer(std::string_view key) const;
  std::optional<std::string> text(std::string_view key) const;
  std::optional<bool> truth(std::string_view key) const;
  /// An array of numbers; values that are not finite only where asked for. `count`: how many are expected,
  /// for the message where it is no array; 0: any number.
  std::optional<std::vector<double>> numbers(std::string_view key, bool finite = true, int count = 0) const;
  /// An array of texts; empty when it is absent.
  std::vector<std::string> texts(std::string_view key) const;
  /// An array of integers; empty when it is absent.
  std::vector<std::int64_t> integers(std::string_view key) const;
  /// A table, empty when it is absent.
  Section section(std::string_view key) const;
  /// The table itself, null when it is absent.
  const toml::table* table(std::string_view key) const;
  std::vector<Section> sections(std::string_view key) const;
  /// An array of texts and tables, in order; empty when it is absent.
  std::vector<std::variant<std::string, Section>> texts_and_sections(std::string_view key) const;

  /// number() and integer() within bounds that `expected` puts in words; `otherwise` stands in for what is
  /// wrong, which is kept as a problem, here and below.
  double number_or(std::string_view key, double otherwise, bool (*valid)(double), const char* expected) const;
  std::int64_t integer_or(std::string_view key, std::int64_t otherwise, std::int64_t low,
                          std::int64_t high) const;

  /// One of a few words, each with its meaning.
  template <class Meaning>
  Meaning choice(std::string_view key, Meaning otherwise,
                 std::span<const std::pair<const char*, Meaning>> words) const {
    Meaning chosen = otherwise;
    attempt([&] {
      const std::optional<std::string> typed = text(key);
      if (!typed) return;
      std::vector<std::string> names;
      for (const auto& [name, meaning] : words) {
        chosen = meaning;
        if (*typed == name) return;
        names.emplace_back(name);
      }
      chosen = otherwise;
      refuse_word(key, *typed, names);
    });
    return chosen;
  }

 private:
  [[noreturn]] void refuse_word(std::string_view key, const std::string& typed,
                                std::span<const std::string> names) const;
  /// `hint`: what the value seems to mean, behind "expected ...".
  [[noreturn]] void wrong_type(std::string_view key, const char* expected,
                               const std::string& hint = {}) const;
  std::string dotted(std::string_view key) const;
  const toml::node* node(std::string_view key) const;

  const toml::table* table_;
  std::string file_, path_;
  unsigned line_;
  Problems* problems_;
};

}  // namespace livens::host
