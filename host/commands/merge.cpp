// livens merge.

#include <fmt/format.h>

#include "host/commands/commands.hpp"
#include "host/errors.hpp"
#include "host/printable.hpp"
#include "host/run/merge_shards.hpp"

namespace livens::host {

int merge(const std::vector<std::string>& paths, const std::string& output) {
  fmt::print("{}written to {}\n", merge_shards(paths, output), printable(output));
  return exit_done;
}

}  // namespace livens::host
