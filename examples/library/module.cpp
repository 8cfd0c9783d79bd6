// A function for other languages: plain numbers in, plain numbers out, no exception.

#include <algorithm>
#include <livens/livens.hpp>

/// Integrates `size` instances of unit_circle and copies their final q, (size, 2), to `q`. Returns the exit
/// status that the program livens would have ended with.
extern "C" int spread(std::int64_t size, double std, double* q) {
  try {
    livens::Ensemble ensemble("unit_circle");
    ensemble.scheme("ems").step(0.1).end(10.0).size(size);
    ensemble.vary("initial.v[1]", livens::Distribution::normal(0.0, std).added());
    std::ranges::copy(livens::run(ensemble).numbers("/instances/final_q"), q);
    return 0;
  } catch (const livens::Error& error) {
    return error.status();
  } catch (...) {
    return 255;
  }
}
