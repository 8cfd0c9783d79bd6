#include "expressions/mistake.hpp"

namespace livens {

std::string printed(const Mistake& mistake) {
  std::string place = mistake.file;
  if (mistake.line > 0) place += ":" + std::to_string(mistake.line);
  std::string advice;
  if (!mistake.suggestion.empty()) advice = "did you mean '" + mistake.suggestion + "'?";
  if (!mistake.expected.empty()) advice += (advice.empty() ? "expected " : " expected ") + mistake.expected;
  std::string text;
  for (const std::string& part : {place, mistake.key})
    if (!part.empty()) text += part + ": ";
  text += mistake.problem;
  if (!advice.empty()) text += (mistake.problem.empty() ? "" : "; ") + advice;
  if (!mistake.excerpt.empty())
    text += "\n  " + mistake.excerpt + "\n  " + std::string(mistake.caret, ' ') + "^";
  return text;
}

std::string printed(std::span<const Mistake> mistakes) {
  std::string text;
  for (const Mistake& mistake : mistakes) text += (text.empty() ? "" : "\n") + printed(mistake);
  return text;
}

}  // namespace livens
