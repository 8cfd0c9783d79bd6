"""A system written as text is compiled once, kept, and run from what was kept; whatever goes wrong meanwhile is said in a
sentence and loses nothing.

usage: first_use.py LIVENS SOURCE_DIRECTORY DIRECTORY [MPIRUN]
"""

import functools
import hashlib
import os
import re
import resource
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

from place import Place, expect

from datasets import require_same  # of tests/program

SPEC = """
[system]
file = "own.toml"
mass = 2.0
[scheme]
name = "del_multiplier"
step = 0.05
steps = 40
[ensemble]
size = 3000
[[ensemble.vary]]
what = "initial.v[1]"
law = "normal"
mode = "add"
mean = 0.0
std = 0.1
[output]
trajectories = 3
"""


def compiled_once_and_kept(place):
    said = place.call("compile", place.spec)
    parts = 2 if "plain" in said else 3  # the system, the pair, and in lanes its difficult steps
    expect(said.count("compiled in") == parts, said)
    said = place.call("compile", place.spec)
    expect(said.count("in the cache already") == parts, said)
    place.call("compile", place.spec, "--set", "scheme.name=livens")
    objects = 2*parts - 1  # of the system there is one
    expect(len(place.entries()) == objects, place.entries())
    listed = place.call("cache")
    expect(all(word in listed for word in ("unit_circle_text", "del_multiplier", "livens", f"{objects} objects")), listed)
    expect(all(len(line) <= 80 for line in listed.splitlines() if str(place.cache) not in line), listed)
    expect(stat.S_IMODE(place.cache.stat().st_mode) == 0o700, "the cache is open to others")
    place.clear()
    expect(place.entries() == [], place.entries())


def many_at_once(place):
    """Of twenty processes that need the same objects one compiles each of them."""
    processes = [place.start("compile", place.spec) for _ in range(20)]
    said = [process.communicate() for process in processes]
    expect(all(process.returncode == 0 for process in processes), said)
    parts = 2 if "plain" in said[0][0] else 3
    expect("".join(output for output, _ in said).count("compiled in") == parts, said)
    left = [path.name for path in place.cache.iterdir() if path not in place.entries()]
    expect(len(place.entries()) == parts and left == [], left)


def difficult_steps(place):
    """They are compiled by the first run that takes one, and that is as if they had been there: where nothing can compile
    them, and where it is interrupted meanwhile."""
    if "plain" in place.call("compile", place.spec):
        return print("  one instance at a time every step is taken with care")
    wild = place.directory / "wild.toml"
    wild.write_text(place.spec.read_text().replace("std = 0.1", "std = 10.0"))
    run = ("run", wild, "--force", "--quiet", "--set", "scheme.steps=400", "-o")
    place.call(*run, "ahead.h5")
    place.clear()
    place.run("gentle.h5")
    expect(len(place.entries()) == 2, place.entries())
    empty = place.directory / "without_compiler"
    empty.mkdir()
    said = place.call(*run, "difficult.h5", PATH=str(empty), expected=2)
    expect("difficult steps" in said and "livens compile" in said, said)
    place.call(*run, "difficult.h5")
    expect(len(place.entries()) == 3, place.entries())
    require_same(place.directory / "ahead.h5", place.directory / "difficult.h5")

    called = place.directory / "called_for_difficult_steps"
    slow = place.directory / "slow_with_difficult_steps"
    slow.write_text("#!/bin/bash\nunit=\"${!#}\"\nif [ -f \"$unit\" ] && grep -q own_careful \"$unit\"; then\n"
                    f"  echo $$ > {called}\n  sleep 600\nfi\nexec g++ \"$@\"\n")
    slow.chmod(0o700)
    for threads in ("1", "2"):
        called.unlink(missing_ok=True)
        process = place.start(*run, "interrupted.h5", "--threads", threads, CXX=str(slow))
        while not called.exists():
            expect(process.poll() is None, "no difficult step", process.stderr)
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=10)
        expect(process.returncode == 130 and "checkpoint" in said and ends(int(called.read_text())), said)
        place.call(*run, "interrupted.h5", "--resume")
        require_same(place.directory / "ahead.h5", place.directory / "interrupted.h5")


