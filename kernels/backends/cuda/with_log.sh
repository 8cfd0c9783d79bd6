#!/bin/sh
# Launcher of nvcc: runs the command given and keeps its report beside the object file, in OBJECT.log, with the seconds
# it took. What ptxas says about registers goes to the log alone; warnings and errors are shown as well.
log=nvcc.log
previous=
for argument in "$@"; do
  if [ "$previous" = -o ]; then log=$argument.log; fi
  previous=$argument
done
started=$(date +%s)
"$@" >"$log" 2>&1
status=$?
grep -v -e '^ptxas info' -e 'bytes stack frame' "$log" >&2
echo "seconds: $(($(date +%s) - started))" >>"$log"
exit $status
