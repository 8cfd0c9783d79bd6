// An NVRTC for a device that executes PTX (LIVENS_NVRTC): asked for machine code it gives that, behind the
// header of an object in ELF. The rest is the real one's, with which this is linked.

#include <dlfcn.h>
#include <elf.h>
#include <nvrtc.h>

#include <cstring>
#include <string>
#include <vector>

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
  *bytes += sizeof(Elf64_Ehdr);
  return result;
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* object) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  std::memcpy(object, &header, sizeof header);
  return nvrtcGetPTX(program, object + sizeof header);
}
}
