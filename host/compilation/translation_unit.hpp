#pragma once
// A translation unit that is compiled on first use: a system, or a pair in one form and precision, for an
// instruction set of the processor or for a GPU.

#include <string>

#include "host/compilation/kernel_headers.hpp"
#include "kernels/description/interface.hpp"

namespace livens::host {

/// A class template in a header: of the sources' own, by its path, or of a text that is compiled with the
/// unit.
struct ClassTemplate {
  std::string header;  ///< path from the root of the headers; empty: `text` is the header
  std::string name;
  std::string text = {};
};

/// The header of a text, beside its unit.
inline constexpr const char* own_header = "own_system.hpp";

struct TranslationUnit {
  // Names, for whoever looks at the cache.
  std::string system, scheme, form;  ///< the latter two are empty for a system
  std::string isa, precision;        ///< "avx512", or "sm_90" for a GPU; precision is empty for a system
  bool without_clones;               ///< as SchemeInfo has it
  std::string source;                ///< but for the key
  std::string system_header;         ///< text of own_system.hpp beside it; empty where the headers have it
  int architecture = 0;              ///< compute capability of a GPU, 10 major + minor; 0: for the processor

  const char* source_name() const { return architecture > 0 ? "unit.cu" : "unit.cpp"; }
  const char* object_name() const { return architecture > 0 ? "object.cubin" : "object.so"; }
  /// "ems (full) on unit_circle, avx512, double precision"
  std::string description() const;
  /// Digest of everything the object depends on but the compiler: 64 hexadecimal digits.
  std::string key(const KernelHeaders& headers) const;
};

TranslationUnit system_unit(const KernelHeaders& headers, const SystemInfo& system,
                            const ClassTemplate& system_class, const std::string& isa);

/// Its steps in lanes with what starts it; the steps that are left, which few runs need; its adjoint, on a system with
/// Tangents.
enum class PartOfPair { steps, careful, adjoint };
TranslationUnit pair_unit(const KernelHeaders& headers, const PairKernels& pair,
                          const ClassTemplate& system_class, const ClassTemplate& scheme_class,
                          const std::string& isa, Precision precision, PartOfPair part);

/// Steps of the scheme taylor written out; `plan`: of taylor/fixed_plan.hpp.
TranslationUnit series_unit(const KernelHeaders& headers, const SystemInfo& system, const std::string& plan,
                            const std::string& isa);

/// The same for a GPU: modules of kernels (kernels/backends/cuda/own_system.cu.in, own_pair.cu.in).
TranslationUnit cuda_system_unit(const KernelHeaders& headers, const SystemInfo& system,
                                 const ClassTemplate& system_class, int architecture);
TranslationUnit cuda_pair_unit(const KernelHeaders& headers, const PairKernels& pair,
                               const ClassTemplate& system_class, const ClassTemplate& scheme_class,
                               int architecture, Precision precision);

/// The text with @key@ and the like replaced.
std::string filled(std::string text, std::initializer_list<std::pair<const char*, std::string>> values);

}  // namespace livens::host
