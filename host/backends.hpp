#pragma once
// From the name on the command line to the machine that integrates.

#include <memory>
#include <string>

#include "ensembles/backend.hpp"
#include "ensembles/request.hpp"

namespace livens::host {

/// `backend` is auto, cpu, cuda or reference; `threads` 0: all processors. RequestError where it cannot be
/// had.
std::unique_ptr<ensembles::Backend> make_backend(const ensembles::Request& request,
                                                 const std::string& backend, int threads);

/// Whether --backend cuda would find a device.
bool cuda_usable();

}  // namespace livens::host
