"""What a person at a terminal sees: every --help has an example, everything fits 80 columns, colour is there for who
wants it and nowhere else, and a shell completes commands, options, words and files.

usage: terminal.py LIVENS DIRECTORY
"""

import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys

WIDTH = 80
SPEC = """
[system]
name = "unit_circle"
[scheme]
name = "ems"
steps = 20
{scheme}
[ensemble]
size = 8
[[ensemble.vary]]
what = "initial.v[0]"
law = "normal"
mean = 0.0
std = 1.0
[output]
file = "r.h5"
"""
# Its name and that of the scheme take half of a line.
TEXT = """
[system.text]
name = "pendulum_of_four_decimals"
kinetic = "1/2*(x'^2 + y'^2)"
potential = "9.8066*y"
constraints = ["x^2 + y^2 - 1"]
coordinates = { x = 1, y = 1 }
initial.q = { x = 1 }
[scheme]
name = "del_multiplier"
step = 0.01
steps = 20
"""
# Newton's method converges for none: the motion is far from linear in so long a step.
FAILING = 'step = 1e3\nretry = 0\n[scheme.newton]\nmax_iterations = 1\n'
RED, GREEN = "\033[31m", "\033[32m"


def expect(condition, message):
    if not condition:
        raise SystemExit(message)


class Program:
    def __init__(self, livens, directory):
        self.livens, self.directory = os.path.abspath(livens), directory

    def say(self, *arguments, status=0, width=WIDTH, **environment):
        """What a command prints on both streams; lines are as long as the page allows."""
        ended = subprocess.run([self.livens, *arguments], cwd=self.directory, capture_output=True, text=True,
                               env={**os.environ, "LIVENS_CACHE": os.path.join(self.directory, "cache"), **environment})
        call = " ".join(arguments)
        expect(ended.returncode == status, f"{call}: exit status {ended.returncode}: {ended.stderr}")
        if width:
            for line in (ended.stdout + ended.stderr).splitlines():
                # A word that is longer stands alone.
                expect(len(line) <= width or " " not in line.strip(), f"{call}: {len(line)} columns: {line}")
        return ended.stdout + ended.stderr

    def at_a_terminal(self, *arguments, **environment):
        """The same on a pseudo terminal, which is both streams."""
        leader, follower = pty.openpty()
        variables = {**{k: v for k, v in os.environ.items() if k != "NO_COLOR"}, "TERM": "xterm", **environment}
        child = subprocess.Popen([self.livens, *arguments], cwd=self.directory, stdin=follower, stdout=follower,
                                 stderr=follower, env=variables)
        os.close(follower)
        said = b""
        while True:
            try:
                part = os.read(leader, 4096)
            except OSError:  # nobody holds the other end any more
                break
            if not part:
                break
            said += part
        child.wait()
        os.close(leader)
        return said.decode()

    def commands(self):
        listed = self.say("--help").split("Subcommands:")[1].split("Examples:")[0]
        return re.findall(r"^  ([a-z]+)(?= |$)", listed, re.MULTILINE)


def pages(program):
    commands = program.commands()
    expect({"run", "list", "show", "info", "merge", "failures", "completion"} <= set(commands), f"commands {commands}")
    for command in commands:
        help_text = program.say(command, "--help")
        expect(re.search(rf"^Examples?:\n  .*livens {command}\b", help_text, re.MULTILINE),
               f"{command} --help: no example")
    expect(program.say("list").count("\n") <= 50, "livens list is longer than a screen")
    program.say("list", "--pairs")
    systems = json.loads(program.say("list", "--json", width=None))["systems"]
    # Of those that are compiled on first use one is enough.
    others = [system["name"] for system in systems if not system["compiled"]]
    for name in program.say("list", "--names").split():
        if name not in others[1:]:
            program.say("show", name)
    for name in others[:1]:
        told = program.say("show", name)
        expect("not built in" in told and f'{name}"' in told.split("-DLIVENS_SYSTEMS=")[1].split()[0], told)
    program.say("list", "--why", "unit_circle", "rattle")
    program.say("show", "newton_diverged")
    print(f"{len(commands)} pages of help, list, show: {WIDTH} columns at most")


def a_run(program):
    summary = program.say("run", "s.toml", "--force")
    expect("8 of 8 instances ok" in summary and "to try" not in summary, summary)
    program.say("run", "s.toml", "--dry-run", "--force")
    program.say("info", "r.h5")
    failed = program.say("run", "failing.toml", "--force")
    expect("to try:" in failed and "newton_diverged" in failed.split("to try:")[1], f"no advice: {failed}")
    expect("scheme.step" in failed.split("to try:")[1], failed)
    expect("to try:" in program.say("failures", "r.h5", "-o", "rerun.toml"), "failures: no advice")
    shown = program.say("show", "newton_diverged")
    expect("scheme.step" in shown and "livens failures" in shown, shown)
    print("run, info, failures: what to try, on pages")


def compiled_on_first_use(program):
    """What the cache has of a text, by a compiler that says much of itself."""
    wordy = os.path.join(program.directory, "compiler")
    with open(wordy, "w") as file:
        file.write('#!/bin/sh\n[ "$*" != --version ] || exec printf "%s\\n" "g++ (Debian 12.2.0-14+deb12u1) 12.2.0" '
                   '"Free Software Foundation"\nexec g++ -O0 "$@"\n')
    os.chmod(wordy, 0o755)
    program.say("compile", "text.toml", CXX=wordy)
    listed = program.say("cache")
    expect(re.search(r"^pendulum_of_four_decimals +del_multiplier .* g\+\+( 12\.2\.0)?$", listed, re.MULTILINE), listed)
    expect("12.2.0-14" not in listed, listed)
    print(f"cache: {WIDTH} columns at most")


