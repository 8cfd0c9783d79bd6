"""Certificates of motions, as a user has them: three are made anew, and one with a wrong digit is found out.

usage: certificates.py LIVENS FOLDER
"""

import json
import math
import pathlib
import shutil
import subprocess
import sys

# At the end, from elsewhere: the pendulum by elliptic functions, the Pleiades as the Bari test set has them.
PUBLISHED = {
    "pendulum_a01": [-0.27508746257611686, -0.96141920509912506],
    "pleiades": [0.3706139143970502, -3.943437585517392, 3.237284092057233, -3.271380973972550, -3.222559032418324,
                 5.225081843456543, 0.6597091455775310, -2.590612434977470, 0.3425581707156584, 1.198213693392275,
                 1.562172101400631, -0.2429682344935824, -0.7003092922212495, 1.091449240428980],
}
AGAIN = ("pendulum_a01", "swinging_atwood", "chaplygin_sleigh")


def main(livens, folder):
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)

    def run(*arguments, status=0):
        done = subprocess.run([livens, *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode == status, (arguments, done.returncode, done.stdout, done.stderr)
        return " ".join((done.stdout + done.stderr).split())  # lines are broken as the page is wide

    problems = json.loads(run("problems", "--json"))
    assert len(problems) >= 25, len(problems)
    listed = run("problems")
    assert all(name in listed for name in problems)

    for name, published in PUBLISHED.items():
        q = problems[name]["certificate"]["q"]
        assert all(abs(a - b) <= q["error"][4] for a, b in zip(q["values"][4], published, strict=True)), name
    for name in AGAIN:
        assert "the certificate holds" in run("certify", name)

    # One unit in the last certain digit of the largest entry: more than the error that is claimed, by what digits are.
    run("problems", "pendulum_a01", "-o", folder)
    run("problems", "pendulum_a01", "-o", folder, status=2)  # never over an existing file
    path, text = folder / "pendulum_a01.json", folder / "pendulum_a01.toml"
    sound = json.loads(path.read_text())
    planted = folder / "planted.json"

    def plant(change):
        wrong = json.loads(path.read_text())
        change(wrong)
        planted.write_text(json.dumps(wrong))

    def of_digit(wrong):
        values = wrong["q"]["values"][2]
        i = max(range(len(values)), key=lambda k: abs(values[k]))
        values[i] += 10.0 ** (math.floor(math.log10(abs(values[i]))) - wrong["q"]["digits"] + 1)

    def of_multiplier(wrong):
        values = wrong["lambda"]["values"][4]
        values[0] *= 1 + 1e-8

    def of_error(wrong):  # a claim that the two programs do not bear out
        wrong["v"]["error"] = [0.1 * spread for spread in wrong["v"]["spread"]]

    assert "the certificate holds" in run("certify", text, "--check", path)
    for change, kind in ((of_digit, "q"), (of_multiplier, "lambda"), (of_error, "v")):
        plant(change)
        said = run("certify", text, "--check", planted, status=1)
        assert "WRONG: " + kind in said and "the certificate holds" not in said, said
    text.write_text(text.read_text().replace("gravity = 9.81", "gravity = 9.8100000001"))
    assert "of another text" in run("certify", text, "--check", path, status=1)

    # Of one's own; a motion that no certificate is given.
    own = folder / "own.toml"
    own.write_text('name = "own"\nkinetic = "1/2*x\'^2"\npotential = "1/2*x^2 + 1/4*x^4"\n[coordinates]\nx = 1\n'
                   "[initial]\nq = { x = 1 }\n")
    run("certify", own, "--end", 2, "-o", folder / "own.json")
    run("certify", own, "--check", folder / "own.json")
    made = json.loads((folder / "own.json").read_text())
    assert made["digits"] >= 12 and len(made["times"]) == 5, made["digits"]
    assert "16 digits were wanted" in run("certify", own, "--end", 2, "--digits", 16, status=1)
    own.write_text(own.read_text().replace("1/4*x^4", "abs(x)"))
    assert f"{own}:3: potential: abs of what moves is not analytic" in run("certify", own, "--end", 2, status=2)
    assert "--end" in run("certify", own, status=2)
    (folder / "none.json").write_text("{}")
    assert "not a certificate" in run("certify", text, "--check", folder / "none.json", status=2)
    assert "unknown problem 'pendulum'" in run("certify", "pendulum", status=2)
    assert sound["name"] == "pendulum_a01"
    print(f"{len(problems)} problems; {len(AGAIN)} certificates made anew hold, three wrong ones are found out")


if __name__ == "__main__":
    main(*sys.argv[1:])
