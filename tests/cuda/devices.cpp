#include "tests/cuda/devices.hpp"

#include <cstdio>
#include <string>

namespace livens::selftest {

std::vector<CudaDevice> devices_or_why_none() {
  std::string problem;
  const std::vector<CudaDevice> devices = cuda_devices(problem);
  if (devices.empty()) std::printf("could not run: no CUDA device (%s)\n", problem.c_str());
  return devices;
}

ExitStatus list_devices() {
  const auto devices = devices_or_why_none();
  for (const CudaDevice& device : devices)
    std::printf(
        "{\"device\": %d, \"name\": \"%s\", \"compute_capability\": \"%d.%d\", \"multiprocessors\": %d, "
        "\"bytes\": %zu, \"driver\": \"%s\", \"runtime\": \"%s\"}\n",
        device.index, device.name.c_str(), device.major, device.minor, device.multiprocessors, device.memory,
        cuda_version_name(device.driver).c_str(), cuda_version_name(device.runtime).c_str());
  return devices.empty() ? exit_no_device : exit_equal;
}

}  // namespace livens::selftest
