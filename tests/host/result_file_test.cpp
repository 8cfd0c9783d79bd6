// A result file holds what the contract says, and comes back as it went in.

#include <gtest/gtest.h>
#include <hdf5_hl.h>
#include <unistd.h>

#include <cstdio>

#include "host/checkpoint/parts.hpp"
#include "host/files/sha256.hpp"
#include "host/results/hdf5_reading.hpp"
#include "host/results/hdf5_writing.hpp"
#include "host/results/summary.hpp"
#include "result_fixture.hpp"

namespace livens::host {
namespace {

void expect_same(const std::vector<ensembles::Quantity>& a, const std::vector<ensembles::Quantity>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].name, b[k].name);
    EXPECT_EQ(a[k].unit, b[k].unit);
    EXPECT_EQ(a[k].description, b[k].description);
    EXPECT_EQ(a[k].values, b[k].values);
    ASSERT_EQ(a[k].axes.size(), b[k].axes.size());
    for (std::size_t i = 0; i < a[k].axes.size(); ++i) {
      EXPECT_EQ(a[k].axes[i].name, b[k].axes[i].name);
      EXPECT_EQ(a[k].axes[i].length, b[k].axes[i].length);
    }
  }
}

// Portions are read back from a file that is being written; what it leaves out stays in memory.
TEST_F(ResultFileTest, PortionsComeBackBeforeTheFileIsFinished) {
  ensembles::Result whole = sample_result();
  const ensembles::Instances first = std::exchange(whole.instances, {});
  ensembles::Instances second = first;
  for (auto* values : {&second.final_q, &second.bound_exceeded, &second.parameters[1].values})
    for (double& value : *values) value = -value;
  second.status = {7, 0, 0, 2, 1};
  whole.size = 2 * N;
  const std::string kept = first.quantities.at(1).name;
  for (const auto& left_out :
       {std::vector<std::string>{}, {kept, "retried_steps", "parameters/system.mass"}}) {
    ResultWriter writer(path, "", whole, units_of(*toy_catalogue().system("toy_pair")->info), 0, left_out);
    writer.add(0, first);
    writer.add(N, second);
    for (const auto& [begin, before] : {std::pair{0, &first}, {N, &second}}) {
      const auto bytes = [](const ensembles::Instances& one) {
        return encode(ensembles::InstancesPart{{0, N}, one});
      };
      ensembles::Instances after = *before;
      writer.unload(after);
      EXPECT_TRUE(after.final_q.empty() && after.status.empty() && after.bound_exceeded.empty());
      EXPECT_EQ(after.quantities.at(1).values.empty(), left_out.empty());
      EXPECT_EQ(after.retried_steps.empty(), left_out.empty());
      writer.load(begin, N, after);
      EXPECT_EQ(bytes(after), bytes(*before));
    }
  }
}

