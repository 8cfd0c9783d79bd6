#pragma once
// Systems written as text, as the catalogue shows them: the pairs that follow from what the text says,
// without functions until one of them is compiled.

#include "expressions/text_system.hpp"
#include "host/pairs/catalogue.hpp"
#include "kernels/backends/known_pairs.hpp"

namespace livens::host {

/// The catalogue with the system of a text, which the reference then has, too. What it refers to lives as
/// long as the program; the same text gives the same entries. Throws RequestError for the name of a system of
/// livens.
Catalogue with_text(const Catalogue& program, const TextSystem& text);

/// The catalogue that a request is about: that of the program, with the text and the expressions of the
/// request where it has some.
Catalogue catalogue_of(const ensembles::Request& request);

/// The text that a system comes from, with expressions or without, or null.
const TextSystem* text_of(const SystemInfo& system);
/// The system is a text with walls, which are met on the processor, one instance at a time.
bool has_impacts(const SystemInfo& system);

/// The text that says the equations of a system: the one it comes from, or what a system of livens is as
/// text, with the same parameters and coordinates; or null.
const TextSystem* text_of_equations(const SystemInfo& system);

/// A form in which a scheme runs a text, as an entry of the known pairs, and its unknowns there.
struct FormOfText {
  const KnownPair* known;
  int unknowns;
};
/// The forms of the scheme on a text, the preferred one first: one in vectors where the text is nothing but those, a
/// condensed one where it is of its class, "reduced" or, beside one in vectors that cannot do all of it, "condensed"; and
/// the full one, or where a scheme has but one, that. No two have one name.
std::vector<FormOfText> forms_of(const TextSystem& text, const SchemeInfo& scheme);
/// What the text is made of, "2 rods, 1 free vector", where a form of the scheme is in those vectors; else empty.
std::string parts_of(const TextSystem& text, const SchemeInfo& scheme);
/// The one of that name, or null.
const KnownPair* form_of(const TextSystem& text, const SchemeInfo& scheme, std::string_view name);

/// An entry of the catalogue for a form that is not compiled.
PairKernels pair_without_functions(const SystemKernels& system, const KnownPair& form, Precision precision);

}  // namespace livens::host
