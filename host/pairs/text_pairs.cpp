#include "host/pairs/text_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "host/errors.hpp"
#include "host/pairs/built_in_texts.hpp"
#include "host/pairs/observing_pairs.hpp"
#include "host/pairs/registry.hpp"
#include "host/pairs/text_reference.hpp"
#include "host/pairs/true_motion_pairs.hpp"

namespace livens::host {
namespace {

/// A form for texts alone, how often coordinates, rows of positions and rows of velocities stand among its
/// unknowns, and the most of these that it has, 0 where it has any number.
struct TextForm {
  const char *scheme, *class_name, *header;
  int increments, multipliers, velocity_multipliers;
  int most = 0;
  bool fixed_options = false;
};
/// Of forms with multipliers alone, whose matrix is dense (condensed_variational.hpp).
constexpr int most_multipliers_alone = 24;
constexpr TextForm condensed_forms[] = {
    {"ems", "CondensedEms", "kernels/forms/condensed/condensed_ems.hpp", 1, 2, 0},
    {"ggl_mp", "CondensedGglMp", "kernels/forms/condensed/condensed_ggl_mp.hpp", 1, 2, 0},
    {"vi_a", "CondensedViA", "kernels/forms/condensed/condensed_vi_a.hpp", 1, 2, 0},
    {"livens", "CondensedLivens", "kernels/forms/condensed/condensed_livens.hpp", 1, 1, 0},
    {"ggl_vi", "CondensedGglVi", "kernels/forms/condensed/condensed_ggl_vi.hpp", 0, 2, 0,
     most_multipliers_alone},
    {"vi_b", "CondensedViB", "kernels/forms/condensed/condensed_vi_b.hpp", 0, 2, 0, most_multipliers_alone,
     true},
    {"rattle", "MultiplierRattle", "kernels/forms/condensed/condensed_rattle.hpp", 0, 1, 0}};
constexpr TextForm general_forms[] = {
    {"ems", "GeneralEms", "kernels/forms/general/general_ems.hpp", 1, 2, 0},
    {"ggl_mp", "GeneralGglMp", "kernels/forms/general/general_ggl_mp.hpp", 1, 2, 0},
    {"vi_a", "GeneralViA", "kernels/forms/general/general_vi_a.hpp", 1, 2, 0},
    {"vi_b", "GeneralViB", "kernels/forms/general/general_vi_b.hpp", 1, 2, 0},
    {"ggl_vi", "GeneralGglVi", "kernels/forms/general/general_ggl_vi.hpp", 2, 2, 0},
    {"rattle", "GeneralRattle", "kernels/forms/general/general_rattle.hpp", 1, 1, 0},
    {"del_multiplier", "GeneralDelMultiplier", "kernels/forms/general/general_del_multiplier.hpp", 1, 1, 0},
    {"livens", "GeneralLivens", "kernels/forms/general/general_livens.hpp", 1, 1, 1, 0, true},
    {"contact_1", "GeneralContact1", "kernels/forms/general/general_contact_1.hpp", 1, 1, 1},
    {"contact_2", "GeneralContact2", "kernels/forms/general/general_contact_2.hpp", 1, 1, 1},
    {"lagrange_dalembert", "GeneralLagrangeDalembert", "kernels/forms/general/general_lagrange_dalembert.hpp",
     1, 1, 1}};

/// A form for what is vectors alone, and its unknowns for every freedom.
struct VectorTextForm {
  const char *scheme, *class_name, *header;
  bool (*fits)(const TextFacts&);
  int unknowns;
  bool damped, fixed_options = false, compensated = false;
};
bool are_particles(const TextFacts& f) { return f.vectors.are_particles(); }
/// Few enough for forms with an unknown for every freedom, whose matrices are dense: of more the condensed ones are as fast,
/// and compiled sooner.
bool are_few_particles(const TextFacts& f) {
  return are_particles(f) && f.vectors.freedoms() <= 12 && f.vectors.springs <= 12;
}
/// The other midpoint schemes are as fast in their condensed forms.
bool are_rods_by_coordinates(const TextFacts& f) {
  return f.vectors.are_coupled_rods() && !f.vectors.coupled_metric;
}
bool turns(const TextFacts& f) { return !are_particles(f) && !f.vectors.are_coupled_rods(); }
bool is_frame(const TextFacts& f) { return f.vectors.frames == 1 && !f.vectors.coupled; }
bool turns_no_frame(const TextFacts& f) { return turns(f) && !is_frame(f); }
bool is_in_the_plane(const TextFacts& f) { return f.vectors.dimension == 2; }
bool is_alone_in_the_plane(const TextFacts& f) {
  return is_in_the_plane(f) && !f.vectors.coupled && f.vectors.size() == f.coordinates;
}
bool is_tied(const TextFacts& f) { return f.vectors.tied; }
/// Drag on points that follow the vectors has no part in the momenta of del_nullspace.hpp.
bool turns_with_points(const TextFacts& f) { return turns(f) && f.vectors.size() < f.coordinates; }
bool turns_without_points(const TextFacts& f) { return turns(f) && !turns_with_points(f); }
constexpr VectorTextForm vector_forms[] = {
    {"ems", "EmsReduced", "kernels/forms/vectors/ems_reduced.hpp", are_few_particles, 1, true, true, true},
    {"ggl_vi", "GglViReduced", "kernels/forms/vectors/ggl_vi_reduced.hpp", are_particles, 0, false},
    {"vi_a", "ViAReduced", "kernels/forms/vectors/vi_a_reduced.hpp", are_few_particles, 1, true, true},
    {"vi_b", "ViBReduced", "kernels/forms/vectors/vi_b_reduced.hpp", are_particles, 0, true, true},
    {"ggl_mp", "GglMpReduced", "kernels/forms/vectors/ggl_mp_reduced.hpp", are_few_particles, 1, true, true,
     true},
    {"livens", "LivensReduced", "kernels/forms/vectors/livens_reduced.hpp", are_few_particles, 1, true, true,
     true},
    {"rattle", "RattleReduced", "kernels/forms/vectors/rattle_reduced.hpp", are_particles, 0, false},
    {"ems", "EmsFrame", "kernels/forms/frame/ems_frame.hpp", is_frame, 1, false},
    {"ems", "EmsNullspace", "kernels/forms/turning/ems_nullspace.hpp", turns_no_frame, 1, true},
    {"ggl_vi", "GglViFrame", "kernels/forms/frame/ggl_vi_frame.hpp", is_tied, 2, false},
    {"vi_a", "ViANullspace", "kernels/forms/turning/vi_a_nullspace.hpp", turns, 1, true, true},
    {"vi_b", "ViBFrame", "kernels/forms/frame/vi_b_frame.hpp", is_tied, 1, false, true},
    {"ggl_mp", "GglMpNullspace", "kernels/forms/turning/ggl_mp_nullspace.hpp", turns, 1, true},
    {"livens", "LivensNullspace", "kernels/forms/turning/livens_nullspace.hpp", turns, 1, true},
    {"rattle", "RattleFrame", "kernels/forms/frame/rattle_frame.hpp", is_frame, 1, true},
    {"rattle", "RattleReduced", "kernels/forms/vectors/rattle_reduced.hpp", is_in_the_plane, 0, true},
    {"ggl_vi", "GglViReduced", "kernels/forms/vectors/ggl_vi_reduced.hpp", is_alone_in_the_plane, 0, true},
    {"ggl_mp", "GglMpSphere", "kernels/forms/spheres/ggl_mp_sphere.hpp", are_rods_by_coordinates, 1, true},
    {"del_multiplier", "DelMultiplierReduced", "kernels/forms/vectors/del_multiplier_reduced.hpp",
     turns_with_points, 1, false},
    {"del_multiplier", "DelMultiplierReduced", "kernels/forms/vectors/del_multiplier_reduced.hpp",
     turns_without_points, 1, true},
    {"del_multiplier", "DelMultiplierReduced", "kernels/forms/vectors/del_multiplier_reduced.hpp",
     are_few_particles, 1, true}};

/// The same as an entry of the known pairs, on no system in particular.
struct TextPattern {
  const TextForm* form;
  KnownPair known;
};
using TextPatterns = std::map<std::string_view, TextPattern>;
TextPatterns patterns_of(std::span<const TextForm> forms, const char* name) {
  TextPatterns all;
  for (const TextForm& form : forms)
    all[form.scheme] = {&form,
                        {.system = nullptr,
                         .scheme = nullptr,
                         .form = name,
                         .unknowns = 0,
                         .damped = true,
                         .compensated = false,
                         .fixed_options = form.fixed_options,
                         .lower = false,
                         .header = form.header,
                         .class_name = form.class_name}};
  return all;
}
FormOfText on_text(const TextSystem& text, const TextPattern& pattern) {
  const TextFacts& facts = text.facts();
  const TextForm& form = *pattern.form;
  return {&pattern.known, form.increments * facts.coordinates +
                              form.multipliers * (facts.constraints - facts.velocity_rows) +
                              form.velocity_multipliers * facts.velocity_rows};
}

/// The one in vectors, where the text is nothing else.
std::optional<FormOfText> in_vectors(const TextSystem& text, const SchemeInfo& scheme) {
  static const auto known = [] {
    std::vector<KnownPair> all;
    for (const VectorTextForm& form : vector_forms)
      all.push_back({.system = nullptr,
                     .scheme = nullptr,
                     .form = "reduced",
                     .unknowns = 0,
                     .damped = form.damped,
                     .compensated = form.compensated,
                     .fixed_options = form.fixed_options,
                     .lower = false,
                     .header = form.header,
                     .class_name = form.class_name});
    return all;
  }();
  const TextFacts& facts = text.facts();
  if (facts.vectors.freedoms() == 0) return {};
  for (std::size_t i = 0; i < std::size(vector_forms); ++i)
    if (const VectorTextForm& form = vector_forms[i];
        form.scheme == std::string_view(scheme.name) && form.fits(facts))
      return FormOfText{&known[i], form.unknowns * facts.vectors.freedoms()};
  return {};
}

/// The form of the scheme on a system of livens that has the class which the scheme has on the text's system:
/// the full one, or where a scheme has but one, that; or null.
const KnownPair* full_pattern(const TextSystem& text, const SchemeInfo& scheme) {
  const KnownPair* found = nullptr;
  for (const KnownPair& known : known_pairs()) {
    if (known.scheme->name != std::string_view(scheme.name)) continue;
    if (text.info().nonholonomic) return &known;
    // On a system without dampers a form may have no code for them.
    if (known.system->capabilities.has(Capability::regular_mass) && known.form == std::string_view("full") &&
        (!found || known.damped || !found->damped))
      found = &known;
  }
  return found;
}
/// A scheme solves for coordinates and multipliers, once or, with velocities, twice; contact schemes for what
/// the constraints leave, or, where they are not in Chaplygin's form, for nothing: the system brings a step
/// onto them.
int unknowns_on(const TextSystem& text, const KnownPair& known) {
  const SystemInfo &system = text.info(), &other = *known.system->info;
  if (system.nonholonomic) return text.facts().chaplygin ? system.coordinates - system.constraints : 0;
  return known.unknowns / (other.coordinates + other.constraints) * (system.coordinates + system.constraints);
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
    systems.front().capabilities = text.capabilities();
    systems.insert(systems.end(), program.systems.begin(), program.systems.end());
    for (const SchemeInfo* scheme : program.schemes) add(*scheme);
    if (text.facts().impacts == 0) {
      if (const auto read = read_by_reference(text))
        for (const PairKernels& pair : true_motion_pairs(systems.front(), read)) pairs.push_back(pair);
      pairs.push_back(taylor_pair(systems.front()));
    }
    pairs.insert(pairs.end(), program.pairs.begin(), program.pairs.end());
    single_pairs.insert(single_pairs.end(), program.single_pairs.begin(), program.single_pairs.end());
  }

