#pragma once
// The measurements at every node (contract, section 3), from q, p, v or straight from a system's vector form,
// and the formulas of the quantities whose rows stand in kernels/description/quantity_table.hpp.

#include "kernels/systems/shared/concept.hpp"
#include "kernels/systems/shared/entries.hpp"
#include "kernels/systems/shared/nonholonomic.hpp"

namespace livens::inline LIVENS_ISA {

template <class Scalar, int S>
struct Measured {
  Scalar energy;               ///< H(q, p), or what the scheme has for it, J
  Scalar constraint;           ///< |g(q)|, infinity norm; 0 for a nonholonomic system
  Scalar velocity_constraint;  ///< |G v| or |A v + b|, infinity norm
  Vec<Scalar, S> momentum;     ///< the system's momentum maps
  Scalar total_energy;         ///< T(q, v) + V(q), J
  Scalar kinetic;              ///< p.v/2, or what the scheme has for T, J
};

/// All of it, or the energies alone, to the same bits, and zero for the rest. The same for all lanes.
enum class Measuring : bool { energies, all };

/// G(q) v.
template <class System, class Scalar, int D>
LIVENS_HD Vec<Scalar, System::constraints> velocity_constraints(const System& system, const Vec<Scalar, D>& q,
                                                                const Vec<Scalar, D>& v) {
  if constexpr (AssembledSystem<System>)
    return system.constraint_rates(q, v);
  else
    return times<System>(system.constraint_jacobian(q), v);
}

template <class System, class Scalar, int D>
LIVENS_HD Measured<Scalar, System::momentum_maps> measure_node(const System& system,
                                                               const NodeState<Scalar, D>& n,
                                                               Measuring what) {
  Measured<Scalar, System::momentum_maps> r{};
  const Scalar half = Scalar(0.5), p_v = dot(n.p, n.v);
  r.energy = fma(half, p_v, system.potential(n.q));
  r.total_energy = r.energy;
  r.kinetic = half * p_v;
  if (what == Measuring::energies) return r;
  if constexpr (ContactSystem<System>) {
    r.velocity_constraint = norm_inf(constraint_rates(system, n.q, n.v));
  } else {
    r.constraint = norm_inf(system.constraints_at(n.q));
    r.velocity_constraint = norm_inf(velocity_constraints(system, n.q, n.v));
  }
  r.momentum = system.momentum_map(n.q, n.p);
  return r;
}

/// The vectors of a system have no momentum maps for those that it has: they are evaluated at nodes.
template <VectorSystem System>
inline constexpr bool has_own_maps = System::Vectors::momentum_maps == 0;
template <VectorSystem System, class Node>
LIVENS_HD Vec<typename System::Scalar, System::momentum_maps> own_maps(const System& system, const Node& n) {
  return system.momentum_map(n.q, n.p);
}

/// The same from a vector form: T = 1/2 p.A^-1 p, g = s (|u|^2 - 1)/2 and d_i.d_j, G v, J = sum z x p. `maps`: of the
/// system, zero where they are its own.
template <int maps, class Form, class Scalar = typename Form::Scalar>
LIVENS_HD Measured<Scalar, maps> measure_vectors(const Form& form, const typename Form::State& state,
                                                 Measuring what) {
  const auto v = form.inertia.solve(state.p);
  const auto at = [](const auto& flat, auto b) { return Form::template at<b.value>(flat); };
  Measured<Scalar, maps> r{};
  const Scalar half = Scalar(0.5), p_v = dot(state.p, v);
  r.energy = fma(half, p_v, form.potential(state.z));
  r.total_energy = r.energy;
  r.kinetic = half * p_v;
  if (what == Measuring::energies) return r;
  const auto length = [&](auto b, const Scalar& scale) {
    const auto u = at(state.z, b);
    r.constraint = max(r.constraint, abs(Scalar(0.5) * scale * (dot(u, u) - Scalar(1.0))));
    r.velocity_constraint = max(r.velocity_constraint, abs(scale * dot(u, at(v, b))));
  };
  const auto angle = [&](auto a, auto b) {
    const auto d = at(state.z, a), e = at(state.z, b);
    r.constraint = max(r.constraint, abs(dot(d, e)));
    r.velocity_constraint = max(r.velocity_constraint, abs(dot(d, at(v, b)) + dot(e, at(v, a))));
  };
  unroll<Form::unit>([&](auto i) {
    constexpr int b = Form::first_unit + i.value;
    length(std::integral_constant<int, b>{}, form.constraint_scale[b]);
  });
  unroll<Form::frames>([&](auto f) {
    constexpr int b = Form::first_frame + 3 * f.value;
    const std::integral_constant<int, b> d1;
    const std::integral_constant<int, b + 1> d2;
    const std::integral_constant<int, b + 2> d3;
    length(d1, Scalar(1.0)), length(d2, Scalar(1.0)), length(d3, Scalar(1.0));
    angle(d1, d2), angle(d1, d3), angle(d2, d3);
  });
  if constexpr (Form::momentum_maps == 3) {
    unroll<Form::blocks>([&](auto b) {
      const Vec3<Scalar> z = block<b.value>(state.z), p = block<b.value>(state.p);
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        r.momentum[i] = fma(z[j], p[k], fnma(z[k], p[j], r.momentum[i]));
      }
    });
  } else if constexpr (Form::momentum_maps == 1) {
    Scalar about_axis = Scalar(0.0);
    unroll<Form::blocks>([&](auto b) {
      const auto z = at(state.z, b), p = at(state.p, b);
      about_axis = fma(z[0], p[1], fnma(z[1], p[0], about_axis));
    });
    r.momentum[0] = about_axis;
  }
  return r;
}

