#pragma once
// The joint histograms of a range of instances where they stand: from values drawn, and observables of their
// nodes.

#include <vector>

#include "ensembles/joint_histogram.hpp"
#include "ensembles/population.hpp"
#include "ensembles/stages.hpp"

namespace livens::ensembles {

/// Of the Joints that are at a sample (0 .. samples-1), in their order, over the instances that are ok.
/// Throws std::invalid_argument for an axis that neither varies nor can be observed.
std::vector<JointHistogram> sample_joints(const std::vector<Joint>& joints, std::int64_t sample,
                                          std::int64_t samples, const Population& population, Motion& motion);

}  // namespace livens::ensembles
