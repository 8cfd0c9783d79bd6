#pragma once
// Whether M has an inverse. Its entries are expressions, and their form does not say: it is tried with the
// default parameters and with random ones, at random configurations.

#include "expressions/mechanics.hpp"

namespace livens::expressions {

enum class InertiaKind { regular, singular, indefinite };

/// Singular where M has no inverse in any trial, indefinite where a pivot is negative with the defaults.
InertiaKind inertia_kind(const Description& description, const Mechanics& mechanics);

}  // namespace livens::expressions
