"""The model of the CUDA kernels (scripts/cuda_model) on machine code small enough to count by hand. Needs no CUDA."""

import contextlib
import io
import pathlib
import sys
import tempfile
import tomllib
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "scripts"))

from cuda_model import bounds, budget, names, sass, table  # noqa: E402
from cuda_model.counts import Pipeline, counts_of_loop, counts_of_step  # noqa: E402
from cuda_model.graph import basic_blocks, loops_of  # noqa: E402
from cuda_model.hot_path import HotPath  # noqa: E402


def code_of(name, function=None):
    functions = sass.read((HERE / "sass" / name).read_text())
    return functions[function] if function else next(iter(functions.values()))


def instruction(line):
    return sass.read(f"Function : f\n        /*0000*/    {line} ;")["f"][0]


class Sass(unittest.TestCase):
    def test_parts_of_an_instruction(self):
        branch = instruction("@!P1 BRA 0x150")
        self.assertEqual((branch.predicate, branch.operation, branch.target), ("@!P1", "BRA", 0x150))
        self.assertIsNone(instruction("RET.REL.NODEC R20 0x0").target)
        load = instruction("LDL.64 R22, [R1+0x8]")
        self.assertEqual((load.space, load.bytes), ("local", 8))
        self.assertEqual(instruction("LDS.128 R4, [R1]").bytes, 16)
        self.assertEqual(instruction("LD.E.64 R4, desc[UR4][R2.64]").space, "local")
        self.assertIsNone(instruction("LDG.E.64 R4, desc[UR4][R2.64]").space)

    def test_a_double_is_two_registers(self):
        fma = instruction("DFMA R12, R10, -R8, |R6|")
        self.assertEqual(fma.writes, ["R12", "R13"])
        self.assertEqual(fma.reads, ["R10", "R11", "R8", "R9", "R6", "R7"])

    def test_what_a_comparison_writes_is_a_predicate(self):
        compared = instruction("@P3 DSETP.GT.AND P1, PT, R2, UR4, P0")
        self.assertEqual(compared.writes, ["P1"])
        self.assertEqual(compared.reads, ["P3", "R2", "R3", "UR4", "UR5", "P0"])
        self.assertEqual(instruction("VOTE.ANY R68, PT, P2").writes, ["R68"])

    def test_a_store_writes_no_register(self):
        stored = instruction("STL.64 [R1+0x8], R12")
        self.assertEqual((stored.writes, stored.reads), ([], ["R1", "R12", "R13"]))

    def test_only_wanted_functions(self):
        self.assertEqual(list(sass.read((HERE / "sass/tiles.sass").read_text(), {"tiles"})), ["tiles"])


class Graph(unittest.TestCase):
    def test_loops_within_loops(self):
        blocks = basic_blocks(code_of("newton.sass"))
        (stepping,) = loops_of(0, blocks)
        (newton,) = stepping.inner
        self.assertEqual((stepping.header, newton.header), (0x20, 0x30))
        self.assertEqual(newton.exits(blocks), [(0x30, 0x150), (0x60, 0x150), (0xF0, 0x140)])
        self.assertEqual(newton.latches(blocks), [0x120])

    def test_a_branch_on_two_predicates_may_fall_through(self):
        self.assertEqual(basic_blocks(code_of("newton.sass"))[0x150].successors, [0x20, 0x1A0])

    def test_a_call_returns(self):
        block = basic_blocks(code_of("newton.sass"))[0xB0]
        self.assertEqual((block.calls, block.successors), (0x1C0, [0xD0]))


