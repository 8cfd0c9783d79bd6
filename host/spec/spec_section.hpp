#pragma once
// A table of a TOML document that remembers where everything stands, so that every mistake has file, line
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

/// Throws a RequestError where there are mistakes: each once, those of other files first, then in the order of the lines
/// of `file`, the spec.
void refuse_together(std::vector<Mistake> mistakes, const std::string& file);

/// Puts "a.b=value" into a document, the value in TOML; a bare word is a string. Mistakes in the value are of the file
/// "--set". Throws RequestError.
void apply_setting(toml::table& root, const std::string& setting);

class Section {
 public:
  /// `path` is the dotted name of the table, empty for the document; `line` stands in where the table is
  /// absent.
  /// `mistakes` gathers, and outlives the section.
  Section(const toml::table* table, std::string file, std::string path, std::int64_t line,
          std::vector<Mistake>& mistakes);

  /// Does a part of the reading; what is wrong in it is kept, and the rest of the spec read all the same.
  template <class Part>
  void attempt(Part part) const {
    try {
      part();
    } catch (const RequestError& error) {
      mistakes_->insert(mistakes_->end(), error.mistakes.begin(), error.mistakes.end());
    }
  }
  bool sound() const { return mistakes_->empty(); }  ///< nothing wrong so far, anywhere in the spec

  /// A mistake for every key that is not among `known`, with the nearest where one is near.
  void allow(std::span<const std::string> known) const;
  std::vector<std::string> keys() const;
  const std::string& file() const { return file_; }
  bool has(std::string_view key) const;
  bool is_text(std::string_view key) const;
  bool is_array(std::string_view key) const;
  bool is_table(std::string_view key) const;
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
  /// wrong, which is kept as a mistake, here and below.
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
  Place place_of(const toml::source_region& source, std::string key) const;
  const toml::node* node(std::string_view key) const;

  const toml::table* table_;
  std::string file_, path_;
  std::int64_t line_;
  std::vector<Mistake>* mistakes_;
};

}  // namespace livens::host
