#!/usr/bin/env bash
# A man page of livens and one of each of its commands: man_pages.sh LIVENS HELP2MAN DIRECTORY
set -euo pipefail
livens=$1 help2man=$2 directory=$3
version=$("$livens" --version)
mkdir -p "$directory"

# Of the words of a call, "livens run", the page livens-run(1). The text in front of the usage is its name.
page() {
  local call=$1 title=${1// /-}
  local name
  name=$("$livens" ${call#livens} --help | sed '/^Usage/,$d' | tr '\n' ' ')
  (
    PATH=$(dirname "$livens"):$PATH
    "$help2man" --no-info --section 1 --manual "livens" --source "$version" --version-string "$version" \
      --name "$(sed 's/^livens: //; s/ *$//' <<<"$name")" --output "$directory/$title.1.partial" "$call"
  )
  # help2man calls the page of a command by its first word, and fills the lines of examples.
  sed -e "s/^\.TH [^ ]*/.TH ${title^^}/" -e "s/^livens \\\\- /$title \\\\- /" \
    -e '/^\.SH EXAMPLES/,$ s/^\.IP$/.IP\n.nf/' "$directory/$title.1.partial" >"$directory/$title.1"
  rm "$directory/$title.1.partial"
}

for command in $("$livens" --help | awk '/^Subcommands:/ {inside = 1; next} /^[^ ]/ {inside = 0} inside && /^  [a-z]/ {print $1}'); do
  page "livens $command"
done
page livens
