#include "host/printable.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace livens::host {
namespace {

/// The character that a text begins with.
struct Character {
  std::uint32_t code;
  std::size_t bytes;  ///< 0: no UTF-8
};

/// UTF-8 as of RFC 3629, section 4: shortest form, no surrogates, nothing beyond U+10FFFF.
Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {0, 0};
  std::uint32_t code = lead & (0xffu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {0, 0};
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return code < least[bytes] || code > 0x10ffff || surrogate ? Character{0, 0} : Character{code, bytes};
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const auto [code, bytes] = first_of(text);
    const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    if (bytes > 0 && !control)
      shown += text.substr(0, bytes);
    else if (bytes == 2)
      shown += fmt::format("\\u{:04x}", static_cast<unsigned>(code));
    else if (bytes == 1 && code == '\n')
      shown += "\\n";
    else if (bytes == 1 && code == '\t')
      shown += "\\t";
    else
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return shown;
}

std::string shortened(std::string line) {
  // Twice the longest path of Linux, of which every byte may be an escape of four.
  constexpr std::size_t front = 20000, back = 4000, room = 1000;
  if (line.size() <= front + back + room) return line;
  const auto boundary = [&](std::size_t at) {
    while ((static_cast<unsigned char>(line[at]) & 0xc0) == 0x80) --at;
    return at;
  };
  const std::size_t first = boundary(front), last = boundary(line.size() - back);
  return fmt::format("{} [{} more bytes] {}", line.substr(0, first), last - first, line.substr(last));
}

}  // namespace livens::host
