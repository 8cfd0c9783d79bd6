// usage: write_header TEXT.toml HEADER.hpp NAME [BESIDE.hpp]
// The header of a system of livens that is a text. CMake compiles this and expressions/ as one source, and runs it while it
// configures (livens_kernels.cmake).

#include <fstream>
#include <iostream>
#include <iterator>

#include "cmake/class_name.hpp"
#include "expressions/text_system.hpp"

int main(int count, char** arguments) {
  if (count < 4 || count > 5) return 2;
  std::ifstream file(arguments[1]);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  try {
    const livens::TextSystem system = livens::read_text_system(text, arguments[1]);
    std::ofstream header(arguments[2]);
    header << system.built_in_header(arguments[3], class_name(arguments[3]), count > 4 ? arguments[4] : "");
    return header.good() ? 0 : 1;
  } catch (const livens::RequestError& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
