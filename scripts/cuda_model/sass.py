"""Machine code of a kernel as cuobjdump -sass prints it: instructions with their operands."""

import re
from dataclasses import dataclass, field

FUNCTION = re.compile(r"^\s*Function : (\S+)")
INSTRUCTION = re.compile(r"^\s*/\*([0-9a-f]{4,})\*/\s+(?:(@!?U?P\w+)\s+)?([A-Z][\w.]*)\s*(.*?)\s*;")
REGISTER = re.compile(r"(?<![\w.])(U?R)(\d+)((?:\.\w+)*)")
PREDICATE = re.compile(r"(?<![\w.])(U?P\d)\b")
TARGET = re.compile(r"0x[0-9a-f]+")

DOUBLE = {"DADD", "DMUL", "DFMA", "DSETP"}
# LD and ST, which may be of any memory, are those of functions out of line to arguments by reference: stack.
MEMORY = {"LDL": "local", "STL": "local", "LD": "local", "ST": "local", "LDS": "shared", "STS": "shared"}
# Nothing is written by these: every register they name is read.
READERS = {"STL", "STS", "STG", "ST", "BRA", "BRX", "CALL", "RET", "EXIT", "BSYNC", "BSSY", "BAR", "WARPSYNC"}


@dataclass
class Instruction:
    address: int
    opcode: str  # with its modifiers: LDS.64
    predicate: str  # the guard, "" where there is none
    operands: str
    reads: list = field(default_factory=list)  # registers and predicates by name: R12, UR4, P0
    writes: list = field(default_factory=list)

    @property
    def operation(self):
        return self.opcode.split(".")[0]

    @property
    def is_double(self):
        return self.operation in DOUBLE

    @property
    def space(self):
        """The memory on the chip that is read or written: local, shared, or None."""
        return MEMORY.get(self.operation)

    @property
    def bytes(self):
        """Of a load or store, a thread."""
        for width, size in ((".128", 16), (".64", 8), (".U16", 2), (".S16", 2), (".U8", 1), (".S8", 1)):
            if width in self.opcode:
                return size
        return 4

    @property
    def target(self):
        """The address that a branch or call leads to, or None where a register says."""
        if self.operation not in ("BRA", "CALL"):
            return None
        found = TARGET.findall(self.operands)
        return int(found[-1], 16) if found else None


def registers_at(kind, number, wide):
    return [f"{kind}{int(number) + i}" for i in range(wide)]


def width(opcode, first):
    """Registers of one operand: a double takes two. `first`: the operand that is written, or stored."""
    operation = opcode.split(".")[0]
    if operation in DOUBLE or operation == "CS2R":
        return 2
    if operation.startswith(("LD", "ST", "ULDC")):
        return (4 if ".128" in opcode else 2 if ".64" in opcode else 1) if first else 1
    if first and (".WIDE" in opcode or operation == "I2F" and ".F64" in opcode):
        return 2
    if operation in ("F2F", "F2I") and ".F64" in opcode:
        return 2
    return 1


def dependences(instruction):
    """Fills in what an instruction reads and writes. A store's last operand, the value, is as wide as the store."""
    opcode, operation = instruction.opcode, instruction.operation
    operands = instruction.operands.split(",")
    reads, writes = instruction.reads, instruction.writes
    if instruction.predicate:
        reads.append(instruction.predicate.lstrip("@!"))
    compares = "SETP" in operation or operation in ("PLOP3", "UPLOP3")
    stored = len(operands) - 1 if operation.startswith("ST") else None
    for place, operand in enumerate(operands):
        written = place == 0 and operation not in READERS and not compares
        for kind, number, suffix in REGISTER.findall(operand):
            wide = width(opcode, written or place == stored)
            if ".64" in suffix:
                wide = max(wide, 2)
            (writes if written else reads).extend(registers_at(kind, number, wide))
        for predicate in PREDICATE.findall(operand):
            # ISETP P0, PT, R1, R2, P1 writes the first two places, IADD3 R1, P0, R2, R3 a carry in the second.
            is_written = place < 2 and (compares or operation in ("IADD3", "UIADD3", "LOP3", "LEA", "VOTE", "VOTEU"))
            (writes if is_written else reads).append(predicate)


def read(text, wanted=None):
    """{mangled name: instructions} of a listing; of the functions in `wanted` alone, where it is given."""
    functions, current = {}, None
    for line in text.splitlines():
        if match := FUNCTION.match(line):
            current = None if wanted is not None and match[1] not in wanted else functions.setdefault(match[1], [])
        elif current is not None and (match := INSTRUCTION.match(line)):
            instruction = Instruction(int(match[1], 16), match[3], match[2] or "", match[4])
            dependences(instruction)
            current.append(instruction)
    return functions
