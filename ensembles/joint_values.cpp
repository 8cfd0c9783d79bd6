#include "ensembles/joint_values.hpp"

#include "ensembles/node_values.hpp"
#include "ensembles/observables.hpp"

namespace livens::ensembles {
namespace {

JointHistogram histogram_of(const std::vector<JointAxis>& axes, const Population& population,
                            Motion& motion) {
  std::vector<std::string> names;
  for (const JointAxis& axis : axes)
    if (!axis.varied) names.push_back(axis.name);
  const NodeValues values(motion.nodes(), population.size(), observed(motion.backend().system(), names));
  std::vector<double> rows;
  for (std::int64_t i = 0; i < population.size(); ++i) {
    if (!values.ok(i)) continue;
    std::size_t observable = 0;
    for (const JointAxis& axis : axes)
      rows.push_back(axis.varied ? population.varied(*axis.varied, axis.entry, i)
                                 : values.value(i, observable++));
  }
  return joint_histogram(axes, rows);
}

}  // namespace

std::vector<JointHistogram> sample_joints(const std::vector<Joint>& joints, std::int64_t sample,
                                          std::int64_t samples, const Population& population,
                                          Motion& motion) {
  std::vector<JointHistogram> made;
  for (const Joint& joint : joints)
    if (joint.is_at(sample, samples)) made.push_back(histogram_of(joint.axes, population, motion));
  return made;
}

}  // namespace livens::ensembles
