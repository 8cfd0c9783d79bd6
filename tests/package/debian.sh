#!/usr/bin/env bash
# debian.sh BUILD WORK EXAMPLE PYTHON: the packages that cpack makes of the build, unpacked side by side: the program
# runs and compiles on first use against the headers beside it, find_package(livens) finds all it names, and the package
# of Python, where the build has one, runs. Nothing is installed.
set -euo pipefail
build=$1 work=$2 example=$3 python=$4
rm -rf "$work"
mkdir -p "$work"
(cd "$build" && cpack -B "$work/packages") >"$work/cpack.log" 2>&1 || { cat "$work/cpack.log"; exit 1; }
root=$work/root
for package in "$work"/packages/*.deb; do
  dpkg-deb -x "$package" "$root"
  dpkg-deb -c "$package" | awk '!/^d/ {print $6}' >>"$work/files"
  dpkg-deb -f "$package" Package Version Depends Recommends | tr '\n' ' '
  echo
done | tee "$work/about"
expect() { grep -Eq "$1" "$work/about" || { echo "no package with: $1" >&2; exit 1; }; }
expect '^Package: livens .*Depends: .*libc6.*libhdf5.*Recommends: g\+\+'  # of its libraries, by dpkg-shlibdeps
expect '^Package: livens-dev .*Depends: livens \(= '
twice=$(sort "$work/files" | uniq -d)
[ -z "$twice" ] || { echo "in two packages: $twice" >&2; exit 1; }

cd "$work"
livens=$root/usr/bin/livens
"$livens" run "$root/usr/share/livens/studies/unit_circle.toml" -o circle.h5
printf '[system]\nfile = "%s"\n[scheme]\nname = "del_multiplier"\nsteps = 10\n' \
  "$example/../systems/unit_circle.toml" >text.toml
LIVENS_CACHE=$work/cache "$livens" run text.toml -o text.h5
grep -q "^headers = ['\"]$root/usr/" cache/*/about.toml
for made in $(cd "$build/manual" && find . -type f); do
  [ -n "$(find "$root/usr/share" -name "$(basename "$made")")" ] || { echo "in no package: $made" >&2; exit 1; }
done
cmake -S "$example" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$root/usr" >cmake.log || { cat cmake.log; exit 1; }

[ -d "$build/python" ] || exit 0
made=$build/studies/papers  # where the interpreter has what the figures import
[ ! -d "$made" ] || diff -r "$made" "$root/usr/share/livens/studies/papers"
expect '^Package: python3-livens .*Depends: .*python3-xarray'
PYTHONPATH=$root/usr/lib/python3/dist-packages "$python" - "$root" <<'PYTHON'
import sys

import livens as lv
from livens import gallery

assert lv.__file__.startswith(sys.argv[1]), lv.__file__
assert lv.run(f"{sys.argv[1]}/usr/share/livens/studies/unit_circle.toml").instances.sizes["instance"] == 60
assert gallery.entries()
PYTHON
