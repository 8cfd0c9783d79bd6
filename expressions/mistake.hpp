#pragma once
// A mistake as data, from where it is found to where it is shown: what it is about, what is wrong, and what was
// expected in its place.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace livens {

/// Where a value was typed. An option of the command line is a key, "--size", of no file; a value that --set has put
/// into a spec is of the file "--set".
struct Place {
  std::string file = {};  ///< "four.toml", "stdin"
  std::int64_t line = 0;  ///< from 1; 0: the file as a whole
  std::string key = {};   ///< "scheme.step", "constraints[0]"; empty: none
  bool operator==(const Place&) const = default;
};

struct Mistake : Place {
  std::string problem = {};     ///< "-1 is out of range"; empty where it is enough to say what was expected
  std::string expected = {};    ///< what may stand there: "a finite time > 0 (s)"
  std::string suggestion = {};  ///< the name that was probably meant
  std::string excerpt = {};     ///< of an expression the line that is wrong
  std::size_t caret = 0;        ///< the column of the excerpt, from 0, at which it is
  bool operator==(const Mistake&) const = default;
};

/// "file:line: key: problem; did you mean 'suggestion'? expected this or that", and in two lines below it the
/// excerpt with a caret.
std::string printed(const Mistake& mistake);
/// The same of all of them.
std::string printed(std::span<const Mistake> mistakes);

}  // namespace livens
