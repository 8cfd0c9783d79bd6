#!/bin/bash
# contraction.sh ARCHIVE: no kernel has an instruction that multiplies and then adds and subtracts in turn. No kernel asks for
# one, so that it is a product and an addition that the compiler has contracted against its orders: other bits.
set -euo pipefail
found=$(objdump --disassemble --no-show-raw-insn "$1" |
  awk '/file format/ {object = $1} /\tvfm(addsub|subadd)/ {print object, $2}' | sort | uniq -c)
[ -z "$found" ] || { echo "$found"; exit 1; }
