# The pairs that are timed and profiled first, each as SYSTEM/SCHEME in the form that is taken by default, and how.
pairs_that_matter="four_particle/ems double_spherical_pendulum/del_nullspace heavy_top/ggl_vi unit_circle/del_nullspace
  double_four_bar/ems"

# time_pair PAIR SIZES SECONDS
time_pair() {
  pair_name=$(echo "$1" | tr / _)
  part "time_$pair_name" "$3" "$programs/cuda_selftest" --time "$logs/time_$pair_name.jsonl" --sizes "$2" --seconds 0.2 \
    --only "${1%/*} ${1#*/} "
}

# profile PAIR SECONDS: ncu with every section, and the counters of each line of the source, of one launch of few instances. The
# report goes to profiles.tar.gz while there is room, what it says in words to the logs.
profile() {
  report=$work/profiles/$(echo "$1" | tr / _)
  part "profile_$(basename "$report")" "$2" env PAIR="$1" sh "$here/ncu.sh" "$programs/cuda_selftest" --set full \
    --section SourceCounters --force-overwrite --export "$report"
  [ -f "$report.ncu-rep" ] || return 0
  for page in details raw; do timeout 20 ncu --import "$report.ncu-rep" --page $page; done \
    >"$logs/$(basename "$report").txt" 2>&1
  # An archive of more than 16 MB is more than some places let out; the first reports go before the last.
  if [ "$(cat "$work"/profiles/* | gzip -c | wc -c)" -gt 15000000 ]; then
    echo "the report is too large to be kept" >>"$logs/$(basename "$report").txt"
    rm "$report.ncu-rep"
  fi
}

# Where the libraries of the toolkit are, wherever it is. Without one of them a program does not start.
toolkit_libraries() {
  nvcc=$(readlink -f "$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)")
  echo "${nvcc%/bin/nvcc}/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
}
