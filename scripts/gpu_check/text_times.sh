#!/bin/sh
# text_times.sh PROGRAMS TEXTS SCRATCH SIZE TABLE: steps a second of texts in the form that each scheme takes by
# default, compiled by NVRTC, all of them side by side, before one after the other is timed, as rows of TABLE.
set -u
livens=$1/livens texts=$2 scratch=$3 size=$4 table=$5 steps=1000
pairs=${TEXT_PAIRS:-four_particle/ems four_particle/livens four_particle/vi_a four_particle/ggl_vi four_particle/rattle
  double_spherical_pendulum/ems heavy_top/livens driven_pivot/ems cart_pole/ems}
export LIVENS_CACHE="$scratch/cache"
status=77

study_of() { echo "$scratch/time_$(echo "$1" | tr / _).toml"; }

for pair in $pairs; do
  cat >"$(study_of "$pair")" <<END
[system]
file = "$texts/${pair%/*}.toml"
[scheme]
name = "${pair#*/}"
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
  # What fails here fails once more below, and is said there.
  "$livens" compile "$(study_of "$pair")" --backend cuda >/dev/null 2>&1 &
done
wait

: >"$table"
for pair in $pairs; do
  if ! "$livens" run "$(study_of "$pair")" --force --backend cuda -o "$scratch/time.h5" >"$scratch/log" 2>&1; then
    echo "could not run: $pair: $(tail -n 1 "$scratch/log")"
    continue
  fi
  form=$(sed -n 's/.*(\(.*\) form).*/\1/p' "$scratch/log")
  rate=$(sed -n 's|^\([^ ]*\) steps/s,.*|\1|p' "$scratch/log")
  newton=$(sed -n 's|.* \([0-9.]*\) Newton iterations per step.*|\1|p' "$scratch/log")
  printf '{"text": "%s", "scheme": "%s", "form": "%s", "instances": %d, "steps_per_second": %s, ' \
    "${pair%/*}" "${pair#*/}" "$form" "$size" "$rate" >>"$table"
  printf '"newton_iterations_per_step": %s}\n' "${newton:-0}" >>"$table"
  tail -n 1 "$table"
  status=0
done
exit $status
