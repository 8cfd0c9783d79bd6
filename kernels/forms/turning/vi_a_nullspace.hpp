#pragma once
// VI-A with alpha = 1/2 (vi_a.hpp) in local coordinates (nullspace_form.hpp): the midpoint z_m is on g = 0,
// the ends are not. equations/reduced.md, section 1:
//   u = Dz/h,  Omega = (N_m^T A N_m)^-1 N_m^T A u,  v = N_m Omega,  p1 = 2 A v - p0
//   R = N_m^T (p1 - p0 + h DV(z_m) + C Dz) - h DN[v]^T A (u - v)

#include "kernels/forms/turning/nullspace_form.hpp"
#include "kernels/schemes/vi_a.hpp"

namespace livens::inline LIVENS_ISA {

struct ViANullspaceRule {
  static constexpr const SchemeInfo& info() { return ViADescription::info; }
  static constexpr bool at_stage = true, tangential_end = false;

  template <class System>
  class Equations {
   public:
    using Form = typename System::Vectors;
    using Scalar = typename Form::Scalar;
    using Flat = typename Form::Flat;
    using Reduced = typename NullSpace<Form>::Reduced;
    using Context = StepContext<Form>;
    using Geometry = StepGeometry<Flat>;
    struct Evaluation {
      Flat p1, v, Au, r, balance;
      Reduced Omega;
      DenseMatrix<Scalar, Form::degrees_of_freedom> between;  ///< N_m^T A N_m
    };
    LIVENS_HD explicit Equations(const System&) {}
    LIVENS_HD Reduced evaluate(const Context& c, const Geometry& g, Evaluation& at) const {
      const auto& N = c.null_space;
      const Flat u = c.per_h * g.Dz;
      at.Au = c.form.inertia.times(u);
      at.between = N.metric_between(c.form.inertia, g.z_m, g.z_m);
      at.Omega = Factored(at.between).solve(N.project(g.z_m, at.Au));
      at.v = N.along(g.z_m, at.Omega);
      const Flat Av = c.form.inertia.times(at.v);
      at.p1 = Scalar(2.0) * Av - c.p0;
      at.r = at.Au - Av;
      at.balance = fma(c.h, c.form.gradient(g.z_m) + c.form.viscous(u), at.p1 - c.p0);
      return fnma(c.h, N.project(at.v, at.r), N.project(g.z_m, at.balance));
    }
    LIVENS_HD Reduced along(const Context& c, const Geometry& g, const Evaluation& at,
                            const Geometry& d) const {
      const auto& N = c.null_space;
      const Flat d_u = c.per_h * d.Dz, turned_v = N.along(d.z_m, at.Omega);
      const Reduced change = N.project(d.z_m, at.r) + N.project(g.z_m, c.form.inertia.times(d_u - turned_v));
      const Flat d_v = turned_v + N.along(g.z_m, Factored(at.between).solve(change));
      const Flat d_r = c.form.inertia.times(d_u - d_v);
      const Flat d_balance = fma(c.h, c.form.hessian_times(g.z_m, d.z_m) + c.form.viscous(d_u),
                                 Scalar(2.0) * c.form.inertia.times(d_v));
      return N.project(d.z_m, at.balance) + N.project(g.z_m, d_balance) -
             c.h * (N.project(d_v, at.r) + N.project(at.v, d_r));
    }
  };

  template <class System, class Scalar, int D>
  static LIVENS_HD auto multipliers(const System& system, const Scalar& h, const NodeState<Scalar, D>& n0,
                                    const NodeState<Scalar, D>& n1) {
    return vi_a_multipliers(system, h, n0, n1);
  }
};

template <TurningSystem System>
using ViANullspace = NullspaceForm<System, ViANullspaceRule>;

}  // namespace livens::inline LIVENS_ISA
