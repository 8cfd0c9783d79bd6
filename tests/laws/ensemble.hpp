#pragma once
// Instances in the arrays a backend works on, and what a law wants to know of them.

#include <optional>
#include <random>
#include <vector>

#include "tests/laws/instance.hpp"

namespace livens::laws {

/// The arrays behind a Batch. The last instance is repeated up to a multiple of tile_size.
struct Arrays {
  Arrays(const SystemInfo& info, const std::vector<Instance>& instances);
  int size() const { return static_cast<int>(h.size()); }
  Batch batch();

  std::vector<double> q, v, p, h, records;
  Composition composition;

 private:
  std::vector<double> shared_;
  std::vector<std::vector<double>> varied_;
  std::vector<double*> varied_pointers_;
};

/// A node as the user sees it.
struct Node {
  std::vector<double> q, v, p, lambda, gamma, momentum;
  double energy, total_energy, z;
};

/// Some instances of one pair, integrated together.
class Ensemble {
 public:
  /// States are taken as they are. `status`: per instance, why it cannot start; empty: all can.
  Ensemble(const PairKernels& pair, const std::vector<Instance>& instances,
           const std::optional<Settings>& settings = {}, std::vector<std::uint8_t> status = {});

  /// The settings where none are given: the scheme's own, with Newton's method to round-off.
  static Settings to_round_off(const PairKernels& pair) {
    Settings settings = standard_settings(*pair.scheme);
    settings.tolerance = 0.0;
    settings.precision = pair.precision;
    return settings;
  }

  /// In place of that of the settings' order; to be called before the first step.
  void compose(const Composition& composition) { arrays_.composition = composition; }
  void advance(int steps);
  double column(int instance, Column c) const {
    return values_of(arrays_.records, instance)[static_cast<int>(c)];
  }
  Status status(int instance) const { return static_cast<Status>(column(instance, Column::status)); }
  /// All columns of one instance: what must be equal to the bit.
  std::vector<double> record(int instance) const { return values_of(arrays_.records, instance); }
  /// State of an instance, with the multipliers of the last step when the last advance() was a single step.
  Node node(int instance);

 private:
  std::vector<double> values_of(const std::vector<double>& records, int instance) const;

  PairKernels pair_;
  Settings settings_;
  Arrays arrays_;
  std::vector<double> before_;
  int steps_ = 0;
};

/// The standard settings to round-off, and with every other word of the scheme's options.
std::vector<Settings> choices(const PairKernels& pair);

/// True where two lists of doubles are the same bits. All NaN are alike: which of two an operation hands on
/// is the compiler's choice, so a result stores the canonical one (contract, section 4).
bool same_bits(std::vector<double> a, std::vector<double> b);

/// max |a_i - b_i|; NaN where an entry is.
double distance(const std::vector<double>& a, const std::vector<double>& b);
double largest(const std::vector<double>& a);

}  // namespace livens::laws
