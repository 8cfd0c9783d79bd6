#!/usr/bin/env bash
# Bad requests to the program itself: exit status, what the message names, and that nothing is left behind.
#   bad_requests.sh LIVENS SCRATCH_DIR
set -uo pipefail
livens=$1 scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
wrong=0

# Runs a command and compares: name, exit status, text the message must hold, files that may be there afterwards.
expect() {
  local name=$1 status=$2 text=$3 files=$4
  shift 4
  local said
  said=$("$@" 2>&1 >/dev/null)
  local got=$?
  local there
  there=$(ls | tr '\n' ' ')
  if [ $got -ne "$status" ] || ! grep -qF -- "$text" <<<"$said" || [ "$there" != "$files" ]; then
    echo "$name: exit status $got for $status, said '$said' for '$text', files '$there' for '$files'"
    wrong=1
  else
    echo "$name: $got, $said"
  fi
}
spec() { printf '%b' "$1" >s.toml; }
four='[system]\nname = "four_particle"\n'

spec "${four}[scheme]\nstpe = 0.1\n"
expect "unknown key" 2 "s.toml:4: scheme.stpe: unknown key 'stpe'; did you mean 'step'?" "s.toml " "$livens" run s.toml
spec '[system]\nname = "four_partcle"\n'
expect "misspelt system" 2 "did you mean 'four_particle'" "s.toml " "$livens" run s.toml
spec "${four}[scheme]\nstep = \"small\"\n"
expect "wrong type" 2 "s.toml:4: scheme.step" "s.toml " "$livens" run s.toml
spec "${four}[scheme]\nstep = -0.1\n"
expect "negative step" 2 "s.toml:4: scheme.step" "s.toml " "$livens" run s.toml
spec "${four}mass = [1.0, 2.0]\n"
expect "length of an array" 2 "s.toml:3: system.mass: has 2 values; expected 4" "s.toml " "$livens" run s.toml
spec "${four}[initial]\nconsistency = \"require\"\nq = [0, 0, 0, 9, 0, 0, 0, 1, 0, 1, 1, 0]\n"
expect "inconsistent state" 2 "s.toml:4: initial.consistency: the base state violates" "s.toml " "$livens" run s.toml
spec "${four}[initial]\nconsistency = \"require\"\nq = [0, 0, 0, 1e200, 0, 0, 0, 1, 0, 1, 1, 0]\n"
expect "overflowing state" 2 "s.toml:4: initial.consistency: the base state violates" "s.toml " "$livens" run s.toml

spec "${four}[scheme]\nname = \"ems\"\nalpha = 0.5\n"
expect "option of another scheme" 2 "s.toml:5: scheme.alpha: scheme ems has no option 'alpha'" "s.toml " "$livens" run s.toml
spec "${four}[scheme]\nname = \"vi_a\"\nalpha = 1.0\n"
expect "option out of range" 2 "s.toml:5: scheme.alpha: 1 is out of range; expected a number between 0 and 1" "s.toml " \
  "$livens" run s.toml
spec "${four}[scheme]\nname = \"vi_a\"\nalpha = 0.4\nform = \"reduced\"\n"
expect "option of the full form only" 2 "has only the standard options" "s.toml " "$livens" run s.toml
spec "${four}[scheme]\nname = \"ems\"\nform = \"full\"\nprecision = \"single\"\n"
expect "single precision of a large form" 2 \
  "s.toml:6: scheme.precision: the full form of ems on four_particle is not offered in single precision; expected double" \
  "s.toml " "$livens" run s.toml
spec "${four}[scheme]\nprecision = \"half\"\n"
expect "unknown precision" 2 "s.toml:4: scheme.precision: " "s.toml " "$livens" run s.toml
spec "${four}[scheme]\nprecision = \"mixed\"\n"
expect "mixed precision of the reference" 2 "--backend reference: is in double precision" "s.toml " \
  "$livens" run s.toml --backend reference
spec '[system]\nname = "mass_spring"\n[scheme]\nname = "ems"\n'
expect "pair that makes no sense" 2 "ems does not run mass_spring: it needs holonomic constraints and a constant regular mass matrix" \
  "s.toml " "$livens" run s.toml
spec '[system]\nname = "mass_spring"\n[scheme]\nderivative = "plain"\n'
expect "a discrete gradient that the form does not have" 2 "livens on mass_spring has only the standard options" \
  "s.toml " "$livens" run s.toml
spec '[system.text]\nname = "one"\nkinetic = "x\x27^2"\n[system.text.coordinates]\nx = 1\n[scheme]\nname = "livens"\nderivative = "plain"\n'
expect "a discrete gradient that no text has" 2 "s.toml:8: scheme.derivative: the discrete gradient of a text is the one along the text" \
  "s.toml " "$livens" run s.toml
spec '[system]\nname = "mass_spring"\n[initial]\np = [0.0, 0.0, 1.0]\n'
expect "momenta with a singular mass matrix" 2 "s.toml:4: initial.p: the mass matrix of mass_spring is singular" "s.toml " \
  "$livens" run s.toml
spec '[system]\nname = "heavy_top"\n[[ensemble.vary]]\nwhat = "system.radius"\nlaw = "uniform"\nmode = "multiply"\nlow = 1.0\nhigh = 2.0\n'
expect "change of a parameter that follows from others" 2 "s.toml:4: ensemble.vary[0].what: 'system.radius' follows from other" \
  "s.toml " "$livens" run s.toml

spec "${four}[scheme]\nsteps = 20\n[output]\nevery = 1\ntrajectories = 2000\n"
expect "output that is the spec" 2 "s.toml: is the spec itself" "s.toml " "$livens" run s.toml -o s.toml
expect "no such directory" 4 "none/r.h5: cannot be written" "s.toml " "$livens" run s.toml -o none/r.h5
expect "limit on file size" 4 "cannot be written (File too large)" "s.toml " \
  bash -c 'ulimit -f 100; exec "$0" run s.toml --size 2000 -o r.h5' "$livens"
expect "standard error closed" 2 "" "s.toml " bash -c '"$0" run none.toml 2>&-' "$livens"
expect "no such command" 2 "did you mean 'run'" "s.toml " "$livens" rnu s.toml

"$livens" run s.toml -o r.h5 --quiet
head -c 5000 r.h5 >cut.h5
expect "truncated result" 4 "cut.h5: " "cut.h5 r.h5 s.toml " "$livens" info cut.h5
expect "result that is none" 4 "s.toml: " "cut.h5 r.h5 s.toml " "$livens" info s.toml
spec "${four}[scheme]\nsteps = 10\n[[ensemble.vary]]\nwhat = \"system.mass[0]\"\nlaw = \"values\"\nvalues = [1.0, nan, -1.0, 2.0]\n"
expect "verify with instances that fail" 0 "" "cut.h5 r.h5 s.toml " "$livens" verify s.toml
exit $wrong
