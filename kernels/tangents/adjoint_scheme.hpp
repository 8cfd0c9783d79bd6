#pragma once
// A scheme backwards: the adjoint of a node is that of the node before, and of the parameters, by a step that is taken
// once on values, whose roots stay on tape, and once on record (equations/tangents.md, section 7). Labels are those of
// that section. The length of a step is differentiated by its logarithm, as in tangent_scheme.hpp.

#include <algorithm>

#include "kernels/stepping/careful.hpp"
#include "kernels/tangents/reverse_root.hpp"
#include "kernels/tangents/tangent_scheme.hpp"

namespace livens::inline LIVENS_ISA {

/// What a sum counts q, p, v and the system's own values of a node with; null: not at all.
struct CountedNode {
  const double *q = nullptr, *p = nullptr, *v = nullptr, *sampled = nullptr;
};

/// Of a scheme on a Taped system over double, one instance at a time.
template <class Values>
class AdjointScheme {
 public:
  using System = typename Values::System;
  using Tangents = typename System::Tangents;
  using Carried = typename Values::Carried;
  using Moved = typename Values::template Over<Reverse>;
  static constexpr int d = System::coordinates, parameter_count = System::parameter_count,
                       width = sizeof(Carried) / sizeof(double);
  static_assert(sizeof(typename Moved::Carried) == width * sizeof(Reverse));
  using Parameters = Vec<double, parameter_count>;
  using Position = Vec<double, d>;
  /// What a sum changes by with each number that is carried.
  using Adjoint = Vec<double, width>;

  AdjointScheme(const Parameters& parameters, double h, const Composition& composition,
                const Settings& settings)
      : h_(h),
        composition_(composition),
        settings_(settings),
        tape_(room_, tape_size<Values>()),
        system_(parameters, &tape_),
        parameters_(constants<Reverse>(parameters)),
        logarithm_(0.0),
        moved_(followed(), &tape_) {
    recording_.stay();
  }
  AdjointScheme(const AdjointScheme&) = delete;
  AdjointScheme& operator=(const AdjointScheme&) = delete;

  /// The adjoint of what is carried becomes that before the step that leaves `now`; at its end, at a time t, a sum counts
  /// the node so: (a). False where the step fails.
  bool back_over_step(const Carried& now, const CountedNode& counted, double t, Adjoint& adjoint) {
    for (int level = 0; level <= settings_.retry; ++level) {
      recording_.rewind();
      const typename Moved::Carried start = on_record(now);
      typename Moved::Carried at = start;
      if (!take(now, 1 << level, at)) continue;
      count(at, adjoint);
      count(at, counted, t);
      recording_.sweep();
      for (int i = 0; i < width; ++i) adjoint[i] = recording_.adjoint(number(start, i));
      return true;
    }
    return false;
  }
  /// What the sum changes by along every direction, with the adjoint of what is carried at the start n, of which it
  /// counts the node so; given_q, given_v are what that was projected from.
  void back_over_start(const Position& given_q, const Position& given_v, const NodeState<double, d>& n,
                       const CountedNode& counted, const Adjoint& adjoint, double* gradient) {
    recording_.rewind();
    Vec<Reverse, d> named_q, named_v;  // the variables among the entries of q^, and of v^ or p^
    const Vec<Reverse, d> q =
        follow(WithRespectTo::q, moved_.initial_position(), Tangents::q, given_q, named_q);
    Vec<Reverse, d> v;
    if constexpr (Tangents::momentum) {
      constexpr std::array<Origin, d> given = {};
      const Position p = momentum_of(system_, given_q, given_v);
      v = velocity_of(moved_, q, follow(WithRespectTo::p, constants<Reverse>(p), given, p, named_v));
    } else {
      v = follow(WithRespectTo::v, moved_.initial_velocity(), Tangents::v, given_v, named_v);
    }
    bool found;
    const NodeState<Reverse, d> start =
        StartingDirections<System>(system_, given_q, given_v, n).consistent(moved_, q, v, found);
    const typename Moved::Carried carried = Moved(moved_, length(h_), settings_).start(start);
    count(carried, adjoint);
    count(carried, counted, 0.0);
    recording_.sweep();
    const auto by = [&](const Direction& direction) {
      switch (direction.of) {
        case WithRespectTo::parameter:
          return recording_.adjoint(parameters_[direction.entry]);
        case WithRespectTo::step:
          return recording_.adjoint(logarithm_) / h_;
        case WithRespectTo::q:
          return recording_.adjoint(named_q[direction.entry]);
        default:
          return recording_.adjoint(named_v[direction.entry]);
      }
    };
    // Entries of the state are on record behind what stays.
    for (int j = 0; j < Tangents::directions; ++j)
      if (!of_motion(Tangents::of[j])) gradient[j] = by(Tangents::of[j]);
    recording_.sweep_what_stays();
    for (int j = 0; j < Tangents::directions; ++j)
      if (of_motion(Tangents::of[j])) gradient[j] = by(Tangents::of[j]);
    if (!found) std::fill_n(gradient, Tangents::directions, __builtin_nan(""));
  }

