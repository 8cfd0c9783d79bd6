"""The multiprocessor of an H100, and the bounds that the counts of a step set to its speed: a model, nothing measured.

Figures of the machine: NVIDIA H100 (SXM) data sheet and CUDA C++ Programming Guide, compute capability 9.0. The
latencies are round figures, as microbenchmarks of this generation report them; no miss of a cache is in them.
"""

from dataclasses import dataclass

MULTIPROCESSORS = 132
CLOCK = 1.98e9  # Hz, boost
PARTITIONS = 4  # of a multiprocessor, each with a scheduler that issues one warp instruction a cycle
FP64_CYCLES = 2  # of a partition's FP64 pipe for a warp instruction: 16 lanes
ON_CHIP_BYTES = 128  # that a multiprocessor reads or writes a cycle, in shared memory or first-level cache
REGISTERS = 16384  # of a partition; a warp's are allocated by 256
SHARED_BYTES = 228 * 1024  # of a multiprocessor, of which a block takes 1 KB beside its own
CACHE_BYTES = 256 * 1024  # first-level cache and shared memory together
LARGEST_WARPS = 64
WARP = 32

LATENCY = {"DADD": 8, "DMUL": 8, "DFMA": 8, "DSETP": 12, "MUFU": 24, "LDS": 30, "LDL": 36, "LD": 36, "LDG": 36}
LATENCY |= {"F2F": 16, "I2F": 16, "F2I": 16, "LDC": 30, "S2R": 20, "S2UR": 20, "SHFL": 24, "VOTE": 12, "VOTEU": 12}
LATENCY |= {"ISETP": 10, "FSETP": 10, "PLOP3": 10, "R2UR": 12}
OTHER_LATENCY = 5  # integers, moves, selections


@dataclass(frozen=True)
class Bounds:
    """Cycles of a multiprocessor for a step of one warp, resource by resource; the largest is the bound."""

    fp64: float
    issue: float
    memory: float
    latency: float
    warps: int  # on a multiprocessor

    @property
    def largest(self):
        return max(self.fp64, self.issue, self.memory, self.latency)

    @property
    def limit(self):
        return next(n for n in ("fp64", "issue", "memory", "latency") if getattr(self, n) == self.largest)

    @property
    def steps_per_second(self):
        return MULTIPROCESSORS * CLOCK * WARP / self.largest


def warps_of(registers, shared):
    """Warps a multiprocessor holds. A block with shared memory is one warp; without, the block's size is a multiple of
    the partitions."""
    of_warp = -(-registers * WARP // 256) * 256
    warps = min(REGISTERS // of_warp * PARTITIONS, LARGEST_WARPS)
    return min(warps, SHARED_BYTES // (shared + 1024)) if shared else warps


def stack_fits(stack, shared, warps):
    """The stacks of all resident threads fit in the part of the first-level cache that shared memory leaves."""
    return stack * WARP * warps <= CACHE_BYTES - (shared + 1024 if shared else 0) * warps


def bounds(step, registers, shared):
    """`step`: Counts of a step."""
    warps = warps_of(registers, shared)
    return Bounds(
        fp64=step.fp64 * FP64_CYCLES / PARTITIONS,
        issue=step.instructions / PARTITIONS,
        memory=step.wavefronts,
        latency=step.cycles / warps,
        warps=warps,
    )
