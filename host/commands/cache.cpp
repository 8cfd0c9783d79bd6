// livens cache: what was compiled on first use.

#include <fmt/format.h>

#include <regex>

#include "host/commands/commands.hpp"
#include "host/compilation/object_cache.hpp"
#include "host/errors.hpp"
#include "host/page.hpp"
#include "host/printable.hpp"

namespace livens::host {
namespace {

/// "3 min": the largest unit of which it is more than one.
std::string age(double seconds) {
  for (const auto& [length, unit] : {std::pair{86400.0, "d"}, {3600.0, "h"}, {60.0, "min"}})
    if (seconds >= length) return fmt::format("{:.0f} {}", seconds / length, unit);
  return fmt::format("{:.0f} s", std::max(seconds, 0.0));
}

/// "g++ 12.2.0" of "/usr/bin/g++ (g++ (Debian 12.2.0-14) 12.2.0)": no path, nor what a distribution adds.
std::string name_and_version(const std::string& compiler) {
  static const std::regex path(R"(^[^(]*\((.*)\)$)"), added(R"( \([^)]*\)|((\d+\.)+\d+)[-+~]\S*)");
  return std::regex_replace(std::regex_replace(compiler, path, "$1"), added, "$1");
}

/// Words that are there, with spaces between.
std::string joined(std::initializer_list<std::string> words) {
  std::string text;
  for (const std::string& word : words)
    if (!word.empty()) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

int cache(bool clear) {
  const ObjectCache cache;
  const std::string directory = printable(cache.directory().string());
  if (clear) {
    const std::size_t count = cache.clear();
    fmt::print("{} object{} removed from {}\n", count, count == 1 ? "" : "s", directory);
    return exit_done;
  }
  const std::vector<CachedObject> objects = cache.objects();
  Columns table("lllrrl");
  table.row({"system", "scheme", "form, isa, precision", "kB", "age", "compiler"});
  std::int64_t bytes = 0;
  for (const CachedObject& one : objects) {
    table.row({printable(one.system), printable(one.scheme),
               printable(joined({one.form, one.isa, one.precision})),
               fmt::format("{}", (one.bytes + 999) / 1000), age(one.age),
               printable(name_and_version(one.compiler))});
    bytes += one.bytes;
  }
  if (!objects.empty()) fmt::print("{}", table.text());
  fmt::print("{} object{}, {} kB, in {}\n", objects.size(), objects.size() == 1 ? "" : "s",
             (bytes + 999) / 1000, directory);
  return exit_done;
}

}  // namespace livens::host
