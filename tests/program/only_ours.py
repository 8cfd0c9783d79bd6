"""A run writes and removes what is its own and nothing else: not what a user has put in its place, not what a symbolic
link points to, not the checkpoint of another run.

usage: only_ours.py LIVENS DIRECTORY
"""

import fcntl
import os
import shutil
import subprocess
import sys

from datasets import require_same

SPEC = """
[system]
name = "foucault_pendulum"
[scheme]
name = "contact_2"
steps = 200
[ensemble]
size = 100
[[ensemble.vary]]
what = "system.length"
law = "uniform"
low = 50.0
high = 80.0
"""


class Place:
    """A new directory with a spec in it."""

    def __init__(self, livens, directory, name):
        self.livens, self.directory, self.name = livens, os.path.join(directory, name), name
        os.makedirs(self.directory)
        self.file("s.toml", SPEC)

    def path(self, name):
        return os.path.join(self.directory, name)

    def file(self, name, text="mine"):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w") as file:
            file.write(text)

    def tree(self):
        """Everything there is: links as what they point to, files with what they hold."""
        found = {}
        for folder, folders, files in os.walk(self.directory):
            for name in folders + files:
                path = os.path.join(folder, name)
                found[path] = (
                    os.readlink(path)
                    if os.path.islink(path)
                    else open(path, "rb").read()
                    if os.path.isfile(path)
                    else "special"
                )
        return found

    def expect(self, status, message, *options):
        """A run ends so; unless it succeeds, everything stays as it was."""
        before = self.tree()
        # A run that waits for somebody at the other end of a FIFO would wait for ever: hence the timeout.
        output = () if "-o" in options else ("-o", "r.h5")
        ended = subprocess.run([self.livens, "run", "s.toml", "--quiet", *output, *options], cwd=self.directory,
                               capture_output=True, text=True, timeout=60)
        if ended.returncode != status or message not in ended.stderr:
            raise SystemExit(f"{self.name}: exit status {ended.returncode} for {status}, said '{ended.stderr}'")
        after = self.tree()
        if status != 0 and after != before:
            changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
            raise SystemExit(f"{self.name}: has changed {changed}")
        print(f"{self.name}: {status}, {ended.stderr.strip()}")


def directories_of_a_user(place):
    mine = place("a file of mine in the place of the checkpoint")
    mine.file("r.h5.checkpoint/notes.txt")
    mine.expect(2, "r.h5.checkpoint: holds 'notes.txt', which no run has put there")
    mine.expect(2, "notes.txt", "--resume")

    named_alike = place("a file of mine that is called segments")
    named_alike.file("r.h5.checkpoint/segments")
    named_alike.expect(4, "segments: was not written by a run")

    empty = place("an empty directory")
    os.makedirs(empty.path("r.h5.checkpoint"))
    empty.expect(0, "")

    several = place("the checkpoints of three ranks")
    for rank in range(3):
        several.file(f"r.h5.checkpoint/rank-{rank}-of-3/standing")
        several.file(f"r.h5.checkpoint/rank-{rank}-of-3/segments")
    for options in ((), ("--resume",)):
        several.expect(2, "holds an interrupted run of 3 ranks", *options)


def links(place):
    for name, message in (
        ("r.h5", "r.h5: cannot be written (a symbolic link, not a regular file)"),
        ("r.h5.checkpoint", "r.h5.checkpoint: cannot be used (a symbolic link)"),
        ("r.h5.checkpoint/segments", "segments: cannot be written (a symbolic link)"),
    ):
        for target in ("file", "directory", "nothing"):
            linked = place(f"{name}, a link to {target}".replace("/", "-"))
            if target == "file":
                linked.file("target")
            if target == "directory":
                os.makedirs(linked.path("target"))
            os.makedirs(os.path.dirname(linked.path(name)), exist_ok=True)
            os.symlink(linked.path("target"), linked.path(name))
            linked.expect(4, message)


def special_files(place):
    for name, message in (("r.h5", "cannot be written"), ("r.h5.checkpoint", "cannot be used"),
                          ("r.h5.checkpoint/segments", "cannot be written")):
        special = place(f"{name}, a FIFO".replace("/", "-"))
        os.makedirs(os.path.dirname(special.path(name)), exist_ok=True)
        os.mkfifo(special.path(name))
        special.expect(4, message)
    directory = place("r.h5, a directory")
    os.makedirs(directory.path("r.h5"))
    directory.expect(4, "cannot be written (a directory")
    for device in ("/dev/null", "/dev/stdout"):
        place(device.replace("/", " ")).expect(4, f"{device}: cannot be written (a ", "-o", device)


def another_run(place):
    """A run that lives holds the lock, and nothing of its checkpoint is read before the lock is had."""
    busy = place("a checkpoint that is being written")
    busy.file("r.h5.checkpoint/standing", "half a chec")
    busy.file("r.h5.checkpoint/segments", "")
    with open(busy.path("r.h5.checkpoint/segments"), "rb") as segments:
        fcntl.flock(segments, fcntl.LOCK_EX)
        for options in ((), ("--resume",)):
            busy.expect(4, "segments: is being written by another run", *options)
    busy.expect(4, "standing: damaged", "--resume")


def streams(place):
    """A closed stream is not the next file that is opened, and a reader that has gone ends no run."""
    said = place("standard streams")
    said.expect(0, "")
    for closed in ("2>&-", ">&- 2>&-", "<&- >&- 2>&-"):
        command = f'"$0" run s.toml --progress json -o closed.h5 {closed}'
        status = subprocess.run(["bash", "-c", command, said.livens], cwd=said.directory, stdout=subprocess.DEVNULL,
                                timeout=60).returncode
        # A summary that cannot be printed is a file that cannot be written; the result is there.
        if status != (4 if ">&- 2" in closed else 0):
            raise SystemExit(f"{closed}: exit status {status}")
        require_same(said.path("r.h5"), said.path("closed.h5"))
        os.remove(said.path("closed.h5"))
    reader, writer = os.pipe()
    os.close(reader)
    broken = subprocess.run([said.livens, "run", "s.toml", "--progress", "json", "-o", "broken.h5"], cwd=said.directory,
                            stderr=writer, stdout=subprocess.DEVNULL, timeout=60)
    if broken.returncode != 0:
        raise SystemExit(f"a progress that nobody reads: exit status {broken.returncode}")
    require_same(said.path("r.h5"), said.path("broken.h5"))
    print("standard streams: closed or broken, the result is the same")


def main(livens, directory):
    shutil.rmtree(directory, ignore_errors=True)

    def place(name):
        return Place(os.path.abspath(livens), directory, name)

    for topic in (directories_of_a_user, links, special_files, another_run, streams):
        topic(place)
    shutil.rmtree(directory)


if __name__ == "__main__":
    main(*sys.argv[1:])
