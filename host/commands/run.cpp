// livens run: spec in, result file out.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "host/commands/colour.hpp"
#include "host/commands/commands.hpp"
#include "host/complaint.hpp"
#include "host/errors.hpp"
#include "host/files/pending_file.hpp"
#include "host/number_of.hpp"
#include "host/page.hpp"
#include "host/pairs/registry.hpp"
#include "host/printable.hpp"
#include "host/results/hdf5_inputs.hpp"
#include "host/run/run_on_disk.hpp"
#include "host/terminal/interrupt.hpp"

namespace livens::host {
namespace {

/// The shard of a task of a Slurm job array.
std::optional<ShardOption> shard_of_task() {
  const std::int64_t count = whole_number_in("SLURM_ARRAY_TASK_COUNT").value_or(0);
  if (count < 1) return {};
  const std::int64_t first = whole_number_in("SLURM_ARRAY_TASK_MIN").value_or(0),
                     step = whole_number_in("SLURM_ARRAY_TASK_STEP").value_or(1),
                     task = whole_number_in("SLURM_ARRAY_TASK_ID").value_or(first);
  return ShardOption{(task - first) / std::max(step, std::int64_t{1}), count};
}

/// What is asked of liblivens, with all that it has to tell going to the terminal.
RunOptions with_reports(const RunArguments& arguments, const Ranks& ranks) {
  RunOptions options = arguments.options;
  options.note = [](const std::string& line) { tell("livens: " + line + '\n'); };
  const bool silent = arguments.quiet || !ranks.first();
  if (const auto shown = make_progress(silent ? ProgressStyle::none : arguments.progress))
    options.progress = [shown](const Progress& at) { shown(at.done, at.total, at.failed); };
  return options;
}

FileOptions destination(const RunArguments& arguments) {
  FileOptions to = arguments.to;
  to.path = arguments.overrides.output.value_or("");
  if (!to.shard) to.shard = shard_of_task();
  return to;
}

/// The text for people, unless the standard output is for JSON.
void print_or_write(const RunArguments& arguments, const std::string& text, const std::string& json) {
  if (arguments.json == "-") {
    fmt::print("{}", json);
    return;
  }
  if (!arguments.json.empty()) write_text(arguments.json, json);
  if (!arguments.quiet) fmt::print("{}", text);
}

/// Where the time of a run went.
std::string shares(const Written& written) {
  const double all = written.compiling + written.stepping + written.writing;
  const auto share = [&](double seconds) { return all > 0.0 ? 100.0 * seconds / all : 0.0; };
  return fmt::format("{:.3g} s: {:.0f} % compiling, {:.0f} % stepping, {:.0f} % writing\n", all,
                     share(written.compiling), share(written.stepping), share(written.writing));
}

int integrate_and_write(RunOnDisk& run, const RunArguments& arguments, const Ranks& ranks) {
  const Written written = run.run();
  if (ranks.first()) {
    const std::string path = wrapped("written to " + printable(written.path)) + '\n';
    print_or_write(arguments, with_coloured_statuses(written.summary, stdout) + shares(written) + path,
                   written.json);
    if (!written.too_many.empty()) tell_problem(written.too_many);
  }
  return written.too_many.empty() ? exit_done : exit_instances_failed;
}

int show_forecast(const RunOnDisk& run, const RunArguments& arguments) {
  const Forecast forecast = [&] {
    try {
      return run.forecast();
    } catch (const ensembles::Stopped&) {
      throw Interrupted();
    }
  }();
  print_or_write(arguments, as_text(forecast), as_json(forecast));
  return exit_done;
}

}  // namespace

int run(const RunArguments& arguments) {
  Ranks ranks(InterruptGuard::interrupted);
  int status = exit_done;
  std::string common;
  try {
    const InterruptGuard guard;  // to compile what is missing takes seconds, too
    const RunOptions options = with_reports(arguments, ranks);
    RunOnDisk run(
        read_spec(arguments.spec, registered(), arguments.overrides, {&hdf5_inputs(), {}}), arguments.spec,
        destination(arguments), options, ranks,
        {InterruptGuard::requested, [] { InterruptGuard::interrupted(); }, InterruptGuard::too_late});
    if (arguments.json != "-" && !arguments.json.empty()) refuse_overwriting(arguments.spec, arguments.json);
    if (arguments.dry) return show_forecast(run, arguments);
    common = run.common_directory();
    return integrate_and_write(run, arguments, ranks);
  } catch (const OtherRankFailed& other) {
    status = other.status;
  } catch (...) {
    if (ranks.count() == 1) throw;
    const Complaint complaint = complaint_about(std::current_exception());
    tell_problem(fmt::format("rank {}: {}", ranks.rank(), printed(complaint.mistakes)));
    status = complaint.status;
    ranks.fail(status);
  }
  ranks.part();
  // Unless there is a checkpoint.
  if (!common.empty()) rmdir(common.c_str());
  return status;
}

}  // namespace livens::host
