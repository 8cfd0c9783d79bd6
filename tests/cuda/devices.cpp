#include "tests/cuda/devices.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

#include "tests/cuda/filled_memory.hpp"

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

int run_with_little_memory(std::int64_t left, char** command) {
  const auto devices = devices_or_why_none();
  if (devices.empty()) return exit_no_device;
  FilledMemory memory(devices.front());
  memory.release(left);
  pid_t process = 0;
  const int problem = posix_spawnp(&process, command[0], nullptr, nullptr, command, environ);
  if (problem != 0) throw std::runtime_error(std::string(command[0]) + ": " + std::strerror(problem));
  int status = 0;
  waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace livens::selftest
