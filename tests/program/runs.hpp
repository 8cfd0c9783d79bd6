#pragma once
// Ensembles from a spec's text through the real kernels, in memory.

#include <stdexcept>
#include <string>

#include "ensembles/ensemble.hpp"
#include "host/backends/backends.hpp"
#include "host/pairs/registry.hpp"
#include "host/spec/spec.hpp"

namespace livens {

inline ensembles::Result integrate(const std::string& spec_text, int threads = 1,
                                   const std::string& backend = "cpu") {
  const host::Spec spec = host::parse_spec(spec_text, "test.toml", host::registered(), {});
  return ensembles::run(spec.request, *host::make_backend(spec.request, backend, threads), {});
}

}  // namespace livens