  Catalogue catalogue() const { return {systems, schemes, pairs, single_pairs}; }

  void add(const SchemeInfo& scheme) {
    for (const FormOfText& form : forms_of(text, scheme)) {
      PairKernels pair = pair_without_functions(systems.front(), *form.known, Precision::full);
      pair.scheme = &scheme;
      pair.unknowns = form.unknowns;
      pairs.push_back(pair);
      // A gap is closed to the last places of a double.
      if (!few_enough_for_lower(pair.unknowns) || text.facts().impacts > 0) continue;
      pair.precision = Precision::single;
      single_pairs.push_back(pair);
    }
  }
};

/// The scheme that a text names for specs that name none runs it. This program may not hold it.
void check_standard_scheme(const TextEntries& entries) {
  const SystemInfo& system = entries.text.info();
  const Place* place = entries.text.place_of_standard();
  if (!place) return;
  const std::string name = system.default_scheme;
  const auto is_it = [&](const SchemeInfo* scheme) { return scheme->name == name; };
  if (std::ranges::any_of(entries.pairs, [&](const PairKernels& pair) {
        return pair.system->info == &system && is_it(pair.scheme);
      }))
    return;
  std::vector<std::string> names;
  for (const SchemeInfo* scheme : entries.schemes) names.emplace_back(scheme->name);
  const auto known = std::ranges::find_if(entries.schemes, is_it);
  if (known == entries.schemes.end()) {
    if (std::ranges::any_of(known_pairs(), [&](const KnownPair& pair) { return is_it(pair.scheme); })) return;
    refuse_unknown(*place, "unknown scheme '" + name + "'", name, names);
  }
  refuse(*place, name + " does not run " + system.name + ": " + entries.text.why_not(**known));
}

struct Texts {
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<TextEntries>> by_identity;
};
Texts& texts() {
  static Texts* const all = new Texts;  // used by whatever runs until the end
  return *all;
}
/// The entries of a text that was read before, or null.
const TextEntries* known_text(const std::string& identity) {
  const std::lock_guard guard(texts().mutex);
  const auto found = texts().by_identity.find(identity);
  return found == texts().by_identity.end() ? nullptr : found->second.get();
}

}  // namespace

