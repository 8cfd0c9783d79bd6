#!/usr/bin/env python3
"""without_ptx.py PROGRAM...: clears the PTX in fat binaries, which a device that has its machine code never reads. Zeros
take no room in an archive."""

import pathlib
import struct
import sys

MAGIC, VERSION, HEADER, PTX = b"\x50\xed\x55\xba", 1, 16, 1

for path in map(pathlib.Path, sys.argv[1:]):
    data = bytearray(path.read_bytes())
    at = data.find(MAGIC)
    while at >= 0:
        _, version, header, size = struct.unpack_from("<IHHQ", data, at)
        entry, end = at + header, at + header + size
        if version == VERSION and header == HEADER and end <= len(data):  # else the bytes are of something else
            while entry < end:
                kind, _, header, size = struct.unpack_from("<HHIQ", data, entry)
                if kind == PTX:
                    data[entry + header : entry + header + size] = bytes(size)
                entry += header + size
        at = data.find(MAGIC, at + 1)
    path.write_bytes(data)
