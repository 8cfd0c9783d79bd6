#pragma once
// Steps in local coordinates (nullspace_form.hpp) whose end is a velocity in the null space.
// equations/reduced.md, section 1:
//   (a) Omega = (N_m^T A N1)^-1 N_m^T (2 A Dz/h - p0),  v1 = N1 Omega,  p1 = A v1
//   (b) v = (v0 + v1)/2,  r = A Dz/h - (p0 + p1)/2 = h-independent part of G_m^T gamma
//   (c) R = N_m^T (p1 - p0 + h F + C Dz) - h DN[v]^T r,  F the discrete gradient
// ggl_mp is the same with the metric of the coordinates, S^T S, for A in (a) and without the last term of
// (c), F = DV(z_m): its G^T gamma has no M^-1.

#include "kernels/forms/turning/nullspace_form.hpp"

namespace livens::inline LIVENS_ISA {

/// Equations (a)-(c), of ems or of ggl_mp.
template <class System, bool Ggl>
class EndVelocityEquations {
 public:
  using Scalar = typename System::Scalar;
  using Form = typename System::Vectors;
  using Flat = typename Form::Flat;
  using Nulls = NullSpace<Form>;
  using Reduced = typename Nulls::Reduced;
  using Context = StepContext<Form>;
  using Geometry = StepGeometry<Flat>;

  struct Evaluation {
    Flat p1, v1, v, r, slip, balance;
    Reduced Omega;
    DenseMatrix<Scalar, Form::degrees_of_freedom> between;  ///< N_m^T A N1
  };

  LIVENS_HD explicit EndVelocityEquations(const System& system) : metric_(metric_of(system)) {}

  LIVENS_HD Reduced evaluate(const Context& c, const Geometry& g, Evaluation& at) const {
    const Flat v0 = c.form.inertia.solve(c.p0);
    const Scalar half = Scalar(0.5), two = Scalar(2.0);
    const Flat rate = c.per_h * g.Dz;
    at.slip = metric_.times(two * rate - v0);
    at.between = c.null_space.metric_between(metric_, g.z_m, g.z1);
    const Factored between(at.between);
    at.Omega = between.solve(c.null_space.project(g.z_m, at.slip));
    at.v1 = c.null_space.along(g.z1, at.Omega);
    at.Omega = at.Omega + between.solve(c.null_space.project(g.z_m, at.slip - metric_.times(at.v1)));
    at.v1 = c.null_space.along(g.z1, at.Omega);
    at.p1 = c.form.inertia.times(at.v1);
    const Flat force =
        (Ggl ? c.form.discrete_gradient(c.z0, g.z1) : c.form.gradient(g.z_m)) + c.form.viscous(rate);
    at.balance = fma(c.h, force, at.p1 - c.p0);
    Reduced R = c.null_space.project(g.z_m, at.balance);
    if constexpr (Ggl) {
      at.v = half * (v0 + at.v1);
      at.r = c.form.inertia.times(rate - at.v);
      R = fnma(c.h, c.null_space.project(at.v, at.r), R);
    }
    return R;
  }

  /// dR along a change of the geometry.
  LIVENS_HD Reduced along(const Context& c, const Geometry& g, const Evaluation& at,
                          const Geometry& d) const {
    const auto& N = c.null_space;
    const Scalar half = Scalar(0.5), two_per_h = Scalar(2.0) * c.per_h;
    const Flat d_rate = c.per_h * d.Dz;
    const Flat turned_v1 = N.along(d.z1, at.Omega);
    const Reduced change = N.project(d.z_m, at.slip - metric_.times(at.v1)) +
                           N.project(g.z_m, metric_.times(two_per_h * d.Dz - turned_v1));
    const Flat d_v1 = turned_v1 + N.along(g.z1, Factored(at.between).solve(change));
    const Flat d_force =
        (Ggl ? c.form.discrete_gradient_times(c.z0, g.z1, d.z1) : c.form.hessian_times(g.z_m, d.z_m)) +
        c.form.viscous(d_rate);
    const Flat d_balance = fma(c.h, d_force, c.form.inertia.times(d_v1));
    Reduced R = N.project(d.z_m, at.balance) + N.project(g.z_m, d_balance);
    if constexpr (Ggl) {
      const Flat d_v = half * d_v1, d_r = c.form.inertia.times(d_rate - d_v);
      R = fnma(c.h, N.project(d_v, at.r) + N.project(at.v, d_r), R);
    }
    return R;
  }

 private:
  static LIVENS_HD auto metric_of(const System& system) {
    if constexpr (Ggl)
      return system.vector_form().inertia;
    else
      return system.coordinate_metric();
  }
  decltype(metric_of(std::declval<const System&>())) metric_;
};

}  // namespace livens::inline LIVENS_ISA
