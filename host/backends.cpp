#include "host/backends.hpp"

#include "host/cpu_backend.hpp"
#include "host/errors.hpp"
#include "host/reference_backend.hpp"
#include "host/registry.hpp"

namespace livens::host {

std::unique_ptr<ensembles::Backend> make_backend(const ensembles::Request& request,
                                                 const std::string& backend, int threads) {
  if (backend == "cuda") throw RequestError("--backend cuda: built without CUDA; expected auto or cpu");
  const PairChoice choice = choose_pair(registered(), request);
  if (!choice.pair) throw RequestError("--backend " + backend + ": " + choice.problem);
  if (backend == "reference") return std::make_unique<ReferenceBackend>(*choice.pair);
  return std::make_unique<CpuBackend>(*choice.pair, instruction_set(),
                                      threads > 0 ? threads : available_threads());
}

}  // namespace livens::host