Catalogue with_text(const Catalogue& program, const TextSystem& text) {
  if (known_system(text.name()))
    refuse({text.name()}, "is the name of a system of livens", "another for the text");
  const std::lock_guard guard(texts().mutex);
  std::unique_ptr<TextEntries>& entries = texts().by_identity[text.identity()];
  if (!entries) entries = std::make_unique<TextEntries>(program, text);
  check_standard_scheme(*entries);
  return entries->catalogue();
}

Catalogue catalogue_of(const ensembles::Request& request) {
  Catalogue catalogue = registered();
  if (!request.text.empty()) {
    const TextEntries* const known = known_text(request.text);
    catalogue =
        known ? known->catalogue() : with_text(catalogue, read_text_system(request.text, request.system));
  }
  return observing(catalogue, request);
}

const TextSystem* text_of(const SystemInfo& system) {
  if (const Observing* own = observing_of(system)) return text_of(*own->base);
  const std::lock_guard guard(texts().mutex);
  for (const auto& [identity, entries] : texts().by_identity)
    if (&entries->text.info() == &system) return &entries->text;
  return nullptr;
}

bool has_impacts(const SystemInfo& system) {
  const TextSystem* text = text_of(system);
  return text && text->facts().impacts > 0;
}

const TextSystem* text_of_equations(const SystemInfo& system) {
  const TextSystem* text = text_of(system);
  return text ? text : built_in_text(system.name);
}

