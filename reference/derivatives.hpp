#pragma once
// Derivatives of formulas. S is the scalar of the point: a derivative taken at S = Chunk is itself
// differentiated by Newton's method. gradient goes backwards, the others forwards.

#include <algorithm>

#include "adjoint.hpp"
#include "dual.hpp"

namespace livens::reference {

/// x as constants of the scalar R.
template <class R, class S>
Vector<R> constant(const Vector<S>& x) {
  return x.template cast<R>();
}

/// Df(x) dx for a vector-valued f (r entries), by one evaluation.
template <class S, class Function>
Vector<S> derivative_along(const Function& f, const Vector<S>& x, const Vector<S>& dx) {
  Vector<Dual<S>> seed(x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) seed[i] = {x[i], dx[i]};
  const Vector<Dual<S>> image = f(seed);
  Vector<S> result(image.size());
  for (Eigen::Index i = 0; i < image.size(); ++i) result[i] = image[i].slope;
  return result;
}

/// Df(x), n entries, for a scalar-valued f.
template <class S, class Function>
Vector<S> gradient(const Function& f, const Vector<S>& x) {
  auto& tape = Adjoint<S>::tape;
  const std::size_t start = tape.size();  // f may take gradients itself
  Vector<Adjoint<S>> seed(x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) seed[i] = Adjoint<S>::variable(x[i]);
  const Adjoint<S> image = f(seed);

  std::vector<S> bar(tape.size() - start, S(0.0));  // derivative of the image with respect to each place
  if (image.place != Adjoint<S>::constant) bar[image.place - start] = S(1.0);
  for (std::size_t i = bar.size(); i-- > 0;) {
    const auto& [a, b, Da, Db] = tape[start + i];
    if (a != Adjoint<S>::constant) bar[a - start] += Da * bar[i];
    if (b != Adjoint<S>::constant) bar[b - start] += Db * bar[i];
  }
  tape.resize(start);
  return Eigen::Map<const Vector<S>>(bar.data(), x.size());
}

/// Df(x), r x n, for a vector-valued f.
template <class Function>
MatrixXd jacobian(const Function& f, const VectorXd& x) {
  MatrixXd result;
  Vector<Chunk> seed = constant<Chunk>(x);
  for (Eigen::Index first = 0; first < x.size(); first += chunk_size) {
    const Eigen::Index count = std::min<Eigen::Index>(chunk_size, x.size() - first);
    for (Eigen::Index j = 0; j < count; ++j) seed[first + j].slope[j] = 1.0;
    const Vector<Chunk> image = f(seed);
    if (first == 0) result.resize(image.size(), x.size());
    for (Eigen::Index i = 0; i < image.size(); ++i) {
      for (Eigen::Index j = 0; j < count; ++j) result(i, first + j) = image[i].slope[j];
    }
    for (Eigen::Index j = 0; j < count; ++j) seed[first + j].slope[j] = 0.0;
  }
  return result;
}

}  // namespace livens::reference
