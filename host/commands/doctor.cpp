// livens doctor: what of this machine livens can use.

#include <fmt/format.h>

#include <algorithm>

#include "host/backends/machine.hpp"
#include "host/commands/commands.hpp"
#include "host/errors.hpp"
#include "host/page.hpp"
#include "host/printable.hpp"
#include "host/version.hpp"

namespace livens::host {

int doctor() {
  std::vector<Finding> all = look_at_machine();
  all.insert(all.begin(), {"livens", Found::ok, version, ""});
  Columns table("lll");
  for (const auto& [name, state, found, advice] : all) {
    table.row({state == Found::ok ? "ok" : state == Found::without ? "-" : "BAD", name, printable(found)});
    if (!advice.empty()) table.row({"", "", "-> " + advice});
  }
  fmt::print("{}", table.text());
  const bool bad = std::ranges::any_of(all, [](const Finding& one) { return one.state == Found::bad; });
  return bad ? exit_bound_broken : exit_done;
}

}  // namespace livens::host
