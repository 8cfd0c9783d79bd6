#!/bin/sh
# text_times.sh PROGRAMS TEXTS SCRATCH SIZE TABLE: steps a second of texts in the form that each scheme takes by
# default, compiled by NVRTC, as rows of TABLE. Every run is made twice, since the first one compiles.
set -u
livens=$1/livens texts=$2 scratch=$3 size=$4 table=$5 steps=1000
export LIVENS_CACHE="$scratch/cache"
status=77

time_text() {  # TEXT SCHEME
  cat >"$scratch/time.toml" <<END
[system]
file = "$texts/$1.toml"
[scheme]
name = "$2"
step = 1e-3
steps = $steps
[ensemble]
size = $size
[[ensemble.vary]]
what = "initial.v[0]"
law = "normal"
mode = "add"
mean = 0.0
std = 0.1
[output]
every = $steps
checkpoint_every = 0
END
  for turn in first second; do
    begun=$(date +%s)
    if ! "$livens" run "$scratch/time.toml" --force --backend cuda -o "$scratch/time.h5" >"$scratch/log" 2>&1; then
      echo "could not run: $1 $2: $(tail -n 1 "$scratch/log")"
      return
    fi
    [ $turn = second ] || first_run=$(($(date +%s) - begun))
  done
  form=$(sed -n 's/.*(\(.*\) form).*/\1/p' "$scratch/log")
  rate=$(sed -n 's|^\([^ ]*\) steps/s,.*|\1|p' "$scratch/log")
  newton=$(sed -n 's|.* \([0-9.]*\) Newton iterations per step.*|\1|p' "$scratch/log")
  printf '{"text": "%s", "scheme": "%s", "form": "%s", "instances": %d, "steps_per_second": %s, ' \
    "$1" "$2" "$form" "$size" "$rate" >>"$table"
  printf '"newton_iterations_per_step": %s, "first_run_seconds": %d}\n' "${newton:-0}" "$first_run" >>"$table"
  tail -n 1 "$table"
  status=0
}

: >"$table"
for pair in ${TEXT_PAIRS:-four_particle/ems four_particle/livens four_particle/rattle double_spherical_pendulum/ems
  double_spherical_pendulum/rattle heavy_top/ems heavy_top/livens driven_pivot/ems cart_pole/ems}; do
  time_text "${pair%/*}" "${pair#*/}"
done
exit $status
