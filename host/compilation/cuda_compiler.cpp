// The compiler of a unit for a GPU: NVRTC, else nvcc.

#include <fmt/format.h>

#include "host/compilation/called_program.hpp"
#include "host/compilation/nvrtc.hpp"
#include "host/errors.hpp"

namespace livens::host {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> nvcc_flags(int architecture) {
  std::vector<std::string> flags = module_flags(architecture);
  for (const char* flag : {"-cubin", "-O3", "-Xcompiler=-ffp-contract=off", "--expt-relaxed-constexpr",
                           "-Werror=cross-execution-space-call"})
    flags.push_back(flag);
  return flags;
}

class Nvcc : public Compiler {
 public:
  Nvcc(std::string path, std::string version) : path_(std::move(path)), version_(std::move(version)) {}

  std::string name() const override { return fmt::format("{} ({})", path_, version_); }
  bool compile(const TranslationUnit& unit, const KernelHeaders& headers,
               const fs::path& directory) const override {
    std::vector<std::string> command = {path_};
    for (const std::string& flag : nvcc_flags(unit.architecture)) command.push_back(flag);
    for (const std::string& word :
         {"-I" + headers.root.string(), "-I" + directory.string(), std::string("-o"),
          (directory / unit.object_name()).string(), (directory / unit.source_name()).string()})
      command.push_back(word);
    return call(std::move(command), directory, directory / "compiler.log") == 0;
  }

 private:
  std::string path_, version_;
};

std::unique_ptr<Compiler> find_nvcc(int architecture) {
  std::vector<std::string> places = {"nvcc"};
  for (const std::string& toolkit : cuda_toolkits()) places.push_back(toolkit + "/bin/nvcc");
  for (const std::string& place : places) {
    const std::string path = find_program(place);
    if (path.empty()) continue;
    const std::string version = output_of({path, "--version"});
    const std::size_t release = version.find("release ");
    if (release == std::string::npos) continue;
    const std::string known = output_of({path, "--list-gpu-code"});
    if (("\n" + known).find(fmt::format("\nsm_{}\n", architecture)) == std::string::npos)
      refuse({}, fmt::format("{} does not compile for compute capability {}.{}", path, architecture / 10,
                             architecture % 10));
    return std::make_unique<Nvcc>(path, version.substr(release, version.find('\n', release) - release));
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<Compiler> find_cuda_compiler(int architecture) {
  if (auto nvrtc = find_nvrtc(architecture)) return nvrtc;
  return find_nvcc(architecture);
}

std::string cuda_flags(int architecture) {
  return fmt::format("{}\n{}", fmt::join(nvrtc_flags(architecture), " "),
                     fmt::join(nvcc_flags(architecture), " "));
}

}  // namespace livens::host
