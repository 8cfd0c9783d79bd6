#include "recorded.hpp"

namespace livens::reference {

int Tape::number(Long value) {
  const auto [known, is_new] = numbers_.try_emplace(value, next_);
  if (is_new) ++next_;
  return known->second;
}

int Tape::operation(Action action, int a, int b) {
  const auto [known, is_new] = known_.try_emplace({action, a, b}, next_);
  if (is_new) operations_.push_back({action, a, b, next_++});
  return known->second;
}

void Recorded::refuse(const std::string& name) {
  throw std::invalid_argument(name + " of what moves is not analytic, and has no certificate");
}

std::vector<RecordedScalar> recorded(const Expression& expression, int d,
                                     const std::vector<double>& parameters) {
  std::vector<RecordedScalar> entries;
  for (int i = 0; i < expression->size; ++i) {
    Tape tape(2 * d + 1);
    Leaves<Recorded> leaves{.parameters = parameters, .t = Recorded(tape, 2 * d)};
    for (int k = 0; k < d; ++k) {
      leaves.q.emplace_back(tape, k);
      leaves.v.emplace_back(tape, d + k);
    }
    const Recorded entry = walk(*expression, leaves)[static_cast<std::size_t>(i)];
    const int place = entry.place_on(tape);
    entries.emplace_back(tape, place);
  }
  return entries;
}

}  // namespace livens::reference
