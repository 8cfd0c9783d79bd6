#include "expressions/refusal.hpp"

#include "expressions/nearest.hpp"

namespace livens {

void refuse(const Place& place, const std::string& problem, const std::string& expected,
            const std::string& suggestion) {
  throw RequestError(std::vector{Mistake{place, problem, expected, suggestion}});
}

void refuse_unknown(const Place& place, const std::string& problem, const std::string& typed,
                    std::span<const std::string> names) {
  refuse(place, problem, enumerate(names), nearest(typed, names));
}

}  // namespace livens