std::vector<FormOfText> forms_of(const TextSystem& text, const SchemeInfo& scheme) {
  static const TextPatterns alone = patterns_of(condensed_forms, "reduced"),
                            beside = patterns_of(condensed_forms, "condensed"),
                            general = patterns_of(general_forms, "full");
  if (!text.why_not(scheme).empty()) return {};
  if (text.needs_general_form(scheme)) {
    const auto found = general.find(scheme.name);
    if (found == general.end()) return {};
    return {on_text(text, found->second)};
  }
  std::vector<FormOfText> forms;
  if (const auto form = in_vectors(text, scheme)) forms.push_back(*form);
  const bool is_complete =
      !forms.empty() && forms.front().known->damped && !forms.front().known->fixed_options;
  const KnownPair* full = full_pattern(text, scheme);
  if (!full) return forms;
  const TextPatterns& condensed = forms.empty() ? alone : beside;
  const auto found = condensed.find(scheme.name);
  if (found != condensed.end() && !is_complete && !text.info().nonholonomic) {
    const FormOfText form = on_text(text, found->second);
    const int most = found->second.form->most;
    if (form.unknowns > 0 && (most == 0 || form.unknowns <= most)) forms.push_back(form);
  }
  forms.push_back({full, unknowns_on(text, *full)});
  return forms;
}

std::string parts_of(const TextSystem& text, const SchemeInfo& scheme) {
  if (!in_vectors(text, scheme)) return {};
  const VectorFacts& v = text.facts().vectors;
  std::string list;
  const auto add = [&](int count, const char* name) {
    if (count > 0)
      list += fmt::format("{}{} {}{}", list.empty() ? "" : ", ", count, name, count == 1 ? "" : "s");
  };
  add(v.frames, "frame");
  add(v.unit, v.are_particles() ? "rod" : "unit vector");
  add(v.free, "free vector");
  add(v.springs, "spring");
  add((text.facts().coordinates - v.size()) / v.dimension, "point");
  return v.drifting > 0 ? list + ", and a centre of mass that drifts" : list;
}

const KnownPair* form_of(const TextSystem& text, const SchemeInfo& scheme, std::string_view name) {
  const std::vector<FormOfText> forms = forms_of(text, scheme);
  const auto found = std::ranges::find(
      forms, name, [](const FormOfText& form) { return std::string_view(form.known->form); });
  return found == forms.end() ? nullptr : found->known;
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
