// The places and the weights of the terms of the nonholonomic schemes, for
//
//   (a) h D1 L_d = -left M(q_s) v + h (1 - s) D_q T(q_s, v) - h/2 DV(q^n),    q_s = q^n + s Dq, v = Dq/h
//   (b) h D2 L_d = right M(q_s) v + h s D_q T(q_s, v) - h/2 DV(q^{n+1})
//   (c) h D1 L_d(q^n, q^{n+1}) + before P^n = h A(q^n)^T lambda,   P^{n+1} = h D2 L_d/after,   P^0 = p^0
//   (d) A(q_s) Dq + h b(q_s) = 0
//
// herglotz-nonholonomic, (2.4), (3.3)-(3.4), without loads.
#pragma once

namespace livens::naive {

struct ContactWeights {
  double s, before, after, left, right;
};

/// alpha z^n at the start of a step: (4.7); with the kinetic energy at the midpoint where M depends on q.
struct Contact1Weights {
  static ContactWeights of(double alpha_h, bool constant_mass) {
    return {constant_mass ? 0 : 0.5, 1 - alpha_h, 1, 1, 1};
  }
};
/// alpha (z^n + z^{n+1})/2 and the midpoint: (A.1)-(A.5).
struct Contact2Weights {
  static ContactWeights of(double alpha_h, bool) { return {0.5, 1 - alpha_h / 2, 1 + alpha_h / 2, 1, 1}; }
};
/// The force -alpha p at the start of a step: (4.4).
struct LagrangeDalembertWeights {
  static ContactWeights of(double alpha_h, bool) { return {0, 1, 1, 1 + alpha_h, 1}; }
};

}  // namespace livens::naive
