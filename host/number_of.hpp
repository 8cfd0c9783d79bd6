#pragma once
// A number out of a text that is nothing else: the one reader for options, keys and the environment, so that
// what one place accepts is what another one takes. It knows no locale (in a process whose decimal point is a
// comma std::stod and the streams read 0 for 0.5), and 010 is ten.

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace livens::host {

/// The decimal number that is the whole of `text`, with a minus where T has a sign; nothing where that is
/// none, or does not fit in T.
template <class T>
std::optional<T> number_of(std::string_view text) {
  T value{};
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  return error == std::errc() && end == last ? std::optional(value) : std::nullopt;
}

/// The whole number >= 0 in a variable of the environment; nothing where it is not set, or empty. Throws
/// RequestError.
std::optional<std::int64_t> whole_number_in(const char* variable);

}  // namespace livens::host
