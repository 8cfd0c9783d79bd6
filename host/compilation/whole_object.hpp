#pragma once
// A shared object, or a module for a GPU, that ends too early: a disk that was full, a linker that was killed. To
// load one ends the program (SIGBUS), and no checksum of what is there tells.

#include <string>

namespace livens::host {

/// True for a file in ELF, 64 bits, that has all of its segments and its table of sections.
bool is_whole_object(const std::string& path);

}  // namespace livens::host
