#pragma once
// One launch: its name for messages, its grid, its time on the device. Needs no CUDA header.

#include <cstdint>
#include <tuple>

namespace livens {

/// A launch by name, with its instances; `scheme` and `form` are null for the functions of a system.
struct CudaLaunch {
  const char *what, *system, *scheme, *form;
  std::int64_t first, last;  ///< instances
  int block;                 ///< threads
  std::int64_t to = 0;       ///< units, for advance

  /// Launches a thread per instance and waits; the seconds between two events around the kernel.
  template <class... Parameters, class... Arguments>
  double run(void (*kernel)(Parameters...), const Arguments&... arguments) const {
    // The driver copies the arguments from addresses, so they must have the types of the parameters.
    std::tuple<Parameters...> values(arguments...);
    return std::apply(
        [&](auto&... value) {
          void* addresses[] = {&value...};
          return run(reinterpret_cast<const void*>(kernel), addresses);
        },
        values);
  }

 private:
  double run(const void* kernel, void** arguments) const;
};

/// A word of this thread in host memory that kernels on any device can write to; what a launch has written is
/// there when it returns.
volatile int* cuda_host_word();

}  // namespace livens
