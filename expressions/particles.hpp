#pragma once
// Particles in space, rods between two of them or from the origin to one, a particle in no more than one, and springs: a
// mechanism in drifting, free and unit vectors whose inertias do not couple them.
//   (a) a rod between q_a and q_b is a unit vector u of inertia mu l^2, mu = m_a m_b/(m_a + m_b), and the centre of mass
//       x of both: q_a = x - m_b/(m_a + m_b) l u, q_b = x + m_a/(m_a + m_b) l u
//   (b) where nothing holds the whole, its centre of mass X drifts, and the bodies x_1, x_2, ... are Jacobi's vectors
//       Y_j = x_{j+1} - X_j, X_j the centre of mass of the first j; a sum c_i x_i is then, with S_j = c_1 + ... + c_j,
//         S_n X + sum_j (c_{j+1} - m_{j+1}/M_{j+1} S_{j+1}) Y_j
//   (c) a term of V is f(|s|^2) of s = sum c_b q_b with numbers c_b, or linear along one axis of space; a term of Rayleigh's
//       function is 1/2 eta |s'|^2

#include <optional>

#include "expressions/vector_parts.hpp"

namespace livens::expressions {

/// Of more of these nothing in vectors is compiled in seconds.
inline constexpr int most_freedoms_of_particles = 24, most_springs = 24;

/// The vectors of a mechanism of particles, if it is one.
std::optional<VectorParts> particles(Mechanics& mechanics);

}  // namespace livens::expressions
