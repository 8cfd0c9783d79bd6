"""Instructions that a step of a kernel executes along its hot path, and those that stand in its loop."""

from dataclasses import dataclass

from cuda_model.bounds import FP64_CYCLES, LATENCY, ON_CHIP_BYTES, OTHER_LATENCY, WARP
from cuda_model.graph import reachable


def wavefronts(instruction):
    """Cycles that a load or store of a warp takes on the chip. One of 16 bytes in shared memory is of a pivot row,
    which the lanes of a tile read together and one of them writes."""
    if instruction.space == "shared" and instruction.bytes == 16:
        return 1
    return max(1, instruction.bytes * WARP // ON_CHIP_BYTES)


@dataclass
class Counts:
    """Warp instructions of a step. `wavefronts`: of local and shared memory; `cycles`: of a warp alone."""

    fp64: float = 0.0
    instructions: float = 0.0
    local: float = 0.0
    shared: float = 0.0
    wavefronts: float = 0.0
    cycles: float = 0.0

    def add(self, instruction, times):
        self.instructions += times
        if instruction.is_double:
            self.fp64 += times
        if instruction.space is not None:
            self.wavefronts += times * wavefronts(instruction)
            setattr(self, instruction.space, getattr(self, instruction.space) + times)


class Pipeline:
    """One warp that issues in order, a cycle each, every instruction as soon as what it reads is there."""

    def __init__(self):
        self.now, self.double_free, self.ready = 0, 0, {}

    def issue(self, instruction):
        at = max([self.now + 1] + [self.ready.get(name, 0) for name in instruction.reads])
        if instruction.is_double:
            at = max(at, self.double_free)
            self.double_free = at + FP64_CYCLES
        self.now = at
        for name in instruction.writes:
            self.ready[name] = at + LATENCY.get(instruction.operation, OTHER_LATENCY)


def counts_of_step(path):
    """Counts of one step along a HotPath."""
    counts, pipeline = Counts(), Pipeline()

    def walk(runs, times):
        for address in path.order(runs):
            block, factor = path.blocks[address], times * runs[address]
            before = pipeline.now
            for instruction in block.instructions:
                pipeline.issue(instruction)
                counts.add(instruction, factor)
            counts.cycles += factor * (pipeline.now - before)
            if block.calls is not None:
                walk(path.routine(block.calls), factor)

    walk(path.runs, 1.0)
    return counts


def counts_of_loop(path):
    """The instructions in the stepping loop and in the subroutines that it calls, each once. The budget holds these,
    since they need no assumption on what is run."""
    blocks, waiting = set(path.stepping.blocks), list(path.stepping.blocks)
    while waiting:
        calls = path.blocks[waiting.pop()].calls
        if calls is not None and calls not in blocks:
            called = set(reachable(calls, lambda b: path.blocks[b].successors)) - blocks
            blocks |= called
            waiting += called
    counts = Counts()
    for address in blocks:
        for instruction in path.blocks[address].instructions:
            counts.add(instruction, 1)
    return {name: int(getattr(counts, name)) for name in ("fp64", "instructions", "local", "shared")}
