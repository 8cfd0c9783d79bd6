// livens cache: what was compiled on first use.

#include <fmt/format.h>

#include "host/commands/commands.hpp"
#include "host/compilation/object_cache.hpp"
#include "host/errors.hpp"
#include "host/printable.hpp"

namespace livens::host {
namespace {

/// "3 min": the largest unit of which it is more than one.
std::string age(double seconds) {
  for (const auto& [length, unit] : {std::pair{86400.0, "d"}, {3600.0, "h"}, {60.0, "min"}})
    if (seconds >= length) return fmt::format("{:.0f} {}", seconds / length, unit);
  return fmt::format("{:.0f} s", std::max(seconds, 0.0));
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
  if (!objects.empty())
    fmt::print("{:<28}{:<20}{:<10}{:<10}{:<11}{:>8}{:>8}  {}\n", "system", "scheme", "form", "isa",
               "precision", "kB", "age", "compiler");
  std::int64_t bytes = 0;
  for (const CachedObject& one : objects) {
    fmt::print("{:<28}{:<20}{:<10}{:<10}{:<11}{:>8}{:>8}  {}\n", printable(one.system), printable(one.scheme),
               printable(one.form), printable(one.isa), printable(one.precision), (one.bytes + 999) / 1000,
               age(one.age), printable(one.compiler));
    bytes += one.bytes;
  }
  fmt::print("{} object{}, {} kB, in {}\n", objects.size(), objects.size() == 1 ? "" : "s",
             (bytes + 999) / 1000, directory);
  return exit_done;
}

}  // namespace livens::host
