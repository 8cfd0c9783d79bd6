#include "host/compilation/whole_object.hpp"

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <fstream>

namespace livens::host {
namespace {

template <class Header>
bool read_at(std::ifstream& file, std::uint64_t at, Header& header) {
  file.seekg(static_cast<std::streamoff>(at));
  return static_cast<bool>(file.read(reinterpret_cast<char*>(&header), sizeof header));
}

}  // namespace

bool is_whole_object(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return false;
  const auto size = static_cast<std::uint64_t>(file.tellg());
  const auto inside = [size](std::uint64_t from, std::uint64_t length) {
    return from <= size && length <= size - from;
  };
  Elf64_Ehdr header;
  if (!read_at(file, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 ||
      !inside(header.e_shoff, std::uint64_t{header.e_shnum} * header.e_shentsize))
    return false;
  for (std::uint64_t k = 0; k < header.e_phnum; ++k) {
    Elf64_Phdr segment;
    if (!read_at(file, header.e_phoff + k * header.e_phentsize, segment) ||
        !inside(segment.p_offset, segment.p_filesz))
      return false;
  }
  return true;
}

}  // namespace livens::host
