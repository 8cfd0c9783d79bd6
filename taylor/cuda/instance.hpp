#pragma once
// What a thread of a device does for its instance, as a text that is compiled where it is launched: in
// advance_series.cu, and for tests of its body on a processor. It is the arithmetic that each instruction set
// has of its own, with one instance in place of a register.
// LIVENS_ISA is to be the name of the namespace that it goes into.

#define LIVENS_ONE_LANE
#include "taylor/cuda/series_launch.hpp"
#include "taylor/group_functions.hpp"
#include "taylor/passage.hpp"

namespace livens::inline LIVENS_ISA {
namespace {

static_assert(lanes_of<Part> == 1, "taylor/part.hpp was included before");

/// The functions of Recurrences, of one lane.
struct OneLane {
  LIVENS_BOTH static void run(const List<Instruction>& instructions, int k, double* rows, int length) {
    run_lanes(instructions, k, rows, length);
  }
  LIVENS_BOTH static void project(const Plan& plan, const Factors& factors, double* rows, double* room) {
    project_lanes(plan, factors, rows, room);
  }
  LIVENS_BOTH static void expand(const Plan& plan, const Factors& factors, int from, int to, double* rows,
                                 double* room) {
    expand_lanes(plan, factors, from, to, rows, room);
  }
  LIVENS_BOTH static void value(const double* rows, int count, int order, const double* tau, double* values) {
    livens::value(rows, count, order, tau, values);
  }
  LIVENS_BOTH static void end(const Plan& plan, int order, const double* series, const double* tau,
                              double* state, double* slope) {
    livens::end(plan, order, series, tau, state, slope);
  }
  LIVENS_BOTH static void arrival(const Plan& plan, double tolerance, const double* header,
                                  const double* state, const double* slope, const Factors& factors,
                                  const double* rows, double* obstacle) {
    livens::arrival(plan, tolerance, header, state, slope, factors, rows, obstacle);
  }
  LIVENS_BOTH static void begin(const Plan& plan, int order, double part_of_radius, int time,
                                const double* rows, const double* step, const double* active, double* header,
                                double* obstacle, double* left) {
    livens::begin(plan, order, part_of_radius, time, rows, step, active, header, obstacle, left);
  }
  LIVENS_BOTH static void keep(const double* rows, int count, int order, const double* copied, double* to) {
    livens::keep(rows, count, order, copied, to);
  }
};

struct NoPause {
  LIVENS_BOTH void operator()() const {}
};

/// Takes instance i of a launch to its destination, as taylor::Passage says. A group of instances has its
/// parameters and its memory in one piece, so that neighbouring threads read numbers that lie side by side.
LIVENS_BOTH void advance_instance(const taylor::SeriesLaunch& launch, std::int64_t i) {
  const taylor::Agenda& agenda = launch.agenda;
  const std::int64_t group = i / taylor::lanes;
  const auto lane = static_cast<int>(i % taylor::lanes);
  const auto of_lane = [&](double* arrays, std::ptrdiff_t entries) {
    return arrays + group * entries * taylor::lanes + lane;
  };
  const OneLane arithmetic;
  taylor::Steps<OneLane, 1> steps(
      agenda, taylor::room_in(agenda, of_lane(launch.memory, taylor::room_entries(agenda))), arithmetic);
  taylor::Passage<OneLane, 1> passage(launch.batch, launch.kept_columns, i, steps);
  if (!passage.is_behind(0, launch.to)) return;
  steps.prepare();
  const double* const parameters = of_lane(launch.parameters, agenda.parameters);
  for (int k = 0; k < agenda.parameters; ++k) steps.set_parameter(0, k, parameters[k * taylor::lanes]);
  steps.begin();
  passage.advance(launch.to, NoPause());
}

}  // namespace
}  // namespace livens::inline LIVENS_ISA
