#pragma once
// The motion of texts by Taylor series, lane by lane, for tests.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "expressions/text_system.hpp"
#include "kernels/backends/registry.hpp"
#include "taylor/group.hpp"

namespace livens::taylor {

constexpr double eps = 0x1p-52;

inline TextSystem example(const std::string& name) {
  std::ifstream file(std::string(LIVENS_EXAMPLES) + "/" + name + ".toml");
  std::ostringstream text;
  text << file.rdbuf();
  return read_text_system(text.str(), name);
}

inline std::vector<double> default_parameters(const TextSystem& text) {
  std::vector<double> values;
  for (const ParameterInfo& parameter : text.info().parameters)
    values.insert(values.end(), parameter.defaults.begin(), parameter.defaults.end());
  text.complete(values);
  return values;
}

/// By parameter: it is zero, and stays so where the parameters are the defaults.
inline std::vector<bool> zeros_of(const std::vector<double>& parameters) {
  std::vector<bool> zeros;
  for (const double value : parameters) zeros.push_back(value == 0.0);
  return zeros;
}

/// The widest of this machine; all give the same bits.
inline const char* widest_instruction_set() {
  for (const auto& [isa, name] : {std::pair{Isa::avx512, "avx512"}, {Isa::avx2, "avx2"}})
    if (usable(isa) && recurrences(name)) return name;
  return "plain";
}

/// One instance in every lane, at first all of them the text's own.
class Motion {
 public:
  explicit Motion(const TextSystem& text, double tolerance = 1e-15,
                  const char* instruction_set = widest_instruction_set(), const FixedSeries* fixed = nullptr)
      : recurrences_(*recurrences(instruction_set)),
        equations_(std::make_unique<Equations>(
            text.mechanics(), static_cast<int>(default_parameters(text).size()), expressions::Scope{},
            std::vector<std::string>{}, std::vector<std::string>{}, zeros_of(default_parameters(text)))),
        group_(std::make_unique<Group>(*equations_, recurrences_, tolerance)) {
    if (fixed) {
      recurrences_.project = fixed->project;
      recurrences_.expand = fixed->expand;
    }
    const std::vector<double> parameters = default_parameters(text);
    for (int lane = 0; lane < lanes; ++lane)
      set(lane, parameters, text.initial_position(parameters), text.initial_velocity(parameters));
  }

  void set(int lane, const std::vector<double>& parameters, const std::vector<double>& q,
           const std::vector<double>& v) {
    for (std::size_t k = 0; k < parameters.size(); ++k)
      group_->set_parameter(lane, static_cast<int>(k), parameters[k]);
    group_->begin();
    group_->set_state(lane, q.data(), v.data());
  }

  /// All lanes to a time that is not before the last one, as far as they come.
  void to(double t) {
    LaneMask all;
    all.fill(true);
    if (!arrived_) group_->arrive(all);
    arrived_ = true;
    std::array<double, lanes> times, step;
    step.fill(1.0);
    while (true) {
      LaneMask behind{};
      for (int lane = 0; lane < lanes; ++lane)
        behind[static_cast<std::size_t>(lane)] =
            group_->obstacle(lane) == Obstacle::none && group_->end(lane) < t;
      if (std::ranges::find(behind, true) == behind.end()) break;
      group_->expand(behind, step.data());
      for (int lane = 0; lane < lanes; ++lane) {
        const auto l = static_cast<std::size_t>(lane);
        behind[l] = behind[l] && group_->obstacle(lane) == Obstacle::none;
      }
      group_->arrive(behind);
      ++steps_;
    }
    times.fill(t);
    group_->evaluate(times.data());
  }
  int steps() const { return steps_; }

  const Group& group() const { return *group_; }
  const Equations& equations() const { return *equations_; }
  std::vector<double> q(int lane = 0) const {
    std::vector<double> values;
    for (int i = 0; i < equations_->state.d; ++i) values.push_back(group_->position(i, lane));
    return values;
  }
  /// Of the equations, where the lanes have been taken; the next series has to arrive anew.
  std::vector<double> multipliers(int lane = 0) {
    group_->solve_multipliers();
    arrived_ = false;
    std::vector<double> values;
    for (int k = 0; k < equations_->state.m; ++k) values.push_back(group_->multiplier(k, lane));
    return values;
  }
  std::vector<double> v(int lane = 0) const {
    std::vector<double> values;
    for (int i = 0; i < equations_->state.d; ++i) values.push_back(group_->velocity(i, lane));
    return values;
  }
  double energy(int lane = 0) const {
    return group_->measured(equations_->kinetic, lane) + group_->measured(equations_->potential, lane);
  }
  /// E + D - W, which stays.
  double balance(int lane = 0) const { return energy(lane) + group_->dissipated(lane) - group_->work(lane); }
  /// |T| + sum |V_k|, J.
  double energy_terms(int lane = 0) const {
    double terms = std::abs(group_->measured(equations_->kinetic, lane));
    for (const int row : equations_->potential_terms) terms += std::abs(group_->measured(row, lane));
    return terms;
  }
  double largest(const std::vector<int>& rows, int lane = 0) const {
    double size = 0.0;
    for (const int row : rows) size = std::max(size, std::abs(group_->measured(row, lane)));
    return size;
  }

 private:
  Recurrences recurrences_;
  std::unique_ptr<Equations> equations_;
  std::unique_ptr<Group> group_;
  bool arrived_ = false;
  int steps_ = 0;
};

inline double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double size = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) size = std::max(size, std::abs(a[i] - b[i]));
  return size;
}

}  // namespace livens::taylor
