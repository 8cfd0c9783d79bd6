#include "host/backends/ranks.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include "host/errors.hpp"
#include "host/number_of.hpp"
#if defined(LIVENS_WITH_MPI)
#include <mpi.h>
#endif

namespace livens::host {
namespace {

/// Processes that a launcher says it has started; MPI_Init is slow, and a program started by hand needs none.
int launched() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const auto size = whole_number_in(name)) return static_cast<int>(*size);
  return 1;
}

}  // namespace

int local_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"})
    if (const auto rank = whole_number_in(name)) return static_cast<int>(*rank);
  return 0;
}

#if defined(LIVENS_WITH_MPI)

namespace {

using Clock = std::chrono::steady_clock;

// Kinds of messages. All are short enough for MPI to take them before anybody asks.
constexpr int words = 1, failed = 2, farewell = 3;

void send(const std::string& bytes, int to, int kind) {
  MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_CHAR, to, kind, MPI_COMM_WORLD);
}

/// A message that has arrived.
std::optional<std::string> arrived(int from, int kind) {
  int here = 0;
  MPI_Status status;
  MPI_Iprobe(from, kind, MPI_COMM_WORLD, &here, &status);
  if (!here) return {};
  int size = 0;
  MPI_Get_count(&status, MPI_CHAR, &size);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  MPI_Recv(bytes.data(), size, MPI_CHAR, status.MPI_SOURCE, kind, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return bytes;
}

/// Lets the processor do something else: MPI's own waiting would keep it busy.
void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }

}  // namespace

Ranks::Ranks(ensembles::StopAsked interrupted) : interrupted_(std::move(interrupted)) {
  if (launched() <= 1) return;
  MPI_Init(nullptr, nullptr);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &count_);
}

Ranks::~Ranks() {
  if (count_ > 1) MPI_Finalize();
}

std::vector<std::string> Ranks::gather(const std::string& mine) const {
  if (!first()) {
    send(mine, 0, words);
    return {};
  }
  std::vector<std::string> all = {mine};
  for (int other = 1; other < count_; ++other) all.push_back(receive(other));
  return all;
}

std::string Ranks::spread(const std::string& said) const {
  if (!first()) return receive(0);
  for (int other = 1; other < count_; ++other) send(said, other, words);
  return said;
}

std::string Ranks::receive(int from) const {
  while (true) {
    if (failure()) throw OtherRankFailed{*failure()};
    if (auto bytes = arrived(from, words)) return *bytes;
    if (interrupted_ && interrupted_()) throw Interrupted();
    pause();
  }
}

void Ranks::fail(int status) {
  if (failure()) return;
  failure_ = status;
  for (int other = 0; other < count_; ++other)
    if (other != rank_) send(std::to_string(status), other, failed);
}

std::optional<int> Ranks::failure() const {
  if (count_ > 1 && !failure_)
    if (const auto status = arrived(MPI_ANY_SOURCE, failed)) failure_ = number_of<int>(*status);
  return failure_;
}

// The first rank sees that all have come, and the others that it has.
void Ranks::part() const {
  const auto until = Clock::now() + std::chrono::duration<double>(first() ? patience : 1.5 * patience);
  const auto expect = [&](int from) {
    while (!arrived(from, farewell)) {
      if (Clock::now() > until) MPI_Abort(MPI_COMM_WORLD, *failure_);
      pause();
    }
  };
  if (first()) {
    for (int other = 1; other < count_; ++other) expect(other);
    for (int other = 1; other < count_; ++other) send("", other, farewell);
  } else {
    send("", 0, farewell);
    expect(0);
  }
}

#else

Ranks::Ranks(ensembles::StopAsked) {
  if (launched() > 1)
    refuse({}, "started as " + std::to_string(launched()) + " processes, but built without MPI (LIVENS_MPI)",
           "--shard i/N");
}
Ranks::~Ranks() = default;
std::vector<std::string> Ranks::gather(const std::string& mine) const { return {mine}; }
std::string Ranks::spread(const std::string& said) const { return said; }
void Ranks::fail(int status) { failure_ = status; }
std::optional<int> Ranks::failure() const { return failure_; }
void Ranks::part() const {}

#endif

}  // namespace livens::host
