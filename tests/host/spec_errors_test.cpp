// Every bad request is one line that names file, line and key, and says what was expected.

#include <gtest/gtest.h>

#include <ostream>
#include <sstream>

#include "host/complaint.hpp"
#include "host/errors.hpp"
#include "host/spec/spec.hpp"
#include "toy_registry.hpp"

namespace livens::host {
namespace {

struct BadSpec {
  const char* name;
  const char* text;
  const char* begins;    ///< file, line, key
  const char* contains;  ///< part of the rest
};

void PrintTo(const BadSpec& bad, std::ostream* out) { *out << bad.name; }

std::string error_of(const std::string& text, const Overrides& overrides = {}) {
  try {
    parse_spec(text, "toy.toml", toy_catalogue(), overrides);
  } catch (const RequestError&) {
    return printed(complaint_about(std::current_exception()).mistakes);
  }
  return "no error";
}

class SpecErrors : public testing::TestWithParam<BadSpec> {};

TEST_P(SpecErrors, NameFileLineAndKey) {
  const std::string message = error_of(GetParam().text);
  EXPECT_TRUE(message.starts_with(GetParam().begins)) << message;
  EXPECT_NE(message.find(GetParam().contains), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

// Line 1 of most texts: a system that is fine.
#define TOY "system.name = 'toy_pair'\n"
#define VARY TOY "[[ensemble.vary]]\n"

const BadSpec document_cases[] = {
    {"syntax", "[system\nname = 1", "toy.toml:1: ", ""},
    {"duplicate_key", TOY "ensemble.size = 1\nensemble.size = 2", "toy.toml:3: ", ""},
    {"unknown_section", TOY "[schema]\n", "toy.toml:2: schema: ", "did you mean 'scheme'?"},
    {"section_no_table", TOY "scheme = 'ems'", "toy.toml:2: scheme: ", "expected a table"},
    {"no_system", "[scheme]\nname = 'ems'",
     "toy.toml:1: system.name: ", "missing; expected toy_pair or toy_slide"},
    {"misspelt_name", "[system]\nnmae = 'toy_pair'", "toy.toml:2: system.nmae: ", "did you mean 'name'?"},
    {"column_misspelt", TOY "output.columns = ['final_q', 'newton_iteration']",
     "toy.toml:2: output.columns: ", "did you mean 'newton_iterations'?"},
    {"column_not_observed", TOY "output.columns = ['final_energy']",
     "toy.toml:2: output.columns: ", "'final_energy' is not in /instances of this run"},
    {"joint_of_one", TOY "[[output.joint]]\nof = ['energy']",
     "toy.toml:3: output.joint[0].of: ", "two names or more"},
    {"joint_of_what_does_not_vary",
     VARY "what = 'system.mass[0]'\nlaw = 'values'\nvalues = [1, 2]\n"
          "[[output.joint]]\nof = ['system.mass[1]', 'energy']",
     "toy.toml:7: output.joint[0].of: ", "does not vary; expected system.mass[0]"},
    {"joint_of_several_entries", TOY "[[output.joint]]\nof = ['initial.v', 'energy']",
     "toy.toml:3: output.joint[0].of: ", "expected one of them, as in 'initial.v[0]'"},
    {"joint_misspelt", TOY "[[output.joint]]\nof = ['energy', 'kinetic_enrgy']",
     "toy.toml:3: output.joint[0].of: ", "did you mean 'kinetic_energy'?"},
    {"joint_twice_the_same", TOY "[[output.joint]]\nof = ['energy', 'energy']",
     "toy.toml:3: output.joint[0].of: ", "cannot stand together"},
    {"joint_bins_of_one", TOY "[[output.joint]]\nof = ['energy', 'work']\nbins = [60]",
     "toy.toml:4: output.joint[0].bins: ", "1 numbers; expected 2"},
    {"joint_bins_too_many", TOY "[[output.joint]]\nof = ['energy', 'work']\nbins = [10000, 10000]",
     "toy.toml:4: output.joint[0].bins: ", "1e+08 cells; expected at most 10000000"},
    {"joint_one_bin", TOY "[[output.joint]]\nof = ['energy', 'work']\nbins = [60, 1]",
     "toy.toml:4: output.joint[0].bins: ", "expected 2 or more"},
    {"joint_half_a_range", TOY "[[output.joint]]\nof = ['energy', { name = 'work', low = 1 }]",
     "toy.toml:3: output.joint[0].of[1].high: ", "expected low and high"},
    {"joint_range_backwards", TOY "[[output.joint]]\nof = ['energy', { name = 'work', low = 1, high = 0 }]",
     "toy.toml:3: output.joint[0].of[1].high: ", "1 to 0 is no range"},
    {"joint_named_twice",
     TOY "[[output.joint]]\nname = 'a'\nof = ['energy', 'work']\n[[output.joint]]\nname = 'a'\nof = "
         "['energy', 'work']",
     "toy.toml:6: output.joint[1].name: ", "named twice"},
    {"joint_at_some_time", TOY "[[output.joint]]\nof = ['energy', 'work']\nat = 'start'",
     "toy.toml:4: output.joint[0].at: ", "expected end or samples"},
    {"unknown_far", TOY "[output]\nwhatever = 1", "toy.toml:3: output.whatever: ", "expected file, every,"},
    {"from_and_q", TOY "[initial]\nfrom = 'run.h5'\nq = [1, 2]",
     "toy.toml:4: initial.q: ", "initial.from is given too"},
    {"mass_for_two", TOY "system.mass = 2.5", "toy.toml:2: system.mass: ", "as in [2.5, 2.5]"},
    {"unit", TOY "scheme.step = '50 ms'",
     "toy.toml:2: scheme.step: ", "expected a number, in SI units without their name: 0.05"},
    {"quoted", TOY "scheme.step = '0.1'", "toy.toml:2: scheme.step: ", "without quotation marks: 0.1"},
    {"upper_case", TOY "scheme.name = 'EMS'", "toy.toml:2: scheme.name: ", "did you mean 'ems'?"},
    {"size_float", TOY "ensemble.size = 1e6",
     "toy.toml:2: ensemble.size: ", "an integer, without point and exponent: 1000000"},
    {"sobol_of_nothing", TOY "ensemble.design = 'sobol'",
     "toy.toml:2: ensemble.design: ", "no law is random"},
    {"no_table_file", TOY "[ensemble.table]\n", "toy.toml:2: ensemble.table.file: ", "missing"},
    {"system_type", "[system]\nname = 3", "toy.toml:2: system.name: ", "expected a string"},
    {"unknown_system", "[system]\nname = 'toy_piar'",
     "toy.toml:2: system.name: ", "did you mean 'toy_pair'?"},
    {"unknown_system_newline", "[system]\nname = \"toy\\npair\"",
     "toy.toml:2: system.name: ", "unknown system"},
    {"observe_expression_without_a_name", TOY "output.observe = [{ expression = 'q[0]' }]",
     "toy.toml:2: output.observe[0].name: ", "missing; expected a name"},
    {"observe_expression_named_as_another",
     TOY "output.observe = ['energy', { name = 'energy', expression = 't' }]",
     "toy.toml:2: output.observe[1].name: ", "'energy' is a name of livens'"},
    {"observe_expression_without_one", TOY "output.observe = [{ name = 'height' }]",
     "toy.toml:2: output.observe[0].expression: ", "missing; expected an expression"},
    {"stop_without_motion", TOY "[[output.stop]]\nwhen = '3 - 2'",
     "toy.toml:3: output.stop[0].when: ", "does not depend on the motion"},
    {"stop_misspelt", TOY "[[output.stop]]\nwen = 't - 2'",
     "toy.toml:3: output.stop[0].wen: ", "did you mean 'when'?"},
    {"observe_unknown", TOY "output.observe = ['kinetic_enrgy']",
     "toy.toml:2: output.observe: ", "did you mean 'kinetic_energy'?"},
    {"observe_no_entry", TOY "output.observe = ['q[2]']",
     "toy.toml:2: output.observe: ", "expected one of q[0..1]"},
    {"observe_all_entries", TOY "output.observe = ['v']",
     "toy.toml:2: output.observe: ", "expected one of v[0..1]"},
    {"observe_twice", TOY "output.observe = ['work', 'work']", "toy.toml:2: output.observe: ", "once"},
    {"observe_type", TOY "output.observe = [3]", "toy.toml:2: output.observe: ", "an array of texts"},
    {"observe_position_error", TOY "output.observe = ['position_error']",
     "toy.toml:2: output.observe: ", "expected output.error_against"},
    {"extremes_of_nothing", TOY "output.extremes = true", "toy.toml:2: output.extremes: ", "output.observe"},
    {"unknown_parameter", TOY "system.stifness = 2",
     "toy.toml:2: system.stifness: ", "did you mean 'stiffness'?"},
    {"parameter_length", TOY "system.mass = [1, 2, 3]",
     "toy.toml:2: system.mass: ", "has 3 values; expected 2"},
    {"parameter_scalar", TOY "system.mass = 1", "toy.toml:2: system.mass: ", "expected an array of numbers"},
    {"parameter_array", TOY "system.stiffness = [1]", "toy.toml:2: system.stiffness: ", "expected a number"},
    {"parameter_positive", TOY "system.mass = [1, 0]",
     "toy.toml:2: system.mass: ", "expected a finite number > 0"},
    {"parameter_negative", TOY "system.damping = -1", "toy.toml:2: system.damping: ", "a finite number >= 0"},
    {"parameter_nan", TOY "system.stiffness = nan", "toy.toml:2: system.stiffness: ", "finite"},
    {"parameter_entry", TOY "system.mass = [1,\n'a']", "toy.toml:3: system.mass[1]: ", "expected a number"},
    {"q_length", TOY "initial.q = [1]", "toy.toml:2: initial.q: ", "has 1 values; expected 2"},
    {"q_infinite", TOY "initial.q = [1, inf]", "toy.toml:2: initial.q[1]: ", "expected a finite number"},
    {"v_and_p", TOY "[initial]\nv = [1, 2]\np = [1, 2]", "toy.toml:4: initial.p: ", "initial.v is given too"},
    {"consistency", TOY "initial.consistency = 'projct'",
     "toy.toml:2: initial.consistency: ", "did you mean 'project'"},
    {"initial_key", TOY "initial.w = [1]", "toy.toml:2: initial.w: ", "unknown key 'w'"},
};

const BadSpec scheme_cases[] = {
    {"unknown_scheme", TOY "scheme.name = 'esm'", "toy.toml:2: scheme.name: ", "did you mean 'ems'?"},
    {"pair", TOY "scheme.name = 'livens'",
     "toy.toml:2: scheme.name: ", "does not run toy_pair: it needs a slide; expected ems or ggl_vi"},
    {"order", TOY "scheme.order = 3",
     "toy.toml:2: scheme.order: ", "3 is no order of ems; expected 2, 4, 6, 8"},
    {"order_of_one_alone", TOY "[scheme]\nname = 'ggl_vi'\norder = 4",
     "toy.toml:4: scheme.order: ", "ggl_vi has no order 4 on toy_pair: nothing says"},
    {"order_type", TOY "scheme.order = 'high'", "toy.toml:2: scheme.order: ", "expected an integer"},
    {"key", TOY "scheme.stpe = 1", "toy.toml:2: scheme.stpe: ", "did you mean 'step'?"},
    {"step_negative", TOY "scheme.step = -0.1", "toy.toml:2: scheme.step: ", "expected a finite time > 0"},
    {"step_zero", TOY "scheme.step = 0", "toy.toml:2: scheme.step: ", "expected a finite time > 0"},
    {"step_type", TOY "scheme.step = '0.1'", "toy.toml:2: scheme.step: ", "expected a number"},
    {"end_infinite", TOY "scheme.end = inf", "toy.toml:2: scheme.end: ", "expected a finite time > 0"},
    {"end_early", TOY "scheme.end = 0.01", "toy.toml:2: scheme.end: ", "expected end >= step"},
    {"too_many_steps", TOY "scheme.step = 1e-300", "toy.toml:2: scheme.step: ", "more than 2^53 steps"},
    {"steps_and_end", TOY "[scheme]\nend = 1.0\nsteps = 3",
     "toy.toml:4: scheme.steps: ", "scheme.end is given too"},
    {"steps_zero", TOY "scheme.steps = 0", "toy.toml:2: scheme.steps: ", "out of range"},
    {"steps_type", TOY "scheme.steps = 2.5", "toy.toml:2: scheme.steps: ", "expected an integer"},
    {"alpha", TOY "scheme.alpha = 0.5", "toy.toml:2: scheme.alpha: ", "scheme ems has no option 'alpha'"},
    {"theta", TOY "scheme.theta = 0.5", "toy.toml:2: scheme.theta: ", "scheme ems has no option 'theta'"},
    {"derivative", TOY "scheme.derivative = 'plain'",
     "toy.toml:2: scheme.derivative: ", "no option 'derivative'"},
    {"variant", TOY "scheme.variant = 'plain'", "toy.toml:2: scheme.variant: ", "no option 'variant'"},
    {"variant_word", TOY "[scheme]\nname = 'ggl_vi'\nvariant = 'endpiont'",
     "toy.toml:4: scheme.variant: ", "did you mean 'endpoint'"},
    {"start_word", TOY "[scheme]\nname = 'ggl_vi'\nstart = 'paper'",
     "toy.toml:4: scheme.start: ", "expected legendre or naive"},
    {"energy_balance", TOY "scheme.energy_balance = -1",
     "toy.toml:2: scheme.energy_balance: ", "expected a finite number >= 0"},
    {"start", TOY "scheme.start = 'paper'", "toy.toml:2: scheme.start: ", "no option 'start'"},
    {"precision", TOY "scheme.precision = 'single'\nscheme.form = 'full'",
     "toy.toml:2: scheme.precision: ", "is not offered in single precision; expected double"},
    {"precision_mixed", TOY "scheme.precision = 'mixed'\nscheme.compensated = true",
     "toy.toml:2: scheme.precision: ", "is not offered in mixed precision; expected double"},
    {"precision_word", TOY "scheme.precision = 'duoble'",
     "toy.toml:2: scheme.precision: ", "did you mean 'double'"},
    {"form", TOY "scheme.form = 'small'", "toy.toml:2: scheme.form: ", "expected reduced, condensed or full"},
    {"no_form", TOY "[scheme]\nname = 'ggl_vi'\nform = 'reduced'",
     "toy.toml:4: scheme.form: ", "has no reduced form"},
    {"retry", TOY "scheme.retry = -1", "toy.toml:2: scheme.retry: ", "out of range"},
    {"compensated", TOY "scheme.compensated = 1",
     "toy.toml:2: scheme.compensated: ", "expected true or false"},
    {"cannot_compensate", TOY "[scheme]\nname = 'ggl_vi'\ncompensated = true",
     "toy.toml:4: scheme.compensated: ", "no compensated updates"},
    {"cannot_drag", "[system]\nname = 'toy_slide'\ndrag = 1",
     "toy.toml:3: system.drag: ", "livens on toy_slide has no viscous damping"},
    {"cannot_damp", TOY "system.damping = 1\nscheme.form = 'reduced'",
     "toy.toml:2: system.damping: ", "has no viscous damping"},
    {"tolerance", TOY "scheme.newton.tolerance = -1",
     "toy.toml:2: scheme.newton.tolerance: ", "out of range"},
    {"iterations", TOY "scheme.newton.max_iterations = 0",
     "toy.toml:2: scheme.newton.max_iterations: ", "range"},
    {"newton_key", TOY "scheme.newton.tolerence = 1",
     "toy.toml:2: scheme.newton.tolerence: ", "did you mean 'tolerance'?"},
};

const BadSpec vary_cases[] = {
    {"neither_shared_nor_each", VARY "what = 'initial.q'\nlaw = 'normal'\nmean = 0\nstd = 1",
     "toy.toml:3: ensemble.vary[0].what: ",
     "has 2 entries; expected 'initial.q[*]', an independent draw for each of them, or shared = true"},
    {"grid_for_each", VARY "what = 'initial.q[*]'\nlaw = 'values'\nvalues = [1]",
     "toy.toml:3: ensemble.vary[0].what: ", "an axis of the grid"},
    {"empty_range", VARY "what = 'initial.q[1:1]'\nlaw = 'normal'\nmean = 0\nstd = 1",
     "toy.toml:3: ensemble.vary[0].what: ", "is empty or goes beyond the 2 entries"},
    {"long_range", VARY "what = 'initial.q[0:3]'\nlaw = 'normal'\nmean = 0\nstd = 1",
     "toy.toml:3: ensemble.vary[0].what: ", "is empty or goes beyond the 2 entries"},
    {"no_range", VARY "what = 'initial.q[0:]'\nlaw = 'normal'\nmean = 0\nstd = 1",
     "toy.toml:3: ensemble.vary[0].what: ", "unknown quantity 'initial.q[0:]'"},
    {"logspace_zero", VARY "what = 'initial.q[0]'\nlaw = 'logspace'\nlow = 0\nhigh = 1\ncount = 3",
     "toy.toml:5: ensemble.vary[0].low: ", "no number > 0"},
    {"peak", VARY "what = 'initial.q[0]'\nlaw = 'triangular'\nlow = 0\nhigh = 1\npeak = 3",
     "toy.toml:7: ensemble.vary[0].peak: ", "outside of low = 0 and high = 1"},
    {"exponential", VARY "what = 'initial.q[0]'\nlaw = 'exponential'\nmean = -1",
     "toy.toml:5: ensemble.vary[0].mean: ", "a finite number > 0"},
    {"truncated_order",
     VARY "what = 'initial.q[0]'\nlaw = 'truncated_normal'\nmean = 0\nstd = 1\nlow = 2\nhigh = 1",
     "toy.toml:8: ensemble.vary[0].high: ", "expected high > low"},
    {"truncated_far",
     VARY "what = 'initial.q[0]'\nlaw = 'truncated_normal'\nmean = 0\nstd = 1\nlow = 40\nhigh = 41",
     "toy.toml:7: ensemble.vary[0].low: ", "more than 37 std from the mean"},
    {"no_law", VARY "what = 'initial.q'", "toy.toml:2: ensemble.vary[0].law: ", "missing; expected normal"},
    {"no_what", VARY "law = 'values'\nvalues = [1]", "toy.toml:2: ensemble.vary[0].what: ", "missing"},
    {"quantity", VARY "what = 'initial.w[3]'\nlaw = 'values'\nvalues = [1]",
     "toy.toml:3: ensemble.vary[0].what: ",
     "unknown quantity 'initial.w[3]'; expected initial.q[i], initial.v[i], initial.p[i], "
     "system.<parameter>[i] or "
     "scheme.step"},
    {"parameter", VARY "what = 'system.mas[0]'\nlaw = 'values'\nvalues = [1]",
     "toy.toml:3: ensemble.vary[0].what: ", "did you mean 'system.mass'?"},
    {"index_high", VARY "what = 'initial.q[2]'\nlaw = 'values'\nvalues = [1]",
     "toy.toml:3: ensemble.vary[0].what: ", "index 2 of 'initial.q[2]' is out of range; expected 0 to 1"},
    {"index_negative", VARY "what = 'initial.q[-1]'\nlaw = 'values'\nvalues = [1]",
     "toy.toml:3: ensemble.vary[0].what: ", "unknown quantity"},
    {"index_open", VARY "what = 'initial.q[1'\nlaw = 'values'\nvalues = [1]",
     "toy.toml:3: ensemble.vary[0].what: ", "unknown quantity"},
    {"index_tail", VARY "what = 'initial.q[1]x'\nlaw = 'values'\nvalues = [1]",
     "toy.toml:3: ensemble.vary[0].what: ", "unknown quantity"},
    {"step_index", VARY "what = 'scheme.step[0]'\nlaw = 'values'\nvalues = [1]",
     "toy.toml:3: ensemble.vary[0].what: ", "unknown quantity"},
    {"law", VARY "what = 'initial.q[0]'\nlaw = 'nromal'",
     "toy.toml:4: ensemble.vary[0].law: ", "did you mean 'normal'?"},
    {"missing_std", VARY "what = 'initial.q[0]'\nlaw = 'normal'\nmean = 0",
     "toy.toml:2: ensemble.vary[0].std: ", "missing; law normal needs mean, std"},
    {"superfluous", VARY "what = 'initial.q[0]'\nlaw = 'normal'\nmean = 0\nstd = 1\nlow = 0",
     "toy.toml:7: ensemble.vary[0].low: ", "law normal has no 'low'; expected mean, std"},
    {"key", VARY "what = 'initial.q[0]'\nlaw = 'normal'\nmaen = 0",
     "toy.toml:5: ensemble.vary[0].maen: ", "did you mean 'mean'?"},
    {"mode", VARY "what = 'initial.q[0]'\nlaw = 'values'\nvalues = [1]\nmode = 'ad'",
     "toy.toml:6: ensemble.vary[0].mode: ", "did you mean 'add'?"},
    {"std", VARY "what = 'initial.q[0]'\nlaw = 'normal'\nmean = 0\nstd = -1",
     "toy.toml:6: ensemble.vary[0].std: ", ">= 0"},
    {"sigma", VARY "what = 'initial.q[0]'\nlaw = 'lognormal'\nmu = 0\nsigma = -1",
     "toy.toml:6: ensemble.vary[0].sigma: ", ">= 0"},
    {"mean_nan", VARY "what = 'initial.q[0]'\nlaw = 'normal'\nmean = nan\nstd = 1",
     "toy.toml:5: ensemble.vary[0].mean: ", "a finite number"},
    {"range", VARY "what = 'initial.q[0]'\nlaw = 'uniform'\nlow = 1\nhigh = 0",
     "toy.toml:6: ensemble.vary[0].high: ", "expected high >= low"},
    {"count", VARY "what = 'initial.q[0]'\nlaw = 'linspace'\nlow = 1\nhigh = 2\ncount = 0",
     "toy.toml:7: ensemble.vary[0].count: ", "out of range"},
    {"no_values", VARY "what = 'initial.q[0]'\nlaw = 'values'\nvalues = []",
     "toy.toml:5: ensemble.vary[0].values: ", "at least one value"},
    {"twice",
     VARY "what = 'initial.q[0]'\nlaw = 'values'\nvalues = [1]\n"
          "[[ensemble.vary]]\nwhat = 'initial.q[0]'\nlaw = 'values'\nvalues = [1]",
     "toy.toml:7: ensemble.vary[1].what: ", "varied twice"},
    {"twice_in_other_words",
     VARY "what = 'system.damping'\nlaw = 'values'\nvalues = [1]\n"
          "[[ensemble.vary]]\nwhat = 'system.damping[0]'\nlaw = 'values'\nvalues = [1]",
     "toy.toml:7: ensemble.vary[1].what: ", "varied twice"},
    {"overlaps",
     VARY "what = 'initial.q[*]'\nlaw = 'values'\nvalues = [1]\nshared = true\n"
          "[[ensemble.vary]]\nwhat = 'initial.q[1]'\nlaw = 'values'\nvalues = [1]",
     "toy.toml:8: ensemble.vary[1].what: ", "'initial.q[1]' sets entries that 'initial.q[*]' varies"},
    {"random_without_size", VARY "what = 'initial.q[0]'\nlaw = 'normal'\nmean = 0\nstd = 1\n[ensemble]",
     "toy.toml:", "expected the number of instances"},
    {"v_and_p",
     VARY "what = 'initial.v[0]'\nlaw = 'values'\nvalues = [1]\n"
          "[[ensemble.vary]]\nwhat = 'initial.p[1]'\nlaw = 'values'\nvalues = [1]",
     "toy.toml:7: ensemble.vary[1].what: ", "mixes initial.v and initial.p"},
    {"base_v_and_p",
     TOY "initial.v = [1, 2]\n[[ensemble.vary]]\nwhat = 'initial.p[1]'\nlaw = 'values'\nvalues = [1]",
     "toy.toml:4: ensemble.vary[0].what: ", "mixes initial.v and initial.p"},
    {"no_array", TOY "ensemble.vary = 3", "toy.toml:2: ensemble.vary: ", "expected an array of tables"},
};

const BadSpec output_cases[] = {
    {"ensemble_key", TOY "ensemble.sise = 3", "toy.toml:2: ensemble.sise: ", "did you mean 'size'?"},
    {"size_zero", TOY "ensemble.size = 0", "toy.toml:2: ensemble.size: ", "out of range"},
    {"size_type", TOY "ensemble.size = 4.0", "toy.toml:2: ensemble.size: ", "expected an integer"},
    {"size_text", TOY "ensemble.size = '010'", "toy.toml:2: ensemble.size: ", "without quotation marks: 10"},
    {"size_hexadecimal", TOY "ensemble.size = '0x10'", "toy.toml:2: ensemble.size: ", "expected an integer"},
    {"size_signed", TOY "ensemble.size = '+5'", "toy.toml:2: ensemble.size: ", "expected an integer"},
    {"size_beyond", TOY "ensemble.size = 99999999999999999999", "toy.toml:2: ", ""},
    {"size_grid",
     TOY "[ensemble]\nsize = 5\n[[ensemble.vary]]\nwhat = 'initial.q[0]'\nlaw = 'values'\nvalues = [1, 2]",
     "toy.toml:3: ensemble.size: ", "5 instances, but the grid has 2 points"},
    {"seed", TOY "ensemble.seed = -1", "toy.toml:2: ensemble.seed: ", "out of range"},
    {"on_failure", TOY "ensemble.on_failure = 'stop'",
     "toy.toml:2: ensemble.on_failure: ", "continue or error"},
    {"fraction", TOY "ensemble.max_failed_fraction = 1.5",
     "toy.toml:2: ensemble.max_failed_fraction: ", "from 0 to 1"},
    {"output_key", TOY "output.fiel = 'a'", "toy.toml:2: output.fiel: ", "did you mean 'file'?"},
    {"error_against", TOY "output.error_against = 'reference_ode'",
     "toy.toml:2: output.error_against: ", "no scheme of the true motion runs toy_pair"},
    {"error_against_type", TOY "output.error_against = true",
     "toy.toml:2: output.error_against: ", "expected a string"},
    {"empty_file", TOY "output.file = ''", "toy.toml:2: output.file: ", "expected the name of a file"},
    {"every", TOY "output.every = 0", "toy.toml:2: output.every: ", "out of range"},
    {"interval", TOY "scheme.step = 0.1\noutput.interval = 0.25",
     "toy.toml:3: output.interval: ", "2.5 steps"},
    {"sampling", TOY "output.sampling = 'lin'", "toy.toml:2: output.sampling: ", "expected linear or log"},
    {"trajectories", TOY "output.trajectories = -1", "toy.toml:2: output.trajectories: ", "out of range"},
    {"quantile_one", TOY "output.quantiles = [0.5, 1.0]",
     "toy.toml:2: output.quantiles: ", "between 0 and 1"},
    {"no_quantiles", TOY "output.quantiles = []", "toy.toml:2: output.quantiles: ", "expected 1 to 100"},
    {"control", TOY "output.file = \"a\\u0007b\"", "toy.toml:2: output.file: ", "control character"},
    {"quantile_zero", TOY "output.quantiles = [0]", "toy.toml:2: output.quantiles: ", "between 0 and 1"},
    {"checkpoint", TOY "output.checkpoint_every = -1.0", "toy.toml:2: output.checkpoint_every: ", ">= 0"},
    {"no_interval", VARY "what = 'scheme.step'\nlaw = 'values'\nvalues = [0.1]\n[output]\n",
     "toy.toml:6: output.interval: ", "scheme.step varies"},
    {"no_output_section", VARY "what = 'scheme.step'\nlaw = 'values'\nvalues = [0.1]",
     "toy.toml:1: output.interval: ", "missing"},
    {"every_with_steps", VARY "what = 'scheme.step'\nlaw = 'values'\nvalues = [0.1]\n[output]\nevery = 3",
     "toy.toml:7: output.every: ", "expected output.interval"},
    {"interval_long", VARY "what = 'scheme.step'\nlaw = 'values'\nvalues = [0.1]\n[output]\ninterval = 30",
     "toy.toml:7: output.interval: ", "expected interval <= end"},
};

const auto case_name = [](const testing::TestParamInfo<BadSpec>& info) {
  return std::string(info.param.name);
};
#define TANGENT TOY "[tangent]\n"
#define KEEPING(name) "[[output.event]]\nname = '" name "'\nwhen = 'q[0]'\nstate = true\nkeep = 10000\n"

// Lines 2 and 3 of most: the table and its first key.
const BadSpec tangent_cases[] = {
    {"tangent_misspelt", TANGENT "off = ['initial.v[0]']", "toy.toml:3: tangent.off: ", "did you mean 'of'?"},
    {"tangent_empty_table", TANGENT, "toy.toml:2: tangent.of: ", "missing; expected an array of names"},
    {"tangent_of_nothing", TANGENT "of = []", "toy.toml:3: tangent.of: ", "empty; expected names like"},
    {"tangent_another_word", TANGENT "of = 'states'",
     "toy.toml:3: tangent.of: ", "'states' is no list of names; expected \"state\""},
    {"tangent_of_a_number", TANGENT "of = 3", "toy.toml:3: tangent.of: ", "expected an array"},
    {"tangent_unknown", TANGENT "of = ['initial.v[0]', 'system.mas[0]']",
     "toy.toml:3: tangent.of: ", "did you mean 'system.mass'?"},
    {"tangent_out_of_range", TANGENT "of = ['initial.v[2]']",
     "toy.toml:3: tangent.of: ", "index 2 of 'initial.v[2]' is out of range; expected 0 to 1"},
    {"tangent_twice", TANGENT "of = ['initial.q', 'initial.q[1]']",
     "toy.toml:3: tangent.of: ", "'initial.q[1]' is there twice"},
    {"tangent_step_twice", TANGENT "of = ['scheme.step', 'scheme.step']",
     "toy.toml:3: tangent.of: ", "'scheme.step' is there twice"},
    {"tangent_momenta_of_velocities", TANGENT "of = ['initial.p[0]']",
     "toy.toml:3: tangent.of: ", "the initial state is not given by initial.p; expected initial.v"},
    {"tangent_velocities_of_momenta", TANGENT "of = ['initial.v[0]']\n[initial]\np = [1, 2]",
     "toy.toml:3: tangent.of: ", "the initial state is given by initial.p; expected initial.p"},
    {"tangent_state_and_a_name", TANGENT "of = ['state', 'scheme.step']",
     "toy.toml:3: tangent.of: ", "unknown quantity 'state'"},
    {"tangent_covariance_of_the_state", TANGENT "covariance = 'initial'\nof = 'state'",
     "toy.toml:3: tangent.covariance: ", "`of` has no names; expected the names of all that is drawn"},
    {"tangent_another_covariance", TANGENT "covariance = 'final'\nof = ['initial.q']",
     "toy.toml:3: tangent.covariance: ", "is no covariance that is propagated; expected \"initial\""},
    {"tangent_covariance_of_nothing", TANGENT "covariance = 'initial'\nof = ['initial.q']",
     "toy.toml:3: tangent.covariance: ", "nothing is drawn"},
    {"tangent_covariance_without_a_name",
     TANGENT "covariance = 'initial'\nof = ['initial.q[0]']\n[ensemble]\nsize = 3\n[[ensemble.vary]]\nwhat = "
             "'initial.q[*]'\nlaw = "
             "'normal'\nmean = 0\nstd = 1",
     "toy.toml:3: tangent.covariance: ", "'initial.q[*]' is drawn, and not all of it is in `of`"},
    {"tangent_covariance_of_two_laws",
     TANGENT "covariance = 'initial'\nof = ['initial.q[0]']\n[ensemble]\nsize = 3\n[[ensemble.vary]]\nwhat = "
             "'initial.q[0]'\nlaw = "
             "'normal'\nmean = 0\nstd = 1\n[[ensemble.vary]]\nwhat = 'initial.q[*]'\nlaw = 'uniform'\nlow = "
             "0\nhigh = 1\nmode = 'add'",
     "toy.toml:3: tangent.covariance: ", "a second law acts on it"},
    {"tangent_covariance_of_the_step",
     TANGENT "covariance = 'initial'\nof = ['scheme.step']\n[ensemble]\nsize = 3\n[[ensemble.vary]]\nwhat = "
             "'scheme.step'\nlaw = "
             "'uniform'\nlow = 0.01\nhigh = 0.02\n[output]\ninterval = 0.1",
     "toy.toml:3: tangent.covariance: ", "'scheme.step' is drawn"},
    {"tangent_covariance_of_a_product",
     TANGENT "covariance = 'initial'\nof = ['initial.q[0]']\n[ensemble]\nsize = 3\n[[ensemble.vary]]\nwhat = "
             "'initial.q[0]'\nlaw = "
             "'normal'\nmean = 0\nstd = 1\nmode = 'multiply'",
     "toy.toml:3: tangent.covariance: ", "what the law of 'initial.q[0]' multiplies is not in the spec"},
    {"tangent_exponents_without_every", TANGENT "lyapunov = { count = 1 }",
     "toy.toml:3: tangent.lyapunov.every: ", "missing; expected the steps from one"},
    {"tangent_too_many_exponents", TANGENT "lyapunov = { count = 3, every = 10 }",
     "toy.toml:3: tangent.lyapunov.count: ", "3 is out of range"},
    {"tangent_exponents_never", TANGENT "lyapunov = { count = 1, every = 0 }",
     "toy.toml:3: tangent.lyapunov.every: ", "0 is out of range"},
    {"tangent_no_such_exponent",
     TANGENT "lyapunov = { count = 2, every = 10 }\n[output]\nobserve = ['lyapunov[2]']",
     "toy.toml:5: output.observe: ", "'lyapunov[2]' is no entry; expected one of lyapunov[0..1]"},
    {"tangent_exponent_misspelt",
     TANGENT "lyapunov = { count = 2, every = 10 }\n[output]\nobserve = ['lyapunow[1]']",
     "toy.toml:5: output.observe: ", "velocity_constraint[0..0] or lyapunov[0..1]"},
    {"tangent_single", TANGENT "of = 'state'\n[scheme]\nprecision = 'single'",
     "toy.toml:5: scheme.precision: ", "in double precision; expected \"double\""},
    {"event_of_a_name_of_tangents", TANGENT "of = 'state'\n[[output.event]]\nname = 'final'\nwhen = 'q[0]'",
     "toy.toml:5: output.event[0].name: ", "derivatives of the state have names with 'final'"},
    {"too_many_tangents_of_events",
     TANGENT "of = 'state'\n[[output.event]]\nname = 'a'\nwhen = 'q[0]'\nstate = true\nkeep = 10000",
     "toy.toml:8: output.event[0].keep: ", "do not fit beside an instance"},
    {"events_beyond_an_instance", TOY KEEPING("a") KEEPING("b") KEEPING("c"),
     "toy.toml:16: output.event[2].keep: ", "150003 numbers of the events up to this one do not fit"},
    {"tangent_added_and_multiplied",
     TANGENT "of = ['system.mass[0]']\n[[ensemble.vary]]\nwhat = 'initial.q[1]'\nlaw = 'values'\n"
             "values = [1]\nmode = 'add'\n[[ensemble.vary]]\nwhat = 'initial.q'\nshared = true\n"
             "law = 'values'\nvalues = [2]\nmode = 'multiply'",
     "toy.toml:3: tangent.of: ", "initial.q[1] is not known"},
    {"tangent_momenta_drawn_in_part",
     TANGENT "of = ['system.mass[0]']\n[[ensemble.vary]]\nwhat = 'initial.p[0]'\nlaw = 'values'\n"
             "values = [1]",
     "toy.toml:3: tangent.of: ", "what parameters do to initial.p[1] is not known: it is the system's own"},
};

INSTANTIATE_TEST_SUITE_P(Document, SpecErrors, testing::ValuesIn(document_cases), case_name);
INSTANTIATE_TEST_SUITE_P(Scheme, SpecErrors, testing::ValuesIn(scheme_cases), case_name);
INSTANTIATE_TEST_SUITE_P(Vary, SpecErrors, testing::ValuesIn(vary_cases), case_name);
INSTANTIATE_TEST_SUITE_P(Output, SpecErrors, testing::ValuesIn(output_cases), case_name);
INSTANTIATE_TEST_SUITE_P(Tangent, SpecErrors, testing::ValuesIn(tangent_cases), case_name);

TEST(Overrides, NameTheOptionWhenTheyAreWrong) {
  Overrides overrides;
  overrides.size = 0;
  EXPECT_TRUE(error_of(TOY, overrides).starts_with("--size: 0 is out of range"));
  overrides.size = 3;
  EXPECT_TRUE(error_of(VARY "what = 'initial.q[0]'\nlaw = 'values'\nvalues = [1, 2]", overrides)
                  .starts_with("--size: 3 instances, but the grid has 2 points"));
  overrides = {};
  overrides.steps = 0;
  EXPECT_TRUE(error_of(TOY, overrides).starts_with("--steps: 0 is out of range"));
  overrides = {};
  overrides.output = "";
  EXPECT_TRUE(error_of(TOY, overrides).starts_with("-o: empty"));
}

TEST(SpecErrorsTogether, AllAreSaidInTheOrderOfTheLines) {
  const std::string message = error_of(
      "[output]\nevery = '3'\nbogus = 1\n[scheme]\nname = 'EMS'\nstep = '50 ms'\n[system]\nname = "
      "'toy_pair'\n"
      "mass = 2.0\nstifness = 1\n[[ensemble.vary]]\nwhat = 'initial.v'\nlaw = 'normal'\nmean = 0\nstd = 1\n"
      "[[ensemble.vary]]\nwhat = 'initial.q[5]'\nlaw = 'normal'\nmean = 0\nstd = 1\n");
  const char* expected[] = {
      "toy.toml:2: output.every: ",    "toy.toml:3: output.bogus: ",   "toy.toml:5: scheme.name: ",
      "toy.toml:6: scheme.step: ",     "toy.toml:9: system.mass: ",    "toy.toml:10: system.stifness: ",
      "toy.toml:12: ensemble.vary[0]", "toy.toml:17: ensemble.vary[1]"};
  std::istringstream lines(message);
  std::string line;
  for (const char* begins : expected) {
    ASSERT_TRUE(std::getline(lines, line)) << begins;
    EXPECT_TRUE(line.starts_with(begins)) << line;
  }
  EXPECT_FALSE(std::getline(lines, line)) << line;
}

TEST(SpecErrorsTogether, ExponentsOfARefusedTangentAreNotRefusedAgain) {
  const std::string message =
      error_of(TANGENT "lyapunov = { count = 3, every = 10 }\n[output]\nobserve = ['lyapunov[0]']\n");
  EXPECT_TRUE(message.starts_with("toy.toml:3: tangent.lyapunov.count: 3 is out of range")) << message;
  EXPECT_EQ(message.find("observe"), std::string::npos) << message;
}

TEST(SpecWarnings, WhatIsMoreThanThereIsIsSaid) {
  const auto warnings_of = [](const char* output) {
    return parse_spec(std::string(TOY "scheme.steps = 20\n[output]\n") + output, "toy.toml", toy_catalogue())
        .warnings;
  };
  EXPECT_EQ(warnings_of("every = 20\ntrajectories = 1\n"), std::vector<std::string>{});
  const std::vector<std::string> said = warnings_of("every = 21\ntrajectories = 5\n");
  ASSERT_EQ(said.size(), 2u);
  EXPECT_EQ(said[0].rfind("toy.toml:5: output.trajectories: 5, of 1 instances", 0), 0u) << said[0];
  EXPECT_EQ(said[1].rfind("toy.toml:4: output.every: 21 steps, of 20", 0), 0u) << said[1];
}

TEST(SpecWarnings, AnEndThatIsNoMultipleOfTheStepIsSaid) {
  const auto warnings_of = [](const std::string& text) {
    return parse_spec(TOY + text, "toy.toml", toy_catalogue()).warnings;
  };
  const std::vector<std::string> said = warnings_of("scheme.step = 0.3\nscheme.end = 10.0\n");
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(
      said[0],
      "toy.toml:3: scheme.end: the end of 10 s is no multiple of scheme.step = 0.3 s; the run ends at 9.9 s");
  EXPECT_TRUE(warnings_of("scheme.step = 0.3\nscheme.end = 9.0\n").empty());
  EXPECT_TRUE(warnings_of("scheme.step = 0.3\nscheme.steps = 10\n").empty());
  EXPECT_EQ(warnings_of("scheme.step = 0.3\n").at(0).substr(0, 28), "toy.toml:2: scheme.step: the");
  const std::string varied =
      "scheme.end = 10.0\n[[ensemble.vary]]\nwhat = 'scheme.step'\nlaw = 'values'\nvalues = "
      "[0.1]\n[output]\n";
  EXPECT_TRUE(warnings_of(varied + "interval = 0.5\n").empty());
  EXPECT_NE(warnings_of(varied + "interval = 3.0\n")
                .at(0)
                .find("no multiple of output.interval = 3 s; the run ends at 9 s"),
            std::string::npos);
}

TEST(SpecSize, IsWantedBesideRandomLawsAlone) {
  const std::string random = "[[ensemble.vary]]\nwhat = 'initial.q[0]'\nlaw = 'normal'\nmean = 0\nstd = 1\n",
                    grid = "[[ensemble.vary]]\nwhat = 'initial.q[1]'\nlaw = 'values'\nvalues = [1, 2]\n";
  Overrides overrides;
  EXPECT_NE(error_of(TOY + random).find("ensemble.size: missing beside a random law"), std::string::npos);
  EXPECT_EQ(error_of(TOY + random + grid), "no error");
  EXPECT_EQ(error_of(TOY + grid), "no error");
  EXPECT_EQ(error_of(TOY "ensemble.size = 1\n"), "no error");
  overrides.size = 1;
  EXPECT_EQ(error_of(TOY + random, overrides), "no error");
  // What is added to what was drawn is a law of its own.
  EXPECT_EQ(error_of(TOY + grid +
                     "[[ensemble.vary]]\nwhat = 'initial.q[*]'\nlaw = 'normal'\nmode = 'add'\nmean = 0\n"
                     "std = 1\n"),
            "no error");
}

TEST(SpecFile, ThatCannotBeReadIsARequestError) {
  EXPECT_THROW(read_spec("/nonexistent/toy.toml", toy_catalogue()), RequestError);
  EXPECT_THROW(read_spec("/", toy_catalogue()), RequestError);
}

TEST(SpecMemory, SamplesThatNoMachineHoldsAreRefusedWithWhatTheyTake) {
  Overrides overrides;
  overrides.steps = std::int64_t{1} << 53;
  const std::string many = error_of("system.name = 'toy_slide'\noutput.every = 1\n", overrides);
  EXPECT_TRUE(many.starts_with("--steps: 9.01e+15 samples")) << many;
  EXPECT_NE(many.find("GiB"), std::string::npos) << many;
  const std::string followed = error_of(
      "system.name = 'toy_slide'\nensemble.size = 1000000000\nscheme.steps = 1000000\n"
      "[output]\nevery = 1\ntrajectories = 1000000000\n");
  EXPECT_TRUE(followed.starts_with("toy.toml:5: output.every: 1e+06 samples of 1000000000 traj")) << followed;
  // 2^53 steps with few samples are a matter of patience.
  EXPECT_EQ(error_of("system.name = 'toy_slide'\noutput.sampling = 'log'\n", overrides), "no error");
  const std::string endless = error_of("system.name = 'toy_slide'\nscheme.step = 1e300\n", overrides);
  EXPECT_TRUE(endless.starts_with("--steps: ")) << endless;
  EXPECT_NE(endless.find("no finite time"), std::string::npos) << endless;
}

TEST(SpecMemory, WhatIsObservedCounts) {
  const auto refused = [](double steps, const std::string& observe) {
    Overrides overrides;
    overrides.steps = static_cast<std::int64_t>(steps);
    const std::string message =
        error_of(VARY "what = 'initial.q[0]'\nlaw = 'normal'\nmean = 0\nstd = 1\n"
                      "[ensemble]\nsize = 4096\n[output]\nevery = 1\ntrajectories = 0\n" +
                     observe,
                 overrides);
    EXPECT_TRUE(message == "no error" || message.find("names in `observe`") != std::string::npos) << message;
    return message != "no error";
  };
  double steps = 1.0;
  while (!refused(2.0 * steps, "")) steps *= 2.0;
  // Each is as much as a standard one, of which there are five at most.
  EXPECT_TRUE(refused(steps,
                      "observe = ['energy', 'kinetic_energy', 'potential_energy', 'total_energy', "
                      "'q[0]', 'v[0]', 'p[0]', 'work']\n"));
}

TEST(SpecNesting, TextsThatNestDeepAreRefusedBeforeTheyAreParsed) {
  std::string keys = "a", tables;
  for (int i = 0; i < 200'000; ++i) keys += " . a";
  for (int i = 0; i < 200'000; ++i) tables += "{a=";
  const std::string brackets(200'000, '[');
  for (const std::string& deep :
       {keys + " = 1", "[" + keys + "]", "[[" + keys + "]]", "a = " + brackets, "a = " + tables,
        // Strings whose ends are easily missed.
        "a = \"'\\\" # '\"\nb = " + brackets, "a = \"\"\"\\\"\"\"\"\nb = '''x''''\nc = " + brackets,
        "a = ''\nb = " + brackets}) {
    const std::string message = error_of("system.name = 'toy_pair'\n" + deep);
    EXPECT_NE(message.find("nested too deep"), std::string::npos) << deep.substr(0, 40) << ": " << message;
  }
  // Dots in strings and comments are no levels, nor are those of many numbers.
  const std::string dots(1000, '.');
  EXPECT_EQ(error_of("system.name = 'toy_pair' # " + dots + brackets + "\noutput.file = '" + dots +
                     "'\ninitial.q = [1.0, 2.0]\n"),
            "no error");
}

}  // namespace
}  // namespace livens::host
