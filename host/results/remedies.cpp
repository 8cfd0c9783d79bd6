#include "host/results/remedies.hpp"

#include <algorithm>

#include "host/page.hpp"

namespace livens::host {

std::string advice(const std::array<std::int64_t, status_count>& instances) {
  Columns columns("ll", 2);
  bool any = false;
  for (const Remedy& remedy : remedies) {
    const auto code = static_cast<std::size_t>(remedy.status);
    if (instances[code] == 0 || !is_failure(remedy.status)) continue;
    std::string text = remedy.text;
    std::erase(text, '`');
    columns.row({status_rows[code].name, text});
    any = true;
  }
  if (!any) return {};
  return "\nto try:\n" + columns.text();
}

}  // namespace livens::host
