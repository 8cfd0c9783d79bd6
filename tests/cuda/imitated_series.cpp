// Taylor steps on GPUs made of host memory: the body of the kernel as g++ compiles it, a thread after the
// other, backwards, since nothing may depend on the order.
#define LIVENS_ISA imitated
#include "imitation.hpp"
#include "taylor/cuda/instance.hpp"

namespace livens {

void taylor::advance_series(const char*, const SeriesLaunch& launch) {
  note_imitated_launch("advance_series");
  for (std::int64_t i = launch.batch.size; i-- > 0;) advance_instance(launch, i);
}

}  // namespace livens
