#pragma once
// A scheme that carries directions beside the state: exact derivatives of the discrete motion
// (equations/tangents.md). A step is one of the scheme on values, whose roots stay on tape, and then the same
// step on dual numbers, a block of directions at a time, which finds them there. Values are to the bit those
// without directions, and nothing mixes directions but the orthonormalisation of those of Lyapunov exponents.
//
// The length of a step is differentiated by its logarithm, since a stage or a substep of it is a fixed part of
// it: partials are h times those with respect to h until they are shown.

#include "kernels/newton/tape.hpp"
#include "kernels/stepping/crossings.hpp"
#include "kernels/tangents/starting_directions.hpp"

namespace livens::inline LIVENS_ISA {

/// Numbers on tape of a step of a scheme. A step finds two roots at most where one is ahead of the other
/// (look_ahead.hpp), and each once more where it is redone.
template <class Values>
constexpr int tape_size() {
  if constexpr (Values::unknowns == 0) {
    return 1;
  } else if constexpr (requires { typename Values::Redone; }) {
    return RootOnTape<typename Values::Problem>::size + tape_size<typename Values::Redone>();
  } else if constexpr (requires { typename Values::Problem; }) {
    return 4 * RootOnTape<typename Values::Problem>::size;
  } else {
    constexpr int n = Values::unknowns;
    return 4 * (3 + n + 2 * n * n);
  }
}

template <class Values>
class TangentScheme;
/// Who rests on walls is another system (systems/shared/walls.hpp); its steps leave their roots on a tape as well.
template <class Values, class System>
struct TangentSchemeOn;
template <class Values, class System>
struct TangentSchemeOn<Values, Touching<Taped<System>>> {
  using type = TangentScheme<typename Values::template On<Taped<Touching<System>>>>;
};

template <class Values_>
class TangentScheme {
 public:
  using Values = Values_;  ///< the scheme, on a Taped system
  using System = typename Values::System;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = TangentScheme<typename Values::template Over<Other>>;
  template <class Other>
  using On = typename TangentSchemeOn<Values, Other>::type;
  using Tangents = typename System::Tangents;
  static constexpr int d = System::coordinates, m = System::constraints;
  /// Those of `of`, and behind them those of the exponents.
  static constexpr int directions = Tangents::directions, exponents = Tangents::exponents,
                       all = directions + exponents;
  /// Directions on a dual number: what fits into registers.
  static constexpr int block = all < 2 ? 1 : 2, blocks = (all + block - 1) / block;
  using Number = Dual<block, Scalar>;
  using Moved = typename Values::template Over<Number>;

  static constexpr const char* form = Values::form;
  static constexpr int unknowns = Values::unknowns;
  static constexpr bool damped = Values::damped, compensated = Values::compensated;
  static constexpr bool fixed_options = [] {
    if constexpr (requires { Values::fixed_options; })
      return Values::fixed_options;
    else
      return false;
  }();
  static constexpr const SchemeInfo& info() { return Values::info(); }

  static constexpr int width = sizeof(typename Values::Carried) / sizeof(Scalar);
  static_assert(sizeof(typename Moved::Carried) == width * sizeof(Number));
  /// Values last: they may end with an empty member, and what stands behind such a structure nvcc 13 looks for elsewhere.
  struct Carried {
    Vec<Scalar, blocks * width * block> partials;  ///< block by block, `block` of each number in turn
    [[no_unique_address]] Vec<Scalar, exponents> stretched;  ///< sums of the logarithms
    typename Values::Carried value;
  };

  LIVENS_HD TangentScheme(const System& system, const Scalar& h, const Settings& settings)
      : TangentScheme(system, h, settings, std::make_integer_sequence<int, blocks>{}) {}
  TangentScheme(const TangentScheme&) = delete;
  TangentScheme& operator=(const TangentScheme&) = delete;

  LIVENS_HD Carried start(const NodeState<Scalar, d>& n) const {
    Carried r;
    r.value = values_.start(n);
    for (int i = 0; i < blocks * width * block; ++i) r.partials[i] = Scalar(0.0);
    for (int i = 0; i < exponents; ++i) r.stretched[i] = Scalar(0.0);
    return r;
  }
  /// The same with directions at the node.
  LIVENS_HD void set_directions(const NodeState<Scalar, d>& n, const NodeState<Scalar, d>* along,
                                Carried& carried) const {
    for (int b = 0; b < blocks; ++b) {
      NodeState<Number, d> moved{constants<Number>(n.q), constants<Number>(n.p), constants<Number>(n.v)};
      for (int k = 0; k < block && b * block + k < all; ++k) {
        const NodeState<Scalar, d>& direction = along[b * block + k];
        for (int i = 0; i < d; ++i) {
          moved.q[i].partial[k] = direction.q[i];
          moved.p[i].partial[k] = direction.p[i];
          moved.v[i].partial[k] = direction.v[i];
        }
      }
      take_apart(moved_[b].scheme.start(moved), b, carried);
    }
  }

