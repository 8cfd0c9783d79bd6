// Prints what generated classes compute at random states, a line of JSON for each: for sympy_judge.py.
//   {"system": ..., "parameters": [...], "q": [...], "v": [...], "t": ..., "values": {"potential": [...],
//   ...}}
// A matrix is printed row by row; what a class does not have is left out.

#define LIVENS_ISA text_values
#include <cstdio>
#include <random>
#include <string>

#include "generated_systems.hpp"
#include "kernels/systems/shared/concept.hpp"

namespace livens::inline LIVENS_ISA {
namespace {

std::string listed(const double* values, int count) {
  std::string text = "[";
  for (int i = 0; i < count; ++i) {
    char number[32];
    std::snprintf(number, sizeof number, "%s%.17g", i > 0 ? ", " : "", values[i]);
    text += number;
  }
  return text + "]";
}
template <int N>
std::string listed(const Vec<double, N>& values) {
  return listed(&values.data[0], N);
}

template <class System>
class Printer {
 public:
  static constexpr int d = System::coordinates, m = System::constraints;
  using Position = Vec<double, d>;

  explicit Printer(const char* name) : name_(name) {}

  void print(std::mt19937& engine) {
    Vec<double, System::parameter_count> parameters;
    int k = 0;
    for (const ParameterInfo& parameter : System::info().parameters)
      for (const double value : parameter.defaults)
        parameters[k++] = value * uniform(engine, 0.7, 1.4) + (parameter.damps ? 0.3 : 0.0);
    parameters = System::completed(parameters);
    const System system(parameters);
    Position q = system.initial_position(), v = system.initial_velocity();
    for (int i = 0; i < d; ++i) {
      q[i] += uniform(engine, -0.2, 0.2);
      v[i] += uniform(engine, -1.0, 1.0);
    }
    const double t = uniform(engine, 0.0, 5.0);
    std::printf("{\"system\": \"%s\", \"parameters\": %s, \"q\": %s, \"v\": %s, \"t\": %.17g, \"values\": {",
                name_, listed(parameters).c_str(), listed(q).c_str(), listed(v).c_str(), t);
    value("potential", system.potential(q));
    vector("gradient", system.gradient(q));
    if constexpr (requires { system.hessian(q); }) matrix("hessian", system.hessian(q));
    vector("momentum", momentum_of(system, q, v));
    if constexpr (requires { system.kinetic_gradient(q, v); })
      vector("kinetic_gradient", system.kinetic_gradient(q, v));
    if constexpr (requires { system.kinetic_hessian(q, v); })
      matrix("kinetic_hessian", system.kinetic_hessian(q, v));
    if constexpr (requires { system.inertia_slope(q, v); })
      matrix("inertia_slope", system.inertia_slope(q, v));
    if constexpr (PositionConstraints<System> && m > 0) constraints(system, q);
    if constexpr (ContactSystem<System>) matrix("constraint_matrix", system.constraint_matrix(q));
    if constexpr (System::damped && ViscousSystem<System>) {
      Mat<double, d, d> C;
      for (int i = 0; i < d; ++i)
        for (int j = 0; j < d; ++j) C(i, j) = system.damping(i, j);
      matrix("damping", C);
    }
    if constexpr (LoadedSystem<System>) vector("load", system.load(t));
    std::printf("}}\n");
  }

 private:
  static double uniform(std::mt19937& engine, double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  }
  void constraints(const System& system, const Position& q) {
    vector("constraints", system.constraints_at(q));
    auto G = system.constraint_jacobian(q);
    Mat<double, m * d, d> curvature;
    for (int k = 0; k < m; ++k)
      for (int i = 0; i < d; ++i) {
        if (!System::constrains(k, i)) G(k, i) = 0.0;
        for (int j = 0; j < d; ++j)
          if constexpr (QuadraticConstraints<System>) curvature(d * k + i, j) = system.curvature(k, i, j);
      }
    if constexpr (!QuadraticConstraints<System>) curvature = system.curvature_at(q);
    matrix("constraint_jacobian", G);
    matrix("curvature", curvature);
  }
  void value(const char* name, double value) { entry(name, listed(&value, 1)); }
  template <int N>
  void vector(const char* name, const Vec<double, N>& value) {
    entry(name, listed(value));
  }
  template <class Matrix>
  void matrix(const char* name, const Matrix& value) {
    entry(name, listed(&value.data[0], static_cast<int>(sizeof value.data / sizeof(double))));
  }
  void entry(const char* name, const std::string& text) {
    std::printf("%s\"%s\": %s", first_ ? "" : ", ", name, text.c_str());
    first_ = false;
  }

  const char* name_;
  bool first_ = true;
};

}  // namespace
}  // namespace livens::inline LIVENS_ISA

int main() {
  using namespace livens;
  std::mt19937 engine(5);
  for_each_generated_system([&](auto named) {
    for (int sample = 0; sample < 3; ++sample)
      Printer<typename decltype(named)::System>(decltype(named)::name).print(engine);
  });
}
