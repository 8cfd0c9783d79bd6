#pragma once
// The machine that integrates the instances of a Batch: a processor through a table of kernels, or a GPU.

#include "kernels/description/interface.hpp"

namespace livens::selftest {

/// The calls of a backend on all instances of a Batch, in the memory of the host.
class Machine {
 public:
  virtual ~Machine() = default;
  virtual void initial_states(const Batch&) = 0;
  virtual void momenta(const Batch&) = 0;
  virtual void velocities(const Batch&) = 0;
  virtual void make_consistent(const Batch&, Consistency, std::uint8_t* status) = 0;
  virtual void start(const Batch&, const Settings&, const std::uint8_t* status) = 0;
  virtual void advance(const Batch&, const Settings&, std::int64_t to) = 0;
};

class Processor : public Machine {
 public:
  explicit Processor(const PairKernels& pair) : pair_(pair) {}
  void initial_states(const Batch& batch) override { pair_.system->initial_states(batch, 0, batch.size); }
  void momenta(const Batch& batch) override { pair_.system->momenta(batch, 0, batch.size); }
  void velocities(const Batch& batch) override { pair_.system->velocities(batch, 0, batch.size); }
  void make_consistent(const Batch& batch, Consistency consistency, std::uint8_t* status) override {
    pair_.system->make_consistent(batch, consistency, status, 0, batch.size);
  }
  void start(const Batch& batch, const Settings& settings, const std::uint8_t* status) override {
    pair_.start(batch, settings, status, 0, batch.size);
  }
  void advance(const Batch& batch, const Settings& settings, std::int64_t to) override {
    pair_.advance(batch, settings, to, 0, batch.size);
  }

 private:
  const PairKernels& pair_;
};

}  // namespace livens::selftest
