#pragma once
// A scheme backwards: the adjoint of a node is that of the node before, and of the parameters, by a step that is taken
// once on values, whose roots stay on tape, and once on record (equations/tangents.md, section 7). Labels are those of
// that section. The length of a step is differentiated by its logarithm, as in tangent_scheme.hpp.

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
  /// What a sum changes by with each number that is carried.
  using Adjoint = Vec<double, width>;

  AdjointScheme(const Parameters& parameters, double h, const Composition& composition,
                const Settings& settings)
      : h_(h),
        composition_(composition),
        settings_(settings),
        tape_(room_, tape_size<Values>()),
        system_(parameters, &tape_),
        by_parameter_(zero_vector<double, parameter_count>()) {
    for (const Direction& direction : Tangents::of) {
      if (direction.of == WithRespectTo::parameter) moves_[direction.entry] = true;
      if (direction.of == WithRespectTo::step) step_moves_ = true;
    }
  }
  AdjointScheme(const AdjointScheme&) = delete;
  AdjointScheme& operator=(const AdjointScheme&) = delete;

  /// The adjoint of what is carried becomes that before the step that leaves `now`; at its end, at a time t, a sum counts
  /// the node so: (a). False where the step fails.
  bool back_over_step(const Carried& now, const CountedNode& counted, double t, Adjoint& adjoint) {
    for (int level = 0; level <= settings_.retry; ++level) {
      begin();
      const typename Moved::Carried start = on_record(now);
      typename Moved::Carried at = start;
      if (!take(now, 1 << level, at)) continue;
      count(at, adjoint);
      count(at, counted, t);
      end();
      for (int i = 0; i < width; ++i) adjoint[i] = recording_.adjoint(number(start, i));
      return true;
    }
    return false;
  }
  /// The adjoint of the state that the scheme starts from, of which a sum counts the first node so.
  NodeState<double, d> back_to_start(const NodeState<double, d>& n, const CountedNode& counted,
                                     const Adjoint& adjoint) {
    begin();
    const NodeState<Reverse, d> state{on_record(n.q), on_record(n.p), on_record(n.v)};
    const typename Moved::System system(parameters_, &tape_);
    const typename Moved::Carried carried = Moved(system, length(h_), settings_).start(state);
    count(carried, adjoint);
    count(carried, counted, 0.0);
    end();
    NodeState<double, d> r;
    for (int i = 0; i < d; ++i) {
      r.q[i] = recording_.adjoint(state.q[i]);
      r.p[i] = recording_.adjoint(state.p[i]);
      r.v[i] = recording_.adjoint(state.v[i]);
    }
    return r;
  }
  /// What the sum changes by with a direction, through all steps that were gone back over and the start of the scheme.
  double along(const Direction& direction) const {
    if (direction.of == WithRespectTo::parameter) return by_parameter_[direction.entry];
    return direction.of == WithRespectTo::step ? by_step_ / h_ : 0.0;
  }

 private:
  /// A new recording, on which parameters and step come first.
  void begin() {
    recording_.clear();
    for (int k = 0; k < parameter_count; ++k)
      parameters_[k] = moves_[k] ? recording_.variable(system_.given[k]) : Reverse(system_.given[k]);
    logarithm_ = step_moves_ ? recording_.variable(0.0) : Reverse(0.0);
  }
  void end() {
    recording_.sweep();
    for (int k = 0; k < parameter_count; ++k)
      if (moves_[k]) by_parameter_[k] += recording_.adjoint(parameters_[k]);
    if (step_moves_) by_step_ += recording_.adjoint(logarithm_);
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
    const typename Moved::System system(parameters_, &tape_);
    const NodeState<Reverse, d> n = Moved(system, length(h_), settings_).node(carried);
    count(n.q, counted.q);
    count(n.p, counted.p);
    count(n.v, counted.v);
    if constexpr (SampledSystem<System>)
      if (counted.sampled) count(system.sampled(n, made_of(t, logarithm_, t)), counted.sampled);
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
        const typename Moved::System system(parameters_, &tape_);
        typename Moved::Carried moved;
        Moved(system, length(h), settings_).template step<Pivoting::where_needed>(at, true, moved);
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
  bool moves_[parameter_count + 1] = {}, step_moves_ = false;  // there may be none
  Recording recording_;
  Vec<Reverse, parameter_count> parameters_;
  Reverse logarithm_;  ///< of the whole step, less its value
  Vec<double, parameter_count> by_parameter_;
  double by_step_ = 0.0;
};

}  // namespace livens::inline LIVENS_ISA