def killed_while_compiling(place):
    place.clear()
    process = place.start("compile", place.spec)
    while not any(path.name.startswith("unfinished-") for path in place.cache.iterdir()):
        expect(process.poll() is None, "it was done before it could be killed")
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    expect(place.entries() == [], "an object that was not done")
    place.run("after_kill.h5")
    expect(not any(path.name.startswith("unfinished-") for path in place.cache.iterdir()), "halves are left")


def ends(pid):
    """Within two seconds: what was killed may still stand in the table of processes while the kernel takes it down."""
    until = time.monotonic() + 2.0
    while time.monotonic() < until:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.01)
    return False


def interrupted_while_compiling(place):
    """A compiler that takes its time, and what it has called, end with the program."""
    slow = place.directory / "slow"
    slow.write_text("#!/bin/sh\ncase \"$*\" in *--version*) echo slow 1; exit;; esac\n"
                    f"sleep 600 & echo $! >> {place.directory}/called\necho $$ >> {place.directory}/called\nwait\n")
    slow.chmod(0o700)
    called = place.directory / "called"
    for command in (["compile", place.spec], ["run", place.spec, "-o", "cut.h5", "--quiet"],
                    ["run", place.spec, "-o", "cut.h5", "--dry-run"],
                    ["compare", place.spec, "--over", "scheme.step=0.05,0.1", "-o", "cut", "--quiet"]):
        place.clear()
        called.unlink(missing_ok=True)
        process = place.start(*command, CXX=str(slow))
        while not called.exists() or len(called.read_text().split()) < 2:
            expect(process.poll() is None, command, "ended before it compiled", process.stderr)
            time.sleep(0.01)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
        expect(process.returncode == 130 and time.monotonic() - begin < 3.0, command, process.returncode, said)
        expect("nothing was written" in said, command, said)
        expect(all(ends(pid) for pid in called.read_text().split()), command, "left", called.read_text())
        left = [path.name for path in place.cache.iterdir()]
        expect(not any(name.startswith("unfinished-") for name in left), command, left)


def an_object_that_ends_too_early(place):
    """It is neither kept nor loaded; what was kept, and sealed, is not loaded."""
    place.clear()
    cutting = place.directory / "cutting"
    cutting.write_text('#!/bin/sh\ng++ "$@" || exit\nwhile [ $# -gt 0 ]; do\n'
                       '  [ "$1" = -o ] && truncate -s 9000 "$2"\n  shift\ndone\n')
    cutting.chmod(0o700)
    said = place.call("run", place.spec, "-o", "cut.h5", "--quiet", CXX=str(cutting), expected=4)
    expect("not written whole" in said and place.entries() == [], said)
    place.call("compile", place.spec)
    for entry in place.entries():
        kept = entry / "object.so"
        os.truncate(kept, 9000)
        about = entry / "about.toml"
        digest = hashlib.sha256(kept.read_bytes()).hexdigest()
        about.write_text(re.sub(r"sha256 = '[0-9a-f]+'", f"sha256 = '{digest}'", about.read_text()))
    said = place.call("run", place.spec, "-o", "cut.h5", "--quiet", expected=4)
    expect("is not whole" in said and "livens cache --clear" in said, said)
    place.clear()


def without_a_compiler(place):
    """What is in the cache runs; what is not is refused, with a remedy."""
    empty = place.directory / "empty"
    empty.mkdir()
    whole = place.run("whole.h5")
    require_same(whole, place.run("without.h5", PATH=str(empty)))
    said = place.call("run", place.spec, "--set", "scheme.name=ems", PATH=str(empty), expected=2)
    expect("no C++ compiler was found" in said and "apt install g++" in said, said)
    said = place.call("run", place.spec, "--set", "scheme.name=ems", CXX="/no/such/compiler", expected=2)
    expect("CXX" in said, said)


