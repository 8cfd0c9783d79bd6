"""livens check on systems that obey the laws, and on texts with a mistake in them, which it must find.

usage: check_systems.py LIVENS SYSTEMS DIRECTORY
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

livens, systems, directory = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])


def check(*arguments):
    return subprocess.run([livens, "check", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True)


def expect(status, *arguments):
    """The process, if it has ended with that status."""
    ended = check(*arguments)
    assert ended.returncode == status, f"{arguments}: status {ended.returncode}\n{ended.stdout}{ended.stderr}"
    return ended


def laws(ended, verdict):
    """(law, scheme) of the rows with that verdict."""
    rows = [line for line in ended.stdout.splitlines() if line.endswith(verdict)]
    return {(line[:28].strip(), line[28:48].strip()) for line in rows}


def changed(system, old, new):
    """A copy of an example with something else in one place."""
    text = (systems / f"{system}.toml").read_text()
    assert text.count(old) == 1, f"{system}: {old}"
    path = directory / f"{system}.toml"
    path.write_text(text.replace(old, new))
    return path


def systems_hold():
    found = laws(expect(0, systems / "unit_circle.toml", "--scheme", "ems", "--scheme", "ggl_vi"), "ok")
    for law in ("order", "momentum maps", "constraints on q", "reference"):
        assert {(law, "ems"), (law, "ggl_vi")} <= found, found
    # Only what a scheme promises is asked of it.
    assert ("energy", "ems") in found and ("energy", "ggl_vi") not in found
    assert ("order", "livens") in laws(expect(0, systems / "mass_spring.toml"), "ok")
    found = laws(expect(0, systems / "foucault_pendulum.toml", "--scheme", "contact_2"), "ok")
    assert {("constraints on v", "contact_2"), ("derivatives: A", "-")} <= found, found
    # Rows of velocities in Chaplygin's form, M of position, and a scheme in the form for any mechanism.
    found = laws(expect(0, systems / "chaplygin_sleigh.toml", "--scheme", "livens"), "ok")
    assert {("order", "livens"), ("energy", "livens"), ("reference", "livens")} <= found, found
    # Walls that keep N K N^T and one that does not; and a spring that is there part of the time.
    for system in ("bouncing_ball", "double_pendulum_at_a_wall"):
        found = laws(expect(0, systems / f"{system}.toml", "--scheme", "ems"), "ok")
        assert {("rate after an impact", "ems"), ("loss of an impact", "ems"), ("energy", "ems"),
                ("reference", "ems")} <= found, found
    found = laws(expect(0, systems / "hertz_contact.toml", "--scheme", "ems"), "ok")
    assert {("order", "ems"), ("energy, damped", "ems"), ("reference", "ems")} <= found, found


def broken_momentum():
    # The weight turns the pendulum about every axis but its own.
    wrong = changed("unit_circle", 'momentum    = ["u[0]*p(u[1]) - u[1]*p(u[0])"]', 'momentum    = ["p(u)[0]"]')
    ended = expect(1, wrong, "--scheme", "ems")
    assert laws(ended, "BROKEN") == {("momentum maps", "ems")}, ended.stdout
    assert "is not conserved" in ended.stderr


def broken_agreement():
    # The reference reads a text with a factor that the compiled one has not: derivatives and trajectories differ.
    other = changed("mass_spring", "stiffness[1]/4*(x2^2 + x2^4)", "1.000001*stiffness[1]/4*(x2^2 + x2^4)")
    broken = laws(expect(1, systems / "mass_spring.toml", "--against", other), "BROKEN")
    assert {("derivatives: DV", "-"), ("derivatives: Dbar V", "-"), ("reference", "livens")} <= broken, broken
    assert ("energy", "livens") not in broken and ("derivatives: M", "-") not in broken, broken


def bad_requests():
    bad = changed("unit_circle", "1/2*mass*dot(u', u')", "1/2*mas*dot(u', u')")
    for words, arguments in (("did you mean 'mass'?", [bad]),
                             ("cannot be read", [directory / "none.toml"]),
                             ("unknown scheme 'emz'", [systems / "unit_circle.toml", "--scheme", "emz"]),
                             ("does not run unit_circle_text: it has no nonholonomic rows",
                              [systems / "unit_circle.toml", "--scheme", "contact_2"]),
                             ("expected another text of unit_circle_text",
                              [systems / "unit_circle.toml", "--against", systems / "mass_spring.toml"]),
                             ("--step", [systems / "unit_circle.toml", "--step", "-1"])):
        ended = expect(2, *arguments)
        assert words in ended.stderr and not ended.stdout, ended.stderr


shutil.rmtree(directory, ignore_errors=True)
os.makedirs(directory)
for test in (bad_requests, systems_hold, broken_momentum, broken_agreement):
    test()
    print(test.__name__)