TEST_F(ResultFileTest, ComesBackAsItWentIn) {
  const ensembles::Result before = sample_result();
  write(before);
  const auto [after, origin, shard, left_out] = read_result(path);
  EXPECT_FALSE(shard);
  EXPECT_TRUE(left_out.empty());
  const auto& a = before.instances;
  const auto& b = after.instances;
  EXPECT_EQ(after.size, N);
  EXPECT_EQ(after.coordinates, d);
  EXPECT_EQ(after.constraints, m);
  EXPECT_EQ(after.momentum_maps, s);
  EXPECT_EQ(after.time, before.time);
  EXPECT_EQ(after.ok, before.ok);
  EXPECT_EQ(b.initial_q, a.initial_q);
  EXPECT_EQ(b.initial_v, a.initial_v);
  EXPECT_EQ(b.final_q, a.final_q);
  EXPECT_EQ(b.final_v, a.final_v);
  EXPECT_EQ(b.final_p, a.final_p);
  EXPECT_EQ(b.status, a.status);
  EXPECT_EQ(b.failed_step, a.failed_step);
  EXPECT_EQ(b.newton_iterations, a.newton_iterations);
  EXPECT_EQ(b.retried_steps, a.retried_steps);
  expect_same(b.quantities, a.quantities);
  expect_same(b.observables, a.observables);
  ASSERT_EQ(b.parameters.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(b.parameters[i].what, a.parameters[i].what);
    EXPECT_EQ(b.parameters[i].width, a.parameters[i].width);
    EXPECT_EQ(b.parameters[i].values, a.parameters[i].values);
  }
  ASSERT_EQ(after.joints.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    const ensembles::JointStatistics &read = after.joints[i], &written = before.joints[i];
    EXPECT_EQ(read.joint.name, written.joint.name);
    EXPECT_EQ(read.joint.at_samples, written.joint.at_samples);
    ASSERT_EQ(read.joint.axes.size(), 2u);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(read.joint.axes[k].name, written.joint.axes[k].name);
      EXPECT_EQ(read.joint.axes[k].unit, written.joint.axes[k].unit);
      EXPECT_EQ(read.joint.axes[k].description, written.joint.axes[k].description);
      EXPECT_EQ(read.joint.axes[k].bins, written.joint.axes[k].bins);
      EXPECT_EQ(read.joint.axes[k].range, written.joint.axes[k].range);
    }
    EXPECT_EQ(read.edges, written.edges);
    EXPECT_EQ(read.middles, written.middles);
    EXPECT_EQ(read.histogram, written.histogram);
  }
  EXPECT_EQ(after.wrt, before.wrt);
  EXPECT_EQ(after.quantile_levels, before.quantile_levels);
  ASSERT_EQ(after.statistics.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(after.statistics[i].name, before.statistics[i].name);
    EXPECT_EQ(after.statistics[i].unit, before.statistics[i].unit);
    EXPECT_EQ(after.statistics[i].description, before.statistics[i].description);
    EXPECT_EQ(after.statistics[i].mean, before.statistics[i].mean);
    EXPECT_EQ(after.statistics[i].std, before.statistics[i].std);
    EXPECT_EQ(after.statistics[i].min, before.statistics[i].min);
    EXPECT_EQ(after.statistics[i].max, before.statistics[i].max);
    EXPECT_EQ(after.statistics[i].quantiles, before.statistics[i].quantiles);
    EXPECT_EQ(after.statistics[i].histogram, before.statistics[i].histogram);
    EXPECT_EQ(after.statistics[i].bins, before.statistics[i].bins);
    EXPECT_EQ(after.statistics[i].bin_width, before.statistics[i].bin_width);
  }
  EXPECT_EQ(after.trajectories.instance, before.trajectories.instance);
  EXPECT_EQ(after.trajectories.q, before.trajectories.q);
  EXPECT_EQ(after.trajectories.p, before.trajectories.p);
  EXPECT_EQ(after.trajectories.v, before.trajectories.v);
  EXPECT_EQ(after.trajectories.lambda, before.trajectories.lambda);
  EXPECT_EQ(after.trajectories.gamma, before.trajectories.gamma);
  EXPECT_EQ(after.trajectories.momentum, before.trajectories.momentum);
  expect_same(after.trajectories.observed, before.trajectories.observed);
  EXPECT_EQ(after.trajectories.energy, before.trajectories.energy);
  EXPECT_EQ(after.trajectories.total_energy, before.trajectories.total_energy);
  EXPECT_EQ(after.trajectories.z, before.trajectories.z);
  EXPECT_EQ(after.backend, before.backend);
  EXPECT_EQ(after.device, before.device);
  EXPECT_EQ(after.seed, before.seed);
  EXPECT_EQ(after.wall_seconds, before.wall_seconds);
  EXPECT_EQ(after.steps_per_second, before.steps_per_second);
  EXPECT_EQ(origin.version, provenance.version);
  EXPECT_EQ(origin.system, provenance.system);
  EXPECT_EQ(origin.scheme, provenance.scheme);
  EXPECT_EQ(origin.form, provenance.form);
  EXPECT_EQ(origin.spec, provenance.spec);
  EXPECT_EQ(origin.overrides, provenance.overrides);
}

