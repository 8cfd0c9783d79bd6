#include "host/compilation/nvrtc.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

#include "host/compilation/called_program.hpp"
#include "host/errors.hpp"
#include "host/files/pending_file.hpp"

namespace livens::host {
namespace {

namespace fs = std::filesystem;

/// Standard headers that kernels include; all of them are the one of names that kernels use.
constexpr const char* standard_headers[] = {
    "algorithm", "array",  "bit", "cmath", "concepts",    "cstddef",     "cstdint", "cstring",
    "iterator",  "limits", "new", "span",  "string_view", "type_traits", "utility", "initializer_list"};
constexpr const char* names_of_standard = "#include \"kernels/backends/cuda/nvrtc_std.hpp\"\n";

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// The functions of the library, whose names are part of its interface. A result is 0 where all is well.
struct Nvrtc {
  void* library = nullptr;
  int (*nvrtcVersion)(int*, int*) = nullptr;
  int (*nvrtcGetNumSupportedArchs)(int*) = nullptr;
  int (*nvrtcGetSupportedArchs)(int*) = nullptr;
  int (*nvrtcCreateProgram)(void**, const char* source, const char* name, int headers,
                            const char* const* texts, const char* const* names) = nullptr;
  int (*nvrtcCompileProgram)(void*, int options, const char* const*) = nullptr;
  int (*nvrtcGetProgramLogSize)(void*, std::size_t*) = nullptr;
  int (*nvrtcGetProgramLog)(void*, char*) = nullptr;
  int (*nvrtcGetCUBINSize)(void*, std::size_t*) = nullptr;
  int (*nvrtcGetCUBIN)(void*, char*) = nullptr;
  int (*nvrtcDestroyProgram)(void**) = nullptr;

  /// True for a library that is there and has all of them. It stays open.
  bool open(const std::string& path) {
    library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    const auto find = [this](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      return function != nullptr;
    };
#define LIVENS_FIND(function) find(function, #function)
    return LIVENS_FIND(nvrtcVersion) && LIVENS_FIND(nvrtcGetNumSupportedArchs) &&
           LIVENS_FIND(nvrtcGetSupportedArchs) && LIVENS_FIND(nvrtcCreateProgram) &&
           LIVENS_FIND(nvrtcCompileProgram) && LIVENS_FIND(nvrtcGetProgramLogSize) &&
           LIVENS_FIND(nvrtcGetProgramLog) && LIVENS_FIND(nvrtcGetCUBINSize) && LIVENS_FIND(nvrtcGetCUBIN) &&
           LIVENS_FIND(nvrtcDestroyProgram);
#undef LIVENS_FIND
  }
  std::string name() const {
    int major = 0, minor = 0;
    nvrtcVersion(&major, &minor);
    Dl_info where{};
    dladdr(reinterpret_cast<const void*>(nvrtcVersion), &where);
    return fmt::format("{} (NVRTC {}.{})", where.dli_fname ? where.dli_fname : "", major, minor);
  }
  std::vector<int> architectures() const {
    int count = 0;
    nvrtcGetNumSupportedArchs(&count);
    std::vector<int> all(static_cast<std::size_t>(count));
    nvrtcGetSupportedArchs(all.data());
    return all;
  }
};

/// A program of NVRTC, as long as it is needed.
struct NvrtcProgram {
  const Nvrtc& nvrtc;
  void* program = nullptr;
  ~NvrtcProgram() {
    if (program) nvrtc.nvrtcDestroyProgram(&program);
  }
  std::string read(int (*size_of)(void*, std::size_t*), int (*get)(void*, char*)) const {
    std::size_t size = 0;
    if (size_of(program, &size) != 0) return {};
    std::string text(size, '\0');
    return get(program, text.data()) == 0 ? text : std::string();
  }
};

class NvrtcCompiler : public Compiler {
 public:
  explicit NvrtcCompiler(const Nvrtc& nvrtc) : nvrtc_(nvrtc) {}

  std::string name() const override { return nvrtc_.name(); }
  bool compile(const TranslationUnit& unit, const KernelHeaders& headers,
               const fs::path& directory) const override {
    std::map<std::string, std::string> texts;
    for (const char* header : standard_headers) texts[header] = names_of_standard;
    for (const std::string& path : kernel_header_paths(headers))
      texts[path] = as_nvrtc_reads(kernel_file(headers, path));
    texts[own_header] = as_nvrtc_reads(unit.system_header);
    std::vector<const char*> names, contents, options;
    for (const auto& [name, text] : texts) {
      names.push_back(name.c_str());
      contents.push_back(text.c_str());
    }
    const std::vector<std::string> flags = nvrtc_flags(unit.architecture);
    for (const std::string& flag : flags) options.push_back(flag.c_str());
    NvrtcProgram of{nvrtc_};
    const bool done =
        nvrtc_.nvrtcCreateProgram(&of.program, unit.source.c_str(), unit.source_name(),
                                  static_cast<int>(names.size()), contents.data(), names.data()) == 0 &&
        nvrtc_.nvrtcCompileProgram(of.program, static_cast<int>(options.size()), options.data()) == 0;
    write_text(directory / "compiler.log", of.read(nvrtc_.nvrtcGetProgramLogSize, nvrtc_.nvrtcGetProgramLog));
    const std::string object = done ? of.read(nvrtc_.nvrtcGetCUBINSize, nvrtc_.nvrtcGetCUBIN) : std::string();
    if (!object.empty()) write_text(directory / unit.object_name(), object);
    return !object.empty();
  }

