#include "ensembles/observables.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "ensembles/node_values.hpp"

namespace livens::ensembles {
namespace {

template <class Row>
const char* meaning_of(const Row& row, const SystemInfo& system) {
  return system.nonholonomic && row.nonholonomic ? row.nonholonomic : row.meaning;
}

void add_columns(const SystemInfo& system, bool all, std::vector<Observable>& to) {
  for (const ColumnRow& row : columns)
    if (has_formula(row.kind) && (all || row.standard) &&
        met(row.needs, system.constraints, system.momentum_maps))
      to.push_back({row.name, row.unit, meaning_of(row, system), static_cast<int>(row.column)});
}

/// Behind the initial momentum maps.
void add_own_columns(const SystemInfo& system, std::vector<Observable>& to) {
  int column = column_count + system.momentum_maps;
  for (const ObservableInfo& own : system.observables) {
    // Of an array what has one axis can be observed, entry by entry.
    const bool single = own.axes[0].name == nullptr, listed = !single && own.axes[1].name == nullptr;
    for (int k = 0; k < own.size(); ++k, ++column)
      if (single || listed)
        to.push_back({single ? own.name : std::string(own.name) + "[" + std::to_string(k) + "]", own.unit,
                      own.meaning, column});
  }
}

void add_sampled(const SystemInfo& system, std::vector<Observable>& to) {
  int entry = 0;
  for (const SampledRow& row : sampled_rows) {
    const int entries = entries_of(row.entries, extents_of(system));
    for (int k = 0; k < entries; ++k, ++entry) {
      if (row.quantity == Sampled::own) {
        const ObservableInfo& own = system.sampled[static_cast<std::size_t>(k)];
        to.push_back({own.name, own.unit, own.meaning, -1, entry});
      } else {
        const bool one = row.entries == EntryCount::one;
        to.push_back({one ? row.name : std::string(row.name) + "[" + std::to_string(k) + "]", row.unit,
                      meaning_of(row, system), -1, entry});
      }
    }
  }
}

/// Entries of q, v and p once more, by the own names of their coordinates: x, x', p(x), and u[0], u'[0], p(u)[0].
void add_named(const SystemInfo& system, std::vector<Observable>& to) {
  int entry = 0;
  for (const SampledRow& row : sampled_rows) {
    for (const CoordinateInfo& coordinate : system.names) {
      const std::string name = row.quantity == Sampled::q   ? coordinate.name
                               : row.quantity == Sampled::v ? std::string(coordinate.name) + "'"
                               : row.quantity == Sampled::p ? "p(" + std::string(coordinate.name) + ")"
                                                            : "";
      if (name.empty()) break;
      for (int i = 0; i < coordinate.size; ++i)
        to.push_back({coordinate.is_vector ? name + "[" + std::to_string(i) + "]" : name, row.unit,
                      row.meaning, -1, entry + coordinate.first + i});
    }
    entry += entries_of(row.entries, extents_of(system));
  }
}

/// As a file lists its datasets.
void sort_by_name(std::vector<Observable>& observables) {
  std::sort(observables.begin(), observables.end(),
            [](const Observable& a, const Observable& b) { return a.name < b.name; });
}

}  // namespace

std::vector<Observable> all_observables(const SystemInfo& system) {
  std::vector<Observable> all;
  add_columns(system, true, all);
  add_own_columns(system, all);
  add_sampled(system, all);
  add_named(system, all);
  return all;
}

std::vector<Observable> observed(const SystemInfo& system, const std::vector<std::string>& names,
                                 const Units& units) {
  const std::vector<Observable> all = all_observables(system);
  std::vector<Observable> result;
  for (const std::string& name : names) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Observable& one) { return one.name == name; });
    if (found == all.end()) throw std::invalid_argument(name + " cannot be observed");
    result.push_back(*found);
    if (const auto unit = units.find(name); unit != units.end()) result.back().unit = unit->second;
  }
  return result;
}

std::vector<Observable> observables_of(const SystemInfo& system, const std::vector<std::string>& names,
                                       const Units& units) {
  std::vector<Observable> result = observed(system, names, units);
  add_columns(system, false, result);
  sort_by_name(result);
  const auto same = [](const Observable& a, const Observable& b) { return a.name == b.name; };
  result.erase(std::unique(result.begin(), result.end(), same), result.end());
  return result;
}

std::vector<Observable> followed_observables(const SystemInfo& system, const std::vector<std::string>& names,
                                             const Units& units) {
  std::vector<Observable> followed = observed(system, names, units);
  std::erase_if(followed,
                [](const Observable& one) { return one.name == "energy" || one.name == "total_energy"; });
  sort_by_name(followed);
  return followed;
}

Quantity own_quantity(const ObservableInfo& own) {
  Quantity quantity{own.name, own.unit, own.meaning, {}};
  for (const EntryAxis& axis : own.axes)
    if (axis.name != nullptr) quantity.axes.push_back({axis.name, axis.length});
  return quantity;
}

std::vector<Quantity> record_quantities(int constraints, int momentum_maps, bool largest_violations) {
  std::vector<Quantity> quantities;
  for (const ColumnRow& row : columns) {
    const bool final = row.kind == Kind::initial || row.kind == Kind::scale || row.of != Column::count;
    if (!largest_violations && is_largest_violation(row)) continue;
    if (final && met(row.needs, constraints, momentum_maps))
      quantities.push_back({row.name, row.unit, row.meaning, {}});
  }
  return quantities;
}

std::vector<Column> columns_of(const std::vector<Observable>& observables) {
  std::vector<Column> kept;
  for (const Observable& observable : observables)
    if (observable.column >= 0) kept.push_back(static_cast<Column>(observable.column));
  return kept;
}

SampleStatistics sample_statistics(Motion& motion, Range range, const std::vector<Observable>& observables,
                                   const std::vector<std::string>& exact) {
  std::vector<Observable> evaluated;
  for (const Observable& observable : observables)
    if (observable.column < 0) evaluated.push_back(observable);
  std::vector<BlockStatistics> of_records = motion.observe(range.size(), columns_of(observables)), of_nodes;
  if (!evaluated.empty())
    of_nodes = NodeValues(motion.nodes(), range.size(), evaluated).statistics(motion.backend());

  SampleStatistics sample{0, std::vector<SummaryTree>(observables.size())};
  for (const BlockStatistics& block : of_records) sample.ok += block.ok;
  // Where each observable is among those of its kind.
  std::vector<std::size_t> places;
  std::size_t columns = 0, entries = 0;
  for (const Observable& one : observables) places.push_back(one.column >= 0 ? columns++ : entries++);
  const auto summary_of = [&](std::size_t k, std::size_t block) -> Summary& {
    return (observables[k].column >= 0 ? of_records : of_nodes)[block].summaries[places[k]];
  };
  motion.backend().for_each_block(block_count(range.size()), [&](std::int64_t block) {
    for (std::size_t k = 0; k < observables.size(); ++k) {
      Summary& summary = summary_of(k, static_cast<std::size_t>(block));
      summary.exact = std::find(exact.begin(), exact.end(), observables[k].name) != exact.end();
      condense(summary);
    }
  });
  const std::int64_t first_block = range.first / block_size;
  motion.backend().for_each_block(static_cast<std::int64_t>(observables.size()), [&](std::int64_t k) {
    for (std::int64_t b = 0; b < block_count(range.size()); ++b)
      sample.observables[k].add(
          first_block + b, std::move(summary_of(static_cast<std::size_t>(k), static_cast<std::size_t>(b))));
  });
  return sample;
}

}  // namespace livens::ensembles
