"""The runs of each block of a kernel in a step: its hot path, with the loops weighted by their trips.

Assumptions, beyond what the machine code says:

1. The outermost loop with the most instructions takes the steps; one run of it is a step.
2. A loop with several exits is Newton's method: converged, out of iterations, at round-off. It ends by the first of
   them, so that what stands before that test runs once more than there are iterations, and what follows the others
   never. Several such loops share the iterations of a step equally.
3. A detour (a branch around some blocks) that calls a subroutine is not taken: the slow paths of division and root,
   first steps, steps that need care. Nor is one from which Newton's loop is left, nor one without a loop that a vote of
   the warp decides on: failures. Nor is the side of a branch on which double precision is narrowed: mixed precision.
4. Every other branch is taken both ways: a warp goes wherever one of its threads goes.
5. A loop that counts up to a constant starts from zero, one that counts down goes there from the constant it starts
   from. One that counts to a register takes the instances of a warp in turns: step by step as many as its counter is
   raised by, and within a turn those that the turn has; within a turn one in steps beyond a warp walks over the
   kernel's shared memory. Any other counts as one trip, which is too few, as for the lists above 32 unknowns.
"""

from cuda_model.detours import Body, not_taken
from cuda_model.graph import Loop, loops_of, reachable
from cuda_model.trips import trips


class HotPath:
    """Of a kernel in double precision; `iterations`: of Newton's method in a step; `shared`: bytes of a block."""

    def __init__(self, blocks, iterations, shared=0):
        self.blocks, self.iterations, self.shared = blocks, iterations, shared
        outermost = loops_of(next(iter(blocks)), blocks)
        if not outermost:
            raise ValueError("a kernel without a loop takes no steps")
        self.stepping = max(outermost, key=lambda loop: sum(len(blocks[b].instructions) for b in loop.blocks))
        self.all_counted = True  # no loop on the hot path counts as one trip for want of better
        self.newton_loops = self._newton_loops(self.stepping)
        self.runs = self._runs_of(self.stepping)  # {block: runs a step}
        self._routines = {}

    def routine(self, address):
        """{block: runs a call} of a subroutine."""
        if address not in self._routines:
            self._routines[address] = self._runs_of(self._subroutine(address))
        return self._routines[address]

    def order(self, runs):
        """The blocks in `runs` so that each comes after what leads to it."""
        return reachable(next(iter(runs)), lambda b: [s for s in self.blocks[b].successors if s in runs])

    def _subroutine(self, address):
        """As a loop that runs once."""
        body = set(reachable(address, lambda b: self.blocks[b].successors))
        return Loop(address, body, loops_of(address, self.blocks))

    def _is_newton(self, loop):
        return len({source for source, _ in loop.exits(self.blocks)}) > 1

    def _newton_loops(self, around):
        """Their number on the hot path of a loop or subroutine and of what it calls."""
        cold = not_taken(self.blocks, around)
        inner = [loop for loop in around.inner if loop.header not in cold]
        called = {self.blocks[b].calls for b in around.blocks - cold} - {None}
        within = [self._is_newton(loop) or self._newton_loops(loop) for loop in inner]
        return sum(within) + sum(self._newton_loops(self._subroutine(address)) for address in called)

    def _runs_of(self, around):
        """{block: runs} while `around`, the stepping loop or a subroutine, runs once."""
        weights = dict.fromkeys(around.blocks, 1.0)
        cold = self._weigh(around, weights, [])

        def onward(block):
            return [s for s in self.blocks[block].successors if s in around.blocks and s not in cold]

        return {block: weights[block] for block in reachable(around.header, onward)}

    def _weigh(self, around, weights, steps):
        """Multiplies in the trips of the loops within, whose `steps` trips() explains; returns what is not run."""
        cold = not_taken(self.blocks, around)
        for loop in around.inner:
            if loop.header in cold:
                continue
            within = steps
            if self._is_newton(loop):
                turns = self._newton_trips(loop)
            else:
                count, known, within = trips(self.blocks, loop, steps, self.shared)
                self.all_counted = self.all_counted and known
                turns = dict.fromkeys(loop.blocks, count)
            for block, factor in turns.items():
                weights[block] *= factor
            cold |= self._weigh(loop, weights, within)
        return cold

    def _newton_trips(self, loop):
        """{block: runs}: assumption 2."""
        iterations = self.iterations / self.newton_loops
        onward = Body(self.blocks, loop).successors
        sources = {source for source, _ in loop.exits(self.blocks)} - not_taken(self.blocks, loop)
        first = next(b for b in reachable(loop.header, onward) if b in sources)
        return {b: iterations + (first in reachable(b, onward)) for b in loop.blocks}
