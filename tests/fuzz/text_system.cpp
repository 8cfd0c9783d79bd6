// Any text as a system: it is refused with a message, or becomes a header in which there is no character of
// its own choosing, and an identity that reads back as the same system.

#include <cstdint>
#include <stdexcept>
#include <string>

#include "expressions/text_system.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace livens;
  try {
    const TextSystem system =
        read_text_system(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.toml");
    for (const char c : system.header())
      if ((c < ' ' || c > '~') && c != '\n') throw std::logic_error("a header that is not ASCII");
    const TextSystem again = read_text_system(system.identity(), "identity.toml");
    if (again.header() != system.header() || again.identity() != system.identity())
      throw std::logic_error("an identity of another system");
  } catch (const RequestError& error) {
    Mistake mistake = error.mistakes.front();
    mistake.excerpt.clear();  // two lines more, with a caret
    if (printed(mistake).find('\n') != std::string::npos) throw std::logic_error("more than one line");
  }
  return 0;
}
