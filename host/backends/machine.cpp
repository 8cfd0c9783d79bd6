#include "host/backends/machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "host/backends/cpu_backend.hpp"
#include "host/compilation/called_program.hpp"
#include "host/compilation/compiler.hpp"
#include "host/compilation/object_cache.hpp"
#include "host/errors.hpp"
#include "host/pairs/registry.hpp"
#if defined(LIVENS_WITH_CUDA)
#include "kernels/backends/cuda/cuda_device.hpp"
#endif

namespace livens::host {
namespace {

/// What look() finds, or what it is refused for.
template <class Look>
Finding looked_for(const std::string& name, Found refused, const Look& look) try {
  return look();
} catch (const RequestError& error) {
  return {name, refused, error.what(), ""};
}

/// An instruction set that the processor has and that this build was not made for; empty where it uses the widest.
std::string unused_instruction_set() {
#if defined(__x86_64__)
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const std::string widest = avx512 ? "avx512" : avx2 ? "avx2" : instruction_set();
  if (widest != instruction_set()) return widest;
#endif
  return "";
}

Finding processor() {
  const std::string unused = unused_instruction_set();
  const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  return {
      "processor", Found::ok,
      fmt::format("{}, {}, {} thread{}", processor_name(), instruction_set(), threads,
                  threads == 1 ? "" : "s"),
      unused.empty() ? "" : fmt::format("it has {}, which this build was not made for: LIVENS_ISA", unused)};
}

Finding compiler() {
  return looked_for("compiler", Found::bad, []() -> Finding {
    if (const auto compiler = find_cpp_compiler()) return {"compiler", Found::ok, compiler->name(), ""};
    return {"compiler", Found::without,
            "none: systems as text and what this build is without need one on first use",
            "apt install g++, or pip install ziglang"};
  });
}

Finding cache() {
  return looked_for("cache", Found::bad, []() -> Finding {
    namespace fs = std::filesystem;
    const ObjectCache cache;
    std::int64_t bytes = 0;
    const std::vector<CachedObject> objects = cache.objects();
    for (const CachedObject& one : objects) bytes += one.bytes;
    fs::path there = cache.directory();
    std::error_code unknown;
    while (!fs::exists(there, unknown) && there.has_relative_path()) there = there.parent_path();
    if (access(there.c_str(), W_OK) != 0)
      return {"cache", Found::without,
              fmt::format("{} cannot be written: only what is in it runs", cache.directory().string()),
              "LIVENS_CACHE, a directory of yours"};
    const fs::space_info space = fs::space(there, unknown);
    return {"cache", Found::ok,
            fmt::format(
                "{}: {} object{}, {:.1f} MB{}", cache.directory().string(), objects.size(),
                objects.size() == 1 ? "" : "s", static_cast<double>(bytes) / 1e6,
                unknown ? "" : fmt::format(", {:.0f} GB free", static_cast<double>(space.available) / 1e9)),
            ""};
  });
}

/// GPUs, and what compiles for the first of them on first use.
std::vector<Finding> gpus() {
  int architecture = 90;
#if defined(LIVENS_WITH_CUDA)
  std::string problem;
  std::vector<std::string> names;
  for (const CudaDevice& device : cuda_devices(problem)) {
    if (names.empty()) architecture = 10 * device.major + device.minor;
    names.push_back(fmt::format("{}, {:.0f} GB", device.name, static_cast<double>(device.memory) / 1e9));
  }
  const Finding gpu = names.empty()
                          ? Finding{"GPU", Found::without, problem, "nvidia-smi shows a GPU and its driver"}
                          : Finding{"GPU", Found::ok, fmt::format("{}", fmt::join(names, "; ")), ""};
#else
  const Finding gpu = {"GPU", Found::without, "built without CUDA",
                       "a build where nvcc is found (LIVENS_CUDA=ON)"};
#endif
  const Found refused = gpu.state == Found::ok ? Found::bad : Found::without;
  const Finding compiler = looked_for("NVRTC", refused, [&]() -> Finding {
    if (const auto compiler = find_cuda_compiler(architecture))
      return {"NVRTC", Found::ok, compiler->name(), ""};
    return {
        "NVRTC", Found::without, "none, nor nvcc: nothing is compiled for a GPU on first use",
        gpu.state == Found::ok ? "pip install nvidia-cuda-nvrtc, and its libnvrtc.so as LIVENS_NVRTC" : ""};
  });
  return {gpu, compiler};
}

Finding mpi() {
#if defined(LIVENS_WITH_MPI)
  for (const char* name : {"mpirun", "mpiexec", "srun"})
    if (const std::string launcher = find_program(name); !launcher.empty())
      return {"MPI", Found::ok, fmt::format("{} livens run ... shares a run", launcher), ""};
  return {"MPI", Found::without, "built with it, and no mpirun on PATH", "apt install openmpi-bin"};
#else
  return {"MPI", Found::without, "built without",
          "shards (--shard) need none; a build with LIVENS_MPI=ON has it"};
#endif
}

Finding reference() {
#if defined(LIVENS_WITH_CHECKS)
  return {"reference", Found::ok, "livens verify, check, certify, --backend reference", ""};
#else
  return {"reference", Found::without, "built without: no livens verify, check, certify",
          "a build with LIVENS_CHECKS=ON"};
#endif
}

}  // namespace

std::vector<Finding> look_at_machine() {
  std::vector<Finding> found = {processor(), compiler(), cache()};
  for (Finding& one : gpus()) found.push_back(std::move(one));
  found.push_back(mpi());
  found.push_back(reference());
  return found;
}

}  // namespace livens::host