class Path(unittest.TestCase):
    def test_newton_asks_once_more_than_it_iterates(self):
        runs = HotPath(basic_blocks(code_of("newton.sass")), iterations=2).runs
        self.assertEqual(runs, {0x20: 1, 0x30: 3, 0x60: 2, 0x80: 2, 0xD0: 2, 0x120: 2, 0x150: 1})

    def test_counts_by_hand(self):
        # 0x20: DADD; 0x30: DFMA, DSETP three times; 0x90, 0xd0: DFMA twice; 0x180: DADD.
        step = counts_of_step(HotPath(basic_blocks(code_of("newton.sass")), iterations=2))
        self.assertEqual(step.fp64, 1 + 3 * 2 + 2 * 2 + 1)
        self.assertEqual(step.instructions, 1 + 3 * 3 + 2 * (2 + 3 + 2 + 2) + 5)
        self.assertEqual((step.local, step.shared), (2, 1))
        self.assertEqual(step.wavefronts, 2 + 2 + 1)

    def test_an_iteration_is_the_difference(self):
        blocks = basic_blocks(code_of("newton.sass"))
        two, three = (counts_of_step(HotPath(blocks, iterations)).fp64 for iterations in (2, 3))
        self.assertEqual(three - two, 4)

    def test_the_loop_has_every_instruction_once_and_its_subroutines(self):
        found = counts_of_loop(HotPath(basic_blocks(code_of("newton.sass")), iterations=2))
        self.assertEqual(found, {"fp64": 10, "instructions": 26, "local": 2, "shared": 1})

    def test_instances_of_a_warp_take_turns(self):
        # 19 fit at a time: turns of 19 and 13, two side by side: 10 and 7 passes.
        runs = HotPath(basic_blocks(code_of("tiles.sass", "tiles")), iterations=0).runs
        self.assertEqual(runs[0x20], 2)
        self.assertEqual(runs[0x30], 17)
        self.assertEqual(runs[0xA0], 17, "a branch that threads take apart is taken both ways")

    def test_down_to_zero_and_a_list_of_unknown_length(self):
        path = HotPath(basic_blocks(code_of("down.sass")), iterations=0)
        self.assertEqual(path.runs, {0x0: 1, 0x10: 1, 0x30: 1, 0x40: 42, 0x80: 1})
        self.assertFalse(path.all_counted)
        self.assertTrue(HotPath(basic_blocks(code_of("newton.sass")), iterations=2).all_counted)

    def test_what_is_not_on_the_hot_path(self):
        runs = HotPath(basic_blocks(code_of("tiles.sass", "tiles")), iterations=0).runs
        self.assertNotIn(0x70, runs, "a vote has to say that something failed")
        self.assertNotIn(0x130, runs, "mixed precision")
        self.assertIn(0x160, runs)
        self.assertNotIn(0x1A0, runs, "a warp whose threads have diverged")

    def test_a_kernel_without_a_loop(self):
        with self.assertRaisesRegex(ValueError, "without a loop"):
            HotPath(basic_blocks(code_of("tiles.sass", "another")), iterations=0)


class Latency(unittest.TestCase):
    def cycles(self, *lines):
        pipeline = Pipeline()
        for line in lines:
            pipeline.issue(instruction(line))
        return pipeline.now

    def test_a_chain_waits(self):
        self.assertEqual(self.cycles("DADD R2, R2, R4", "DADD R2, R2, R4", "DADD R2, R2, R4"), 1 + 2 * 8)

    def test_independent_doubles_wait_for_the_pipe_alone(self):
        self.assertEqual(self.cycles("DADD R2, R4, R4", "DADD R6, R4, R4", "MOV R8, R9"), 1 + 2 + 1)

    def test_a_load_waits_where_it_is_wanted(self):
        self.assertEqual(self.cycles("LDS.64 R2, [R10]", "MOV R8, R9", "DADD R4, R2, R2"), 1 + 30)


class Machine(unittest.TestCase):
    def test_warps(self):
        # By registers (allocated by 256 a warp, 16384 a partition), and by shared memory with 1 KB more a block.
        self.assertEqual(bounds.warps_of(255, 0), 8)
        self.assertEqual(bounds.warps_of(136, 0), 12)
        self.assertEqual(bounds.warps_of(24, 0), 64)
        self.assertEqual(bounds.warps_of(246, 34816), 6)
        self.assertEqual(bounds.warps_of(146, 29440), 7)
        self.assertEqual((bounds.warps_of(255, 28160), bounds.warps_of(255, 28168)), (8, 7))

    def test_the_largest_bound_counts(self):
        step = counts_of_step(HotPath(basic_blocks(code_of("newton.sass")), iterations=2))
        found = bounds.bounds(step, registers=255, shared=0)
        self.assertEqual((found.fp64, found.issue, found.memory), (12 / 2, 33 / 4, 5))
        self.assertEqual(found.limit, "latency")
        self.assertAlmostEqual(found.steps_per_second, 132 * 1.98e9 * 32 / found.latency)


