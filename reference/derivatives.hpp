#pragma once
// Derivatives of formulas by dual numbers. S is the scalar of the point; the formula is evaluated at
// Dual<S>, so that a derivative taken at S = Dual1 can itself be differentiated once more by Newton's
// method.

#include "dual.hpp"

namespace livens::reference {

/// x + e dx: the argument whose image is f(x) + e Df(x) dx.
template <class S>
Vector<Dual<S>> seeded(const Vector<S>& x, const Vector<S>& dx) {
  Vector<Dual<S>> result(x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) result[i] = {x[i], dx[i]};
  return result;
}

/// x as constants of the next scalar up.
template <class S>
Vector<Dual<S>> constant(const Vector<S>& x) {
  return seeded<S>(x, Vector<S>::Constant(x.size(), S(0.0)));
}

/// Df(x) dx for a vector-valued f (r entries), by one evaluation.
template <class S, class Function>
Vector<S> derivative_along(const Function& f, const Vector<S>& x, const Vector<S>& dx) {
  const Vector<Dual<S>> image = f(seeded<S>(x, dx));
  Vector<S> result(image.size());
  for (Eigen::Index i = 0; i < image.size(); ++i) result[i] = image[i].slope;
  return result;
}

/// Df(x), n entries, for a scalar-valued f.
template <class S, class Function>
Vector<S> gradient(const Function& f, const Vector<S>& x) {
  Vector<Dual<S>> seed = constant(x);
  Vector<S> result(x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    seed[i].slope = S(1.0);
    result[i] = f(seed).slope;
    seed[i].slope = S(0.0);
  }
  return result;
}

/// Df(x), r x n, for a vector-valued f.
template <class S, class Function>
Matrix<S> jacobian(const Function& f, const Vector<S>& x) {
  Matrix<S> result;
  Vector<Dual<S>> seed = constant(x);
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    seed[j].slope = S(1.0);
    const Vector<Dual<S>> image = f(seed);
    if (j == 0) result.resize(image.size(), x.size());
    for (Eigen::Index i = 0; i < image.size(); ++i) result(i, j) = image[i].slope;
    seed[j].slope = S(0.0);
  }
  return result;
}

}  // namespace livens::reference
