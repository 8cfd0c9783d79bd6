#include "host/whole_number.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "host/errors.hpp"

namespace livens::host {

std::optional<std::int64_t> whole_number_of(const char* variable) {
  const char* const typed = std::getenv(variable);
  if (!typed || !*typed) return {};
  if (const std::optional<std::int64_t> value = whole_number(typed)) return value;
  throw RequestError(fmt::format("{} is '{}' in the environment; expected a whole number", variable, typed));
}

}  // namespace livens::host
