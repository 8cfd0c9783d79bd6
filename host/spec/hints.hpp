#pragma once
// What a value of the wrong type seems to mean: the half sentence that a colleague would add.

#include <toml++/toml.h>

#include <string>

namespace livens::host {

/// For what was typed in place of a number, e.g. ", in SI units without their name: 0.05" for "50 ms"; empty
/// where there is nothing to say.
std::string hint_for_number(const toml::node& typed);

/// In place of an integer, e.g. ", without point and exponent: 1000000" for 1e6.
std::string hint_for_integer(const toml::node& typed);

/// In place of an array of `count` numbers, e.g. ", as in [2.0, 2.0, 2.0, 2.0]" for 2.0.
std::string hint_for_numbers(const toml::node& typed, int count);

}  // namespace livens::host
