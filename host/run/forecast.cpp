#include "host/run/forecast.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "ensembles/schedule.hpp"
#include "host/backends/workers.hpp"
#include "host/page.hpp"
#include "host/printable.hpp"

namespace livens::host {
namespace {

/// With a unit that leaves one to four digits before the point.
std::string bytes(double count) {
  constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  for (; count >= 1024.0 && unit + 1 < units.size(); ++unit) count /= 1024.0;
  return fmt::format("{:.3g} {}", count, units[unit]);
}

std::string duration(double seconds) {
  if (seconds < 120.0) return fmt::format("{:.2g} s", seconds);
  if (seconds < 7200.0) return fmt::format("{:.0f} min", seconds / 60.0);
  return seconds < 172800.0 ? fmt::format("{:.0f} h", seconds / 3600.0)
                            : fmt::format("{:.0f} days", seconds / 86400.0);
}

}  // namespace

Forecast make_forecast(const Spec& spec, ensembles::Backend& backend, ensembles::Range range,
                       const RunOptions& options, std::int64_t at_a_time, const std::string& output) {
  const ensembles::Request& request = spec.request;
  const ensembles::Shape shape = ensembles::shape_of(request, backend.system(), range);
  const bool compared = !spec.error_against.empty();
  Forecast forecast{};
  // Before the first instance.
  forecast.reading_memory = memory_of_process("VmHWM:");
  forecast.program_memory = memory_of_process("VmRSS:") + writing_memory;
  const Pilot pilot =
      pilot_run(request, backend, range, options.threads > 0 ? options.threads : available_threads());

  const auto size = static_cast<double>(range.size());
  forecast.seconds = pilot.seconds(size, static_cast<double>(ensembles::beat_count(request)));
  forecast.memory = run_memory({request, backend, shape, pilot, at_a_time, room_for_parts(options.memory),
                                spec.checkpoint_every, forecast.seconds, compared, spec.left_out});
  std::vector<double> bins;
  // More instances have longer tails.
  for (const SampleSize& one : pilot.samples) bins.push_back(2.0 * one.bins);
  forecast.file = result_size(request, backend.system(), shape, bins, spec.left_out, compared);

  forecast.path = output;
  forecast.system = request.system;
  forecast.scheme = request.scheme;
  forecast.form = backend.form();
  forecast.backend = backend.name();
  forecast.device = backend.device();
  forecast.instances = range.size();
  forecast.samples = static_cast<std::int64_t>(shape.time.size());
  forecast.trajectories = static_cast<std::int64_t>(shape.followed.size());
  forecast.end = shape.time.empty() ? 0.0 : shape.time.back();
  forecast.steps = size * static_cast<double>(request.steps);
  return forecast;
}

std::string as_text(const Forecast& f) {
  Columns lines("ll");
  lines.row({"steps", fmt::format("{:.3g} of all instances", f.steps)});
  lines.row({"output", fmt::format("{} samples, {} trajectories", f.samples, f.trajectories)});
  lines.row(
      {"peak memory", fmt::format("{}: program {}, instances {}, samples {}, parts for a checkpoint {}",
                                  bytes(f.peak_memory()), bytes(f.program_memory), bytes(f.memory.instances),
                                  bytes(f.memory.samples), bytes(f.memory.held))});
  lines.row(
      {"result file",
       fmt::format("{}: at most {}; numbers {} before compression, about {} of histograms", printable(f.path),
                   bytes(f.file.most), bytes(f.file.numbers), bytes(f.file.histograms))});
  lines.row({"time", fmt::format("about {} to the last step (an estimate)", duration(f.seconds))});
  const std::string head = fmt::format("{}, scheme {} ({} form), {} instances to {:g} s\n{}: {}",
                                       printable(f.system), printable(f.scheme), printable(f.form),
                                       f.instances, f.end, printable(f.backend), printable(f.device));
  return fmt::format("{}\n\n{}\nnothing written (--dry-run)\n", wrapped(head, 2), lines.text());
}

std::string as_json(const Forecast& f) {
  const nlohmann::ordered_json json = {
      {"file", f.path},
      {"system", f.system},
      {"scheme", f.scheme},
      {"form", f.form},
      {"backend", f.backend},
      {"device", f.device},
      {"instances", f.instances},
      {"end", f.end},
      {"samples", f.samples},
      {"trajectories", f.trajectories},
      {"steps", f.steps},
      {"memory_bytes",
       {{"peak", f.peak_memory()},
        {"program", f.program_memory},
        {"instances", f.memory.instances},
        {"samples", f.memory.samples},
        {"held", f.memory.held}}},
      {"file_bytes", {{"most", f.file.most}, {"numbers", f.file.numbers}, {"histograms", f.file.histograms}}},
      {"estimated_seconds", f.seconds}};
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace livens::host
