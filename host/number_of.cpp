#include "host/number_of.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "host/errors.hpp"

namespace livens::host {

std::optional<std::int64_t> whole_number_in(const char* variable) {
  const char* const typed = std::getenv(variable);
  if (!typed || !*typed) return {};
  if (const auto value = number_of<std::int64_t>(typed); value && *value >= 0) return value;
  refuse({}, fmt::format("{} is '{}' in the environment", variable, typed), "a whole number");
}

}  // namespace livens::host