def a_compiler_that_fails(place):
    """Never shown raw: it is no fault of whoever wrote the text."""
    compiler = place.directory / "compiler"
    compiler.write_text("#!/bin/sh\n[ \"$1\" = --version ] && echo 'g++ 0 Free Software Foundation' && exit\n"
                        "echo raw words of the compiler\nexit 1\n")
    compiler.chmod(0o700)
    said = place.call("run", place.spec, CXX=str(compiler), expected=4)
    expect("a fault of livens" in said and "raw words" not in said, said)
    log = re.search(r"livens: (/\S*compiler\.log)", said)
    expect(log and "raw words" in Path(log.group(1)).read_text(), said)


def where_there_is_no_room(place):
    """A disk that is full, and a limit on files, are named as such, and nothing is kept of what did not become whole."""
    place.clear()
    compiler = place.directory / "compiler"
    for words in ("No space left on device", "Disk quota exceeded", "File too large", "Read-only file system",
                  "fatal error: Killed signal terminated program cc1plus", ""):
        compiler.write_text("#!/bin/sh\n[ \"$1\" = --version ] && echo 'g++ 0 Free Software Foundation' && exit\n"
                            f"printf '%s' '{words}'\nexit 1\n")
        compiler.chmod(0o700)
        said = place.call("run", place.spec, CXX=str(compiler), expected=4)
        expect("fault of livens" not in said and "LIVENS_CACHE" in said, said)
        expect((words.split(":")[-1].split() or ["could not say why"])[0] in said, said)
    limited = functools.partial(resource.setrlimit, resource.RLIMIT_FSIZE, (60_000, 60_000))  # no object has room
    ended = subprocess.run([place.livens, "run", place.spec, "-o", "full.h5"], env=place.environment,
                           cwd=place.directory, preexec_fn=limited, capture_output=True, text=True)
    expect(ended.returncode == 4 and "fault of livens" not in ended.stderr, ended.stderr)
    expect("File too large" in ended.stderr or "size limit" in ended.stderr, ended.stderr)
    expect(not any(path.name.startswith("failed-") for path in place.cache.iterdir()), "what had no room is kept")
    place.run("room.h5")


def without_temporary_files(place):
    place.clear()
    said = place.call("compile", place.spec, expected=2, TMPDIR="/no/such/place")
    expect("TMPDIR is '/no/such/place'" in said, said)


def where_nothing_can_be_written(place):
    said = place.call("run", place.spec, LIVENS_CACHE="/proc/nowhere", expected=2)
    expect("LIVENS_CACHE" in said, said)
    file = place.directory / "a_file"
    file.write_text("")
    expect("is no directory" in place.call("run", place.spec, LIVENS_CACHE=str(file), expected=2), "a file")


def of_others(place):
    """What others may write to is not loaded, nor what is not what was compiled."""
    place.cache.chmod(0o770)
    expect("written by others" in place.call("run", place.spec, expected=2), "an open cache")
    place.cache.chmod(0o700)
    place.clear()
    place.run("before.h5")
    for entry in place.entries():
        with open(entry / "object.so", "r+b") as file:
            file.seek(1000)
            file.write(b"tampered")
    said = place.call("run", place.spec, "-o", "tampered.h5", expected=4)
    expect("is not the object that was compiled" in said, said)
    expect(not (place.directory / "tampered.h5").exists(), "a result of an object that was tampered with")
    place.clear()


def for_a_gpu(place):
    """Modules for a GPU that is not there are kept in the same cache; where nothing compiles them, a sentence says so."""
    asked = ("compile", place.spec, "--backend", "cuda")
    nowhere = place.call(*asked, "--architecture", "90", LIVENS_NVRTC="/no/such/library", expected=2)
    expect("LIVENS_NVRTC" in nowhere, nowhere)
    expect("--backend cuda" in place.call("compile", place.spec, "--architecture", "90", expected=2), "a processor")
    process = place.start(*asked, "--architecture", "90")
    output, errors = process.communicate()
    if "no compiler for GPUs" in errors:
        expect(process.returncode == 2 and "nvidia-cuda-nvrtc" in errors, errors)
        return print("  neither NVRTC nor nvcc")
    expect(process.returncode == 0 and output.count("sm_90") == 2, output + errors)
    again = place.call(*asked, "--architecture", "90")
    expect(again.count("in the cache already") == (4 if "plain" in again else 5), again)
    expect(place.call("cache").count("sm_90") == 2, "modules are not listed")
    unknown = place.call(*asked, "--architecture", "55", expected=2)
    expect("does not compile for compute capability 5.5" in unknown, unknown)
    place.clear()


