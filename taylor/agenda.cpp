#include "taylor/agenda.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "taylor/equations.hpp"

namespace livens::taylor {
namespace {

/// Calls visit(pointer to the first item, items) for every list that is there. One more member of a plan does
/// not compile here until it is thought of.
template <class Visit>
void for_each_list(Agenda& agenda, const Visit& visit) {
  const auto list = [&](auto& of) {
    const auto items = of.last - of.first;
    visit(of.first, items);
    of.last = of.first + items;
  };
  const auto groups = [&](auto& of, int count) {
    const int items = of.begin[count];
    visit(of.begin, count + 1);
    visit(of.of, items);
  };
  auto& [d, m, position, velocity, multiplier, dissipated, work, of_position, of_velocity, of_violation,
         violation, mass, constraint, changes, reactions, force, drift, dissipation, power, pattern] =
      agenda.plan;
  list(of_position);
  list(of_velocity);
  list(of_violation);
  list(violation);
  for (auto* entries : {&mass, &constraint, &force}) list(*entries);
  for (Products* products : {&changes, &reactions}) {
    list(products->all);
    groups(products->shares, d + m);
  }
  list(drift);
  groups(pattern.below, d + m);
  groups(pattern.left, d + m);
  for (auto* numbers : {&agenda.motion_numbers, &agenda.measured_numbers}) list(*numbers);
  for (auto* instructions : {&agenda.motion_of_parameters, &agenda.measured_of_parameters,
                             &agenda.measured_of_position, &agenda.measured_of_velocity})
    list(*instructions);
  for (auto* rows : {&agenda.potential_terms, &agenda.constraints, &agenda.rates, &agenda.momentum,
                     &agenda.maps, &agenda.observed, &agenda.stops})
    list(*rows);
}

/// Where an item of a type may stand behind `bytes` bytes.
template <class Item>
std::size_t place_behind(std::size_t bytes) {
  return (bytes + alignof(Item) - 1) / alignof(Item) * alignof(Item);
}

}  // namespace

int order_of(double tolerance) {
  const int for_quarters = static_cast<int>(std::ceil(-0.5 * std::log2(tolerance))) + 1;
  return std::clamp((for_quarters + 1) / 2 * 2, 8, highest_order);
}

Agenda agenda_of(const Equations& equations, double tolerance) {
  const Tape &motion = equations.motion, &measured = equations.measured;
  const int order = order_of(tolerance);
  return {.plan = equations.plan(),
          .tolerance = tolerance,
          .order = order,
          .part_of_radius = std::pow(tolerance, 1.0 / (order - 1)),
          .time = equations.time_row(),
          .parameter = equations.parameter_row(),
          .parameters = equations.parameters,
          .motion_rows = motion.rows(),
          .measured_rows = measured.rows(),
          .motion_numbers = list_of(motion.numbers()),
          .measured_numbers = list_of(measured.numbers()),
          .motion_of_parameters = list_of(motion.instructions(Stage::constant)),
          .measured_of_parameters = list_of(measured.instructions(Stage::constant)),
          .measured_of_position = list_of(measured.instructions(Stage::position)),
          .measured_of_velocity = list_of(measured.instructions(Stage::velocity)),
          .kinetic = equations.kinetic,
          .potential = equations.potential,
          .potential_terms = list_of(equations.potential_terms),
          .constraints = list_of(equations.constraints),
          .rates = list_of(equations.rates),
          .momentum = list_of(equations.momentum),
          .maps = list_of(equations.maps),
          .observed = list_of(equations.observed),
          .stops = list_of(equations.stops)};
}

PackedLists::PackedLists(const Agenda& agenda) : agenda_(agenda) {
  Agenda copied = agenda;
  for_each_list(copied, [&]<class Item>(const Item*& first, std::ptrdiff_t items) {
    const std::size_t place = place_behind<Item>(bytes_.size()),
                      size = sizeof(Item) * static_cast<std::size_t>(items);
    bytes_.resize(place + size);
    if (size > 0) std::memcpy(bytes_.data() + place, first, size);
  });
}

Agenda PackedLists::agenda_in(const void* copy) const {
  Agenda there = agenda_;
  std::size_t end = 0;
  for_each_list(there, [&]<class Item>(const Item*& first, std::ptrdiff_t items) {
    const std::size_t place = place_behind<Item>(end);
    first = reinterpret_cast<const Item*>(static_cast<const std::byte*>(copy) + place);
    end = place + sizeof(Item) * static_cast<std::size_t>(items);
  });
  return there;
}

}  // namespace livens::taylor
