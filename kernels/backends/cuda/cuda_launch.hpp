#pragma once
// One launch, with its name for messages and its grid; waiting for it, and the time it took on the device.
// Needs no CUDA header.

#include <cstdint>
#include <string>
#include <tuple>

namespace livens {

/// Waits for all that was launched on the current device; `what` begins the message where it has failed.
void cuda_wait(const std::string& what);

/// A launch by name, with its instances; `scheme` and `form` are null for the functions of a system.
struct CudaLaunch {
  const char *what, *system, *scheme, *form;
  std::int64_t first, last;  ///< instances
  int block;                 ///< threads
  std::int64_t to = 0;       ///< beats, for advance

  /// Launches a thread per instance, behind what was launched before. A launch of no instances loads the
  /// kernel and lets the driver reserve the stacks of its threads, so that the first one that counts need not.
  template <class... Parameters, class... Arguments>
  void start(void (*kernel)(Parameters...), const Arguments&... arguments) const {
    // The driver copies the arguments from addresses, so they must have the types of the parameters.
    std::tuple<Parameters...> values(arguments...);
    std::apply(
        [&](auto&... value) {
          void* addresses[] = {&value...};
          start(reinterpret_cast<const void*>(kernel), addresses);
        },
        values);
  }
  /// start(), and waits for it.
  template <class... Parameters, class... Arguments>
  void run(void (*kernel)(Parameters...), const Arguments&... arguments) const {
    start(kernel, arguments...);
    cuda_wait(name());
  }
  std::string name() const {
    std::string text = std::string("CUDA: ") + what + " of ";
    if (scheme != nullptr) text += std::string(scheme) + " (" + form + ") on ";
    text += system;
    if (first < last) text += ", instances " + std::to_string(first) + " to " + std::to_string(last - 1);
    if (to > 0) text += ", to beat " + std::to_string(to);
    return text;
  }

 private:
  void start(const void* kernel, void** arguments) const;
};

/// Time on the device that was current at the first start().
class CudaStopwatch {
 public:
  CudaStopwatch() = default;
  CudaStopwatch(const CudaStopwatch&) = delete;
  CudaStopwatch& operator=(const CudaStopwatch&) = delete;
  ~CudaStopwatch();

  /// Between what was launched before and what is launched next.
  void start();
  void stop();
  /// Waits for what was launched before stop(), not for what comes behind it; the seconds from start().
  /// `what` begins the message where it has failed.
  double seconds(const std::string& what) const;

 private:
  void *started_ = nullptr, *stopped_ = nullptr;  // events
};

}  // namespace livens
