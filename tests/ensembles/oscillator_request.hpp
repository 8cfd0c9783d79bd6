#pragma once
// A request for the OscillatorBackend, to which each test adds what it is about.

#include "ensembles/request.hpp"

namespace livens::ensembles {

/// 20 steps of `size` instances, all alike, of which none fails.
inline Request oscillator_request(std::int64_t size) {
  Request request;
  request.system = "oscillators";
  request.scheme = "exact";
  request.form = "full";
  request.parameters = {1.0, 2.0, -1.0};
  request.step = 0.1;
  request.steps = 20;
  request.end = 2.0;
  request.size = size;
  return request;
}

}  // namespace livens::ensembles
