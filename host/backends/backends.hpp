#pragma once
// From the name on the command line to the machine that integrates.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "ensembles/backend.hpp"
#include "ensembles/request.hpp"
#include "host/backends/device_choice.hpp"

namespace livens::host {

/// `backend` is auto, cpu, cuda or reference; `threads` 0: all processors; with `devices` it must be these
/// GPUs. On the processor it ends with Stopped when `stop` says so. `compiling` is told what begins to be compiled on
/// first use; without it the standard error is, where that is a terminal. RequestError where it cannot be had.
std::unique_ptr<ensembles::Backend> make_backend(
    const ensembles::Request& request, const std::string& backend, int threads,
    const std::optional<DeviceChoice>& devices = {}, const ensembles::StopAsked& stop = {},
    const std::function<void(const std::string&)>& compiling = {});

/// True where --backend cuda would find a device.
bool cuda_usable();

}  // namespace livens::host
