#include "host/spec/initial_state.hpp"

#include "host/pairs/catalogue.hpp"

namespace livens::host {

InitialState default_initial_state(const SystemKernels& system) {
  return initial_state(system, default_parameters(*system.info));
}

InitialState initial_state(const SystemKernels& system, std::vector<double> parameters) {
  std::vector<double*> varied(parameters.size(), nullptr);
  const auto d = static_cast<std::size_t>(system.info->coordinates);
  // Kernels work on whole tiles.
  std::vector<double> q(d * tile_size), v(d * tile_size), p(d * tile_size);
  Batch batch{};
  batch.size = tile_size;
  batch.shared_parameters = parameters.data();
  batch.varied = varied.data();
  batch.shared_step = system.info->default_step;
  batch.q = q.data();
  batch.v = v.data();
  batch.p = p.data();
  system.initial_states(batch, 0, tile_size);
  q.resize(d);
  v.resize(d);
  return {q, v};
}

}  // namespace livens::host
