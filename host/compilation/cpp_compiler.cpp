#include <fmt/format.h>

#include <cstdlib>

#include "host/compilation/called_program.hpp"
#include "host/compilation/compiler.hpp"
#include "host/errors.hpp"

namespace livens::host {
namespace {

namespace fs = std::filesystem;

/// The flags of the kernel units that are built with the program.
std::vector<std::string> kernel_flags(bool gnu, const std::string& isa, bool without_clones) {
  std::string flags = "-std=c++20 -O3 -DNDEBUG -ffp-contract=off -fPIC -shared -fvisibility=hidden ";
  flags += isa == "avx512" ? LIVENS_FLAGS_AVX512 : isa == "avx2" ? LIVENS_FLAGS_AVX2 : LIVENS_FLAGS_PLAIN;
  // The symbolic factorization of many unknowns takes more steps than a constant expression has by default.
  flags += gnu ? " -fconstexpr-ops-limit=1000000000" : " -fconstexpr-steps=1000000000";
  // KiB from which on it looks for what it no longer needs: a unit makes hundreds of thousands.
  if (gnu) flags += " --param=ggc-min-heapsize=262144";
  if (gnu && isa != "plain") flags += " " LIVENS_FLAGS_GNU " " LIVENS_FLAGS_GNU_CAREFUL;
  if (gnu && without_clones) flags += " " LIVENS_FLAGS_GNU_WITHOUT_CLONES;
  return words_of(flags);
}

class CppCompiler : public Compiler {
 public:
  /// `command`: the first word is a path; `version`: what it says of itself; `gnu`: g++, which has flags that
  /// clang does not know.
  CppCompiler(std::vector<std::string> command, std::string version, bool gnu)
      : command_(std::move(command)), version_(std::move(version)), gnu_(gnu) {}

  std::string name() const override { return fmt::format("{} ({})", fmt::join(command_, " "), version_); }
  bool compile(const TranslationUnit& unit, const KernelHeaders& headers,
               const fs::path& directory) const override {
    std::vector<std::string> command = command_;
    for (const std::string& flag : kernel_flags(gnu_, unit.isa, unit.without_clones)) command.push_back(flag);
    for (const std::string& word :
         {"-I" + headers.root.string(), "-I" + directory.string(), std::string("-o"),
          (directory / unit.object_name()).string(), (directory / unit.source_name()).string()})
      command.push_back(word);
    return call(std::move(command), directory, directory / "compiler.log") == 0;
  }

 private:
  std::vector<std::string> command_;
  std::string version_;
  bool gnu_;
};

/// Null for what does not answer as a compiler does.
std::unique_ptr<Compiler> compiler_of(std::vector<std::string> command) {
  std::vector<std::string> asked = command;
  asked.push_back("--version");
  const std::string version = output_of(asked);
  if (version.empty()) return nullptr;
  const bool gnu = version.find("Free Software Foundation") != std::string::npos;
  return std::make_unique<CppCompiler>(std::move(command), version.substr(0, version.find('\n')), gnu);
}

}  // namespace

std::string cpp_flags(const TranslationUnit& unit) {
  return fmt::format("{}\n{}", fmt::join(kernel_flags(true, unit.isa, unit.without_clones), " "),
                     fmt::join(kernel_flags(false, unit.isa, unit.without_clones), " "));
}

std::unique_ptr<Compiler> find_cpp_compiler() {
  if (const char* chosen = std::getenv("CXX"); chosen && *chosen) {
    std::vector<std::string> command = words_of(chosen);
    std::unique_ptr<Compiler> compiler;
    if (!command.empty()) command.front() = find_program(command.front());
    if (!command.empty() && !command.front().empty()) compiler = compiler_of(command);
    if (!compiler)
      refuse({}, fmt::format("CXX is '{}', which is no compiler that can be called", chosen),
             "g++, clang++ or nothing");
    return compiler;
  }
  for (const char* name : {"g++", "clang++"})
    if (const std::string path = find_program(name); !path.empty())
      if (auto compiler = compiler_of({path})) return compiler;
  // A wheel that holds clang; it needs nothing but Python, whose own packages alone are looked at: not the
  // working directory, nor what PYTHONPATH names.
  if (const std::string python = find_program("python3"); !python.empty())
    return compiler_of({python, "-I", "-m", "ziglang", "c++"});
  return nullptr;
}

}  // namespace livens::host
