"""How often a step runs each block of a kernel: its hot path, with the loops weighted by their trips.

What is assumed, beyond what the machine code says:

1. The outermost loop with the most instructions takes the steps; one run of it is a step.
2. A loop with several exits is Newton's method: converged, out of iterations, at round-off. It ends by the first of them, so
   that what stands before that test runs once more than there are iterations, and what follows the others never.
   Several such loops share the iterations of a step equally.
3. A detour (a branch around some blocks) that calls a subroutine is not taken: the slow paths of division and root,
   first steps, steps that need care. Nor is one from which Newton's loop is left, nor one without a loop that a vote of
   the warp decides on: failures. Nor is the side of a branch on which double precision is narrowed: mixed precision.
4. Every other branch is taken both ways: a warp goes wherever one of its threads goes.
5. A loop that counts to a constant has the trips that follow. One that counts to a register takes the instances of a
   warp in turns: step by step as many as its counter is raised by, and within a turn those that the turn has. One
   that counts in steps beyond a warp walks over the kernel's shared memory. Any other counts as one trip, which is too
   few: the lists of operations above 32 unknowns.
"""

import math
import re

from cuda_model.graph import Loop, dominators, loops_of, reachable

WARP = 32
COMPARISON = re.compile(r"^U?ISETP\.(\w+)")
NUMBER = re.compile(r"^-?(?:0x[0-9a-f]+|\d+)$")
END = -1  # where every path of a loop's body meets


def decided_by_vote(instructions):
    """Whether the branch that ends these asks what a vote of the warp has said."""
    asked = set(instructions[-1].reads)
    for instruction in reversed(instructions[:-1]):
        if asked.intersection(instruction.writes):
            if instruction.operation in ("VOTE", "VOTEU"):
                return True
            asked = asked.difference(instruction.writes) | set(instruction.reads)
    return False


