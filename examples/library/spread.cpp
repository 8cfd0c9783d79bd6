// How far apart do points drift that circle with different velocities? An ensemble built in code, run in
// memory, and its final angles counted.

#include <cmath>
#include <cstdio>
#include <livens/livens.hpp>

int main() {
  livens::Ensemble ensemble("unit_circle");
  ensemble.scheme("ems").step(0.1).end(10.0).size(1000).seed(1);
  ensemble.vary("initial.v[1]", livens::Distribution::normal(0.0, 0.1).added());

  livens::RunOptions options;
  options.sample = [](const livens::Sample& sample) {
    std::printf("%5.1f s: %lld of %lld ok\n", sample.time, static_cast<long long>(sample.ok),
                static_cast<long long>(sample.last - sample.first));
  };
  try {
    const livens::Result result = livens::run(ensemble, options);
    result.check();  // as ensemble.on_failure of the spec wants it
    const livens::Array& final_q = result["/instances/final_q"];
    const auto q = result.numbers("/instances/final_q");
    double x = 0.0, y = 0.0;
    for (std::int64_t i = 0; i < final_q.shape[0]; ++i) {
      x += q[2 * i];
      y += q[2 * i + 1];
    }
    // 1: all at one angle; 0: anywhere.
    std::printf("%s of %lld points: |mean| = %.3f\n", final_q.name.c_str(),
                static_cast<long long>(final_q.shape[0]),
                std::hypot(x, y) / static_cast<double>(result.size()));
    result.save("spread.h5");
  } catch (const livens::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return error.status();
  }
}
