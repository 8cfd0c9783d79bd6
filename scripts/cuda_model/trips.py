"""The trips of a loop that counts."""

import math
import re

WARP = 32
COMPARISON = re.compile(r"^U?ISETP\.")
NUMBER = re.compile(r"^-?(?:0x[0-9a-f]+|\d+)$")


def operands_of(instruction):
    return [operand.strip().removesuffix(".reuse") for operand in instruction.operands.split(",")]


def numbers_in(operands):
    """The constants among operands: 0xffffffff is -1."""
    numbers = (int(operand, 0) for operand in operands if NUMBER.match(operand))
    return [n - (1 << 32) if n >= 1 << 31 else n for n in numbers]


def change_of(instruction):
    """By how much an instruction raises the register it writes, a constant; None where it is no such one."""
    operands = operands_of(instruction)
    if instruction.operation in ("IADD3", "VIADD", "UIADD3") and operands[0] == operands[1]:
        return next((n for n in numbers_in(operands[2:]) if n != 0), None)
    return None


def counter(blocks, loop):
    """The register that ends a loop, by how much it changes in a turn, and up to which constant; None: not known. Where
    both sides of the comparison change, as registers that serve twice, it is the one that changes next to it."""
    for source, _ in loop.exits(blocks):
        last = blocks[source].instructions
        comparison = next((i for i in reversed(last) if COMPARISON.match(i.opcode)), None)
        if comparison is None:
            continue
        elsewhere = [i for b in sorted(loop.blocks - {source}) for i in blocks[b].instructions]
        operands = operands_of(comparison)
        for instruction in reversed(elsewhere + last):
            change = change_of(instruction)
            if change is not None and instruction.writes[0] in operands:
                register = instruction.writes[0]
                bound = next(iter(numbers_in(operands[operands.index(register) + 1 :])), None)
                return register, change, bound
    return None, None, None


def start_of(blocks, loop, register):
    """The constant that a register is set to before a loop, or None."""
    before = [i for b in blocks if b < loop.header for i in blocks[b].instructions if register in i.writes]
    if not before or "MOV" not in before[-1].opcode:
        return None
    return next(iter(numbers_in(operands_of(before[-1])[1:])), None)


def trips(blocks, loop, around, shared):
    """(trips, whether they are known, the steps of this loop and those around it that take the instances of a warp).

    `around`: such steps of the loops around; `shared`: bytes of shared memory that a block has. Within a loop that
    counts to a constant no other one takes instances: it eliminates a matrix, pivot by pivot."""
    register, step, bound = counter(blocks, loop)
    pivots = [*around, 1, 1] if around else []
    if step is not None and step < 0:
        start = start_of(blocks, loop, register)
        return (1.0, False, around) if start is None else (start // -step + 1, True, pivots)
    if bound is not None:
        return max(1.0, math.ceil(bound / step)), True, pivots
    if step is not None and not around:
        return math.ceil(WARP / step), True, [step]
    if step is not None and len(around) == 1:
        at_a_time = around[0]
        if step > WARP:
            return max(1.0, shared / 8 / step), True, around
        if step <= at_a_time:
            turns = range(0, WARP, at_a_time)
            passes = sum(math.ceil(min(at_a_time, WARP - first) / step) for first in turns)
            return passes / len(turns), True, [*around, step]
    return 1.0, False, around
