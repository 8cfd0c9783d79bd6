#include "host/compare/comparison_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "host/compare/columns.hpp"
#include "host/export/csv_file.hpp"
#include "host/printable.hpp"

namespace livens::host {
namespace {

std::string exact(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }
std::string brief(double value) { return std::isnan(value) ? "-" : fmt::format("{:.2e}", value); }
std::string with_interval(double value, double low, double high) {
  if (std::isnan(value)) return "-";
  if (std::isnan(high)) return fmt::format("{:.3f}", value);
  return fmt::format("{:.3f}+-{:.2g}", value, 0.5 * (high - low));
}

std::string last_part(const std::string& key) { return printable(key.substr(key.rfind('.') + 1)); }

/// A value as a cell of the terminal.
std::string shortened(const std::string& value) {
  constexpr std::size_t longest = 24;
  return value.size() <= longest ? printable(value) : printable(value.substr(0, longest - 2)) + "..";
}

class ComparedColumns {
 public:
  ComparedColumns(const std::vector<Sweep>& sweeps, const std::vector<ComparedRun>& runs) : runs_(runs) {
    for (std::size_t k = 0; k < sweeps.size(); ++k) add_key(sweeps, k);
    add_statuses();
    add_error("relative_energy_error", "energy", &Measured::energy);
    add_error("momentum_error", "momentum", &Measured::momentum);
    add_error("constraint", "constraint", &Measured::constraint);
    add_error("velocity_constraint", "velocity c.", &Measured::velocity_constraint);
    add_error("position_error", "position", &Measured::position);
    add_drift();
    add_orders(orders_of(sweeps, runs));
    const auto seconds = [](const ComparedRun& run) { return run.measured.seconds; };
    add(
        "wall_seconds", "s", [&](const ComparedRun& run) { return exact(seconds(run)); },
        [&](const ComparedRun& run) { return fmt::format("{:.3g}", seconds(run)); });
  }

  const std::vector<TableColumn>& all() const { return columns_; }

 private:
  template <class Cell, class Shown>
  TableColumn& add(const std::string& name, const std::string& heading, Cell cell, Shown shown) {
    TableColumn column{name, heading, {}, {}};
    for (const ComparedRun& run : runs_) {
      column.cells.push_back(cell(run));
      column.shown.push_back(heading.empty() ? "" : shown(run));
    }
    // Nothing to see: no interval, no error of that kind.
    if (std::ranges::all_of(column.shown, [](const std::string& text) { return text == "-"; }))
      column.heading.clear();
    return columns_.emplace_back(std::move(column));
  }
  template <class Cell>
  void add(const std::string& name, Cell cell) {
    add(name, "", cell, [](const ComparedRun&) { return std::string(); });
  }

  void add_key(const std::vector<Sweep>& sweeps, std::size_t k) {
    const std::string& key = sweeps[k].key;
    const auto value = [k](const ComparedRun& run) { return run.combination.values[k]; };
    const auto shown = [&](const ComparedRun& run) { return shortened(value(run)); };
    add(key, last_part(key), value, shown).text = true;
  }

  void add_statuses() {
    add("instances", [](const ComparedRun& run) { return std::to_string(run.measured.size); });
    for (std::size_t code = 0; code < status_count; ++code) {
      const auto count = [code](const ComparedRun& run) {
        return std::to_string(run.measured.statuses[code]);
      };
      const bool occurs = std::ranges::any_of(
          runs_, [code](const ComparedRun& run) { return run.measured.statuses[code] > 0; });
      add(status_rows[code].name, occurs || code == 0 ? status_rows[code].name : "", count, count);
    }
  }

  void add_error(const std::string& name, const char* heading, ErrorFigures Measured::*error) {
    add(name + "_mean", [error](const ComparedRun& run) { return exact((run.measured.*error).mean); });
    add(
        name + "_max", heading, [error](const ComparedRun& run) { return exact((run.measured.*error).max); },
        [error](const ComparedRun& run) { return brief((run.measured.*error).max); });
  }

