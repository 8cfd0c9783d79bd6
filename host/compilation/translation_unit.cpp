#include "host/compilation/translation_unit.hpp"

#include <fmt/format.h>

#include "host/compilation/compiler.hpp"
#include "host/files/sha256.hpp"
#include "host/pairs/catalogue.hpp"

namespace livens::host {
namespace {

std::string header_of(const ClassTemplate& system_class) {
  return system_class.header.empty() ? own_header : system_class.header;
}

std::string file_of(PartOfPair part) {
  switch (part) {
    case PartOfPair::careful:
      return "kernels/backends/cpu/own_careful.cpp.in";
    case PartOfPair::adjoint:
      return "kernels/backends/cpu/own_adjoint.cpp.in";
    default:
      return "kernels/backends/cpu/own_pair.cpp.in";
  }
}
/// For whoever looks at the cache.
std::string prefix_of(PartOfPair part) {
  switch (part) {
    case PartOfPair::careful:
      return "difficult steps of ";
    case PartOfPair::adjoint:
      return "adjoint of ";
    default:
      return "";
  }
}

std::string isa_of(int architecture) { return fmt::format("sm_{}", architecture); }

}  // namespace

std::string filled(std::string text, std::initializer_list<std::pair<const char*, std::string>> values) {
  for (const auto& [name, value] : values) {
    const std::string mark = fmt::format("@{}@", name);
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += value.size())
      text.replace(at, mark.size(), value);
  }
  return text;
}

std::string TranslationUnit::description() const {
  if (scheme.empty()) return fmt::format("{}, {}", system, isa);
  return fmt::format("{} ({}) on {}, {}, {} precision", scheme, form, system, isa, precision);
}

std::string TranslationUnit::key(const KernelHeaders& headers) const {
  std::string all;
  const std::string flags = architecture > 0 ? cuda_flags(architecture) : cpp_flags(*this);
  for (const std::string& part : {headers.digest, system, source, system_header, flags, isa, precision})
    all += fmt::format("{}:{}\n", part.size(), part);
  return hexadecimal(sha256_of(all));
}

TranslationUnit system_unit(const KernelHeaders& headers, const SystemInfo& system,
                            const ClassTemplate& system_class, const std::string& isa) {
  const std::string source =
      filled(kernel_file(headers, "kernels/backends/cpu/own_system.cpp.in"),
             {{"isa", isa}, {"system_header", header_of(system_class)}, {"class", system_class.name}});
  return {system.name, "", "", isa, "", false, source, system_class.text};
}

TranslationUnit series_unit(const KernelHeaders& headers, const SystemInfo& system, const std::string& plan,
                            const std::string& isa) {
  const std::string source =
      filled(kernel_file(headers, "taylor/own_series.cpp.in"), {{"isa", isa}, {"plan", plan}});
  return {system.name, "taylor", "accurate", isa, precision_name(Precision::full), false, source, ""};
}

TranslationUnit cuda_system_unit(const KernelHeaders& headers, const SystemInfo& system,
                                 const ClassTemplate& system_class, int architecture) {
  const std::string source =
      filled(kernel_file(headers, "kernels/backends/cuda/own_system.cu.in"),
             {{"system_header", header_of(system_class)}, {"class", system_class.name}});
  return {system.name, "", "", isa_of(architecture), "", false, source, system_class.text, architecture};
}

TranslationUnit pair_unit(const KernelHeaders& headers, const PairKernels& pair,
                          const ClassTemplate& system_class, const ClassTemplate& scheme_class,
                          const std::string& isa, Precision precision, PartOfPair part) {
  const bool single = precision == Precision::single;
  const std::string source =
      filled(kernel_file(headers, file_of(part)), {{"isa", isa},
                                                   {"precision", precision_name(precision)},
                                                   {"system_header", header_of(system_class)},
                                                   {"class", system_class.name},
                                                   {"scheme_header", scheme_class.header},
                                                   {"scheme_class", scheme_class.name},
                                                   {"careful_scalar", single ? "float" : "double"},
                                                   {"lanes_scalar", single ? "CpuFloatLanes" : "CpuLanes"}});
  return {pair.system->info->name,   prefix_of(part) + pair.scheme->name, pair.form, isa,
          precision_name(precision), pair.scheme->without_clones,         source,    system_class.text};
}

TranslationUnit cuda_pair_unit(const KernelHeaders& headers, const PairKernels& pair,
                               const ClassTemplate& system_class, const ClassTemplate& scheme_class,
                               int architecture, Precision precision) {
  const std::string source = filled(kernel_file(headers, "kernels/backends/cuda/own_pair.cu.in"),
                                    {{"precision", precision_name(precision)},
                                     {"system_header", header_of(system_class)},
                                     {"class", system_class.name},
                                     {"scheme_header", scheme_class.header},
                                     {"scheme_class", scheme_class.name},
                                     {"scalar", precision == Precision::single ? "float" : "double"},
                                     {"pivoting", precision == Precision::mixed ? "mixed" : "refused"}});
  return {pair.system->info->name,
          pair.scheme->name,
          pair.form,
          isa_of(architecture),
          precision_name(precision),
          pair.scheme->without_clones,
          source,
          system_class.text,
          architecture};
}

}  // namespace livens::host