class HotPath:
    """Of a kernel in double precision; `iterations`: of Newton's method in a step; `shared`: bytes of a block."""

    def __init__(self, blocks, iterations, shared=0):
        self.blocks, self.iterations, self.shared = blocks, iterations, shared
        entry = next(iter(blocks))
        outermost = loops_of(entry, blocks)
        if not outermost:
            raise ValueError("a kernel without a loop takes no steps")
        self.stepping = max(outermost, key=lambda loop: sum(len(blocks[b].instructions) for b in loop.blocks))
        self.routines = {}  # {address of a subroutine: runs of its blocks a call}
        self.uncounted = False  # whether a loop on the hot path counts as one trip for want of better
        self.newton_loops = self._count_newton(self.stepping)
        self.runs = self._runs_of(self.stepping)

    def routine(self, address):
        """{block: runs a call} of a subroutine, in the order of its code."""
        if address not in self.routines:
            self.routines[address] = self._runs_of(self._whole(address))
        return self.routines[address]

    def order(self, runs):
        """The blocks in `runs` so that each comes after what leads to it."""
        start = next(iter(runs))
        return reachable(start, lambda b: [s for s in self.blocks[b].successors if s in runs])

    def _whole(self, address):
        """A subroutine as a loop that runs once."""
        body = set(reachable(address, lambda b: self.blocks[b].successors))
        return Loop(address, body, loops_of(address, self.blocks))

    def _is_newton(self, loop):
        return len({source for source, _ in loop.exits(self.blocks)}) > 1

    def _count_newton(self, loop):
        """Newton's loops on the hot path of a loop or subroutine and of what it calls."""
        cold = self._cold(loop)
        count = 0
        for inner in loop.inner:
            if inner.header not in cold:
                count += 1 if self._is_newton(inner) else self._count_newton(inner)
        for address in loop.blocks - cold:
            if self.blocks[address].calls is not None:
                count += self._count_newton(self._whole(self.blocks[address].calls))
        return count

    def _runs_of(self, around):
        """{block: runs} while `around`, the stepping loop or a subroutine, runs once."""
        weights = dict.fromkeys(around.blocks, 1.0)
        cold = self._weigh(around, weights, [])

        def onward(address):
            return [s for s in self.blocks[address].successors if s in around.blocks and s not in cold]

        return {address: weights[address] for address in reachable(around.header, onward)}

    def _weigh(self, loop, weights, counted):
        """Multiplies in the trips of the loops within; returns the blocks that are not run. `counted`: the steps of
        the loops around."""
        cold = self._cold(loop)
        for inner in loop.inner:
            trips, steps = dict.fromkeys(inner.blocks, 1.0), counted
            if inner.header in cold:
                continue
            if self._is_newton(inner):
                trips = self._newton_trips(inner)
            else:
                count, steps = self._trips(inner, counted)
                trips = dict.fromkeys(inner.blocks, count)
            for address, factor in trips.items():
                weights[address] *= factor
            cold |= self._weigh(inner, weights, steps)
        return cold

    def _newton_trips(self, loop):
        iterations = self.iterations / max(self.newton_loops, 1)
        inside, cold = self._within(loop), self._cold(loop)
        sources = {source for source, _ in loop.exits(self.blocks)} - cold
        first = next(b for b in reachable(loop.header, inside) if b in sources)
        before = {b for b in loop.blocks if first in reachable(b, inside)}
        return {b: iterations + (b in before) for b in loop.blocks}

    def _within(self, loop):
        """The successors of a block in one run of a loop's body."""
        return lambda b: [s for s in self.blocks[b].successors if s in loop.blocks and s != loop.header]

    def _cold(self, loop):
        """Blocks of a loop's body, inner loops among them, that are not on the hot path: assumption 3."""
        inside = self._within(loop)
        nested = set().union(*(inner.blocks for inner in loop.inner)) if loop.inner else set()
        headers = {inner.header for inner in loop.inner}
        exits = {source for source, _ in loop.exits(self.blocks)}
        dominating = dominators(loop.header, inside)
        backwards = {END: []}
        for b in dominating:
            backwards.setdefault(b, [])
        for b in dominating:
            for s in inside(b) or [END]:
                backwards[s].append(b)
        following = dominators(END, lambda b: backwards[b])
        cold = set()

        def never(side):
            cold.update(x for x in dominating if side in dominating[x])

        for b in dominating.keys() - nested:
            block = self.blocks[b]
            sides = [s for s in inside(b) if s not in following[b]]
            if len(sides) == 1 and len(inside(b)) == 2 and not any(sides[0] in dominating[h] for h in headers):
                before = [p for p in block.predecessors if p in dominating]
                earlier = self.blocks[before[0]].instructions if len(before) == 1 else []
                if decided_by_vote(earlier + block.instructions):
                    never(sides[0])
            narrows = any(i.opcode.startswith("F2F.F32.F64") for i in block.instructions)
            if not (narrows or block.calls is not None or b in exits):
                continue
            # The branch that decides on this block: the nearest one before it that may also lead past it.
            before = sorted(dominating[b] - {b}, key=lambda d: -len(dominating[d]))
            branch = next((d for d in before if b not in following.get(d, {b})), None)
            if branch is None:
                continue
            around = any(s in following[branch] for s in inside(branch))
            if around or narrows:
                never(next((s for s in inside(branch) if s in dominating[b]), None))
        return cold

    def _trips(self, loop, counted):
        """Trips of a loop that counts, and the steps of it and the loops around: assumption 5."""
        step, bound = self._counter(loop)
        if step is None or (bound is None and step <= WARP and counted and (len(counted) > 1 or step > counted[0])):
            self.uncounted = True
            return 1.0, counted
        if bound is not None:
            return max(1.0, math.ceil(bound / step)), counted
        if step > WARP:
            return max(1.0, self.shared / 8 / step), counted
        if not counted:
            return math.ceil(WARP / step), [step]
        turns = range(0, WARP, counted[0])
        passes = sum(math.ceil(min(counted[0], WARP - first) / step) for first in turns)
        return passes / len(turns), counted + [step]

    def _counter(self, loop):
        """By how much a loop raises the register that ends it, and up to which constant; None: not known."""
        raised = {}
        for b in loop.blocks:
            for i in self.blocks[b].instructions:
                operands = [o.strip().removesuffix(".reuse") for o in i.operands.split(",")]
                if i.operation in ("IADD3", "VIADD", "UIADD3") and len(operands) > 2 and operands[0] == operands[1]:
                    numbers = [int(o, 0) for o in operands[2:] if NUMBER.match(o)]
                    if numbers and 0 < numbers[0] < 1 << 31:
                        raised[operands[0]] = numbers[0]
        for source, _ in loop.exits(self.blocks):
            for i in reversed(self.blocks[source].instructions):
                if COMPARISON.match(i.opcode):
                    operands = [o.strip().removesuffix(".reuse") for o in i.operands.split(",")]
                    for place, operand in enumerate(operands):
                        if operand in raised:
                            numbers = [int(o, 0) for o in operands[place + 1 :] if NUMBER.match(o)]
                            return raised[operand], numbers[0] if numbers else None
        return None, None
