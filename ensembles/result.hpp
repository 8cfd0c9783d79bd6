#pragma once
// The result of an ensemble, before it becomes a file. One field per dataset of the result file
// (contract, section 4).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ensembles/growth.hpp"
#include "ensembles/joint_histogram.hpp"
#include "ensembles/labels.hpp"
#include "kernels/description/interface.hpp"

namespace livens::ensembles {

/// Derivatives are observables whose names begin with this, and this is their last axis.
inline constexpr const char *tangent_group = "tangent/", *tangent_axis = "wrt";
/// Those of the state at the end, and of what is observed there, have this before its name.
inline constexpr const char* tangent_of_final = "tangent/final_";
/// And what is made of them and of the draws' laws, at the end and at the samples.
inline constexpr const char *tangent_covariance = "tangent/covariance", *followed_covariance = "covariance";
inline constexpr const char* covariance_axes[] = {"state", "with_state"};

/// An axis of a quantity with several entries.
struct EntriesAxis {
  std::string name;
  std::int64_t length;
};

/// A quantity and its values: one an instance, or one an instance and sample; or an array with axes for every
/// instance.
struct Quantity {
  std::string name, unit, description;
  std::vector<double> values;
  std::vector<EntriesAxis> axes = {};

  std::int64_t width() const {
    std::int64_t entries = 1;
    for (const EntriesAxis& axis : axes) entries *= axis.length;
    return entries;
  }
};

/// Per-instance values (/instances). Arrays are instance-major.
struct Instances {
  std::vector<double> initial_q, initial_v, final_q, final_v, final_p;  ///< N,d
  struct Varied {
    std::string what;
    int width;                   ///< 1 or k
    std::vector<double> values;  ///< N or N,k: the value used, before projection
  };
  std::vector<Varied> parameters;
  std::vector<Quantity> quantities;   ///< what the records end with, in the order of quantity_table.hpp
  std::vector<Quantity> observables;  ///< the system's own, then what output.observe and error_against add
  std::vector<std::uint8_t> status;   ///< N
  std::vector<std::int64_t> failed_step, newton_iterations, retried_steps;  ///< N
  std::vector<double> bound_exceeded;  ///< N, s; empty unless the request has a bound, NaN where it was kept
  std::vector<std::int64_t> number;    ///< N; empty unless the request chooses instances
  double steps = 0.0;                  ///< good steps of all

  /// The values of a quantity or an observable, N of them; none where there is none of that name.
  const std::vector<double>& operator[](std::string_view name) const;
};

/// One observable over the ensemble at the K sample times (/statistics/<observable>).
struct ObservableStatistics {
  std::string name, unit, description;
  std::vector<double> mean, std, min, max;  ///< K, over the instances ok at the sample
  std::vector<double> rms;                  ///< K, root mean square of them
  Growth growth;                            ///< of the rms with time
  std::vector<double> quantiles;            ///< K,Q
  std::int64_t bin_count = 0;               ///< B: of the sample in which the most bins occur
  std::vector<std::int64_t> histogram;      ///< K,B; 0 behind the bins of a sample
  std::vector<double> bins;                 ///< K,B: their lower edges, ascending; NaN without an instance
  std::vector<double> bin_width;            ///< K; 0 where all values are the same
};

/// A joint histogram (/statistics/joint/<name>), over the instances ok at the sample.
struct JointStatistics {
  Joint joint;
  std::vector<std::vector<double>> edges;    ///< of the bins of every axis, one more than these
  std::vector<std::vector<double>> middles;  ///< of the bins of every axis
  std::vector<std::int64_t> histogram;  ///< a count a cell, the last axis fastest; K times these at samples
};

/// Instances followed in full (/trajectories); NaN after a failure.
struct Trajectories {
  std::vector<std::int64_t> instance;           ///< R
  std::vector<double> q, p, v;                  ///< R,K,d
  std::vector<double> lambda, gamma;            ///< R,K,m
  std::vector<double> momentum;                 ///< R,K,s
  std::vector<double> energy, total_energy, z;  ///< R,K
  std::vector<double> position_error;           ///< R,K; empty unless compared with the true motion
  std::vector<Quantity> observed;               ///< R,K; of output.observe, without those above
  std::vector<Quantity>
      tangents;  ///< R,K and their axes: derivatives of q, p, v and of what is observed, covariance
};

struct Result {
  int coordinates, constraints, momentum_maps;  ///< d, m, s
  std::int64_t size;                            ///< N
  std::vector<double> time;                     ///< K, s
  std::vector<std::int64_t> ok;                 ///< K, instances ok at the sample
  Instances instances;
  std::vector<double> quantile_levels;  ///< Q
  std::vector<ObservableStatistics> statistics;
  std::vector<JointStatistics> joints;
  std::vector<std::string> wrt;  ///< labels of what derivatives are taken of; empty where there are none
  Labels labels;
  Trajectories trajectories;
  std::string backend, device;
  std::uint64_t seed;
  double wall_seconds, steps_per_second;  ///< of the stepping
  std::int64_t failed() const;            ///< instances whose status is that of a failure
};

}  // namespace livens::ensembles
