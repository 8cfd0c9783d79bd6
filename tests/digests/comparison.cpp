#include "tests/digests/comparison.hpp"

#include <bit>
#include <cstdio>

namespace livens::selftest {
namespace {

std::uint64_t bits(double value) {
  return std::bit_cast<std::uint64_t>(value == value ? value : __builtin_nan(""));
}

}  // namespace

Comparison::Comparison(const PairKernels& pair, const Case& which, Machine& expected, Machine* actual)
    : pair_(pair),
      case_(which),
      machine_(expected),
      other_(actual),
      settings_(standard_settings(*pair.scheme, which.settings)),
      expected_(*pair.system->info, pair.record_width, which.spread),
      actual_(*pair.system->info, pair.record_width, which.spread) {
  for (Population* population : {&expected_, &actual_}) population->compose(composition_of(settings_.order));
}

void Comparison::run(const std::vector<std::int64_t>& stops) {
  const auto both = [&](auto&& call) {
    call(machine_, expected_);
    if (other_) call(*other_, actual_);
  };
  both([](Machine& machine, Population& on) { machine.initial_states(on.batch()); });
  compare_states("initial_states");

  both([&](Machine& machine, Population& on) {
    on.disturb_velocities();
    machine.momenta(on.batch());
    if (!pair_.system->info->singular_mass) machine.velocities(on.batch());
  });
  compare_states("momenta and velocities");

  both([&](Machine& machine, Population& on) {
    machine.make_consistent(on.batch(), case_.consistency, on.status().data());
  });
  compare_states("make_consistent");

  both([&](Machine& machine, Population& on) { machine.start(on.batch(), settings_, on.status().data()); });
  compare_records("start");

  for (const std::int64_t to : stops) {
    both([&](Machine& machine, Population& on) { machine.advance(on.batch(), settings_, to); });
    compare_records("advance");
  }
}

std::uint64_t Comparison::digest() const {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (std::size_t i = 0; i < expected_.records.size(); ++i) {
    if (is_younger(static_cast<int>(i / tile_size) % pair_.record_width)) continue;
    for (int byte = 0; byte < 8; ++byte)
      hash = (hash ^ (bits(expected_.records[i]) >> (8 * byte) & 0xff)) * 0x100000001b3ull;
  }
  return hash;
}

bool Comparison::is_younger(int column) const {
  const SystemInfo& system = *pair_.system->info;
  const int own = column - static_cast<int>(Column::count) - system.momentum_maps;
  return own >= 0 && own < static_cast<int>(system.observables.size()) &&
         system.observables[own].name == std::string("max_discrete_speed");
}

std::int64_t Comparison::count(Column column) const {
  std::int64_t n = 0;
  for (std::int64_t i = 0; i < case_.spread.size; ++i)
    n += expected_.records[column_offset(i / tile_size, pair_.record_width, static_cast<int>(column)) +
                           i % tile_size] > 0.0;
  return n;
}

void Comparison::compare(const char* call, const char* array, const std::vector<double>& a,
                         const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (bits(a[i]) == bits(b[i])) continue;
    if (different_++ > 0) continue;
    char text[200];
    std::snprintf(text, sizeof text, "%s, %s[%zu]: expected %a, got %a", call, array, i, a[i], b[i]);
    where_ = text;
  }
}

void Comparison::compare_states(const char* call) {
  if (!other_) return;
  compare(call, "q", expected_.q, actual_.q);
  compare(call, "v", expected_.v, actual_.v);
  compare(call, "p", expected_.p, actual_.p);
  if (expected_.status() != actual_.status() && different_++ == 0) where_ = std::string(call) + ", status";
}

void Comparison::compare_records(const char* call) {
  if (other_) compare(call, "records", expected_.records, actual_.records);
}

}  // namespace livens::selftest