  LIVENS_HD auto measure(const Carried& carried, Measuring what) const {
    return values_.measure(carried.value, what);
  }
  LIVENS_HD NodeState<Scalar, d> node(const Carried& carried) const { return values_.node(carried.value); }
  LIVENS_HD Scalar action(const Carried& carried) const { return values_.action(carried.value); }
  LIVENS_HD Multipliers<Scalar, m> multipliers(const Carried& before, const Carried& after) const {
    tape_.rewind();
    return values_.multipliers(before.value, after.value);
  }

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    tape_.rewind();
    const StepReport<Scalar> report = values_.template step<pivoting>(now.value, active, next.value);
    for (int b = 0; b < blocks; ++b) {
      tape_.rewind();
      move<pivoting>(now, active, b, next);
    }
    next.stretched = now.stretched;
    return report;
  }

  /// Partials of q, p, v, and of the system's own values, at a node of time t that steps h have led to: of
  /// `directions`, as the record has them (TangentsOf). Exponents are those up to the last orthonormalisation.
  template <class Shown>
  LIVENS_HD void show(const Carried& carried, const Scalar& t, const Scalar& h, Shown& shown) const {
    for (int b = 0; b < blocks; ++b) {
      const auto n = moved_[b].scheme.node(put_together(carried, b));
      Number time(t);
      for (int k = 0; k < block; ++k)
        if (is_of_step(b * block + k)) time.partial[k] = t;
      [[maybe_unused]] const auto own = own_values(moved_[b].system, n, time);
      for (int k = 0; k < block && b * block + k < directions; ++k) {
        const int j = b * block + k;
        const Scalar per = is_of_step(j) ? Scalar(1.0) / h : Scalar(1.0);
        const NodeState<Scalar, d> direction = partials_of(n, k);
        for (int i = 0; i < d; ++i) {
          shown.q(i, j) = per * direction.q[i];
          shown.p(i, j) = per * direction.p[i];
          shown.v(i, j) = per * direction.v[i];
        }
        if constexpr (SampledSystem<System>)
          for (int i = 0; i < System::sampled_count; ++i) shown.sampled(i, j) = per * own[i].partial[k];
      }
    }
    if constexpr (exponents > 0) {
      // Whole turns of `every` steps: rint() of what lies between -1/2 and 1/2 beside their number.
      const Scalar every = Scalar(static_cast<double>(Tangents::every)), steps = rint(t / h);
      const Scalar turns = rint((steps - Scalar(0.5) * (every - Scalar(1.0))) / every);
      for (int i = 0; i < exponents; ++i) shown.lyapunov(i) = carried.stretched[i] / (turns * every * h);
    }
  }

