#!/bin/sh
# ncu.sh SELFTEST OPTIONS...: ncu on the second launch of `advance` of one pair, by default unit_circle's; PAIR names
# another as SYSTEM/SCHEME. Clocks stay as they are. Exit status 77 where ncu may not read the counters, or is not
# there.
set -u
selftest=$1
shift
pair=${PAIR:-unit_circle/ems}
command -v ncu >/dev/null || { echo "could not run: no ncu"; exit 77; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT
ncu --clock-control none --kernel-name advance --launch-skip 1 --launch-count 1 "$@" \
  "$selftest" --advance "${pair%/*}" "${pair#*/}" >"$log" 2>&1
status=$?
cat "$log"
if grep -q -e ERR_NVGPUCTRPERM -e '==ERROR==' -e 'No kernels were profiled' "$log"; then
  echo "could not run: $(grep -m 1 -e ERR_NVGPUCTRPERM -e '==ERROR==' -e 'No kernels were profiled' "$log")"
  exit 77
fi
exit $status
