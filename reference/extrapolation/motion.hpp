#pragma once
// The motion of a text in long double, by equations that share with taylor/ the page docs/equations/text.md
// and nothing else: accelerations and multipliers at a point, of index 1, and an extrapolation of them.
//
//   (a)  M a + G^T lambda + A^T kappa = f,   f = L_q - d/ds L_v + F - D_v R - alpha L_v
//   (b)  G a = -d^2/ds^2 g,   A a = -d/ds c
//
// where d/ds follows q' = v, v' = 0, t' = 1, c is A v + b, M = D_v^2 T. All by automatic differentiation.

#include <Eigen/Core>
#include <stdexcept>

#include "recorded.hpp"
#include "reference/text/text_system.hpp"

namespace livens::reference {

using LongVector = Vector<Long>;
using LongMatrix = Eigen::Matrix<Long, Eigen::Dynamic, Eigen::Dynamic>;

/// q and v, one behind the other.
struct LongState {
  Long t;
  LongVector z;
};

/// The text has a function with a kink, or a table, of what moves.
struct NotAnalytic : std::invalid_argument {
  NotAnalytic(const char* key, const char* why) : std::invalid_argument(why), key(key) {}
  const char* key;  ///< of the text, "potential"
};

class Motion {
 public:
  /// Throws NotAnalytic.
  explicit Motion(const TextSystem& text);

  int d() const { return d_; }
  int rows() const { return static_cast<int>(g_.size() + c_.size()); }
  /// As the text gives it, brought onto the constraints.
  const LongState& start() const { return start_; }

  /// z' = (v, a).
  LongVector slope(const LongState& at) const;
  /// lambda, then kappa.
  LongVector multipliers(const LongState& at) const;
  /// p.v - L
  Long energy(const LongState& at) const;
  /// q to the M-nearest point of g = 0, v M-orthogonally onto G v + g_t = 0 and A v + b = 0.
  LongState projected(LongState at) const;
  /// Directions (columns) in which q and v may differ with all rows satisfied, to first order: of each a basis.
  LongMatrix freedoms(const LongState& at) const;

 private:
  using Scalars = std::vector<RecordedScalar>;
  struct Rows {
    LongMatrix gradient;    // G over A
    LongVector rate, bend;  // G v + g_t over A v + b; d^2/ds^2 g over d/ds c
    LongVector g;
  };

  Rows rows_at(const LongState& at) const;
  LongMatrix mass_at(const LongState& at) const;
  /// a over the multipliers, or the like of another right side.
  LongVector solved(const LongState& at, const LongMatrix& J, const LongVector& above,
                    const LongVector& below) const;
  LongVector accelerations(const LongState& at) const;

  int d_;
  Scalars T_, V_, R_, F_, g_, c_;
  Long alpha_;
  LongMatrix constant_mass_, inverse_mass_;  // no entries where there is none
  LongState start_;
};

/// How an extrapolation steps: its tolerance, and the columns of its table at most.
struct Extrapolation {
  Long tolerance;
  int most_columns;
};

struct ExtrapolationError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// From one time to another by the explicit midpoint rule (Gragg), extrapolated in h^2 with the sequence 2, 4,
/// 6, ..., projected at the end of every step. Throws ExtrapolationError where it does not come there.
LongState advanced(const Motion& motion, LongState from, Long to, const Extrapolation& how);

/// The derivatives of the motion from one time to the next by the state, q and v in units of `unit` of each:
/// columns, in the basis of the freedoms at the first one.
struct Tangent {
  LongMatrix basis;    // orthonormal, of the states that may be at the first time
  LongMatrix columns;  // where they go
};
Tangent tangent(const Motion& motion, const LongState& from, Long to, const LongVector& unit,
                const Extrapolation& how);

}  // namespace livens::reference