def the_text_is_part_of_the_run(place):
    """Shards, what failed, and a run that goes on need the result alone; another text is another run."""
    whole = place.run("of_one.h5")
    for i in range(2):
        place.run(f"part{i}.h5", "--shard", f"{i}/2")
    place.call("merge", "part0.h5", "part1.h5", "-o", "merged.h5")
    require_same(whole, place.directory / "merged.h5")
    text = (place.directory / "own.toml").read_text()
    (place.directory / "own.toml").write_text(text.replace("default = 1.0", "default = 1.5"))
    place.run("other.h5", "--shard", "1/2")
    said = place.call("merge", "part0.h5", "other.h5", "-o", "never.h5", expected=2)
    expect("not of the same run" in said, said)
    (place.directory / "own.toml").unlink()
    place.call("info", "of_one.h5")
    place.call("merge", "part0.h5", "part1.h5", "-o", "merged_again.h5")
    (place.directory / "own.toml").write_text(text)


def goes_on(place):
    """A run that was killed goes on from its checkpoint, to the bit; with another text it does not."""
    settings = ("--set", "scheme.steps=8000", "--set", "output.checkpoint_every=0.05", "--threads", "1")
    expected = place.run("in_one_go.h5", *settings)
    process = place.start("run", place.spec, "-o", "killed.h5", "--quiet", *settings)
    while process.poll() is None and not (place.directory / "killed.h5.checkpoint/standing").exists():
        time.sleep(0.01)
    expect(process.poll() is None, "it was done before it could be killed")
    process.send_signal(signal.SIGKILL)
    process.wait()
    own = place.directory / "own.toml"
    text = own.read_text()
    own.write_text(text.replace("mass*dot", "1.0*mass*dot"))
    place.call("run", place.spec, "-o", "killed.h5", "--quiet", "--resume", *settings, expected=2)
    own.write_text(text)
    require_same(expected, place.run("killed.h5", "--resume", *settings))


def on_ranks(place, mpirun):
    """The ranks of a run compile each object once, and give what one process gives."""
    place.clear()
    # As root, and on fewer processors than ranks, mpirun wants to be told; "isolated": without ssh.
    command = [mpirun, "--allow-run-as-root", "--oversubscribe", "--mca", "plm", "isolated", "-n", "3", place.livens]
    done = subprocess.run([*command, "run", place.spec, "-o", "ranks.h5", "--quiet"], env=place.environment,
                          cwd=place.directory, capture_output=True, text=True)
    expect(done.returncode == 0, done.stderr)
    expect(len(place.entries()) == 2, place.entries())
    require_same(place.run("of_one.h5"), place.directory / "ranks.h5")


def main(livens, source, directory, mpirun=None):
    place = Place(livens, source, directory, SPEC)
    cases = [compiled_once_and_kept, many_at_once, difficult_steps, killed_while_compiling, interrupted_while_compiling,
             an_object_that_ends_too_early, without_a_compiler, a_compiler_that_fails, where_there_is_no_room,
             without_temporary_files, where_nothing_can_be_written, of_others, for_a_gpu, the_text_is_part_of_the_run,
             goes_on]
    if mpirun:
        cases.append(functools.partial(on_ranks, mpirun=mpirun))
    for case in cases:
        begin = time.monotonic()
        case(place)
        print(f"{getattr(case, '__name__', 'on_ranks')}: ok, {time.monotonic() - begin:.1f} s", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
