#pragma once
// The inverse of the normal distribution: M. J. Wichura, Algorithm AS 241: The percentage points of the
// normal distribution, Applied Statistics 37 (1988) 477-484, routine PPND16. With the logarithm of
// elementary.hpp and IEEE's root it has the same bits on every machine.

#include "kernels/math/elementary.hpp"

namespace livens::inline LIVENS_ISA {

/// The ratio of two polynomials of degree 7 in r, coefficients of the highest power first.
LIVENS_HD double ratio_of_polynomials(const double (&over)[8], const double (&under)[8], double r) {
  double numerator = over[0], denominator = under[0];
  for (int i = 1; i < 8; ++i) {
    numerator = fma(numerator, r, over[i]);
    denominator = fma(denominator, r, under[i]);
  }
  return numerator / denominator;
}

/// The x below which the part u of a standard normal distribution lies, 0 < u < 1. Relative error about 1e-16
/// of the approximation, and some roundings.
LIVENS_HD double normal_quantile(double u) {
  const double centre = u - 0.5;
  if (abs(centre) <= 0.425) {
    constexpr double over[] = {2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4,
                               4.5921953931549871457e4, 1.3731693765509461125e4, 1.9715909503065514427e3,
                               1.3314166789178437745e2, 3.3871328727963666080};
    constexpr double under[] = {
        5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4, 2.1213794301586595867e4,
        5.3941960214247511077e3, 6.8718700749205790830e2, 4.2313330701600911252e1, 1.0};
    return centre * ratio_of_polynomials(over, under, fnma(centre, centre, 0.180625));
  }
  const double r = sqrt(-log(min(u, 1.0 - u)));
  double size;
  if (r <= 5.0) {
    constexpr double over[] = {7.74545014278341407640e-4, 2.27238449892691845833e-2,
                               2.41780725177450611770e-1, 1.27045825245236838258,
                               3.64784832476320460504,    5.76949722146069140550,
                               4.63033784615654529590,    1.42343711074968357734};
    constexpr double under[] = {1.05075007164441684324e-9, 5.47593808499534494600e-4,
                                1.51986665636164571966e-2, 1.48103976427480074590e-1,
                                6.89767334985100004550e-1, 1.67638483018380384940,
                                2.05319162663775882187,    1.0};
    size = ratio_of_polynomials(over, under, r - 1.6);
  } else {
    constexpr double over[] = {2.01033439929228813265e-7, 2.71155556874348757815e-5,
                               1.24266094738807843860e-3, 2.65321895265761230930e-2,
                               2.96560571828504891230e-1, 1.78482653991729133580,
                               5.46378491116411436990,    6.65790464350110377720};
    constexpr double under[] = {2.04426310338993978564e-15, 1.42151175831644588870e-7,
                                1.84631831751005468180e-5,  7.86869131145613259100e-4,
                                1.48753612908506148525e-2,  1.36929880922735805310e-1,
                                5.99832206555887937690e-1,  1.0};
    size = ratio_of_polynomials(over, under, r - 5.0);
  }
  return centre < 0.0 ? -size : size;
}

}  // namespace livens::inline LIVENS_ISA