def colour(program):
    expect(RED in program.at_a_terminal("run", "failing.toml", "--force", "--progress", "none"), "no red status")
    expect(GREEN in program.at_a_terminal("run", "s.toml", "--force", "--progress", "none"), "no green status")
    expect(RED + "livens:" in program.at_a_terminal("run", "absent.toml"), "no red error")
    expect(RED in program.at_a_terminal("run", "absent.toml", NO_COLOR=""), "an empty NO_COLOR says nothing")
    for plain in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        for command in (("run", "absent.toml"), ("run", "failing.toml", "--force", "--progress", "none"),
                        ("info", "r.h5"), ("list",)):
            expect("\033" not in program.at_a_terminal(*command, **plain), f"{command}: colour with {plain}")
    expect("\033" not in program.say("run", "failing.toml", "--force"), "colour in a pipe")
    print("colour at a terminal, none with NO_COLOR, TERM=dumb or in a pipe")


def bash_completes(program, *words):
    """What bash offers for the last of the words."""
    script = (
        'PATH=$1:$PATH; source <(livens completion bash); shift\n'
        'COMP_WORDS=(livens "$@"); COMP_CWORD=$#; _livens; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    ended = subprocess.run(["bash", "-c", script, "bash", os.path.dirname(program.livens), *words],
                           cwd=program.directory, capture_output=True, text=True)
    expect(ended.returncode == 0 and not ended.stderr, f"bash: {ended.stderr}")
    return set(ended.stdout.split())


def completion(program):
    commands = set(program.commands())
    expect(bash_completes(program, "") == commands | {"--help", "--version"}, "not all commands")
    expect(bash_completes(program, "sh") == {"show"}, "not show")
    for command in commands:
        help_text = program.say(command, "--help")
        options = set(re.findall(r"(?<![\w-])--[a-z]+(?:-[a-z]+)*", help_text.split("Example")[0].split("Usage")[1]))
        offered = bash_completes(program, command, "--")
        missing = {option for option in options if option not in offered}
        # An option that a meaning names may be one of another command.
        expect(not missing & set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", help_text, re.MULTILINE)),
               f"{command}: {missing} is not completed")
    expect(bash_completes(program, "run", "--backend", "") == {"auto", "cpu", "cuda", "reference"}, "not the backends")
    expect(bash_completes(program, "run", "s") == {"s.toml"}, "not the spec")
    expect("r.h5" in bash_completes(program, "info", ""), "not the result")
    expect("s.toml" not in bash_completes(program, "info", ""), "a spec is no result")
    expect("unit_circle" in bash_completes(program, "show", "unit_"), "not the system")
    expect("ems" in bash_completes(program, "list", "--why", "unit_circle", "e"), "not the scheme")
    for shell in ("zsh", "fish"):
        script = program.say("completion", shell, width=None)
        for command in commands:
            expect(command in script, f"{shell}: {command} is missing")
        if shutil.which(shell):
            checked = subprocess.run([shell, "-n", "/dev/stdin"], input=script, capture_output=True, text=True)
            expect(checked.returncode == 0, f"{shell}: {checked.stderr}")
    print("completion: commands, options, words, files, names")


def nobody_reads(program):
    """As behind `| head -1`: a command whose reader has gone ends in silence, as others do, and has done its work."""
    os.remove(os.path.join(program.directory, "r.h5"))
    for command in (["run", "s.toml"], ["run", "s.toml", "--force", "--json"], ["run", "s.toml", "--force", "--dry-run"],
                    ["info", "r.h5"], ["info", "r.h5", "--json"], ["list"], ["list", "--json"], ["list", "--options"],
                    ["list", "--why", "unit_circle", "ems"], ["show", "unit_circle"], ["show", "ems", "--json"],
                    ["new", "unit_circle", "-o", "-"], ["completion", "bash"], ["cache"], ["doctor"],
                    ["export", "r.h5", "csv", "--force"]):
        reader, writer = os.pipe()
        os.close(reader)
        ended = subprocess.run([program.livens, *command], cwd=program.directory, stdout=writer, stderr=subprocess.PIPE,
                               env={**os.environ, "LIVENS_CACHE": os.path.join(program.directory, "cache")})
        os.close(writer)
        expect(ended.returncode == -signal.SIGPIPE and ended.stderr == b"", f"{command}, unread: {ended}")
    expect(os.path.exists(os.path.join(program.directory, "r.h5")), "a run whose summary nobody read has no result")
    # A disk that is full is something else.
    with open("/dev/full", "w") as full:
        ended = subprocess.run([program.livens, "list"], stdout=full, stderr=subprocess.PIPE, text=True)
    expect(ended.returncode == 4 and "No space left on device" in ended.stderr, f"a full disk: {ended}")
    print("nobody reads: silence")


def main(livens, directory):
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    for name, text in (("s.toml", SPEC.format(scheme="step = 0.01")), ("failing.toml", SPEC.format(scheme=FAILING)),
                       ("text.toml", TEXT)):
        with open(os.path.join(directory, name), "w") as file:
            file.write(text)
    program = Program(livens, directory)
    for topic in (pages, a_run, compiled_on_first_use, colour, completion, nobody_reads):
        topic(program)
    shutil.rmtree(directory)


if __name__ == "__main__":
    main(*sys.argv[1:])
