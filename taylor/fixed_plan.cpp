#include "taylor/fixed_plan.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace livens::taylor {
namespace {

std::string text_of(int number) { return std::to_string(number); }
std::string text_of(const Instruction& i) {
  return fmt::format("{{Op({}), {}, {}, {}, {}, {}, {}}}", static_cast<int>(i.op), i.moves_a, i.moves_b, i.a,
                     i.b, i.to, i.partner);
}
std::string text_of(const Entry& e) {
  return fmt::format("{{{}, {}, {}, {}}}", e.row, e.column, e.place, e.sign);
}
std::string text_of(const Product& p) { return fmt::format("{{{}, {}}}", p.a, p.b); }
std::string text_of(const Share& s) { return fmt::format("{{{}, {}}}", s.product, s.sign); }

template <class Item>
std::string joined(const Item* first, const Item* last) {
  std::string all;
  for (; first != last; ++first) all += (all.empty() ? "" : ", ") + text_of(*first);
  return all;
}

template <class Item>
std::string items(std::string_view type, std::string_view name, const List<Item>& list) {
  return fmt::format("static constexpr Items<{}, {}> {}{{{{{}}}}};\n", type, length_of(list), name,
                     joined(list.first, list.last));
}

/// An array has an item at least.
template <class Item>
std::string grouped(std::string_view type, std::string_view name, const Groups<Item>& groups, int count) {
  const int items = groups.begin[count];
  return fmt::format(
      "struct Of_{0} {{\nstatic constexpr int begin[] = {{{1}}};\nstatic constexpr {2} of[{3}] = "
      "{{{4}}};\n}};\n"
      "static constexpr Of_{0} {0}{{}};\n",
      name, joined(groups.begin, groups.begin + count + 1), type, items > 0 ? items : 1,
      joined(groups.of, groups.of + items));
}

std::string products(std::string_view name, const Products& products, int count) {
  return fmt::format("struct Of_{0} {{\n{1}{2}}};\nstatic constexpr Of_{0} {0}{{}};\n", name,
                     items("Product", "all", products.all),
                     grouped("Share", "shares", products.shares, count));
}

}  // namespace

bool worth_writing_out(const Plan& plan) {
  constexpr int most_entries = 100, most_instructions = 200;
  const int entries = plan.pattern.below.begin[plan.d + plan.m];
  return entries <= most_entries &&
         length_of(plan.of_position) + length_of(plan.of_velocity) <= most_instructions;
}

std::string fixed_plan(const Plan& plan) {
  const int n = plan.d + plan.m;
  std::string text = fmt::format(
      "struct FixedPlan {{\nstatic constexpr Constant<{}> d{{}};\nstatic constexpr Constant<{}> m{{}};\n"
      "static constexpr int position = {}, velocity = {}, multiplier = {}, dissipated = {}, work = {};\n"
      "static constexpr int dissipation = {}, power = {};\n",
      plan.d, plan.m, plan.position, plan.velocity, plan.multiplier, plan.dissipated, plan.work,
      plan.dissipation, plan.power);
  text += items("Instruction", "of_position", plan.of_position);
  text += items("Instruction", "of_velocity", plan.of_velocity);
  text += items("Instruction", "of_violation", plan.of_violation);
  text += items("int", "violation", plan.violation);
  text += items("Entry", "mass", plan.mass);
  text += items("Entry", "constraint", plan.constraint);
  text += items("Entry", "force", plan.force);
  text += items("int", "drift", plan.drift);
  text += products("changes", plan.changes, n);
  text += products("reactions", plan.reactions, n);
  text += "struct Of_pattern {\n" + grouped("int", "below", plan.pattern.below, n) +
          grouped("int", "left", plan.pattern.left, n) + "};\nstatic constexpr Of_pattern pattern{};\n};\n";
  return text;
}

}  // namespace livens::taylor
