#pragma once
// Symmetric compositions of a step, as data: Psi_h = Phi_{g_S h} o ... o Phi_{g_2 h} o Phi_{g_1 h} of a map
// Phi_h that is its own adjoint and of order 2 is of order 4, 6 or 8, with g_s = g_{S+1-s} and sum g_s = 1.
//   order 4   5 stages    Suzuki, Phys. Lett. A 146 (1990): g = 1/(4 - 4^(1/3)), the middle one 1 - 4 g
//   order 6   9 stages    Kahan and Li, Math. Comp. 66 (1997) 1089-1099
//   order 8   17 stages   the same
// docs/equations/composition.md. tests/reference/composition.cpp checks the order conditions.

namespace livens {

inline constexpr int most_stages = 17;

/// A step of length h as stages of the lengths factors[s] h, taken in this order. One stage: the step itself.
struct Composition {
  int order = 0;  ///< 0: the scheme's own
  int stages = 1;
  double factors[most_stages] = {1.0};
  double most_damping = 0.0;  ///< of ComposedOrder, where there are several stages
};

/// One of them as it is chosen.
struct ComposedOrder {
  int order;
  int stages;
  const char* source;
  double half[most_stages / 2 + 1];  ///< g_1, ..., g_(S+1)/2; the others mirror them
  /// In a stage of negative length damping drives. A mode that damping alone moves, v' = -c v, decays from
  /// step to step while c h is below this: the first z > 0 at which |prod (2 - g_s z)/(2 + g_s z)| = 1,
  /// rounded down.
  double most_damping;
};

inline constexpr ComposedOrder composed_orders[] = {
    {4, 5, "Suzuki 1990", {0.41449077179437573714, 0.41449077179437573714, -0.65796308717750294857}, 3.0},
    {6,
     9,
     "Kahan and Li 1997",
     {0.39216144400731413927925056, 0.33259913678935943859974864, -0.70624617255763935980996482,
      0.08221359629355080023149045, 0.79854399093482996339895035},
     2.7},
    {8,
     17,
     "Kahan and Li 1997",
     {0.13020248308889008087881763, 0.56116298177510838456196441, -0.38947496264484728640807860,
      0.15884190655515560089621075, -0.39590389413323757733623154, 0.18453964097831570709183254,
      0.25837438768632204729397911, 0.29501172360931029887096624, -0.60550853383003451169892108},
     3.2},
};

inline constexpr int most_composed_order = 8;

/// The row of an order; null for an order that is not composed.
constexpr const ComposedOrder* composed_order(int order) {
  for (const ComposedOrder& row : composed_orders)
    if (row.order == order) return &row;
  return nullptr;
}

/// The stages of a step. Order 0, the scheme's own: one.
constexpr Composition composition_of(int order) {
  Composition composition;
  if (const ComposedOrder* row = composed_order(order)) {
    composition.order = order;
    composition.stages = row->stages;
    composition.most_damping = row->most_damping;
    for (int s = 0; s < row->stages; ++s)
      composition.factors[s] = row->half[s < row->stages - 1 - s ? s : row->stages - 1 - s];
  }
  return composition;
}

}  // namespace livens
