"""What scripts/cuda_resources.py reads of ptxas, checks and bounds, on texts small enough to judge by hand. Needs no CUDA."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))

import cuda_resources as tool  # noqa: E402

REPORT = """\
ptxas info    : Function properties for careful
    0 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads
ptxas info    : Compile time = 3.1 ms
ptxas info    : Compiling entry function 'first' for 'sm_90'
ptxas info    : Function properties for first
    16 bytes stack frame, 0 bytes spill stores, 2 bytes spill loads
ptxas info    : Used 40 registers, used 0 barriers, 24 bytes cumulative stack size
ptxas info    : Compile time = 2.2 ms
ptxas info    : Function properties for beside
    0 bytes stack frame, 1 bytes spill stores, 0 bytes spill loads
ptxas info    : Compiling entry function 'second' for 'sm_90'
ptxas info    : Function properties for second
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 255 registers, used 1 barriers, 2816 bytes smem
ptxas info    : Compile time = 2.2 ms
seconds: 7
"""


class Report(unittest.TestCase):
    def test_spills_go_to_the_kernel_that_calls(self):
        (first, second), seconds = tool.read_report(REPORT)
        self.assertEqual(seconds, 7)
        self.assertEqual((first["registers"], first["stack"], first["spills"], first["called_spills"]), (40, 24, 2, 13))
        self.assertEqual((second["registers"], second["shared"], second["spills"], second["called_spills"]), (255, 2816, 0, 0))

    def test_names(self):
        scheme = "void livens::cuda::advance<livens::cuda::FullForm<livens::cuda::FourParticle<float>, livens::cuda::EmsRule> >(int)"
        self.assertEqual(tool.names_of(scheme), ("four_particle.ems_single", "advance"))
        self.assertEqual(tool.names_of("livens::cuda::momenta<livens::cuda::HeavyTop<double> >(int)"), ("heavy_top.system", "momenta"))
        self.assertEqual(tool.names_of("livens::(anonymous namespace)::vary(int)"), ("any.system", "vary"))


class Budget(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "budget.toml"
        tool.write_budget(self.path, self.taken(), "nvcc 13.0")

    def taken(self, kernel="advance", **values):
        return {"top.ems": {kernel: {"registers": 255, "stack": 0, "spills": 0} | values}}

    def check(self, taken, compiler="nvcc 13.0"):
        with contextlib.redirect_stdout(io.StringIO()):
            return tool.check_budget(self.path, taken, compiler)

    def test_more_than_allowed(self):
        self.assertEqual(self.check(self.taken()), [])
        self.assertEqual(self.check(self.taken(stack=8)), ["top.ems advance takes 8 bytes of stack, 0 are in the budget"])
        self.assertEqual(self.check(self.taken(stack=8), "nvcc 14.0"), [])

    def test_what_is_not_compiled_does_not_stay(self):
        (missing, gone) = self.check(self.taken("start"))
        self.assertIn("top.ems start has no entry", missing)
        self.assertIn("nothing compiles it", gone)
        self.assertEqual(self.check({"any.system": {}}), [])  # a build without that system

    def test_a_spill_has_a_reason_and_a_reason_a_spill(self):
        tool.write_budget(self.path, self.taken(spills=4), "nvcc 13.0")
        self.assertIn("without a reason", self.check(self.taken(spills=4))[0])
        text = self.path.read_text().replace("[reasons]", '[reasons]\nrare = "r"\nold = "o"').replace("= 4", '= 4, reason = "rare"')
        self.path.write_text(text)
        self.assertEqual(self.check(self.taken(spills=4)), [f"the reason old in {self.path} is not used"])
        tool.write_budget(self.path, self.taken(spills=4), "nvcc 13.0")  # keeps what is used, drops what is not
        self.assertEqual(self.check(self.taken(spills=4)), [])


class Model(unittest.TestCase):
    def test_warps(self):
        self.assertEqual(tool.warps_of(255, 0), 8)  # 65536 / (255 * 32, by 256)
        self.assertEqual(tool.warps_of(160, 0), 12)
        self.assertEqual(tool.warps_of(24, 0), 64)
        self.assertEqual(tool.warps_of(255, 32 * 1024), 6)  # 228 / 33

    def test_bounds(self):
        step = {"fp64": 200, "instructions": 300, "wavefronts": 40, "local": 30}
        self.assertEqual(tool.bounds_of(step), {"fp64": 100, "issue": 75, "memory": 100})

    def test_a_row(self):
        step = {"fp64": 400, "instructions": 300, "wavefronts": 0, "sectors": 0, "local": 0}
        taken = {"registers": 255, "stack": 8, "shared": 0, "spills": 1, "called_spills": 2}
        line = tool.line_of({"pair": "top ems reduced", "newton": 1.0, "lanes": 31.5, "step": step}, taken, 2.0e10)
        # 132 multiprocessors, 32 instances in 200 cycles of 1.98 GHz: 4.18e10 a second
        self.assertTrue(line.startswith("| top | ems | reduced | 1.00 | 400 | 300 | 31.5 |  | 0 | 0 | 0 | 255 | 8 | 3 | 8 | **200** |"))
        self.assertTrue(line.endswith("| 4.2e+10 | 2e+10 | 48% |"))


if __name__ == "__main__":
    unittest.main()
