#include "expressions/tokens.hpp"

#include <charconv>
#include <cmath>

#include "expressions/complaint.hpp"

namespace livens::expressions {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool continues_name(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

Token number_at(std::string_view text, std::size_t at) {
  Token token{Kind::number, at, {}, 0.0};
  const char* const begin = text.data() + at;
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), token.value);
  if (error == std::errc::result_out_of_range || !std::isfinite(token.value))
    throw Slip{at, "number out of range"};
  token.text = text.substr(at, static_cast<std::size_t>(end - begin));
  const std::size_t after = at + token.text.size();
  if (after < text.size() && (continues_name(text[after]) || text[after] == '.'))
    throw Slip{after, "a number ends here", "an operator, as in 2*x"};
  return token;
}

}  // namespace

bool is_name(std::string_view text) {
  if (text.empty() || text.size() > longest_name || !is_letter(text.front())) return false;
  for (const char c : text)
    if (!continues_name(c)) return false;
  return true;
}

bool is_dotted_name(std::string_view text) {
  const std::size_t dot = text.find('.');
  return dot != text.npos && is_name(text.substr(0, dot)) && is_name(text.substr(dot + 1));
}

std::vector<Token> tokens_of(std::string_view text) {
  if (text.size() > longest_expression)
    throw Slip{longest_expression, "longer than " + std::to_string(longest_expression) + " characters"};
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      ++at;
      continue;
    }
    if (is_digit(c) || (c == '.' && at + 1 < text.size() && is_digit(text[at + 1]))) {
      tokens.push_back(number_at(text, at));
    } else if (is_letter(c)) {
      const auto part = [&](std::size_t begin) {
        std::size_t end = begin + 1;
        while (end < text.size() && continues_name(text[end])) ++end;
        if (end - begin > longest_name)
          throw Slip{begin, "a name longer than " + std::to_string(longest_name) + " characters"};
        return end;
      };
      std::size_t end = part(at);
      if (end + 1 < text.size() && text[end] == '.' && is_letter(text[end + 1])) end = part(end + 1);
      const std::size_t length = end - at;
      tokens.push_back({Kind::name, at, text.substr(at, length)});
    } else if (std::string_view("+-*/^()[],'<>").find(c) != std::string_view::npos) {
      const bool is_or_equal = (c == '<' || c == '>') && at + 1 < text.size() && text[at + 1] == '=';
      tokens.push_back({Kind::symbol, at, text.substr(at, is_or_equal ? 2 : 1)});
    } else {
      throw Slip{at, "unexpected character '" + printable(text.substr(at, 1)) + "'"};
    }
    at += tokens.back().text.size();
  }
  tokens.push_back({Kind::end, text.size(), text.substr(text.size())});
  return tokens;
}

}  // namespace livens::expressions
