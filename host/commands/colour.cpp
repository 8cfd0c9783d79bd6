#include "host/commands/colour.hpp"

#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <string_view>

#include "host/errors.hpp"
#include "kernels/description/interface.hpp"

namespace livens::host {
namespace {

constexpr const char *red = "\033[31m", *green = "\033[32m", *plain = "\033[0m";

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

const char* colour_of(std::string_view word) {
  for (const StatusRow& row : status_rows) {
    if (word != row.name) continue;
    if (row.status == Status::ok) return green;
    return is_failure(row.status) ? red : nullptr;
  }
  return nullptr;
}

}  // namespace

bool coloured(std::FILE* stream) {
  return variable("NO_COLOR").empty() && variable("TERM") != "dumb" && isatty(fileno(stream)) == 1;
}

std::string in_red(const std::string& text, std::FILE* stream) {
  return coloured(stream) ? red + text + plain : text;
}

void tell_problem(const std::string& message) { tell(in_red("livens:", stderr) + ' ' + message + '\n'); }

std::string with_coloured_statuses(const std::string& text, std::FILE* stream) {
  if (!coloured(stream)) return text;
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  std::string result, word;
  const auto end_word = [&] {
    const char* colour = colour_of(word);
    result += colour ? colour + word + plain : word;
    word.clear();
  };
  for (const char c : text) {
    if (in_word(c)) {
      word += c;
      continue;
    }
    end_word();
    result += c;
  }
  end_word();
  return result;
}

}  // namespace livens::host
