#!/usr/bin/env bash
# The program is built as cmake/hardening.cmake says: position-independent, its tables read-only from the start, with
# stack protector and checked copies in it.
#   hardened.sh LIVENS
set -euo pipefail
expect() {
  grep -q "$2" <<<"$3" || { echo "no $1"; exit 1; }
  echo "$1: yes"
}
expect "position-independent executable" "Type:.*DYN" "$(readelf -hW "$1")"
expect "RELRO" GNU_RELRO "$(readelf -lW "$1")"
expect "BIND_NOW" "BIND_NOW\|FLAGS.*NOW" "$(readelf -dW "$1")"
symbols=$(readelf --dyn-syms -W "$1")
expect "stack protector" __stack_chk_fail "$symbols"
expect "checked copies" "_chk@" "$(grep -v stack_chk <<<"$symbols")"
