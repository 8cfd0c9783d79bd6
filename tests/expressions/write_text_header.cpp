// usage: write_text_header TEXT.toml HEADER.hpp NAME
// The header of a text system, with NAME<Scalar> for its class.

#include <fstream>
#include <iostream>
#include <iterator>

#include "expressions/text_system.hpp"

int main(int count, char** arguments) {
  if (count != 4) return 2;
  std::ifstream file(arguments[1]);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  try {
    const livens::TextSystem system = livens::read_text_system(text, arguments[1]);
    std::ofstream header(arguments[2]);
    header << system.header() << "\nnamespace livens::inline LIVENS_ISA {\ntemplate <class Scalar>\nusing "
           << arguments[3] << " = " << system.class_name()
           << "<Scalar>;\n}  // namespace livens::inline LIVENS_ISA\n";
    return header.good() ? 0 : 1;
  } catch (const livens::RequestError& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
