#include "host/pairs/built_in_texts.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <stdexcept>

#include "host/pairs/text_pairs.hpp"

namespace livens::host {
namespace {

/// A quantity of a system that its text has no key for.
struct OwnExpression {
  std::string_view system, name;
  const char* expression;
};
constexpr OwnExpression own[] = {
    {"double_four_bar", "angular_momentum", "sum(i, 0, 14, q[2*i]*p[2*i + 1] - q[2*i + 1]*p[2*i])"}};

const EmbeddedText* find(std::string_view system) {
  const auto found = std::ranges::find(embedded_texts(), system, &EmbeddedText::system);
  return found == embedded_texts().end() ? nullptr : &*found;
}

struct ReadTexts {
  std::mutex mutex;
  std::map<std::string_view, TextSystem> by_system;
};
ReadTexts& read_texts() {
  static ReadTexts* const all = new ReadTexts;  // used by whatever runs until the end
  return *all;
}

}  // namespace

bool has_text(std::string_view system) { return find(system) != nullptr; }

const TextSystem* built_in_text(std::string_view system) {
  const EmbeddedText* const embedded = find(system);
  if (!embedded) return nullptr;
  const std::lock_guard guard(read_texts().mutex);
  auto& by_system = read_texts().by_system;
  auto place = by_system.find(embedded->system);
  if (place == by_system.end())
    place = by_system
                .emplace(embedded->system,
                         read_text_system(embedded->text, std::string(embedded->system) + ".toml"))
                .first;
  return &place->second;
}

std::vector<std::string> own_expressions(const SystemInfo& system) {
  if (const TextSystem* text = text_of(system)) return text->own_expressions();
  std::vector<std::string> expressions;
  for (const ObservableInfo& quantity : system.sampled)
    for (const OwnExpression& one : own)
      if (one.system == system.name && one.name == quantity.name) expressions.emplace_back(one.expression);
  return expressions;
}

}  // namespace livens::host