TEST_F(ResultFileTest, IsWithoutWhatIsLeftOut) {
  const ensembles::Result before = sample_result();
  const std::vector<std::string> without = {"final_p",      "failed_step",   "newton_iterations",
                                            "energy_scale", "longest_swing", "parameters/system.mass"};
  {
    ResultWriter writer(path, {}, before, units_of(*toy_catalogue().system("toy_pair")->info), 0, without);
    writer.add(0, before.instances);
    writer.commit(provenance);
  }
  const ResultFile read = read_result(path);
  EXPECT_EQ(read.left_out, without);
  const ensembles::Instances& kept = read.result.instances;
  EXPECT_TRUE(kept.final_p.empty());
  EXPECT_TRUE(kept.failed_step.empty());
  EXPECT_TRUE(kept["energy_scale"].empty());
  EXPECT_TRUE(kept["longest_swing"].empty());
  EXPECT_EQ(kept.final_q, before.instances.final_q);
  EXPECT_EQ(kept["final_q[1]"], before.instances["final_q[1]"]);
  ASSERT_EQ(kept.parameters.size(), 1u);
  EXPECT_EQ(kept.parameters[0].what, "initial.v[1]");
  // Failures are counted all the same, and nothing is said of what is not there.
  Figures figures;
  figures.add(kept);
  EXPECT_EQ(figures.failed(), before.failed());
  const std::string text = figures.text(read.result);
  EXPECT_NE(text.find("2 of 5 instances ok"), std::string::npos) << text;
  EXPECT_EQ(text.find("Newton iterations"), std::string::npos) << text;
}

TEST_F(ResultFileTest, HasTheDatasetsOfTheContract) {
  write();
  const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const hdf5::Source source(path);
  using Lengths = std::vector<hsize_t>;
  std::vector<std::pair<std::string, Lengths>> expected = {{"/statistics/time", {K}},
                                                           {"/statistics/ok", {K}},
                                                           {"/trajectories/instance", {R}},
                                                           {"/trajectories/time", {K}},
                                                           {"/trajectories/q", {R, K, d}},
                                                           {"/trajectories/p", {R, K, d}},
                                                           {"/trajectories/v", {R, K, d}},
                                                           {"/trajectories/lambda", {R, K, m}},
                                                           {"/trajectories/gamma", {R, K, m}},
                                                           {"/trajectories/momentum", {R, K, s}},
                                                           {"/trajectories/energy", {R, K}},
                                                           {"/trajectories/total_energy", {R, K}},
                                                           {"/trajectories/z", {R, K}},
                                                           {"/tangent/final_q", {N, d, 3}},
                                                           {"/tangent/final_gap", {N, 3}},
                                                           {"/tangent/covariance", {N, 2 * d, 2 * d}},
                                                           {"/tangent/trajectories/instance", {R}},
                                                           {"/tangent/trajectories/time", {K}},
                                                           {"/tangent/trajectories/gap", {R, K, 3}},
                                                           {"/tangent/trajectories/q", {R, K, d, 3}},
                                                           {"/instances/parameters/initial.v[1]", {N}},
                                                           {"/instances/parameters/system.mass", {N, 2}}};
  for (const char* name : {"initial_q", "initial_v", "final_q", "final_v", "final_p"}) {
    expected.push_back({std::string("/instances/") + name, Lengths{N, d}});
  }
  for (const char* name : {"status", "failed_step", "newton_iterations", "retried_steps", "initial_energy",
                           "energy_scale", "max_energy_error", "rms_energy_error", "max_constraint",
                           "max_velocity_constraint", "max_momentum_error", "longest_swing", "final_q[1]"}) {
    expected.push_back({std::string("/instances/") + name, Lengths{N}});
  }
  for (const char* observable : {"energy_error", "constraint"}) {
    const std::string at = std::string("/statistics/") + observable + "/";
    for (const char* name : {"mean", "std", "min", "max"}) expected.push_back({at + name, Lengths{K}});
    expected.push_back({at + "quantiles", Lengths{K, Q}});
    expected.push_back({at + "histogram", Lengths{K, B}});
    expected.push_back({at + "bins", Lengths{K, B}});
    expected.push_back({at + "bin_width", Lengths{K}});
    EXPECT_EQ(source.numbers(at + "quantiles", "levels"), (std::vector<double>{0.5, 0.95}));
    EXPECT_GT(source.number(at + "quantiles", "resolution"), 0.0);
  }
  for (const auto& [name, shape] : expected) {
    ASSERT_TRUE(hdf5::exists(file, name)) << name;
    EXPECT_EQ(hdf5::shape_of(hdf5::open_dataset(file, name)), shape) << name;
    EXPECT_NE(source.text(name, "unit"), "") << name;
    EXPECT_NE(source.text(name, "description"), "") << name;
  }
  EXPECT_EQ(source.text("/instances/parameters/system.mass", "unit"), "kg");
  const hdf5::Handle status = hdf5::open_dataset(file, "/instances/status");
  const hdf5::Handle type(H5Dget_type(status), H5Tclose);
  EXPECT_EQ(H5Tget_class(type), H5T_ENUM);
  EXPECT_EQ(H5Tget_size(type), 1u);
  char name[32];
  const std::uint8_t code = 4;
  ASSERT_GE(H5Tenum_nameof(type, &code, name, sizeof name), 0);
  EXPECT_STREQ(name, "wrong_branch");
  const hdf5::Handle steps_type(H5Dget_type(hdf5::open_dataset(file, "/instances/failed_step")), H5Tclose);
  EXPECT_GT(H5Tequal(steps_type, H5T_STD_I64LE), 0);
}

