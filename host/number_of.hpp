#pragma once
// A number out of a text, by the one way that knows no locale: in a process whose decimal point is a comma
// std::stod and the streams read 0 for 0.5.

#include <charconv>
#include <optional>
#include <string_view>

namespace livens::host {

/// The decimal number that is the whole of `text`; nothing where that is none, or does not fit.
template <class T>
std::optional<T> number_of(std::string_view text) {
  T value{};
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  return error == std::errc() && end == last ? std::optional(value) : std::nullopt;
}

}  // namespace livens::host
