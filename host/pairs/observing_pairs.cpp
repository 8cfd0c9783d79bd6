#include "host/pairs/observing_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "ensembles/result.hpp"
#include "host/pairs/text_pairs.hpp"

namespace livens::host {
namespace {

constexpr ObservableInfo of_a_stop[] = {
    {"stop_time", "s",
     "time at which a condition of output.stop was met, between two nodes; NaN if none was"},
    {"stop_condition", "1", "number of that condition, from 0; NaN if none was met"}};

/// What an axis of the events of a name ends with.
constexpr const char* event_axis = "_event";

/// The entries of one system with one set of expressions.
struct ObservingEntries {
  Observing about;
  std::vector<ensembles::ObservedExpression> expressions;
  std::vector<ObservableInfo> sampled, observables;
  std::deque<std::string> names;
  SystemInfo info;
  SystemKernels system{};
  std::vector<PairKernels> pairs, single_pairs;
  std::vector<const SchemeInfo*> schemes;

  /// `text`: what the system is written as, or null.
  ObservingEntries(const Catalogue& catalogue, const SystemKernels& base, const TextSystem* text,
                   expressions::Scope scope, const ensembles::Request& request)
      : about{base.info, std::move(scope), {{}, request.stops, {}, request.keep_impacts, {}}},
        expressions(request.expressions),
        sampled(base.info->sampled.begin(), base.info->sampled.end()),
        info(*base.info),
        schemes(catalogue.schemes.begin(), catalogue.schemes.end()) {
    for (const ensembles::ObservedExpression& one : expressions) {
      about.additions.observed.push_back(one.text);
      sampled.push_back({one.name.c_str(), one.unit.c_str(), one.text.c_str()});
    }
    if (request.tangent) add(*request.tangent, request.consistency);
    const int directions = request.tangent ? request.tangent->directions() : 0;
    if (!request.stops.empty()) {
      observables.insert(observables.end(), std::begin(of_a_stop), std::end(of_a_stop));
      if (directions > 0) observables.push_back(derivatives_of(of_a_stop[0], directions));
    }
    for (const ensembles::Event& event : request.events) add(event);
    // Behind all that is kept of events themselves.
    if (directions > 0)
      for (const ObservableInfo& one : std::vector(observables))
        if (one.axes[0].name != nullptr && std::string_view(one.axes[0].name).ends_with(event_axis))
          observables.push_back(derivatives_of(one, directions));
    const std::size_t own = observables.size();
    observables.insert(observables.end(), base.info->observables.begin(), base.info->observables.end());
    // Only a text with impacts is asked for another number of times.
    if (request.keep_impacts > 0)
      std::ranges::copy(impact_observables(text->facts().impacts, request.keep_impacts),
                        observables.begin() + static_cast<std::ptrdiff_t>(own));
    const auto hits =
        std::find_if(observables.begin() + static_cast<std::ptrdiff_t>(own), observables.end(),
                     [](const ObservableInfo& one) { return std::string_view(one.name) == "impact_time"; });
    if (directions > 0 && hits != observables.end())
      observables.insert(hits + 1, derivatives_of(*hits, directions));
    info.sampled = sampled;
    info.observables = observables;
    system.info = &info;
    system.capabilities = base.capabilities;
    add(catalogue.pairs, base, pairs);
    add(catalogue.single_pairs, base, single_pairs);
  }
  ObservingEntries(const ObservingEntries&) = delete;
  ObservingEntries& operator=(const ObservingEntries&) = delete;

  /// What a record keeps of derivatives, in the order in which the kernels have it.
  void add(const ensembles::Tangent& tangent, Consistency consistency) {
    about.additions.tangents = {tangent.state,
                                tangent.directions(),
                                tangent.of,
                                tangent.q,
                                tangent.v,
                                tangent.momentum,
                                consistency != Consistency::keep,
                                tangent.exponents,
                                tangent.every};
    const EntryAxis of_directions = {ensembles::tangent_axis, tangent.directions()};
    const auto keep = [&](const std::string& what, const std::string& meaning) -> ObservableInfo& {
      return observables.emplace_back(
          ObservableInfo{names.emplace_back(ensembles::tangent_group + what).c_str(), "SI",
                         names.emplace_back(meaning + what).c_str()});
    };
    const auto keep_state = [&](const std::string& when, const std::string& meaning) {
      for (const char* what : {"q", "p", "v"}) {
        ObservableInfo& state = keep(when + what, meaning);
        state.axes[0] = {"coordinate", info.coordinates};
        state.axes[1] = of_directions;
      }
    };
    if (tangent.directions() > 0) {
      keep_state("final_", "derivatives of ");
      for (const ObservableInfo& one : sampled)
        keep(std::string("final_") + one.name, "derivatives of ").axes[0] = of_directions;
    }
    if (tangent.exponents > 0) {
      ObservableInfo exponents = {"lyapunov", "1/s", "Lyapunov exponents, the largest first"};
      exponents.axes[0] = {"exponent", tangent.exponents};
      observables.push_back(exponents);
    }
    if (tangent.state && tangent.directions() > 0)
      keep_state("initial_", "the basis that directions are of, in ");
  }

