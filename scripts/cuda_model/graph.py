"""Machine code of a kernel as a graph: basic blocks, loops within loops, subroutines."""

from dataclasses import dataclass, field


@dataclass
class Block:
    """Instructions that run one after the other: entered at the first, left after the last."""

    instructions: list
    successors: list = field(default_factory=list)  # addresses of blocks
    predecessors: list = field(default_factory=list)
    calls: int | None = None  # address of the subroutine called at the end

    @property
    def address(self):
        return self.instructions[0].address


@dataclass
class Loop:
    """A natural loop: all blocks from which its header is reached again without leaving it."""

    header: int
    blocks: set
    inner: list = field(default_factory=list)  # loops directly within

    def exits(self, blocks):
        """The edges that leave the loop, by address."""
        return [(b, s) for b in sorted(self.blocks) for s in blocks[b].successors if s not in self.blocks]

    def latches(self, blocks):
        return [b for b in blocks[self.header].predecessors if b in self.blocks]


def always(instruction):
    return not instruction.predicate or instruction.predicate in ("@PT", "@UPT")


def basic_blocks(instructions):
    """{address: Block}. A call returns behind it, so that its subroutine is no successor. Nor is what BRA.DIV leads to:
    a copy of what follows for a warp whose threads have diverged, which is not modelled."""
    starts = {instructions[0].address}
    for at, instruction in enumerate(instructions):
        if instruction.operation in ("BRA", "BRX", "EXIT", "RET", "CALL"):
            if instruction.target is not None:
                starts.add(instruction.target)
            if at + 1 < len(instructions):
                starts.add(instructions[at + 1].address)
    blocks = {}
    for instruction in instructions:
        if instruction.address in starts:
            block = Block([instruction])
            blocks[instruction.address] = block
        else:
            block.instructions.append(instruction)
    in_order = list(blocks.values())
    for block, following in zip(in_order, in_order[1:] + [None]):
        last = block.instructions[-1]
        # BRA P1, target: taken where P1 is set, however the instruction is guarded.
        conditional = not always(last) or (last.operation == "BRA" and "," in last.operands)
        falls_through = conditional or last.operation not in ("BRA", "BRX", "EXIT", "RET")
        if last.operation == "BRA" and last.opcode != "BRA.DIV" and last.target in blocks:
            block.successors.append(last.target)
        if last.operation == "CALL":
            block.calls = last.target
        if falls_through and following is not None and following.address not in block.successors:
            block.successors.append(following.address)
    for address, block in blocks.items():
        for successor in block.successors:
            blocks[successor].predecessors.append(address)
    return blocks


def reachable(start, successors):
    """Blocks in reverse post-order from `start`: without back edges, everything before what follows it."""
    order, seen, stack = [], {start}, [(start, iter(successors(start)))]
    while stack:
        address, rest = stack[-1]
        for successor in rest:
            if successor not in seen:
                seen.add(successor)
                stack.append((successor, iter(successors(successor))))
                break
        else:
            order.append(address)
            stack.pop()
    return order[::-1]


def dominators(start, successors):
    """{block: the blocks, itself among them, that every path from `start` to it goes through}."""
    order = reachable(start, successors)
    before = {address: [] for address in order}
    for address in order:
        for successor in successors(address):
            before[successor].append(address)
    everything = set(order)
    found = {address: everything for address in order} | {start: {start}}
    changed = True
    while changed:
        changed = False
        for address in order[1:]:
            new = set.intersection(*(found[b] for b in before[address])) | {address}
            if new != found[address]:
                found[address], changed = new, True
    return found


def loops_of(start, blocks):
    """The outermost loops of a routine, which hold the inner ones."""
    dominating = dominators(start, lambda b: blocks[b].successors)
    bodies = {}
    for latch in dominating:
        for header in blocks[latch].successors:
            if header not in dominating[latch]:
                continue
            body, waiting = bodies.setdefault(header, {header}), [latch]
            while waiting:
                address = waiting.pop()
                if address not in body:
                    body.add(address)
                    waiting += [b for b in blocks[address].predecessors if b in dominating]
    outermost = []
    by_size = sorted((Loop(header, body) for header, body in bodies.items()), key=lambda loop: -len(loop.blocks))
    for loop in by_size:
        siblings = outermost
        while around := next((other for other in siblings if loop.header in other.blocks), None):
            siblings = around.inner
        siblings.append(loop)
    return outermost
