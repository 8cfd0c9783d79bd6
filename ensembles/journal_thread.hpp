#pragma once
// A journal that is written by a thread of its own, while the instances after those that it is about are
// being integrated.

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>

#include "ensembles/journal.hpp"
#include "ensembles/thread.hpp"

namespace livens::ensembles {

/// Hands everything on to the journal in the order in which it came. Where the journal throws, nothing more
/// reaches it, and the next call here throws the same.
class JournalThread {
 public:
  /// Bytes of samples that may wait to be written, beside the one in hand.
  static constexpr std::int64_t most_waiting = std::int64_t{64} << 20;

  /// Throws std::system_error where there is no room for a thread.
  explicit JournalThread(Journal& journal);
  /// Everything handed over is written first: who integrates may have failed, what is done is done.
  ~JournalThread();
  JournalThread(const JournalThread&) = delete;
  JournalThread& operator=(const JournalThread&) = delete;

  /// Waits while there are too many samples on their way.
  void add(SamplePart part);
  /// The instances of a chunk, made on the thread. Waits until those of the chunk before are written, so that
  /// there are never more than two chunks: this one, and the next to be integrated.
  void add(std::function<InstancesPart()> make);
  void done(Standing standing);
  /// Asked at once, beside what is being written.
  bool wants_standing();
  /// Kept at once, after all that has been handed over.
  void keep(const Standing& standing);
  /// Returns when everything is written.
  void finish();

 private:
  struct Entry {
    std::function<void()> write;
    std::int64_t bytes;  ///< of a sample
    bool chunk;          ///< the instances of one
  };
  void hand_over(Entry entry);
  /// Returns when `ready` holds, or throws what the journal has thrown.
  template <class Ready>
  std::unique_lock<std::mutex> when(const Ready& ready);
  void write_all();

  Journal& journal_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Entry> entries_;  // the first one is in hand, the others wait
  std::int64_t waiting_ = 0;   // bytes of all samples among them
  std::int64_t chunks_ = 0;    // those among them
  bool ending_ = false;
  std::exception_ptr failure_;
  Thread thread_;
};

}  // namespace livens::ensembles