  void add_drift() {
    const auto drift = [](const ComparedRun& run) { return run.measured.drift; };
    add(
        "drift_exponent", "drift", [&](const ComparedRun& run) { return exact(drift(run).exponent); },
        [&](const ComparedRun& run) {
          return with_interval(drift(run).exponent, drift(run).low, drift(run).high);
        });
    add("drift_low", [&](const ComparedRun& run) { return exact(drift(run).low); });
    add("drift_high", [&](const ComparedRun& run) { return exact(drift(run).high); });
  }

  /// Of the runs that have told it.
  void add_orders(const std::vector<OrderOfRuns>& orders) {
    const auto of = [&](const ComparedRun& run) -> const OrderOfRuns* {
      const auto index = static_cast<std::size_t>(&run - runs_.data());
      for (const OrderOfRuns& one : orders)
        if (std::ranges::count(one.used, index) > 0 && !std::isnan(one.order.exponent)) return &one;
      return nullptr;
    };
    const auto number = [&](double ConvergenceOrder::*part) {
      return [&of, part](const ComparedRun& run) { return of(run) ? exact(of(run)->order.*part) : ""; };
    };
    add("order", number(&ConvergenceOrder::exponent));
    add("order_low", number(&ConvergenceOrder::low));
    add("order_high", number(&ConvergenceOrder::high));
    add("order_of", [&](const ComparedRun& run) { return of(run) ? of(run)->error : ""; });
  }

  const std::vector<ComparedRun>& runs_;
  std::vector<TableColumn> columns_;
};

/// A line for every group of runs that differ in their step alone: the values that they share, the order.
std::string orders_as_text(const std::vector<Sweep>& sweeps, const std::vector<ComparedRun>& runs) {
  const std::vector<OrderOfRuns> orders = orders_of(sweeps, runs);
  if (orders.empty()) return "";
  std::vector<TableColumn> columns;
  for (std::size_t k = 0; k < sweeps.size(); ++k) {
    if (sweeps[k].key == step_key) continue;
    TableColumn& column = columns.emplace_back(TableColumn{"", last_part(sweeps[k].key), {}, {}, true});
    for (const OrderOfRuns& one : orders)
      column.shown.push_back(shortened(runs[one.runs.front()].combination.values[k]));
  }
  TableColumn error{"", "error", {}, {}, true}, count{"", "runs", {}, {}}, order{"", "order, 95 %", {}, {}};
  std::string left_out;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    const OrderOfRuns& one = orders[i];
    error.shown.push_back(one.error == "position_error" ? "position" : "energy");
    count.shown.push_back(fmt::format("{} of {}", one.used.size(), one.runs.size()));
    order.shown.push_back(with_interval(one.order.exponent, one.order.low, one.order.high));
    for (const std::string& reason : one.left_out) left_out += fmt::format("left out in {}: {}\n", i, reason);
  }
  columns.insert(columns.end(), {error, count, order});
  return "\norder of convergence\n" + in_blocks(columns, orders.size()) + left_out;
}

}  // namespace

std::string table_as_csv(const std::vector<Sweep>& sweeps, const std::vector<ComparedRun>& runs) {
  const ComparedColumns columns(sweeps, runs);
  std::string text = "file";
  for (const TableColumn& column : columns.all()) text.append(",").append(csv_cell(column.name));
  text += '\n';
  for (std::size_t i = 0; i < runs.size(); ++i) {
    text += csv_cell(runs[i].combination.name + ".h5");
    for (const TableColumn& column : columns.all()) text.append(",").append(csv_cell(column.cells[i]));
    text += '\n';
  }
  return text;
}

std::string table_as_text(const std::vector<Sweep>& sweeps, const std::vector<ComparedRun>& runs) {
  return in_blocks(ComparedColumns(sweeps, runs).all(), runs.size()) + orders_as_text(sweeps, runs);
}

}  // namespace livens::host