  /// Derivatives of what a record keeps of a stop, an event or impacts, along one axis more.
  ObservableInfo derivatives_of(const ObservableInfo& one, int directions) {
    ObservableInfo derivatives = one;
    derivatives.name = names.emplace_back(std::string(ensembles::tangent_group) + one.name).c_str();
    derivatives.unit = "SI";
    derivatives.meaning = names.emplace_back(std::string("derivatives of ") + one.name).c_str();
    const auto is_free = [](const EntryAxis& axis) { return axis.name == nullptr; };
    *std::ranges::find_if(derivatives.axes, is_free) = {ensembles::tangent_axis, directions};
    return derivatives;
  }

  /// What a record keeps of an event.
  void add(const ensembles::Event& event) {
    about.additions.events.push_back({event.when, {event.direction, event.keep, event.state}});
    const auto keep = [&](const char* what, const char* unit, const std::string& meaning) {
      return ObservableInfo{names.emplace_back(event.name + what).c_str(), unit,
                            names.emplace_back(meaning).c_str()};
    };
    const EntryAxis of_events = {names.emplace_back(event.name + event_axis).c_str(), event.keep},
                    of_coordinates = {"coordinate", info.coordinates};
    observables.push_back(keep("_count", "1", "times that " + event.when + " was zero"));
    ObservableInfo time = keep("_time", "s", "the first of these times; NaN behind the last");
    time.axes[0] = of_events;
    observables.push_back(time);
    if (!event.state) return;
    for (const auto& [what, meaning] :
         {std::pair{"_q", "coordinates at these times"}, {"_v", "velocities at these times"}}) {
      ObservableInfo state = keep(what, "SI", meaning);
      state.axes[0] = of_events;
      state.axes[1] = of_coordinates;
      observables.push_back(state);
    }
  }

  /// Pairs of the system, to be compiled with its new class.
  void add(std::span<const PairKernels> from, const SystemKernels& base, std::vector<PairKernels>& to) {
    for (PairKernels pair : from) {
      if (pair.system->info != base.info) continue;
      pair.system = &system;
      pair.start = nullptr;
      pair.advance_straight = pair.advance_mixed = nullptr;
      pair.plain_node = nullptr;
      pair.careful = nullptr;
      to.push_back(pair);
    }
  }
};

struct All {
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<ObservingEntries>> by_content;
};
All& all() {
  static All* const entries = new All;  // used by whatever runs until the end
  return *entries;
}

std::string content_of(const SystemInfo& base, const ensembles::Request& request) {
  std::string content = fmt::format("{}", static_cast<const void*>(&base));
  const auto add = [&](const std::string& part) { content += fmt::format(" {}:{}", part.size(), part); };
  for (const ensembles::ObservedExpression& one : request.expressions) {
    add(one.name);
    add(one.unit);
    add(one.text);
  }
  content += " stop";
  for (const std::string& stop : request.stops) add(stop);
  content += " event";
  for (const ensembles::Event& event : request.events) {
    add(event.name);
    add(event.when);
    content += fmt::format(" {} {} {}", event.direction, event.keep, event.state);
  }
  content += fmt::format(" impacts {}", request.keep_impacts);
  if (!request.tangent) return content;
  const ensembles::Tangent& tangent = *request.tangent;
  content += fmt::format(" tangent {} {} {} {} {} {}", tangent.state, tangent.directions(), tangent.momentum,
                         request.consistency == Consistency::keep, tangent.exponents, tangent.every);
  for (const Direction& one : tangent.of)
    content += fmt::format(" {}:{}", static_cast<int>(one.of), one.entry);
  for (const auto* origins : {&tangent.q, &tangent.v})
    for (const Origin one : *origins) content += fmt::format(" {}", static_cast<int>(one));
  return content;
}

}  // namespace

const Observing* observing_of(const SystemInfo& system) {
  const std::lock_guard guard(all().mutex);
  for (const auto& [content, entries] : all().by_content)
    if (&entries->info == &system) return &entries->about;
  return nullptr;
}

void refuse_tangents(const expressions::Additions& additions, const std::string& solver) {
  if (additions.tangents)
    refuse({.key = "tangent"}, "derivatives are those of the steps of a scheme, and " + solver + " has none",
           "a scheme on the backend cpu");
}

void refuse_events(const expressions::Additions& additions, const std::string& solver) {
  if (!additions.events.empty())
    refuse({.key = "output.event"},
           "events are found by shorter steps of a scheme, and " + solver + " has none",
           "a scheme on the backend cpu");
}

Catalogue observing(const Catalogue& catalogue, const ensembles::Request& request) {
  if (request.expressions.empty() && request.stops.empty() && request.events.empty() &&
      request.keep_impacts == 0 && !request.tangent)
    return catalogue;
  const SystemKernels& base = *catalogue.system(request.system);
  const std::string content = content_of(*base.info, request);
  const TextSystem* const text = text_of(*base.info);
  expressions::Scope scope = expressions::names_at_nodes(*base.info, text);
  const std::lock_guard guard(all().mutex);
  std::unique_ptr<ObservingEntries>& entries = all().by_content[content];
  if (!entries)
    entries = std::make_unique<ObservingEntries>(catalogue, base, text, std::move(scope), request);
  return {{&entries->system, 1}, entries->schemes, entries->pairs, entries->single_pairs};
}

}  // namespace livens::host