  /// How a zero of an expression moves, and the state there: value(system, node, time) is zero at s on the parabola
  /// through three nodes, the first one at a time `start`, the others after a `piece` each of a step h.
  /// equations/tangents.md, section 4, (a). Where the expression does not change they are not numbers, nor is an entry of
  /// the state that turns between the nodes, as velocities do that alternate from node to node.
  template <class Value, class Crossing>
  LIVENS_HD void follow(const Carried (&nodes)[3], const Scalar& start, const Scalar& piece, const Scalar& s,
                        const Scalar& h, const Value& value, Crossing& found) const {
    const auto on = [](const auto& at, const auto(&n)[3]) {
      return std::decay_t<decltype(n[0])>{on_parabola(at, n[0].q, n[1].q, n[2].q),
                                          on_parabola(at, n[0].p, n[1].p, n[2].p),
                                          on_parabola(at, n[0].v, n[1].v, n[2].v)};
    };
    using Along = Dual<1, Scalar>;
    const auto still = [&](int i) {
      const NodeState<Scalar, d> n = node(nodes[i]);
      return NodeState<Along, d>{constants<Along>(n.q), constants<Along>(n.p), constants<Along>(n.v)};
    };
    const NodeState<Along, d> motion[] = {still(0), still(1), still(2)};
    const Along moving = Along::variable(s, 0);
    const typename System::template Over<Along> system(constants<Along>(system_.given));
    const Scalar slope = value(system, on(moving, motion), Along(start) + moving * Along(piece)).partial[0];

    const auto goes_on = [](const auto& a, const auto& b, const auto& c, int i) {
      Scalar size = Scalar(0.0);
      for (int j = 0; j < d; ++j) size = max(size, abs(b[j].value));
      const Scalar bend = abs(a[i].value - b[i].value - b[i].value + c[i].value);
      return bend < Scalar(0x1p-6) * abs(c[i].value - a[i].value) || bend < Scalar(0x1p-47) * size;
    };
    bool q_goes_on[d], v_goes_on[d];
    for (int i = 0; i < d; ++i) {
      q_goes_on[i] = goes_on(motion[0].q, motion[1].q, motion[2].q, i);
      v_goes_on[i] = goes_on(motion[0].v, motion[1].v, motion[2].v, i);
    }

    for (int b = 0; b < blocks; ++b) {
      const auto moved = [&](int i) { return moved_[b].scheme.node(put_together(nodes[i], b)); };
      const NodeState<Number, d> n[] = {moved(0), moved(1), moved(2)};
      const auto time = [&](const Number& at) { return length(start, b) + at * length(piece, b); };
      Number at(s);
      const Number change = value(moved_[b].system, on(at, n), time(at));
      for (int k = 0; k < block; ++k) {
        const Scalar by = -change.partial[k] / slope;
        at.partial[k] = select(finite(by), by, not_a_number<Scalar>());
      }
      const NodeState<Number, d> there = on(at, n);
      const Number when = time(at);
      for (int k = 0; k < block && b * block + k < directions; ++k) {
        const int j = b * block + k;
        const Scalar per = is_of_step(j) ? Scalar(1.0) / h : Scalar(1.0);
        found.time_along[j] = per * when.partial[k];
        for (int i = 0; i < d; ++i) {
          const Scalar unknown = not_a_number<Scalar>();
          found.q_along[i * directions + j] = q_goes_on[i] ? per * there.q[i].partial[k] : unknown;
          found.v_along[i * directions + j] = v_goes_on[i] ? per * there.v[i].partial[k] : unknown;
        }
      }
    }
  }

  /// The same node without directions.
  static Carried still(const Carried& carried) {
    Carried r = carried;
    for (int i = 0; i < blocks * width * block; ++i) r.partials[i] = Scalar(0.0);
    return r;
  }
  /// f(system, node) for all directions, a block of them at a time: f changes the partials of the node.
  template <class F>
  void move_directions(Carried& carried, const F& f) const {
    for (int b = 0; b < blocks; ++b) {
      auto moved = put_together(carried, b);
      f(moved_[b].system, moved);
      take_apart(moved, b, carried);
    }
  }
  /// How the length tau of a step changes, in parts of it, that ends where value(system, node, time) is zero: `fixed` is
  /// its end with a length that does not change, `alone` where nothing else does (Moving). equations/tangents.md,
  /// section 4, (b).
  template <class Value>
  Vec<Scalar, all> change_of_length(const Carried& fixed, const Carried& alone, const Scalar& time,
                                    const Value& value) const {
    Vec<Scalar, all> change;
    for (int b = 0; b < blocks; ++b) {
      const auto slope = [&](const Carried& carried, const auto& system) {
        const auto moved = put_together(carried, b);
        Number when = moved.time;
        when.value = time;
        return value(system, moved_[b].scheme.node(moved), when);
      };
      const Number of_state = slope(fixed, moved_[b].system),
                   of_length = slope(alone, typename Moved::System(constants<Number>(numbers_of(system_))));
      for (int k = 0; k < block && b * block + k < all; ++k)
        change[b * block + k] = -of_state.partial[k] / of_length.partial[k];
    }
    return change;
  }
  /// The end of that step: (b).
  static void add_change(const Vec<Scalar, all>& change, const Carried& alone, Carried& fixed) {
    for (int j = 0; j < all; ++j)
      for (int i = 0; i < width; ++i) {
        const int at = (j / block * width + i) * block + j % block;
        fixed.partials[at] = fma(change[j], alone.partials[at], fixed.partials[at]);
      }
  }
  /// It has no derivative from here on.
  static void lose_direction(int j, Carried& carried) {
    for (int i = 0; i < width; ++i)
      carried.partials[(j / block * width + i) * block + j % block] = not_a_number<Scalar>();
  }
  /// What `length` of a whole step changes by, in parts of it.
  static Vec<Scalar, all> change_of_step() {
    Vec<Scalar, all> change;
    for (int j = 0; j < all; ++j) change[j] = is_of_step(j) ? Scalar(1.0) : Scalar(0.0);
    return change;
  }
  /// Partials of the time that is carried.
  static Vec<Scalar, directions> time_along(const Carried& carried, const Scalar& h) {
    Vec<Scalar, directions> along;
    for (int j = 0; j < directions; ++j) {
      const Scalar per = is_of_step(j) ? Scalar(1.0) / h : Scalar(1.0);
      along[j] = per * put_together(carried, j / block).time.partial[j % block];
    }
    return along;
  }
  /// Partials of an end of a step whose length changes so, and of its time.
  template <class Crossing>
  void show_crossing(const Carried& carried, const Scalar& h, Crossing& found) const {
    found.time_along = time_along(carried, h);
    for (int b = 0; b < blocks; ++b) {
      const auto n = moved_[b].scheme.node(put_together(carried, b));
      for (int k = 0; k < block && b * block + k < directions; ++k) {
        const int j = b * block + k;
        const Scalar per = is_of_step(j) ? Scalar(1.0) / h : Scalar(1.0);
        for (int i = 0; i < d; ++i) {
          found.q_along[i * directions + j] = per * n.q[i].partial[k];
          found.v_along[i * directions + j] = per * n.v[i].partial[k];
        }
      }
    }
  }
  /// What another system's scheme carries of the same node: map.template operator()<To>(carried), of values and of dual
  /// numbers.
  template <class To, class Map>
  static typename To::Carried converted(const Carried& from, const Map& map) {
    typename To::Carried r;
    r.value = map.template operator()<typename To::Values::Carried>(from.value);
    for (int b = 0; b < blocks; ++b)
      To::take_apart(map.template operator()<typename To::Moved::Carried>(put_together(from, b)), b, r);
    r.stretched = from.stretched;
    return r;
  }

