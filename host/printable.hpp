#pragma once
// Text from files, specs and the command line as it may be shown on a terminal.

#include <string>
#include <string_view>

namespace livens::host {

/// The text on one line, with everything a terminal would obey, or could not show, written as an escape:
/// control characters (U+0000 to U+001F, U+007F to U+009F) as \n, \t, \x1b or \u009b, and bytes that are no
/// UTF-8 as \xff. Everything that prints a name, a message or a spec prints it so.
std::string printable(std::string_view text);

/// A printable line, without its middle where that is longer than a page: a word of megabytes was typed, or
/// is in a file.
std::string shortened(std::string line);

}  // namespace livens::host
