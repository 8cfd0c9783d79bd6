#include "host/pairs/text_pairs.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include "host/errors.hpp"
#include "host/pairs/built_in_texts.hpp"
#include "host/pairs/observing_pairs.hpp"
#include "host/pairs/registry.hpp"
#include "host/pairs/text_reference.hpp"
#include "host/pairs/true_motion_pairs.hpp"

namespace livens::host {
namespace {

/// A scheme solves for coordinates and multipliers, once or, with velocities, twice; contact schemes for what
/// the constraints leave, or, where they are not in Chaplygin's form, for nothing: the system brings a step
/// onto them.
int unknowns_on(const TextSystem& text, const KnownPair& form) {
  const SystemInfo &system = text.info(), &other = *form.system->info;
  if (system.nonholonomic) return text.facts().chaplygin ? system.coordinates - system.constraints : 0;
  return form.unknowns / (other.coordinates + other.constraints) * (system.coordinates + system.constraints);
}

/// The entries of one text.
struct TextEntries {
  TextSystem text;
  std::vector<SystemKernels> systems;
  std::vector<PairKernels> pairs, single_pairs;
  std::vector<const SchemeInfo*> schemes;

  TextEntries(const Catalogue& program, const TextSystem& of)
      : text(of), schemes(program.schemes.begin(), program.schemes.end()) {
    // Its own first; systems stay where they are, since pairs point to them.
    systems.reserve(program.systems.size() + 1);
    systems.emplace_back();
    systems.front().info = &text.info();
    systems.front().faces = text.faces();
    systems.insert(systems.end(), program.systems.begin(), program.systems.end());
    for (const SchemeInfo* scheme : program.schemes) add(*scheme);
    if (const auto read = read_by_reference(text))
      for (const PairKernels& pair : true_motion_pairs(systems.front(), read)) pairs.push_back(pair);
    pairs.push_back(taylor_pair(systems.front()));
    pairs.insert(pairs.end(), program.pairs.begin(), program.pairs.end());
    single_pairs.insert(single_pairs.end(), program.single_pairs.begin(), program.single_pairs.end());
  }

  void add(const SchemeInfo& scheme) {
    const KnownPair* form = pattern_of(text, scheme);
    if (!form) return;
    PairKernels pair = pair_without_functions(systems.front(), *form, Precision::full);
    pair.scheme = &scheme;
    pair.unknowns = unknowns_on(text, *form);
    // The form for any other mass matrix damps a system that says how.
    if (!text.facts().nonholonomic && !text.faces().has(Face::regular_mass))
      pair.damped = text.faces().has(Face::viscosity);
    pairs.push_back(pair);
    if (!few_enough_for_lower(pair.unknowns)) return;
    pair.precision = Precision::single;
    single_pairs.push_back(pair);
  }
};

struct Texts {
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<TextEntries>> by_identity;
};
Texts& texts() {
  static Texts* const all = new Texts;  // used by whatever runs until the end
  return *all;
}

}  // namespace

Catalogue with_text(const Catalogue& program, const TextSystem& text) {
  if (known_system(text.name()))
    refuse({text.name()}, "is the name of a system of livens", "another for the text");
  const std::lock_guard guard(texts().mutex);
  std::unique_ptr<TextEntries>& entries = texts().by_identity[text.identity()];
  if (!entries) entries = std::make_unique<TextEntries>(program, text);
  return {entries->systems, entries->schemes, entries->pairs, entries->single_pairs};
}

Catalogue catalogue_of(const ensembles::Request& request) {
  Catalogue catalogue = registered();
  if (!request.text.empty()) catalogue = with_text(catalogue, read_text_system(request.text, request.system));
  return observing(catalogue, request);
}

const TextSystem* text_of(const SystemInfo& system) {
  if (const Observing* own = observing_of(system)) return text_of(*own->base);
  const std::lock_guard guard(texts().mutex);
  for (const auto& [identity, entries] : texts().by_identity)
    if (&entries->text.info() == &system) return &entries->text;
  return nullptr;
}

const TextSystem* text_of_equations(const SystemInfo& system) {
  const TextSystem* text = text_of(system);
  return text ? text : built_in_text(system.name);
}

const KnownPair* pattern_of(const TextSystem& text, const SchemeInfo& scheme) {
  if (!text.why_not(scheme).empty()) return nullptr;
  const KnownPair* found = nullptr;
  for (const KnownPair& known : known_pairs()) {
    const bool same_mass =
        known.system->faces.has(Face::regular_mass) == text.faces().has(Face::regular_mass);
    if (known.scheme->name != std::string_view(scheme.name)) continue;
    if (text.info().nonholonomic) return &known;
    // On a system without dampers a form may have no code for them.
    if (same_mass && known.form == std::string_view("full") && (!found || known.damped || !found->damped))
      found = &known;
  }
  return found;
}

PairKernels pair_without_functions(const SystemKernels& system, const KnownPair& form, Precision precision) {
  PairKernels pair{};
  pair.system = &system;
  pair.scheme = form.scheme;
  pair.form = form.form;
  pair.unknowns = form.unknowns;
  pair.damped = form.damped;
  pair.compensated = form.compensated;
  pair.fixed_options = form.fixed_options;
  pair.precision = precision;
  return pair;
}

}  // namespace livens::host
