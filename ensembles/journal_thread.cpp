#include "ensembles/journal_thread.hpp"

#include <memory>
#include <utility>

namespace livens::ensembles {
namespace {

std::int64_t bytes_of(const SamplePart& part) {
  std::size_t bytes = sizeof part;
  for (const SummaryTree& tree : part.statistics.observables)
    for (const auto& [first, node] : tree.nodes())
      bytes += sizeof node + node.summary.points.size() * sizeof(Point);
  const Trajectories& t = part.followed;
  for (const auto* values :
       {&t.q, &t.p, &t.v, &t.lambda, &t.gamma, &t.momentum, &t.energy, &t.total_energy, &t.z})
    bytes += values->size() * sizeof(double);
  for (const Quantity& quantity : t.observed) bytes += quantity.values.size() * sizeof(double);
  return static_cast<std::int64_t>(bytes);
}

}  // namespace

JournalThread::JournalThread(Journal& journal) : journal_(journal), thread_([this] { write_all(); }) {}

JournalThread::~JournalThread() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
}

void JournalThread::add(SamplePart part) {
  const std::int64_t bytes = bytes_of(part);
  // A function has to be copyable, a part should not be copied.
  const auto shared = std::make_shared<SamplePart>(std::move(part));
  hand_over({[this, shared] { journal_.add(*shared); }, bytes, false});
}

void JournalThread::add(std::function<InstancesPart()> make) {
  hand_over({[this, make = std::move(make)] { journal_.add(make()); }, 0, true});
}

void JournalThread::done(Standing standing) {
  hand_over({[this, standing = std::move(standing)] { journal_.done(standing); }, 0, false});
}

bool JournalThread::wants_standing() {
  when([] { return true; });
  return journal_.wants_standing();
}

void JournalThread::keep(const Standing& standing) {
  finish();
  journal_.keep(standing);
}

void JournalThread::finish() {
  when([this] { return entries_.empty(); });
}

template <class Ready>
std::unique_lock<std::mutex> JournalThread::when(const Ready& ready) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return failure_ || ready(); });
  if (failure_) std::rethrow_exception(failure_);
  return lock;
}

void JournalThread::hand_over(Entry entry) {
  {
    const auto lock = when([&] {
      return entry.chunk ? chunks_ == 0 : entries_.empty() || waiting_ + entry.bytes <= most_waiting;
    });
    waiting_ += entry.bytes;
    chunks_ += entry.chunk;
    entries_.push_back(std::move(entry));
  }
  changed_.notify_all();
}

void JournalThread::write_all() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ending_ || !entries_.empty(); });
    if (entries_.empty()) return;
    Entry& entry = entries_.front();
    lock.unlock();
    std::exception_ptr failure;
    try {
      entry.write();
    } catch (...) {
      failure = std::current_exception();
    }
    entry.write = nullptr;  // what it holds, a chunk, goes before the next one may come
    lock.lock();
    waiting_ -= entry.bytes;
    chunks_ -= entry.chunk;
    entries_.pop_front();
    if (failure) {
      failure_ = failure;
      entries_.clear();
    }
    changed_.notify_all();
  }
}

}  // namespace livens::ensembles