class Names(unittest.TestCase):
    def test_a_rule_names_the_scheme(self):
        scheme = "livens::cuda::FullForm<livens::cuda::FourParticle<double>, livens::cuda::ViARule>"
        name = f"void livens::cuda::advance<{scheme}, (livens::Pivoting)0>(livens::Batch)"
        self.assertEqual(names.kernel_of(name), {"system": "four_particle", "scheme": "vi_a", "kernel": "advance"})
        name = name.replace("ViARule", "ViBRule<true> ")  # with damping
        self.assertEqual(names.kernel_of(name), {"system": "four_particle", "scheme": "vi_b", "kernel": "advance"})

    def test_kernels_of_libraries_are_theirs(self):
        self.assertTrue(names.is_ours("void livens::cuda::start<livens::cuda::Ems<livens::cuda::Pair<double>>>(int)"))
        self.assertTrue(names.is_ours("livens::(anonymous namespace)::summarize(double const*, int)"))
        self.assertFalse(names.is_ours("void cub::detail::reduce<livens::(anonymous namespace)::Failed>(int)"))

    def test_forms(self):
        offered = [("ems", "reduced"), ("ems", "full"), ("del_nullspace", "reduced")]
        offered += [("vi_a", "reduced"), ("vi_a", "full")]
        self.assertEqual(names.form_of("ems_frame", offered), ("ems", "reduced"))
        self.assertEqual(names.form_of("ems", offered), ("ems", "full"))
        self.assertEqual(names.form_of("del_nullspace", offered), ("del_nullspace", "reduced"))
        self.assertEqual(names.form_of("vi_a_nullspace", offered), ("vi_a", "reduced"))
        self.assertIsNone(names.form_of("rattle", offered))
        offered += [("rattle", "reduced"), ("rattle", "full")]
        self.assertEqual(names.form_of("rattle_multipliers", offered), ("rattle", "reduced"))
        self.assertEqual(names.form_of("rattle", offered), ("rattle", "full"))


def a_budget(fp64):
    loop = {"fp64": fp64, "instructions": 3000, "local": 0, "shared": 100}
    return {"top.ems": {"advance": {"registers": 255, "stack": 0, "spills": 0}, "advance_loop": loop}}


class Budget(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "budget.toml"
        budget.write(self.path, a_budget(1000), "nvcc 13.0")

    def check(self, taken, made_with="nvcc 13.0"):
        with contextlib.redirect_stdout(io.StringIO()):
            return budget.check(self.path, taken, made_with)

    def test_slack(self):
        self.assertEqual(self.check(a_budget(1066)), [])  # 1000 * 1.05 + 16
        self.assertEqual(
            self.check(a_budget(1067)),
            ["top.ems advance has 1067 FP64 instructions in the loop, 1000 are in the budget and 1066 with its slack"],
        )

    def test_no_slack_for_registers(self):
        taken = a_budget(1000)
        taken["top.ems"]["advance"]["stack"] = 8
        self.assertEqual(self.check(taken), ["top.ems advance takes 8 bytes of stack, 0 are in the budget"])

    def test_another_compiler_is_not_judged(self):
        self.assertEqual(self.check(a_budget(5000), "nvcc 14.0"), [])

    def test_a_pair_without_entry(self):
        (one, two) = self.check({"top.vi_a": a_budget(1)["top.ems"]})
        self.assertIn("top.vi_a advance has no entry advance in", one)
        self.assertIn("top.vi_a advance has no entry advance_loop in", two)

    def test_systems_that_were_not_built_stay(self):
        budget.write(self.path, {"disk.ems": a_budget(1)["top.ems"]}, "nvcc 13.0")
        kept = tomllib.loads(self.path.read_text())
        self.assertEqual(kept["top"]["ems"]["advance_loop"]["fp64"], 1000)
        self.assertEqual(kept["disk"]["ems"]["advance_loop"]["fp64"], 1)


class Table(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "performance.md"
        self.path.write_text(
            "| system | scheme | form | Newton |\n| --- | --- | --- | --- |\n| top | ems | full | 2.88 |\n\n"
            f"{table.BEGIN}\n{table.END}\nafter\n"
        )

    def row(self, system, cycles=100):
        bounds_of_row = dict.fromkeys(("fp64", "issue", "memory", "latency", "warps"), cycles)
        figures = {"fp64": 20, "instructions": 30, "local": 1, "shared": 2}
        row = {"system": system, "scheme": "ems", "newton_iterations": 2.88, "iterations_measured": True}
        row |= {"step": figures, "iteration": figures, "loop": figures, "bounds": bounds_of_row, "limit": "latency"}
        return row | {"cycles": cycles, "steps_per_second": 1e9, "stack_in_cache": True, "at_least": False}

    def test_iterations(self):
        self.assertEqual(table.measured_iterations(self.path), {("top", "ems", "full"): 2.88})

    def test_rows_of_other_systems_stay(self):
        table.write(self.path, [self.row("top")], {})
        table.write(self.path, [self.row("disk")], {})
        before = self.path.with_suffix(".json")
        self.assertEqual(table.read_before(before), {})
        table.keep(before, [self.row("top", 200)])
        table.write(self.path, [self.row("top", 50)], table.read_before(before))
        text = self.path.read_text()
        rows = [line for line in text.splitlines() if line.startswith(("| top | ems | 2.88", "| disk | ems | 2.88"))]
        self.assertEqual(len(rows), 2)
        self.assertTrue(rows[1].endswith("| 200 | 4.0 |"))
        self.assertTrue(text.endswith(f"{table.END}\nafter\n"))


if __name__ == "__main__":
    unittest.main()
