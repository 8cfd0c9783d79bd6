#include "tests/digests/digests.hpp"

#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace livens::selftest {

Digests read_digests(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error(path + ": cannot be read");
  Digests digests;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line == "{" || line == "}") continue;
    char name[200];
    unsigned long long value;
    if (std::sscanf(line.c_str(), " \"%199[^\"]\": \"%llx\"", name, &value) != 2)
      throw std::runtime_error(path + ":" + std::to_string(number) + ": not a digest: " + line);
    digests[name] = value;
  }
  return digests;
}

void write_digests(const std::string& path, const Digests& digests) {
  std::ofstream out(path);
  out << "{";
  const char* separator = "\n";
  for (const auto& [name, value] : digests) {
    char text[20];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
    out << separator << "  \"" << name << "\": \"" << text << '"';
    separator = ",\n";
  }
  out << "\n}\n";
  if (!out.flush()) throw std::runtime_error(path + ": cannot be written");
}

}  // namespace livens::selftest
