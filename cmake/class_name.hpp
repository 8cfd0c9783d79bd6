#pragma once
// The class of a system or a scheme by the name of its file: four_particle, FourParticle.

#include <cctype>
#include <string>

inline std::string class_name(const std::string& name) {
  std::string result;
  for (std::size_t i = 0; i < name.size(); ++i)
    if (name[i] != '_')
      result += static_cast<char>(i == 0 || name[i - 1] == '_' ? std::toupper(name[i]) : name[i]);
  return result;
}
