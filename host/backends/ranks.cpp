#include "host/backends/ranks.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "host/errors.hpp"
#if defined(LIVENS_WITH_MPI)
#include <mpi.h>
#endif

namespace livens::host {
namespace {

/// Processes that a launcher says it has started; MPI_Init is slow, and a program started by hand needs none.
int launched() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* size = std::getenv(name)) return std::atoi(size);
  return 1;
}

}  // namespace

int local_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"})
    if (const char* rank = std::getenv(name)) return std::max(0, std::atoi(rank));
  return 0;
}

#if defined(LIVENS_WITH_MPI)

Ranks::Ranks() {
  if (launched() <= 1) return;
  MPI_Init(nullptr, nullptr);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &count_);
}

Ranks::~Ranks() {
  if (count_ > 1) MPI_Finalize();
}

int Ranks::largest(int value) const {
  if (count_ > 1) MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return value;
}

double Ranks::sum(double value) const {
  if (count_ > 1) MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return value;
}

#else

Ranks::Ranks() {
  if (launched() > 1)
    throw RequestError("started as " + std::to_string(launched()) +
                       " processes, but built without MPI (LIVENS_MPI); expected --shard i/N");
}
Ranks::~Ranks() = default;
int Ranks::largest(int value) const { return value; }
double Ranks::sum(double value) const { return value; }

#endif

}  // namespace livens::host
