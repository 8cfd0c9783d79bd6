#pragma once
// Threads of a processor as a team (kernels/stepping/team.hpp) that wait for each other as those of a GPU do.

#include <algorithm>
#include <barrier>
#include <cstdint>
#include <numeric>
#include <thread>
#include <vector>

#include "kernels/stepping/team.hpp"

namespace livens {

class TeamOfThreads {
 public:
  /// Lets `members` threads call work(team), each with its own rank.
  template <class Work>
  static void run(int members, const Work& work) {
    std::barrier<> all(members);
    std::vector<int> numbers(static_cast<std::size_t>(members));
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < members; ++rank)
      threads.emplace_back([&, rank] { work(TeamOfThreads(rank, all, numbers)); });
  }

  int rank() const { return rank_; }
  int size() const { return static_cast<int>(numbers_.size()); }
  void wait() const { all_.arrive_and_wait(); }
  int count(bool condition) const {
    numbers_[static_cast<std::size_t>(rank_)] = condition ? 1 : 0;
    wait();
    const int sum = std::accumulate(numbers_.begin(), numbers_.end(), 0);
    wait();
    return sum;
  }
  void sort(std::uint64_t* keys, int count) const {
    wait();
    if (rank_ == 0) std::sort(keys, keys + count);
    wait();
  }

 private:
  TeamOfThreads(int rank, std::barrier<>& all, std::vector<int>& numbers)
      : rank_(rank), all_(all), numbers_(numbers) {}

  int rank_;
  std::barrier<>& all_;
  std::vector<int>& numbers_;
};

}  // namespace livens
