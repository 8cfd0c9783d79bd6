#pragma once
// Options of schemes: the keys of [scheme] that only some schemes know. A scheme's description lists its own,
// each a number or one of a few words. The spec reader, `livens show`, the reference and the laws go by these
// lists; nothing else knows an option by its name.

#include <cstddef>
#include <span>
#include <type_traits>

namespace livens {

/// Options that one scheme can have.
inline constexpr int max_options = 4;

/// Standard value of an option that follows from the system where it is not given.
inline constexpr double of_system = -1.0;

/// One option, as the run-time world sees it. Values are doubles: a word's is its number in `words`.
struct SchemeOption {
  const char* name;     ///< key in [scheme]
  int place;            ///< in the scheme's list, and so in Settings::options
  const char* meaning;  ///< one line
  double standard;      ///< where it is not given
  /// A number: the values that make sense, in words. A word: what follows from which system, for `of_system`.
  const char* expected = nullptr;
  bool (*accepts)(double) = nullptr;        ///< a number: whether it makes sense
  std::span<const char* const> words = {};  ///< a word: what it may be
  bool is_word() const { return !words.empty(); }
};

/// An option that is a number, and one that is a word: Word is an enumeration in the order of `words`.
struct NumberOption : SchemeOption {
  using Value = double;
};
template <class Word>
struct WordOption : SchemeOption {
  using Value = Word;
};

/// The options of a scheme. A list whose places are not 0, 1, ..., or that is too long, does not compile.
class OptionList {
 public:
  constexpr OptionList() = default;
  template <std::size_t N>
  consteval OptionList(const SchemeOption (&list)[N]) : options_(list) {
    if (N > max_options) refuse("more options than Settings has room for: raise max_options");
    for (std::size_t i = 0; i < N; ++i)
      if (list[i].place != static_cast<int>(i)) refuse("the place of an option is its number in the list");
  }
  constexpr auto begin() const { return options_.begin(); }
  constexpr auto end() const { return options_.end(); }

 private:
  /// No constant expression, so that a call does not compile. A throw would not be device code either.
  static void refuse(const char*) {}

  std::span<const SchemeOption> options_;
};

}  // namespace livens
