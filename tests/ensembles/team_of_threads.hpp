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
  int count(bool condition) const { return exchanged(condition ? 1 : 0, size()); }
  int sum_before(int number) const { return exchanged(number, rank_); }
  void sort(std::int32_t* keys, int count) const {
    wait();
    if (rank_ == 0) std::sort(keys, keys + count);
    wait();
  }

 private:
  TeamOfThreads(int rank, std::barrier<>& all, std::vector<int>& numbers)
      : rank_(rank), all_(all), numbers_(numbers) {}

  /// The sum of what the first `members` members say.
  int exchanged(int number, int members) const {
    numbers_[static_cast<std::size_t>(rank_)] = number;
    wait();
    const int sum = std::accumulate(numbers_.begin(), numbers_.begin() + members, 0);
    wait();
    return sum;
  }

  int rank_;
  std::barrier<>& all_;
  std::vector<int>& numbers_;
};

}  // namespace livens