TEST_F(ResultFileTest, LeavesOutWhatASystemWithoutConstraintsDoesNotHave) {
  ensembles::Result result = sample_result();
  result.constraints = result.momentum_maps = 0;
  result.instances.quantities = ensembles::record_quantities(0, 0, true);
  for (ensembles::Quantity& each : result.instances.quantities) each.values = ramp(N, 1.0);
  result.trajectories.lambda.clear();
  result.trajectories.gamma.clear();
  result.trajectories.momentum.clear();
  write(result);
  const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  for (const char* name :
       {"/instances/max_constraint", "/instances/max_velocity_constraint", "/instances/max_momentum_error",
        "/trajectories/lambda", "/trajectories/gamma", "/trajectories/momentum"}) {
    EXPECT_FALSE(hdf5::exists(file, name)) << name;
  }
  EXPECT_EQ(read_result(path).result.instances.final_q, result.instances.final_q);
}

TEST_F(ResultFileTest, LeavesOutExtremesThatWereNotKept) {
  ensembles::Result result = sample_result();
  result.instances.quantities = ensembles::record_quantities(result.constraints, result.momentum_maps, false);
  for (ensembles::Quantity& each : result.instances.quantities) each.values = ramp(N, 1.0);
  write(result);
  const ensembles::Result read = read_result(path).result;
  EXPECT_EQ(read.instances["max_energy_error"], result.instances["max_energy_error"]);
  for (const char* name : {"max_constraint", "max_velocity_constraint", "max_momentum_error"})
    EXPECT_TRUE(read.instances[name].empty()) << name;
}

TEST_F(ResultFileTest, MayFollowNoTrajectory) {
  ensembles::Result result = sample_result();
  result.trajectories = {};
  write(result);
  EXPECT_EQ(refusal(path), "accepted");
}

TEST_F(ResultFileTest, IsTheSameToTheByte) {
  write();
  const std::string first = bytes();
  sleep(1);  // a time stamp would show
  write();
  EXPECT_EQ(bytes(), first);
}

TEST_F(ResultFileTest, CheckBlockSaysWhatItsHeaderSays) {
  write();
  const std::string all = bytes();
  EXPECT_EQ(all.substr(0, 8), "\x89HDF\r\n\x1a\n");
  const std::size_t rest = all.size() - 116;
  EXPECT_EQ(all.substr(rest, 16), "livens result 2\n");
  char length[64];
  std::snprintf(length, sizeof length, "length %020zu\n", rest);
  EXPECT_EQ(all.substr(rest + 16, 28), length);
  EXPECT_EQ(all.substr(rest + 44), "sha256 " + hexadecimal(sha256_of(all.substr(0, rest))) + "\n");
}

TEST_F(ResultFileTest, OfVersion01IsReadAndItsDamageSeen) {
  write();
  const std::string hdf5 = bytes().substr(0, bytes().size() - 116);
  char length[64];
  std::snprintf(length, sizeof length, "length %020zu\n", hdf5.size());
  std::string block =
      "livens result 1\n" + std::string(length) + "sha256 " + hexadecimal(sha256_of(hdf5)) + "\n";
  block.resize(512, '\0');
  const std::string old = block + hdf5;
  replace(old);
  EXPECT_EQ(read_result(path).result.instances.final_q, sample_result().instances.final_q);
  for (std::size_t i = 0; i < old.size(); i += i < 600 ? 1 : 97) {
    std::string changed = old;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    replace(changed);
    ASSERT_NE(refusal(path), "accepted") << "byte " << i;
    replace(old.substr(0, i));
    ASSERT_NE(refusal(path), "accepted") << "length " << i;
  }
}