/// The same with the maps of the system, at `node()` where they are its own.
template <VectorSystem System, class Form, class Node>
LIVENS_HD Measured<typename System::Scalar, System::momentum_maps> measure_vectors(
    const System& system, const Form& form, const typename Form::State& state, Measuring what, Node&& node) {
  auto r = measure_vectors<System::momentum_maps>(form, state, what);
  if constexpr (has_own_maps<System>)
    if (what == Measuring::all) r.momentum = own_maps(system, node());
  return r;
}

/// A node that a step has reached.
template <class Scalar, int S>
struct ReachedNode {
  Measured<Scalar, S> measured;
  Wide<Scalar> dissipated, work;  ///< so far, J
  Scalar energy_error;            ///< J

  /// What the balance of energy has at the node beside E_0 and V: T + |dissipated - work|, J.
  LIVENS_HD Scalar energy_scale() const {
    return abs(measured.kinetic) + abs(rounded<Scalar>(dissipated - work));
  }
};

template <class System>
constexpr bool has(Needs needs) {
  return met(needs, System::constraints, System::momentum_maps);
}

/// A column of the records at a node: a formula for every row that has one.
template <Column column, class Scalar, int S, class Record>
LIVENS_HD auto value_at(const ReachedNode<Scalar, S>& node, const Record& record) {
  if constexpr (column == Column::energy_error) {
    return node.energy_error;
  } else if constexpr (column == Column::constraint) {
    return node.measured.constraint;
  } else if constexpr (column == Column::velocity_constraint) {
    return node.measured.velocity_constraint;
  } else if constexpr (column == Column::momentum_error) {
    Scalar error = Scalar(0.0);
    for (int i = 0; i < S; ++i)
      error = max(error, abs(node.measured.momentum[i] - record.initial_momentum(i)));
    return error;
  } else if constexpr (column == Column::dissipated_energy) {
    return node.dissipated;
  } else if constexpr (column == Column::work) {
    return node.work;
  }
}

/// A sampled quantity at a node and its time, a number or a vector: a formula for every row.
template <Sampled quantity, class System, class Scalar, int D, int S>
LIVENS_HD auto value_at(const System& system, const NodeState<Scalar, D>& n, const Scalar& t,
                        const Measured<Scalar, S>& measured) {
  if constexpr (quantity == Sampled::energy) {
    return measured.energy;
  } else if constexpr (quantity == Sampled::kinetic_energy) {
    return Scalar(0.5) * dot(n.v, momentum_of(system, n.q, n.v));
  } else if constexpr (quantity == Sampled::potential_energy) {
    return system.potential(n.q);
  } else if constexpr (quantity == Sampled::total_energy) {
    return measured.total_energy;
  } else if constexpr (quantity == Sampled::q) {
    return n.q;
  } else if constexpr (quantity == Sampled::v) {
    return n.v;
  } else if constexpr (quantity == Sampled::p) {
    return n.p;
  } else if constexpr (quantity == Sampled::momentum) {
    return measured.momentum;
  } else if constexpr (quantity == Sampled::constraint) {
    return system.constraints_at(n.q);
  } else if constexpr (quantity == Sampled::velocity_constraint && ContactSystem<System>) {
    return constraint_rates(system, n.q, n.v);
  } else if constexpr (quantity == Sampled::velocity_constraint) {
    return velocity_constraints(system, n.q, n.v);
  } else if constexpr (quantity == Sampled::own) {
    return system.sampled(n, t);
  }
}

template <class System>
constexpr Extents extents() {
  Extents extents{System::coordinates, System::constraints, System::momentum_maps, has_velocity_rows<System>,
                  0};
  if constexpr (SampledSystem<System>) extents.own = System::sampled_count;
  return extents;
}

/// All that a system has of them, one after another.
template <class System, class Scalar, int D, int S>
LIVENS_HD void sample_node(const System& system, const NodeState<Scalar, D>& n, const Scalar& t,
                           const Measured<Scalar, S>& measured, double* to) {
  unroll<sampled_count>([&](auto row) {
    constexpr int entries = entries_of(sampled_rows[row.value].entries, extents<System>());
    if constexpr (entries > 0) {
      const auto value = value_at<sampled_rows[row.value].quantity>(system, n, t, measured);
      if constexpr (std::is_same_v<decltype(value), const Scalar>)
        *to++ = widen(value);
      else
        for (int k = 0; k < entries; ++k) *to++ = widen(value[k]);
    }
  });
}

}  // namespace livens::inline LIVENS_ISA
