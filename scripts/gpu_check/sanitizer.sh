#!/bin/sh
# sanitizer.sh TOOL COMMAND...: a command under compute-sanitizer. Exit status 0 without errors, 1 with some, 77 where
# it may not attach to the device (containers, some virtual machines) or is not there.
set -u
tool=$1
shift
command -v compute-sanitizer >/dev/null || { echo "could not run: no compute-sanitizer"; exit 77; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT
case $tool in
  # That memory is exhausted is one of the checks, which look at what every call returns.
  memcheck) options="--report-api-errors no" ;;
  *) options= ;;
esac
# The log is shown while it grows: what was found before the time is over counts.
{ compute-sanitizer --tool "$tool" $options --error-exitcode 99 "$@" 2>&1; echo "exit status $?"; } | tee "$log"
status=$(sed -n 's/^exit status //p' "$log" | tail -n 1)
could_not='device not supported\|unable to'
if grep -q -i "$could_not" "$log"; then
  echo "could not run: $(grep -m 1 -i "$could_not" "$log")"
  exit 77
fi
if [ "$status" = 99 ]; then
  echo "FAIL $tool found errors"
  exit 1
fi
# "ERROR SUMMARY: 0 errors", and of racecheck "RACECHECK SUMMARY: 0 hazards displayed".
if ! grep -q 'SUMMARY: 0 ' "$log"; then
  echo "could not run: there is no summary"
  exit 77
fi
exit "$status"
