"""Branches of a loop's body that are not on the hot path."""

from cuda_model.graph import dominators

END = -1  # where every path of a loop's body meets


class Body:
    """One run of a loop's body: the loops within may turn, this one does not."""

    def __init__(self, blocks, loop):
        self.blocks, self.loop = blocks, loop
        self.dominating = dominators(loop.header, self.successors)  # what every path to a block goes through
        predecessors = {b: [] for b in (END, *self.dominating)}
        for b in self.dominating:
            for s in self.successors(b) or [END]:
                predecessors[s].append(b)
        self.following = dominators(END, predecessors.get)  # what every path from it goes through

    def successors(self, block):
        return [s for s in self.blocks[block].successors if s in self.loop.blocks and s != self.loop.header]

    def behind(self, side):
        """The blocks that are reached through `side` alone."""
        return {b for b in self.dominating if side in self.dominating[b]}

    def sides(self, branch):
        """The successors of a branch that its other ways lead past."""
        return [s for s in self.successors(branch) if s not in self.following[branch]]

    def branch_of(self, block):
        """The branch that decides whether a block is run: the nearest one before it that may lead past it."""
        before = sorted(self.dominating[block] - {block}, key=lambda b: -len(self.dominating[b]))
        return next((b for b in before if block not in self.following.get(b, {block})), None)


def decided_by_vote(instructions):
    """True where the branch that ends these asks about the outcome of a vote of the warp."""
    asked = set(instructions[-1].reads)
    for instruction in reversed(instructions[:-1]):
        if asked.intersection(instruction.writes):
            if instruction.operation in ("VOTE", "VOTEU"):
                return True
            asked = asked.difference(instruction.writes) | set(instruction.reads)
    return False


def instructions_before(body, block):
    """Those of a block, after those of the one that leads to it, if it is one."""
    before = [p for p in body.blocks[block].predecessors if p in body.dominating]
    earlier = body.blocks[before[0]].instructions if len(before) == 1 else []
    return earlier + body.blocks[block].instructions


def not_taken(blocks, loop):
    """Blocks of a loop that are not run, but for what the loops within say of their own: a detour is one side of a
    branch, whose other ways lead past it."""
    body = Body(blocks, loop)
    nested = {b for inner in loop.inner for b in inner.blocks}
    exits = {source for source, _ in loop.exits(blocks)}
    found = set()
    for b in body.dominating.keys() - nested:
        sides = body.sides(b)
        if len(sides) == 1 and decided_by_vote(instructions_before(body, b)):
            detour = body.behind(sides[0])
            if not any(inner.header in detour for inner in loop.inner):
                found |= detour
        narrows = any(i.opcode.startswith("F2F.F32.F64") for i in blocks[b].instructions)
        branch = body.branch_of(b) if narrows or b in exits or blocks[b].calls is not None else None
        if branch is not None and (narrows or len(body.sides(branch)) == 1):
            found |= body.behind(next((s for s in body.sides(branch) if s in body.dominating[b]), None))
    return found