 private:
  /// What stays on record: parameters that directions name, the step, and what a system makes of them once.
  static bool of_motion(const Direction& direction) {
    return direction.of == WithRespectTo::parameter || direction.of == WithRespectTo::step;
  }
  const Vec<Reverse, parameter_count>& followed() {
    for (const Direction& direction : Tangents::of) {
      if (direction.of == WithRespectTo::parameter)
        parameters_[direction.entry] = recording_.variable(parameters_[direction.entry].value);
      if (direction.of == WithRespectTo::step) logarithm_ = recording_.variable(0.0);
    }
    return parameters_;
  }
  /// Entries of the state as given: those that directions name are variables, and the system's own move with its
  /// parameters.
  Vec<Reverse, d> follow(WithRespectTo of, const Vec<Reverse, d>& own, const std::array<Origin, d>& from,
                         const Position& given, Vec<Reverse, d>& named) {
    named = constants<Reverse>(given);
    for (const Direction& direction : Tangents::of)
      if (direction.of == of) named[direction.entry] = recording_.variable(given[direction.entry]);
    Vec<Reverse, d> r;
    for (int i = 0; i < d; ++i) {
      const double slope = from[i] == Origin::own          ? 1.0
                           : from[i] == Origin::multiplied ? given[i] / own[i].value
                                                           : 0.0;
      r[i] = made_of(given[i], own[i], slope, 0.0, 0.0, named[i]);
    }
    return r;
  }
  Reverse length(double h) const { return made_of(h, logarithm_, h); }

  template <int N>
  Vec<Reverse, N> on_record(const Vec<double, N>& values) {
    Vec<Reverse, N> r;
    for (int i = 0; i < N; ++i) r[i] = recording_.variable(values[i]);
    return r;
  }
  typename Moved::Carried on_record(const Carried& carried) {
    Adjoint values;
    memcpy(&values, static_cast<const void*>(&carried), sizeof values);
    const Vec<Reverse, width> numbers = on_record(values);
    typename Moved::Carried r;
    memcpy(static_cast<void*>(&r), &numbers, sizeof r);
    return r;
  }
  static Reverse number(const typename Moved::Carried& carried, int i) {
    Reverse r;
    memcpy(static_cast<void*>(&r), reinterpret_cast<const char*>(&carried) + i * sizeof r, sizeof r);
    return r;
  }
  void count(const typename Moved::Carried& carried, const Adjoint& adjoint) {
    for (int i = 0; i < width; ++i)
      if (adjoint[i] != 0.0) recording_.add(number(carried, i), adjoint[i]);
  }
  template <int N>
  void count(const Vec<Reverse, N>& numbers, const double* by) {
    if (by != nullptr)
      for (int i = 0; i < N; ++i) recording_.add(numbers[i], by[i]);
  }
  void count(const typename Moved::Carried& carried, const CountedNode& counted, double t) {
    if (!counted.q && !counted.p && !counted.v && !counted.sampled) return;
    const NodeState<Reverse, d> n = Moved(moved_, length(h_), settings_).node(carried);
    count(n.q, counted.q);
    count(n.p, counted.p);
    count(n.v, counted.v);
    if constexpr (SampledSystem<System>)
      if (counted.sampled) count(moved_.sampled(n, made_of(t, logarithm_, t)), counted.sampled);
  }

  /// The stages of a step in so many substeps, one after the other, as careful_step() takes them: each on values, and
  /// then on record. False where one fails.
  bool take(const Carried& now, int substeps, typename Moved::Carried& at) {
    const double whole = h_ / static_cast<double>(substeps);
    Carried value = now, next;
    for (int i = 0; i < substeps; ++i)
      for (int stage = 0; stage < composition_.stages; ++stage) {
        const double h = stage_length(composition_, stage, whole);
        tape_.rewind();
        const Values scheme(system_, h, settings_);
        if (!scheme.template step<Pivoting::where_needed>(value, true, next).outcome.good()) return false;
        value = next;
        tape_.rewind();
        typename Moved::Carried moved;
        Moved(moved_, length(h), settings_).template step<Pivoting::where_needed>(at, true, moved);
        at = moved;
      }
    return true;
  }

  double h_;
  const Composition& composition_;
  const Settings& settings_;
  double room_[tape_size<Values>()];
  Tape<double> tape_;
  System system_;
  Recording recording_;
  Vec<Reverse, parameter_count> parameters_;
  Reverse logarithm_;  ///< of the whole step, less its value
  typename Moved::System moved_;
};

}  // namespace livens::inline LIVENS_ISA
