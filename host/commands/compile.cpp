// livens compile: has what a spec needs in the cache before it runs.

#include <fmt/format.h>

#include "host/backends/true_motion_pairs.hpp"
#include "host/commands/commands.hpp"
#include "host/compilation/compiled.hpp"
#include "host/errors.hpp"
#include "host/printable.hpp"
#include "host/results/hdf5_inputs.hpp"
#include "host/spec/registry.hpp"
#include "host/spec/text_pairs.hpp"

namespace livens::host {

int compile_spec(const std::string& path, const Overrides& overrides) {
  const Spec spec = read_spec(path, registered(), overrides, {&hdf5_inputs(), {}});
  const PairKernels& pair = *choose_pair(catalogue_of(spec.request), spec.request).pair;
  for (const Compilation& done : compile_ahead(pair, spec.request.settings.precision)) {
    const std::string what = printable(done.unit.description());
    if (done.built_in)
      fmt::print("{}: part of this program\n", what);
    else if (done.seconds > 0.0)
      fmt::print("{}: compiled in {:.1f} s\n", what, done.seconds);
    else
      fmt::print("{}: in the cache already\n", what);
  }
  return exit_done;
}

}  // namespace livens::host