  /// Orthonormalises the directions of the exponents at a node of time t in their order, in the lanes given: modified
  /// Gram-Schmidt, twice, in the metric of equations/tangents.md, section 3. All that a direction carries is
  /// combined alike.
  LIVENS_HD void orthonormalise(const Mask<Scalar>& where, const Scalar& t, Carried& carried) const {
    if constexpr (exponents > 0) {
      NodeState<Scalar, d> along[exponents];
      const NodeState<Scalar, d> n = node(carried);
      for (int b = directions / block; b < blocks; ++b) {
        const auto moved = moved_[b].scheme.node(put_together(carried, b));
        for (int k = 0; k < block; ++k) {
          const int e = b * block + k - directions;
          if (e >= 0 && e < exponents) along[e] = partials_of(moved, k);
        }
      }
      for (int e = 0; e < exponents; ++e) {
        for (int time = 0; time < 2; ++time)
          for (int f = 0; f < e; ++f) {
            const Scalar part =
                select(where, tangent_product(system_, n, t, along[f], along[e]), Scalar(0.0));
            subtract(part, f, e, along, carried);
          }
        const Scalar length = sqrt(tangent_product(system_, n, t, along[e], along[e]));
        const Scalar per = select(where, Scalar(1.0) / length, Scalar(1.0));
        carried.stretched[e] = carried.stretched[e] + select(where, log(length), Scalar(0.0));
        scale(per, e, along, carried);
      }
    }
  }

 private:
  template <class>
  friend class TangentScheme;

  struct Block {
    typename Moved::System system;
    Moved scheme;
    LIVENS_HD Block(const System& of, const Scalar& h, const Settings& settings, int b, Tape<Scalar>& tape)
        : system(parameters(of, b), &tape), scheme(system, length(h, b, of.moving), settings) {}
  };

  /// Out of line: it makes a scheme for every block.
  template <int... b>
  LIVENS_HD_COLD TangentScheme(const System& system, const Scalar& h, const Settings& settings,
                               std::integer_sequence<int, b...>)
      : tape_(room_, tape_size<Values>()),
        system_(numbers_of(system), &tape_),
        values_(system_, h, settings),
        moved_{Block(system, h, settings, b, tape_)...} {}