 private:
  const Nvrtc& nvrtc_;
};

/// Those of Python's package nvidia-cuda-nvrtc, where there is one.
std::vector<std::string> of_python() {
  const std::string python = find_program("python3");
  if (python.empty()) return {};
  std::istringstream found(output_of({python, "-I", "-c",
                                      "import glob, sys\n"
                                      "for folder in sys.path:\n"
                                      "    for path in glob.glob(folder + '/nvidia/*/lib/libnvrtc.so.1?'):\n"
                                      "        print(path)"}));
  std::vector<std::string> paths;
  for (std::string path; std::getline(found, path);) paths.push_back(path);
  return paths;
}

/// The library that is found first, opened once; null where there is none.
const Nvrtc* opened() {
  static const Nvrtc* const found = []() -> const Nvrtc* {
    static Nvrtc nvrtc;
    if (const char* chosen = std::getenv("LIVENS_NVRTC")) {
      if (!*chosen) return nullptr;
      if (*chosen == '/' && nvrtc.open(chosen)) return &nvrtc;
      refuse({}, fmt::format("LIVENS_NVRTC is '{}', which is no NVRTC that can be opened", chosen),
             "the path of a libnvrtc.so from / on, or nothing between the quotes to compile with nvcc");
    }
    std::vector<std::string> directories = {""};  // where the loader looks by itself
    for (const std::string& toolkit : cuda_toolkits()) directories.push_back(toolkit + "/lib64/");
    for (const std::string& directory : directories)
      for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"})
        if (nvrtc.open(directory + name)) return &nvrtc;
    for (const std::string& path : of_python())
      if (nvrtc.open(path)) return &nvrtc;
    return nullptr;
  }();
  return found;
}

}  // namespace

std::vector<std::string> cuda_toolkits() {
  std::vector<std::string> all;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* home = std::getenv(variable); home && *home == '/') all.push_back(home);
  all.push_back("/usr/local/cuda");
  return all;
}

std::string as_nvrtc_reads(const std::string& text) {
  constexpr std::string_view parameter = "auto ", member = ".value";
  std::set<std::string, std::less<>> names;
  for (std::size_t at = 0; (at = text.find(parameter, at)) != std::string::npos;) {
    const std::size_t first = at += parameter.size();
    while (at < text.size() && in_word(text[at])) ++at;
    if (at < text.size() && (text[at] == ',' || text[at] == ')'))
      names.insert(text.substr(first, at - first));
  }
  std::string read;
  std::size_t copied = 0;
  for (std::size_t at = 0; (at = text.find(member, at)) != std::string::npos; at += member.size()) {
    std::size_t first = at;
    while (first > 0 && in_word(text[first - 1])) --first;
    const std::size_t behind = at + member.size();
    const bool whole =
        (behind == text.size() || !in_word(text[behind])) && (first == 0 || text[first - 1] != '.');
    const std::string name = text.substr(first, at - first);
    if (!whole || !names.contains(name)) continue;
    read += text.substr(copied, first - copied) + "(decltype(" + name + ")::value)";
    copied = behind;
  }
  return read + text.substr(copied);
}

std::vector<std::string> module_flags(int architecture) {
  return {"-std=c++20", fmt::format("-arch=sm_{}", architecture),
          // Fusion is written out, which is what makes results equal to the bit on every machine.
          "--fmad=false", "-DNDEBUG", "-diag-suppress=128",
          // The symbolic factorization of many unknowns takes more steps than a constant expression has by
          // default.
          "-Xcudafe=--max_cost_constexpr_call=100000000"};
}

std::vector<std::string> nvrtc_flags(int architecture) {
  std::vector<std::string> flags = module_flags(architecture);
  flags.push_back("-default-device");
  return flags;
}

std::unique_ptr<Compiler> find_nvrtc(int architecture) {
  const Nvrtc* const nvrtc = opened();
  if (!nvrtc) return nullptr;
  const std::vector<int> known = nvrtc->architectures();
  if (std::ranges::find(known, architecture) == known.end())
    refuse({},
           fmt::format("{} does not compile for compute capability {}.{}", nvrtc->name(), architecture / 10,
                       architecture % 10),
           fmt::format("one of {}", fmt::join(known, ", ")));
  return std::make_unique<NvrtcCompiler>(*nvrtc);
}

}  // namespace livens::host
