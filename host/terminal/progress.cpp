#include "host/terminal/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "host/errors.hpp"

namespace livens::host {
namespace {

double part_done(std::int64_t done, std::int64_t total) {
  if (total <= 0) return 1.0;
  return std::clamp(static_cast<double>(done) / static_cast<double>(total), 0.0, 1.0);
}

double seconds_left(double part, double seconds) { return part > 0.0 ? seconds * (1.0 - part) / part : 0.0; }

}  // namespace

std::string bar(std::int64_t done, std::int64_t total, std::int64_t failed, double seconds) {
  constexpr int width = 40;
  const double part = part_done(done, total);
  const int filled = static_cast<int>(part * width);
  const std::string failures = failed > 0 ? fmt::format(", {} failed", failed) : "";
  // 100 % is what is done, not what is nearly so.
  return fmt::format("[{}{}] {:3.0f} %, {:.0f} s left{}", std::string(filled, '#'),
                     std::string(width - filled, '.'), std::floor(100.0 * part), seconds_left(part, seconds),
                     failures);
}

std::string json_line(std::int64_t done, std::int64_t total, std::int64_t failed, double seconds) {
  nlohmann::ordered_json line;
  line["done"] = done;
  line["total"] = total;
  line["failed"] = failed;
  line["seconds"] = seconds;
  line["seconds_left"] = seconds_left(part_done(done, total), seconds);
  return line.dump();
}

ensembles::Progress make_progress(ProgressStyle style) {
  if (style == ProgressStyle::automatic)
    style = isatty(STDERR_FILENO) ? ProgressStyle::bar : ProgressStyle::none;
  if (style == ProgressStyle::none) return {};
  const auto begun = std::chrono::steady_clock::now();
  return [style, begun](std::int64_t done, std::int64_t total, std::int64_t failed) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    if (style == ProgressStyle::json) {
      tell(json_line(done, total, failed, seconds) + '\n');
    } else {
      // "erase to the end of the line": the new bar may be shorter than the old.
      tell(fmt::format("\r{}\033[K{}", bar(done, total, failed, seconds), done == total ? "\n" : ""));
    }
  };
}

}  // namespace livens::host
