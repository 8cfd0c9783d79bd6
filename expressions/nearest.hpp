#pragma once
// "Did you mean": the known name nearest to a misspelt one.

#include <span>
#include <string>
#include <string_view>

namespace livens {

/// Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other.
int edit_distance(std::string_view a, std::string_view b);

/// True where one may be a misspelling of the other: a third of the letters may be wrong, one of a short
/// word, never all; and the word is no other one of mathematics ("asin", "min"). Upper and lower case are the
/// same, here and below.
bool is_near(std::string_view typed, std::string_view name);

/// The nearest of the names that are near, the first of equals; empty where none is.
std::string nearest(std::string_view typed, std::span<const std::string> names);

/// "a, b or c".
std::string enumerate(std::span<const std::string> names);

}  // namespace livens
