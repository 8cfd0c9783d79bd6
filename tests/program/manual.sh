#!/usr/bin/env bash
# The man pages are those of all commands, and groff has nothing to say against them: manual.sh LIVENS DIRECTORY
# Where groff is missing: skipped.
set -euo pipefail
livens=$1 pages=$2
command -v groff >/dev/null || exit 77
commands=$("$livens" --help | awk '/^Subcommands:/ {inside = 1; next} /^[^ ]/ {inside = 0} inside && /^  [a-z]/ {print $1}')
for name in livens ${commands//$'\n'/ }; do
  [ "$name" = livens ] || name=livens-$name
  said=$(groff -man -Tutf8 -ww -rLL=78n "$pages/$name.1" 2>&1 >/dev/null)
  if [ -n "$said" ]; then
    echo "$name.1: $said"
    exit 1
  fi
  shown=$(groff -man -Tascii -P-c -P-b -P-o -P-u "$pages/$name.1")
  for part in NAME SYNOPSIS OPTIONS; do
    grep -q "^$part" <<<"$shown" || { echo "$name.1: no $part"; exit 1; }
  done
  grep -q "^EXAMPLES" <<<"$shown" || { echo "$name.1: no example"; exit 1; }
  grep -Eq "^ +$name +- +[a-z]" <<<"$shown" || { echo "$name.1: another name"; exit 1; }
done
echo "$(ls "$pages" | wc -l) man pages"
