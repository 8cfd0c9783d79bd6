# ncu on the five pairs that matter: every section, with the counters of each line of the source, of one launch of few
# instances. The reports go to profiles.tar.gz, what they say in words to the logs.
begin_stage
. "$here/pairs_that_matter.sh"
[ -n "$only_part" ] || rm -f "$work"/profiles/*
kept=0
for pair in $pairs_that_matter; do
  name=$(echo "$pair" | tr / _)
  report=$work/profiles/$name.ncu-rep
  part "$name" 80 env PAIR="$pair" sh "$here/ncu.sh" "$programs/cuda_selftest" --set full --section SourceCounters \
    --force-overwrite --export "${report%.ncu-rep}"
  [ -f "$report" ] || continue
  timeout 20 ncu --import "$report" --page details >"$logs/$name.txt" 2>&1
  # An archive of more than 16 MB is more than some places let out; the first reports go before the last.
  bytes=$(gzip -c "$report" | wc -c)
  if [ $((kept + bytes)) -gt 15000000 ]; then
    echo "the report is too large to be kept: $bytes bytes" >>"$logs/$name.txt"
    rm "$report"
  else
    kept=$((kept + bytes))
  fi
done
