#pragma once
// A small result in which every number is another.

#include <string>
#include <vector>

#include "ensembles/observables.hpp"
#include "host/results/result_file.hpp"
#include "tests/host/toy_registry.hpp"

namespace livens::host {

inline constexpr int N = 5, d = 2, m = 1, s = 1, K = 3, Q = 2, B = 4, R = 2;

template <class T>
std::vector<T> ramp(int count, T first) {
  std::vector<T> values(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) values[static_cast<std::size_t>(i)] = first + static_cast<T>(i);
  return values;
}

inline ensembles::Result sample_result() {
  ensembles::Result result{};
  result.coordinates = d;
  result.constraints = m;
  result.momentum_maps = s;
  result.size = N;
  result.time = ramp(K, 0.0);
  result.ok = ramp<std::int64_t>(K, 3);
  ensembles::Instances& instances = result.instances;
  double first = 1.0;
  for (auto* state : {&instances.initial_q, &instances.initial_v, &instances.final_q, &instances.final_v,
                      &instances.final_p}) {
    *state = ramp(N * d, first += 100.0);
  }
  instances.parameters = {{"initial.v[1]", 1, ramp(N, 0.5)}, {"system.mass", 2, ramp(N * 2, 7.0)}};
  result.wrt = {"initial.v[1]", "system.mass[0]", "scheme.step"};
  instances.observables = {
      {"tangent/final_q",
       "SI",
       "derivatives of final_q",
       ramp(N * d * 3, 0.125),
       {{"coordinate", d}, {"wrt", 3}}},
      {"tangent/final_gap", "SI", "derivatives of final_gap", ramp(N * 3, 0.375), {{"wrt", 3}}},
      {"tangent/covariance",
       "SI",
       "covariance",
       ramp(N * 4 * d * d, 0.625),
       {{"state", 2 * d}, {"with_state", 2 * d}}},
      {"longest_swing", "rad", "how far it swings", ramp(N, 0.25)},
      {"final_q[1]", "SI", "a coordinate: at the end", ramp(N, 0.75)}};
  instances.status = {0, 1, 2, 7, 0};
  instances.failed_step = {-1, 4, 5, 6, -1};
  instances.newton_iterations = ramp<std::int64_t>(N, 10);
  instances.retried_steps = ramp<std::int64_t>(N, 20);
  instances.quantities = ensembles::record_quantities(m, s, true);
  for (ensembles::Quantity& each : instances.quantities) each.values = ramp(N, first += 100.0);
  instances.bound_exceeded = ramp(N, first += 100.0);
  instances.number = ramp<std::int64_t>(N, 70);
  instances.steps = 43.0;
  result.quantile_levels = {0.5, 0.95};
  for (const char* name : {"constraint", "energy_error"}) {
    result.statistics.push_back({name,
                                 "J",
                                 std::string("what ") + name + " is",
                                 ramp(K, 1.0),
                                 ramp(K, 2.0),
                                 ramp(K, 3.0),
                                 ramp(K, 4.0),
                                 ramp(K, 4.5),
                                 {0.5, 0.25, 0.75, 1.0, 100.0},
                                 ramp(K * Q, 5.0),
                                 B,
                                 ramp<std::int64_t>(K * B, 6),
                                 ramp(K * B, -1.0),
                                 ramp(K, 0.5)});
  }
  ensembles::Trajectories& followed = result.trajectories;
  followed.instance = {0, 1};
  for (auto* state : {&followed.q, &followed.p, &followed.v}) *state = ramp(R * K * d, first += 100.0);
  for (auto* state : {&followed.lambda, &followed.gamma}) *state = ramp(R * K * m, first += 100.0);
  followed.momentum = ramp(R * K * s, 9.0);
  for (auto* each : {&followed.energy, &followed.total_energy, &followed.z})
    *each = ramp(R * K, first += 100.0);
  followed.observed = {{"q[1]", "SI", "a coordinate", ramp(R * K, first += 100.0)}};
  followed.tangents = {
      {"gap", "SI", "derivatives of gap", ramp(R * K * 3, first += 100.0), {{"wrt", 3}}},
      {"q", "SI", "derivatives of q", ramp(R * K * d * 3, first += 100.0), {{"coordinate", d}, {"wrt", 3}}}};
  // Named in an order of their own.
  const ensembles::JointAxis mass{"system.mass[0]", "kg", "value used", {}, 0, 4, {}},
      energy{"energy", "J", "energy of the scheme", {}, 0, 2, std::pair{-1.0, 1.0}};
  result.joints = {{{"z_first", {mass, energy}, false},
                    {ramp(4, 0.0), ramp(3, -1.0)},
                    {ramp(3, 0.5), ramp(2, -0.5)},
                    ramp<std::int64_t>(6, 3)},
                   {{"a_second", {energy, mass}, true},
                    {ramp(3, -1.0), ramp(2, 8.0)},
                    {ramp(2, -0.5), ramp(1, 8.5)},
                    ramp<std::int64_t>(K * 2, 30)}};
  result.backend = "cpu";
  result.device = "a processor";
  result.seed = 18446744073709551615u;
  result.wall_seconds = 1.5;
  result.steps_per_second = 2.5e6;
  return result;
}

inline const Provenance provenance = {"0.1.0",   "toy_pair", "ems", "full", "system.name = 'toy_pair'\n",
                                      "--size 5"};

}  // namespace livens::host