  static LIVENS_HD NodeState<Scalar, d> partials_of(const NodeState<Number, d>& n, int k) {
    NodeState<Scalar, d> r;
    for (int i = 0; i < d; ++i) {
      r.q[i] = n.q[i].partial[k];
      r.p[i] = n.p[i].partial[k];
      r.v[i] = n.v[i].partial[k];
    }
    return r;
  }
  template <class Of>
  static LIVENS_HD auto own_values(const Of& system, const NodeState<Number, d>& n, const Number& time) {
    if constexpr (SampledSystem<Of>)
      return system.sampled(n, time);
    else
      return Vec<Number, 0>{};
  }
  static LIVENS_HD Direction named(int direction) {
    static constexpr auto of = Tangents::of;  // a copy: device code cannot index a static member at run time
    return of[direction];
  }
  static LIVENS_HD bool is_of_step(int direction) {
    if constexpr (!Tangents::state && directions > 0)
      return direction < directions && named(direction).of == WithRespectTo::step;
    else
      return false;
  }
  /// The parameters, and of a system that rests on walls which ones.
  static LIVENS_HD const auto& numbers_of(const System& system) {
    if constexpr (requires { system.touches; })
      return system.parameters;
    else
      return system.given;
  }
  static LIVENS_HD auto parameters(const System& system, int b) {
    auto r = constants<Number>(numbers_of(system));
    if (system.moving == Moving::length_alone) return r;
    if constexpr (!Tangents::state && directions > 0)
      for (int k = 0; k < block && b * block + k < directions; ++k) {
        const Direction direction = named(b * block + k);
        if (direction.of == WithRespectTo::parameter) r[direction.entry].partial[k] = Scalar(1.0);
      }
    return r;
  }
  static LIVENS_HD Number length(const Scalar& h, int b, Moving moving = Moving::everything) {
    Number r(h);
    for (int k = 0; k < block; ++k)
      if (moving == Moving::length_alone || (moving == Moving::everything && is_of_step(b * block + k)))
        r.partial[k] = h;
    return r;
  }

  /// What a scheme carries, number by number. A memcpy out of memory nvcc makes byte by byte.
  template <class One, class Of>
  static LIVENS_HD Vec<One, width> as_numbers(const Of& carried) {
    Vec<One, width> numbers;
#if defined(__CUDA_ARCH__)
    for (int i = 0; i < width; ++i) numbers[i] = reinterpret_cast<const One*>(&carried)[i];
#else
    memcpy(&numbers, static_cast<const void*>(&carried), sizeof numbers);
#endif
    return numbers;
  }
  static LIVENS_HD typename Moved::Carried put_together(const Carried& carried, int b) {
    Vec<Number, width> numbers;
    const auto values = as_numbers<Scalar>(carried.value);
    for (int i = 0; i < width; ++i) {
      numbers[i].value = values[i];
      for (int k = 0; k < block; ++k) numbers[i].partial[k] = carried.partials[(b * width + i) * block + k];
    }
    typename Moved::Carried r;
    memcpy(static_cast<void*>(&r), &numbers, sizeof r);
    return r;
  }
  static LIVENS_HD void take_apart(const typename Moved::Carried& moved, int b, Carried& carried) {
    const auto numbers = as_numbers<Number>(moved);
    for (int i = 0; i < width; ++i)
      for (int k = 0; k < block; ++k) carried.partials[(b * width + i) * block + k] = numbers[i].partial[k];
  }
  /// One function for all of a step, in which nothing is called: dual numbers go through registers, not memory.
  template <Pivoting pivoting>
  LIVENS_FLATTEN LIVENS_HD_COLD void move(const Carried& now, Mask<Scalar> active, int b,
                                          Carried& next) const {
    typename Moved::Carried moved;
    moved_[b].scheme.template step<pivoting>(put_together(now, b), active, moved);
    take_apart(moved, b, next);
  }

  static LIVENS_HD Scalar& partial(Carried& carried, int i, int e) {
    const int j = directions + e;
    return carried.partials[(j / block * width + i) * block + j % block];
  }
  static LIVENS_HD void subtract(const Scalar& part, int f, int e, NodeState<Scalar, d>* along,
                                 Carried& carried) {
    for (int i = 0; i < width; ++i)
      partial(carried, i, e) = fnma(part, partial(carried, i, f), partial(carried, i, e));
    along[e].q = fnma(part, along[f].q, along[e].q);
    along[e].p = fnma(part, along[f].p, along[e].p);
    along[e].v = fnma(part, along[f].v, along[e].v);
  }
  static LIVENS_HD void scale(const Scalar& by, int e, NodeState<Scalar, d>* along, Carried& carried) {
    for (int i = 0; i < width; ++i) partial(carried, i, e) = by * partial(carried, i, e);
    along[e].q = by * along[e].q;
    along[e].p = by * along[e].p;
    along[e].v = by * along[e].v;
  }

  Scalar room_[tape_size<Values>()];
  mutable Tape<Scalar> tape_;
  System system_;
  Values values_;
  Block moved_[blocks];
};

}  // namespace livens::inline LIVENS_ISA
