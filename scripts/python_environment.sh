# Makes a virtual environment in build/environment with what building and testing the package of Python takes; sourced
# by test.sh. The packages are those that python/pyproject.toml names.
[ -x build/environment/bin/python ] || /usr/bin/python3 -m venv build/environment
environment_python=$PWD/build/environment/bin/python
"$environment_python" - > build/environment/requirements.txt <<'EOF'
import tomllib
with open("python/pyproject.toml", "rb") as file:
    read = tomllib.load(file)
project = read["project"]
print(*read["build-system"]["requires"], *project["dependencies"], *project["optional-dependencies"]["test"], sep="\n")
EOF
"$environment_python" -m pip install --quiet --disable-pip-version-check -r build/environment/requirements.txt
