#include "host/backends/device_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "host/errors.hpp"

namespace livens::host {

std::optional<DeviceChoice> parse_devices(const std::string& typed) {
  DeviceChoice choice;
  if (typed == "all") return choice;
  const char *at = typed.data(), *const end = at + typed.size();
  for (;; ++at) {
    int number = -1;
    const auto [next, error] = std::from_chars(at, end, number);
    const auto& numbers = choice.numbers;
    if (error != std::errc() || number < 0 ||
        std::find(numbers.begin(), numbers.end(), number) != numbers.end())
      return {};
    choice.numbers.push_back(number);
    if (next == end) return choice;
    if (*next != ',') return {};
    at = next;
  }
}

std::vector<CudaDevice> chosen(const DeviceChoice& choice, const std::vector<CudaDevice>& present) {
  if (choice.numbers.empty()) return present;
  std::vector<CudaDevice> devices;
  for (const int number : choice.numbers) {
    const auto found = std::find_if(present.begin(), present.end(),
                                    [&](const CudaDevice& device) { return device.index == number; });
    if (found == present.end()) {
      std::string list;
      for (const CudaDevice& device : present)
        list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", device.index, device.name);
      throw RequestError(
          fmt::format("--devices: there is no device {}; expected all, or some of {}", number, list));
    }
    devices.push_back(*found);
  }
  return devices;
}

}  // namespace livens::host
