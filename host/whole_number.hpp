#pragma once
// Whole numbers as people type them: decimal digits and nothing else, 010 is ten. One reader for options,
// keys and the environment, so that what one place accepts is what another one takes.

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace livens::host {

/// Nothing where it has a sign, a blank, a prefix or an exponent, or does not fit in T.
template <class T = std::int64_t>
std::optional<T> whole_number(std::string_view typed) {
  T value{};
  const char* const last = typed.data() + typed.size();
  const auto [end, error] = std::from_chars(typed.data(), last, value);
  const bool digits = std::ranges::all_of(typed, [](char c) { return c >= '0' && c <= '9'; });
  return digits && error == std::errc() && end == last ? std::optional(value) : std::nullopt;
}

/// That of a variable of the environment; nothing where it is not set, or empty. Throws RequestError.
std::optional<std::int64_t> whole_number_of(const char* variable);

}  // namespace livens::host
