# The report that a stage leaves. Sourced by gpu_check.sh, which sets out, from, stage and only_part; a stage is
#   stage_seconds=N; begin_stage; part NAME SECONDS COMMAND...; ...
# Stages know programs, expected, logs (a file NAME.jsonl there, an object a line, becomes a list in the report) and
# work.

programs=$from/programs
expected=$from/expected
work=${GPU_CHECK_WORK:-${TMPDIR:-/tmp}/gpu_check}

# A JSON string of one line of text.
quote() { printf '"%s"' "$(printf '%s' "$1" | tr -d '\000-\037' | sed 's/\\/\\\\/g; s/"/\\"/g')"; }

word_of() {
  case $1 in
    0) echo passed ;;
    3) echo "nothing compared" ;;
    77) echo "could not run" ;;
    124) echo "not done in time" ;;
    *) echo wrong ;;
  esac
}

# Of two exit statuses the one that counts.
worse() {
  for status in 1 124 77 3 0; do
    if [ "$1" = $status ] || [ "$2" = $status ]; then
      echo $status
      return
    fi
  done
}

# Of the device that is used, the first.
query() { nvidia-smi --query-gpu="$1" --format=csv,noheader 2>/dev/null | head -n 1; }

begin_stage() {
  begun=$(date +%s)
  logs=$work/logs/$stage
  parts=$work/$stage.parts
  [ -n "$only_part" ] || rm -rf "$logs" "$parts"
  mkdir -p "$logs" "$work/profiles" || exit 2
  touch "$parts"
  device=$(query name) driver=$(query driver_version)
  echo "== $stage"
  write_report 124  # what it stays if this is stopped
}

left() { echo $((stage_seconds - ($(date +%s) - begun))); }

# The lines that programs and sanitizers print as soon as something is wrong.
failures='\bFAIL\b\|^========= \(Invalid\|Error: Race\|Barrier error\)'

# judged STATUS LOG: the exit status of gpu_check.sh that follows from that of a program.
judged() {
  case $1 in
    126 | 127) echo 77 ;;
    # A failure stays one when there was no time for the rest.
    124 | 137) if grep -q "$failures" "$2"; then echo 1; else echo 124; fi ;;
    0 | 3 | 77) echo "$1" ;;
    *) echo 1 ;;
  esac
}

# part NAME SECONDS COMMAND...: runs it for at most so long, or for what is left of the stage.
part() {
  name=$1 limit=$2
  shift 2
  [ -z "$only_part" ] || [ "$only_part" = "$name" ] || return 0
  log=$logs/$name.log
  part_begun=$(date +%s)
  [ "$limit" -le "$(left)" ] || limit=$(left)
  if [ "$limit" -gt 0 ]; then
    timeout -k 5 "$limit" "$@" >"$log" 2>&1 </dev/null
    status=$(judged $? "$log")
  else
    echo "no time was left in this stage" >"$log"
    status=124
  fi
  seconds=$(($(date +%s) - part_begun))
  summary=$(tail -n 1 "$log" | cut -c 1-300)
  if [ -s "$parts" ]; then grep -v "^{\"part\": \"$name\"," "$parts" >"$parts.new"; else : >"$parts.new"; fi
  printf '{"part": "%s", "verdict": "%s", "exit_status": %d, "seconds": %d, "summary": %s}\n' \
    "$name" "$(word_of "$status")" "$status" "$seconds" "$(quote "$summary")" >>"$parts.new"
  mv "$parts.new" "$parts"
  printf '%-12s %-28s %-16s %4d s  %s\n' "$stage" "$name" "$(word_of "$status")" "$seconds" "$summary"
  write_report 124
}

# The worst of all parts in the file.
stage_status() {
  result=0
  [ -s "$parts" ] || result=3
  for status in $(sed -n 's/.*"exit_status": \([0-9]*\),.*/\1/p' "$parts"); do result=$(worse "$status" "$result"); done
  echo "$result"
}

end_stage() {
  status=$(stage_status)
  write_report "$status"
  echo "== $stage: $(word_of "$status") ($(($(date +%s) - begun)) s), $out/$stage.json"
  return "$status"
}

# Lines of a file as the entries of a JSON list; one that was cut off is left out.
listed() { grep '}$' "$1" | sed '$!s/$/,/; s/^/  /'; }

write_report() {
  {
    printf '{"stage": "%s", "status": "%s", "seconds": %d,\n' "$stage" "$(word_of "$1")" $(($(date +%s) - begun))
    printf ' "commit": %s,\n' "$(quote "$(cat "$root/COMMIT" 2>/dev/null || git -C "$root" describe --always --dirty \
      --abbrev=40 2>/dev/null || echo unknown)")"
    printf ' "device": %s, "driver": %s,\n' "$(quote "$device")" "$(quote "$driver")"
    printf ' "parts": [\n%s\n ]' "$(listed "$parts")"
    # Tables: logs/STAGE/NAME.jsonl, an object a line.
    for table in "$logs"/*.jsonl; do
      [ ! -s "$table" ] || printf ',\n "%s": [\n%s\n ]' "$(basename "$table" .jsonl)" "$(listed "$table")"
    done
    printf '}\n'
  } >"$out/$stage.json.new" && mv "$out/$stage.json.new" "$out/$stage.json"
  # Stages share one archive of logs, and that of the profiles is apart because it is large.
  archive logs
  [ -z "$(ls -A "$work/profiles")" ] || archive profiles
}

# Whole, or as it was.
archive() {
  tar -C "$work" -czf "$out/$1.tar.gz.new" "$1" && mv "$out/$1.tar.gz.new" "$out/$1.tar.gz"
}
