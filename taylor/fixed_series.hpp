#pragma once
// Steps written out for one plan: its order after order is straight code, whose sums stay in registers. Taken
// by units that define the plan as a type (taylor/fixed_plan.hpp) for one instruction set, LIVENS_ISA.

#define LIVENS_ONE_REGISTER
#include "taylor/orders.hpp"

namespace livens::inline LIVENS_ISA {
namespace {

using taylor::Instruction;
using taylor::Op;
using taylor::Plan;

template <class Fixed>
LIVENS_FLATTEN void project_fixed(const Plan& plan, const Factors& factors, double* rows, double* room) {
  project_parts(Fixed(), plan, factors, rows, room);
}

template <class Fixed>
LIVENS_FLATTEN void expand_fixed(const Plan&, const Factors& factors, int from, int to, double* rows,
                                 double* room) {
  expand_parts(Fixed(), factors, from, to, rows, room);
}

template <class Fixed>
constexpr taylor::FixedSeries fixed_series = {project_fixed<Fixed>, expand_fixed<Fixed>};

}  // namespace
}  // namespace livens::inline LIVENS_ISA
