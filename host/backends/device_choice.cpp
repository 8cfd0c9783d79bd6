#include "host/backends/device_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "host/errors.hpp"
#include "host/number_of.hpp"

namespace livens::host {

std::optional<DeviceChoice> parse_devices(const std::string& typed) {
  DeviceChoice choice;
  if (typed == "all") return choice;
  std::vector<int>& numbers = choice.numbers;
  for (std::string_view rest = typed;;) {
    const std::size_t comma = rest.find(',');
    const std::optional<int> number = number_of<int>(rest.substr(0, comma));
    if (!number || *number < 0 || std::ranges::find(numbers, *number) != numbers.end()) return {};
    numbers.push_back(*number);
    if (comma == std::string_view::npos) return choice;
    rest.remove_prefix(comma + 1);
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
      refuse({.key = "--devices"}, fmt::format("there is no device {}", number),
             fmt::format("all, or some of {}", list));
    }
    devices.push_back(*found);
  }
  return devices;
}

}  // namespace livens::host
