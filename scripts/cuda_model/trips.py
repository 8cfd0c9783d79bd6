"""How often a loop turns that counts."""

import math
import re

WARP = 32
COMPARISON = re.compile(r"^U?ISETP\.")
NUMBER = re.compile(r"^-?(?:0x[0-9a-f]+|\d+)$")


def operands_of(instruction):
    return [operand.strip().removesuffix(".reuse") for operand in instruction.operands.split(",")]


def numbers_in(operands):
    return [int(operand, 0) for operand in operands if NUMBER.match(operand)]


def counter(blocks, loop):
    """By how much a loop raises the register that ends it, and up to which constant; None where that is not known."""
    raised = {}
    for b in loop.blocks:
        for instruction in blocks[b].instructions:
            operands = operands_of(instruction)
            if instruction.operation in ("IADD3", "VIADD", "UIADD3") and operands[0] == operands[1]:
                steps = [n for n in numbers_in(operands[2:]) if 0 < n < 1 << 31]
                if steps:
                    raised[operands[0]] = steps[0]
    for source, _ in loop.exits(blocks):
        for instruction in reversed(blocks[source].instructions):
            if COMPARISON.match(instruction.opcode):
                operands = operands_of(instruction)
                for place, operand in enumerate(operands):
                    if operand in raised:
                        return raised[operand], next(iter(numbers_in(operands[place + 1 :])), None)
    return None, None


def trips(blocks, loop, around, shared):
    """(trips, whether they are known, the steps of this loop and those around it that take the instances of a warp).

    `around`: such steps of the loops around; `shared`: bytes of shared memory that a block has."""
    step, bound = counter(blocks, loop)
    if step is None:
        return 1.0, False, around
    if bound is not None:
        return max(1.0, math.ceil(bound / step)), True, around
    if step > WARP:
        return max(1.0, shared / 8 / step), True, around
    if not around:
        return math.ceil(WARP / step), True, [step]
    at_a_time = around[0]
    if len(around) > 1 or step > at_a_time:
        return 1.0, False, around
    turns = range(0, WARP, at_a_time)
    passes = sum(math.ceil(min(at_a_time, WARP - first) / step) for first in turns)
    return passes / len(turns), True, [*around, step]
