// Any text as a spec: it becomes a request or is refused, with one line for each mistake.

#include <cstdint>
#include <stdexcept>
#include <string>

#include "host/complaint.hpp"
#include "host/spec/spec.hpp"
#include "tests/host/toy_registry.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace livens::host;
  static const Catalogue catalogue = toy_catalogue();
  // Bytes after the first zero byte are a setting of the command line.
  std::string text(reinterpret_cast<const char*>(data), size), setting;
  Overrides overrides;
  if (const std::size_t zero = text.find('\0'); zero != std::string::npos) {
    overrides.settings.push_back(text.substr(zero + 1));
    text.resize(zero);
  }
  try {
    parse_spec(text, "fuzz.toml", catalogue, overrides);
  } catch (const livens::RequestError&) {
    for (livens::Mistake mistake : complaint_about(std::current_exception()).mistakes) {
      mistake.excerpt.clear();  // of a text or an expression: two lines more, with a caret
      if (livens::printed(mistake).find('\n') != std::string::npos)
        throw std::logic_error("more than one line");
    }
  }
  return 0;
}
