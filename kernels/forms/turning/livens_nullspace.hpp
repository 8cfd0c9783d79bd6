#pragma once
// The Livens scheme (livens.hpp) in local coordinates (nullspace_form.hpp), where V is linear, so that every
// discrete gradient is DV. equations/reduced.md, section 1:
//   p1 = 2 A Dz/h - p0,   R = N_m^T (p1 - p0 + h DV + C Dz)

#include "kernels/forms/turning/nullspace_form.hpp"
#include "kernels/schemes/livens.hpp"

namespace livens::inline LIVENS_ISA {

struct LivensNullspaceRule {
  static constexpr const SchemeInfo& info() { return LivensDescription::info; }
  static constexpr bool at_stage = false, tangential_end = false;

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
      Flat p1, balance;
    };
    LIVENS_HD explicit Equations(const System&) {}
    LIVENS_HD Reduced evaluate(const Context& c, const Geometry& g, Evaluation& at) const {
      const Flat rate = c.per_h * g.Dz;
      at.p1 = Scalar(2.0) * c.form.inertia.times(rate) - c.p0;
      at.balance = fma(c.h, c.form.weights() + c.form.viscous(rate), at.p1 - c.p0);
      return c.null_space.project(g.z_m, at.balance);
    }
    LIVENS_HD Reduced along(const Context& c, const Geometry& g, const Evaluation& at,
                            const Geometry& d) const {
      const Flat d_balance = c.form.inertia.times((Scalar(2.0) * c.per_h) * d.Dz) + c.form.viscous(d.Dz);
      return c.null_space.project(d.z_m, at.balance) + c.null_space.project(g.z_m, d_balance);
    }
  };

  template <class System, class Scalar, int D>
  static LIVENS_HD auto multipliers(const System& system, const Scalar& h, const NodeState<Scalar, D>& n0,
                                    const NodeState<Scalar, D>& n1) {
    return livens_multipliers(system, h, n0, n1);
  }
};

template <TurningSystem System>
using LivensNullspace = NullspaceForm<System, LivensNullspaceRule>;

}  // namespace livens::inline LIVENS_ISA
