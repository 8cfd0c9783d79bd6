#include "toy_registry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/backends/known_pairs.hpp"
#include "kernels/backends/registry.hpp"

namespace livens {
namespace {

constexpr int leading = static_cast<int>(Column::count);
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double parameter(const Batch& batch, int index, std::int64_t i) {
  return batch.varied[index] ? batch.varied[index][i] : batch.shared_parameters[index];
}

double step_of(const Batch& batch, std::int64_t i) {
  return batch.varied_step ? batch.varied_step[i] : batch.shared_step;
}

template <int d>
double& at(const Batch& batch, std::int64_t i, int column) {
  return batch.records[column_offset(i / tile_size, leading + 2 * d, column) + i % tile_size];
}

double& at(double* values, int d, std::int64_t i, int k) { return values[i * d + k]; }

template <int d>
void initial_states(const Batch& batch, std::int64_t first, std::int64_t last) {
  for (std::int64_t i = first; i < last; ++i) {
    for (int k = 0; k < d; ++k) {
      at(batch.q, d, i, k) = parameter(batch, 0, i) * (k + 1);
      at(batch.v, d, i, k) = 1.0;
    }
  }
}

template <int d>
void momenta(const Batch& batch, std::int64_t first, std::int64_t last) {
  for (std::int64_t j = first * d; j < last * d; ++j) batch.p[j] = 2.0 * batch.v[j];
}

template <int d>
void velocities(const Batch& batch, std::int64_t first, std::int64_t last) {
  for (std::int64_t j = first * d; j < last * d; ++j) batch.v[j] = 0.5 * batch.p[j];
}

template <int d>
void make_consistent(const Batch& batch, Consistency, std::uint8_t* status, std::int64_t first,
                     std::int64_t last) {
  for (std::int64_t i = first; i < last; ++i) {
    bool finite = true;
    for (int k = 0; k < d; ++k) {
      finite = finite && std::isfinite(batch.q[i * d + k]) && std::isfinite(batch.v[i * d + k]);
    }
    const bool valid = step_of(batch, i) > 0.0 && (d == 1 || parameter(batch, 0, i) > 0.0);
    const Status outcome = !valid ? Status::invalid_parameter : finite ? Status::ok : Status::not_finite;
    status[i] = static_cast<std::uint8_t>(outcome);
  }
  momenta<d>(batch, first, last);
}

template <int d>
void start(const Batch& batch, const Settings&, const std::uint8_t* status, std::int64_t first,
           std::int64_t last) {
  const auto set = [&](std::int64_t i, Column column, double value) {
    at<d>(batch, i, static_cast<int>(column)) = value;
  };
  for (std::int64_t i = first; i < last; ++i) {
    for (int column = 0; column < leading; ++column) at<d>(batch, i, column) = 0.0;
    set(i, Column::status, status[i]);
    set(i, Column::failed_step, status[i] == 0 ? -1.0 : 0.0);
    set(i, Column::initial_energy, 2.0);
    set(i, Column::energy_scale, 4.0);
    for (int k = 0; k < d; ++k) {
      at<d>(batch, i, leading + k) = batch.q[i * d + k];
      at<d>(batch, i, leading + d + k) = batch.v[i * d + k];
    }
  }
}

template <int d>
void step(const Batch& batch, std::int64_t i) {
  const auto value = [&](Column column) -> double& { return at<d>(batch, i, static_cast<int>(column)); };
  if (value(Column::status) != 0.0) return;
  if (value(Column::steps) == 3.0 && std::abs(at<d>(batch, i, leading + d)) > 100.0) {
    value(Column::status) = static_cast<double>(Status::newton_diverged);
    value(Column::failed_step) = 3.0;
    return;
  }
  for (int k = 0; k < d; ++k)
    at<d>(batch, i, leading + k) += step_of(batch, i) * at<d>(batch, i, leading + d + k);
  value(Column::steps) += 1.0;
  value(Column::newton_iterations) += 2.0;
  value(Column::energy_error) += 1e-12;
  value(Column::max_energy_error) = value(Column::energy_error);
  value(Column::sum_squared_energy_error) += 1e-24;
  value(Column::max_constraint) = value(Column::constraint) = 1e-13;
  value(Column::max_velocity_constraint) = value(Column::velocity_constraint) = 1e-14;
  value(Column::max_momentum_error) = value(Column::momentum_error) = 1e-15;
}

template <int d>
void advance(const Batch& batch, const Settings&, std::int64_t to, std::int64_t first, std::int64_t last) {
  for (std::int64_t i = first; i < last; ++i) {
    const std::int64_t per_beat = batch.steps_per_beat ? batch.steps_per_beat[i] : 1;
    const auto done = static_cast<std::int64_t>(at<d>(batch, i, static_cast<int>(Column::steps)));
    for (std::int64_t n = done; n < to * per_beat; ++n) step<d>(batch, i);
  }
}

constexpr double ones[] = {1.0, 1.0}, ten[] = {10.0}, zero[] = {0.0};
constexpr ParameterInfo pair_parameters[] = {{.name = "mass",
                                              .symbol = "m",
                                              .unit = "kg",
                                              .meaning = "masses",
                                              .domain = Domain::positive,
                                              .defaults = ones},
                                             {.name = "stiffness",
                                              .symbol = "k",
                                              .unit = "N/m",
                                              .meaning = "stiffness of the spring",
                                              .domain = Domain::non_negative,
                                              .defaults = ten},
                                             {.name = "damping",
                                              .symbol = "eta",
                                              .unit = "N s/m",
                                              .meaning = "viscous damping",
                                              .domain = Domain::non_negative,
                                              .defaults = zero,
                                              .damps = true}};
constexpr ParameterInfo slide_parameters[] = {{.name = "offset",
                                               .symbol = "c",
                                               .unit = "m",
                                               .meaning = "start",
                                               .domain = Domain::real,
                                               .defaults = zero},
                                              {.name = "drag",
                                               .symbol = "b",
                                               .unit = "N s/m",
                                               .meaning = "friction",
                                               .domain = Domain::non_negative,
                                               .defaults = zero,
                                               .damps = true}};

constexpr SystemInfo pair_info = {.name = "toy_pair",
                                  .meaning = "two masses",
                                  .paper = "no paper",
                                  .layout = "x1, x2",
                                  .coordinates = 2,
                                  .constraints = 1,
                                  .momentum_maps = 1,
                                  .parameters = pair_parameters,
                                  .default_scheme = "ems",
                                  .default_step = 0.1,
                                  .default_end = 1.0};
constexpr SystemInfo slide_info = {.name = "toy_slide",
                                   .meaning = "a slide",
                                   .paper = "no paper",
                                   .layout = "x",
                                   .coordinates = 1,
                                   .parameters = slide_parameters,
                                   .default_scheme = "livens",
                                   .default_step = 0.5,
                                   .default_end = 5.0};

template <int d>
void node(const Batch& batch, const LastStep* last, std::int64_t i, NodeView& view) {
  for (int k = 0; k < d; ++k) {
    view.q[k] = at<d>(batch, i, leading + k);
    view.v[k] = at<d>(batch, i, leading + d + k);
    view.p[k] = 2.0 * view.v[k];
  }
  if (d == 2) {
    view.lambda[0] = view.gamma[0] = last ? 1.0 : nan;
    view.momentum[0] = 3.0;
  }
  view.energy = view.total_energy = 2.0;
  view.z = nan;
  if (view.sampled == nullptr) return;
  const SystemInfo& info = d == 2 ? pair_info : slide_info;
  std::fill_n(view.sampled, sampled_entries(extents_of(info)), nan);
  std::copy_n(view.q, d, view.sampled + sampled_entries(extents_of(info), Sampled::q));
}

template <int d>
constexpr SystemKernels system_kernels(const SystemInfo& info, Capabilities capabilities) {
  return {&info, initial_states<d>, momenta<d>, velocities<d>, make_consistent<d>, capabilities};
}
constexpr SystemKernels toy_systems[] = {
    system_kernels<2>(pair_info, on_unloaded_quadratic[0]),
    system_kernels<1>(slide_info, {Capability::position_constraints, Capability::other_mass,
                                   Capability::duals, Capability::quadratic, Capability::unloaded})};

constexpr SchemeInfo ems = {"ems", "energy and momentum", "no paper",  "a spring", 2,
                            {},    on_holonomic,          to_any_order};
constexpr const char* starts[] = {"legendre", "naive"};
constexpr const char* variants[] = {"endpoint", "symmetric"};
constexpr const char* derivatives[] = {"plain", "invariants"};
constexpr bool is_part(double value) { return value >= 0.0 && value <= 1.0; }
constexpr SchemeOption ggl_vi_options[] = {
    {.name = "start", .place = 0, .meaning = "first step", .standard = 0.0, .words = starts},
    {.name = "variant",
     .place = 1,
     .meaning = "where terms are taken",
     .standard = of_system,
     .expected = "symmetric with a spring",
     .words = variants},
    {.name = "alpha",
     .place = 2,
     .meaning = "a place in the step",
     .standard = 0.5,
     .expected = "a number from 0 to 1",
     .accepts = is_part},
    {.name = "theta",
     .place = 3,
     .meaning = "another",
     .standard = 0.0,
     .expected = "a number from 0 to 1",
     .accepts = is_part}};
constexpr SchemeOption livens_options[] = {
    {.name = "derivative", .place = 0, .meaning = "of V", .standard = 1.0, .words = derivatives}};
constexpr SchemeInfo ggl_vi = {"ggl_vi", "variational",  "no paper",  "a spring",
                               1,        ggl_vi_options, on_holonomic};
constexpr SchemeInfo livens_scheme = {"livens", "energy",       "no paper", "a slide",
                                      2,        livens_options, on_any_mass};
constexpr const SchemeInfo* all_schemes[] = {&ems, &ggl_vi, &livens_scheme};

template <int d>
constexpr PairKernels pair(const SystemKernels& system, const SchemeInfo& scheme, const char* form,
                           int unknowns, bool damped, bool compensated) {
  return {&system,
          &scheme,
          form,
          unknowns,
          damped,
          compensated,
          false,
          leading + 2 * d,
          start<d>,
          advance<d>,
          unknowns == 1 ? advance<d> : nullptr,
          node<d>};
}
constexpr PairKernels pairs[] = {pair<2>(toy_systems[0], ems, "full", 4, true, true),
                                 pair<2>(toy_systems[0], ems, "reduced", 1, false, false),
                                 pair<2>(toy_systems[0], ggl_vi, "full", 4, true, false),
                                 pair<1>(toy_systems[1], livens_scheme, "full", 2, false, false)};

/// Lower precision is offered for one of them.
constexpr PairKernels single_pairs[] = {[] {
  PairKernels single = pair<2>(toy_systems[0], ems, "reduced", 1, false, false);
  single.precision = Precision::single;
  return single;
}()};

}  // namespace

bool usable(Isa isa) { return isa == Isa::plain; }
Isa best_isa() { return Isa::plain; }
const char* isa_name(Isa) { return "plain"; }
std::span<const PairKernels> cpu_pairs(Isa, Precision precision) {
  return precision == Precision::single ? std::span<const PairKernels>(single_pairs) : pairs;
}
std::span<const SystemKernels> cpu_systems(Isa) { return toy_systems; }
std::span<const SchemeInfo* const> schemes() { return all_schemes; }
// Nothing that it could be compiled from.
bool few_enough_for_lower(int) { return false; }
std::span<const KnownSystem> known_systems() { return {}; }
std::span<const KnownPair> known_pairs() { return {}; }

namespace host {

Catalogue toy_catalogue() { return {toy_systems, all_schemes, pairs, single_pairs}; }

}  // namespace host
}  // namespace livens