/// Names of the scales that are attached to the axes of a dataset.
std::vector<std::string> axes_of(hid_t file, const std::string& name) {
  std::vector<std::string> axes;
  const hdf5::Handle dataset = hdf5::open_dataset(file, name);
  const auto collect = [](hid_t, unsigned, hid_t scale, void* data) -> herr_t {
    char path[128];
    H5Iget_name(scale, path, sizeof path);
    static_cast<std::vector<std::string>*>(data)->emplace_back(path);
    return 0;
  };
  for (unsigned axis = 0; axis < hdf5::shape_of(dataset).size(); ++axis)
    H5DSiterate_scales(dataset, axis, nullptr, collect, &axes);
  return axes;
}

std::vector<std::string> texts_of(hid_t file, const std::string& name) {
  const hdf5::Handle dataset = hdf5::open_dataset(file, name), type(H5Dget_type(dataset), H5Tclose);
  std::vector<char*> characters(hdf5::shape_of(dataset).at(0));
  EXPECT_GE(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, characters.data()), 0);
  std::vector<std::string> texts;
  for (char* one : characters) {
    texts.emplace_back(one);
    H5free_memory(one);
  }
  return texts;
}

TEST_F(ResultFileTest, EveryAxisHasItsScale) {
  write();
  const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  using Axes = std::vector<std::string>;
  const std::string i = "/instances/", t = "/trajectories/", e = "/statistics/energy_error/";
  EXPECT_EQ(axes_of(file, i + "final_q"), (Axes{i + "instance", i + "coordinate"}));
  EXPECT_EQ(axes_of(file, i + "parameters/system.mass"), (Axes{i + "instance", i + "mass_entry"}));
  EXPECT_EQ(axes_of(file, t + "lambda"), (Axes{t + "trajectory", t + "time", t + "constraint"}));
  EXPECT_EQ(axes_of(file, t + "momentum"), (Axes{t + "trajectory", t + "time", t + "momentum_map"}));
  EXPECT_EQ(axes_of(file, t + "instance"), (Axes{t + "trajectory"}));
  EXPECT_EQ(axes_of(file, "/statistics/ok"), (Axes{"/statistics/time"}));
  EXPECT_EQ(axes_of(file, e + "quantiles"), (Axes{e + "time", e + "level"}));
  EXPECT_EQ(axes_of(file, e + "histogram"), (Axes{e + "time", e + "bin"}));
  const std::string of = "/tangent/";
  EXPECT_EQ(axes_of(file, of + "final_q"), (Axes{of + "instance", of + "coordinate", of + "wrt"}));
  EXPECT_EQ(axes_of(file, of + "final_gap"), (Axes{of + "instance", of + "wrt"}));
  EXPECT_EQ(axes_of(file, of + "covariance"), (Axes{of + "instance", of + "state", of + "with_state"}));
  EXPECT_EQ(texts_of(file, of + "wrt"), sample_result().wrt);
  const std::string at = "/tangent/trajectories/";
  EXPECT_EQ(axes_of(file, at + "q"), (Axes{at + "trajectory", at + "time", at + "coordinate", at + "wrt"}));
  EXPECT_EQ(texts_of(file, at + "wrt"), sample_result().wrt);
  const hdf5::Source source(path);
  EXPECT_EQ(source.text(i + "initial_energy", "units"), "J");
  EXPECT_EQ(source.text(i + "failed_step", "units"), "dimensionless");
  EXPECT_FALSE(hdf5::has_attribute(hdf5::open_dataset(file, i + "final_q"), "units"));
  std::vector<std::int64_t> numbers;
  source.read(i + "instance", {N}, numbers);
  EXPECT_EQ(numbers, sample_result().instances.number);
}

}  // namespace
}  // namespace livens::host
