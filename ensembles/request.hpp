#pragma once
// The request: the spec after it has been read, checked and completed with defaults. No file formats
// here.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ensembles/joint_histogram.hpp"
#include "ensembles/labels.hpp"
#include "kernels/description/interface.hpp"
#include "kernels/description/tangent_info.hpp"
#include "kernels/stepping/draws.hpp"

namespace livens::ensembles {

using livens::Law;
using livens::Mode;
using livens::Target;

/// One [[ensemble.vary]] entry, a column of a table, or what instances take over from another result.
struct Variation {
  std::string what;  ///< as typed: "initial.v[10]", "initial.p[9:12]", "system.mass[0]", "scheme.step"
  Target target;
  int first;  ///< first scalar entry it acts on: index into the flattened parameters, or into q, v, p
  int count;  ///< entries it acts on
  Law law;
  Mode mode = Mode::set;
  double a = 0.0, b = 0.0;     ///< mean,std | low,high | mu,sigma | low,high; the mean of an exponential law
  std::vector<double> points;  ///< of a grid law (linspace, logspace, values)
  bool each = false;           ///< every entry has a value of its own; else one value for all of them
  double low = 0.0, high = 0.0, peak = 0.0;  ///< of a truncated normal, and of a triangular law
  /// Of Law::table: `count` values of every instance, in the order of their numbers.
  std::shared_ptr<const std::vector<double>> rows = {};

  bool is_grid() const { return law == Law::linspace || law == Law::logspace || law == Law::values; }
  bool is_random() const { return !is_grid() && law != Law::table; }
};

/// A number at every node that is observed under a name of its own.
struct ObservedExpression {
  std::string name, unit, text;
};

/// An instance that has failed: where it stayed, and the length of its steps, s.
struct FailedInstance {
  Status status;
  std::span<const double> q, v, parameters;
  double time, step;
};

/// How the draws of random laws lie: independently, or as the points of Sobol's sequence.
enum class Design { random, sobol };

enum class OnFailure { carry_on, error };
enum class Sampling { linear, log };

/// An expression whose changes of sign are counted (kernels/description/system_info.hpp, EventInfo).
struct Event {
  std::string name, when;
  int direction, keep;
  bool state;
};

/// [tangent]: derivatives of the discrete motion, which every instance carries along.
struct Tangent {
  bool state = false;              ///< along a basis of the initial state; of no names for exponents alone
  std::vector<Direction> of;       ///< what they are taken of; empty with `state`
  std::vector<std::string> names;  ///< a label of every direction
  /// Lyapunov's exponents, whose directions are the first of that basis and carried beside the others, and the
  /// steps from one orthonormalisation of these to the next; 0: none.
  int exponents = 0, every = 0;
  std::vector<Origin> q, v;  ///< d each: where the entries of the initial state come from
  bool momentum = false;     ///< it is given by momenta in place of velocities
  /// covariance = "initial": what every draw moves the directions by when it is one standard deviation off,
  /// a number for each direction; empty without.
  std::vector<std::vector<double>> spreads = {};

  int directions() const { return static_cast<int>(names.size()); }
};

/// A complete, checked request.
struct Request {
  std::string system;
  std::string text;  ///< of a system written as text (TextSystem::identity()); empty: one of the program's
  std::string scheme;
  std::string form;  ///< "reduced", "condensed", "full", or "auto": the first that can do what is asked
  std::vector<double> parameters;  ///< flattened, in the order of the system's list
  double step = 0.0;               ///< h, s
  std::int64_t steps = 0;          ///< steps of an instance (when scheme.step varies: of the base step)
  double end = 0.0;                ///< T, s
  Settings settings;
  /// Base values that replace the default initial state, v or p; of an entry that is NaN that is the default.
  std::optional<std::vector<double>> q, v, p;
  Consistency consistency = Consistency::project;
  std::int64_t size = 1;                ///< N
  std::vector<std::int64_t> instances;  ///< N, numbers of the instances in the ensemble; empty: 0 .. N-1
  std::uint64_t seed = 1;
  OnFailure on_failure = OnFailure::carry_on;
  double max_failed_fraction = 1.0;
  std::vector<Variation> variations;
  Design design = Design::random;
  /// Parameters and states in which another result ended (Law::table), before `variations` meet them; and how
  /// its instances fared, by number: one that is not ok does not start. Empty where there is none.
  std::vector<Variation> taken_over;
  std::vector<std::uint8_t> taken_over_status;
  std::int64_t every = 1;  ///< steps between samples
  double interval = 0.0;   ///< s between samples when scheme.step varies; else 0
  Sampling sampling = Sampling::linear;
  std::int64_t trajectories = 0;
  std::vector<double> quantiles;
  std::vector<std::string> observe;  ///< names of all_observables()
  Labels labels;
  std::map<std::string, std::string> units;  ///< of what can be observed, where it has one that a text says
  std::vector<ObservedExpression> expressions;  ///< those of them that the spec defines
  std::vector<std::string> stops;               ///< expressions whose change of sign ends an instance
  std::vector<Event> events;
  int keep_impacts = 0;  ///< times of impacts of each wall; 0: the standard number, or there are no walls
  std::optional<Tangent> tangent;
  std::vector<Joint> joints;
  bool extremes = false;      ///< least and largest over all steps of what is observed
  double energy_bound = 0.0;  ///< relative to the energy scale; when it is first exceeded is kept. 0: none

  /// By what name a failure goes, where whoever has the system can tell more of it than the kernels: a better
  /// status, or the same. Empty: as it is.
  std::function<Status(const FailedInstance&)> diagnosis = {};

  /// The number of instance i in the ensemble, from which its draws are made.
  std::int64_t number_of(std::int64_t i) const { return instances.empty() ? i : instances[i]; }
};

}  // namespace livens::ensembles
