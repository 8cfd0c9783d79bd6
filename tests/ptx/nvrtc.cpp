// An NVRTC for a device that executes PTX (LIVENS_NVRTC): asked for machine code it gives that, as the one
// segment of an object in ELF. The rest is the real one's, with which this is linked.

#include <dlfcn.h>
#include <elf.h>
#include <nvrtc.h>

#include <cstring>
#include <string>
#include <vector>

namespace {
struct Headers {
  Elf64_Ehdr file{};
  Elf64_Phdr segment{};
};
}  // namespace

extern "C" {

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char* const* options) {
  std::vector<std::string> changed(options, options + count);
  std::vector<const char*> pointers;
  for (std::string& option : changed) {
    if (const auto at = option.find("=sm_"); at != std::string::npos) option.replace(at, 4, "=compute_");
    pointers.push_back(option.c_str());
  }
  const auto real = reinterpret_cast<decltype(&nvrtcCompileProgram)>(dlsym(RTLD_NEXT, "nvrtcCompileProgram"));
  return real(program, count, pointers.data());
}
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t* bytes) {
  const nvrtcResult result = nvrtcGetPTXSize(program, bytes);
  *bytes += sizeof(Headers);
  return result;
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* object) {
  Headers headers;
  std::memcpy(headers.file.e_ident, ELFMAG, SELFMAG);
  headers.file.e_ident[EI_CLASS] = ELFCLASS64;
  headers.file.e_phoff = headers.file.e_ehsize = sizeof headers.file;
  headers.file.e_phentsize = sizeof headers.segment;
  headers.file.e_phnum = 1;
  headers.segment.p_offset = sizeof headers;
  const nvrtcResult result = nvrtcGetPTXSize(program, &headers.segment.p_filesz);
  std::memcpy(object, &headers, sizeof headers);
  return result != NVRTC_SUCCESS ? result : nvrtcGetPTX(program, object + sizeof headers);
}
}
