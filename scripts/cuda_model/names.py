"""System, scheme and function of a kernel, from its name; and the form of a scheme that its class is."""

import re
import shutil
import subprocess

# livens::cuda::advance<livens::cuda::FullForm<livens::cuda::FourParticle<double>, livens::cuda::EmsRule> >(...)
KERNEL = re.compile(r"(\w+)<(?:\w+::)*(\w+)<(?:(?:\w+::)*(\w+)<(\w+)>)?(?:, (?:\w+::)*(\w+)Rule\b)?")
PLAIN_KERNEL = re.compile(r"(\w+)\(")
OURS = re.compile(r"(void )?livens::")
REDUCED = ("_reduced", "_frame", "_nullspace", "_multipliers", "_sphere")  # what the classes of reduced forms end in


def demangle(names):
    tool = shutil.which("cu++filt") or shutil.which("c++filt")
    if tool is None or not names:
        return {name: name for name in names}
    out = subprocess.run([tool], input="\n".join(names), capture_output=True, text=True, check=True).stdout
    return dict(zip(names, out.splitlines()))


def snake(name):
    """FourParticle -> four_particle: the name of the file it is in."""
    return re.sub(r"(?<!^)(?=[A-Z]|(?<=[a-z])[0-9])", "_", name).lower()


def is_ours(demangled):
    """False for a kernel of a library, whatever of ours it is instantiated with."""
    return OURS.match(demangled) is not None


def kernel_of(demangled):
    """{"system", "scheme", "kernel"}: four_particle, ems_reduced, advance. In single precision the scheme ends in
    _single; a kernel of a system has no scheme, one for the records of any system has the system "any"."""
    match = KERNEL.search(demangled)
    if match is None:  # only a kernel for the records of any system is no template
        plain = PLAIN_KERNEL.search(demangled.replace("(anonymous namespace)::", ""))
        return {"system": "any", "scheme": "", "kernel": plain[1] if plain else demangled}
    kernel, scheme, system, scalar, rule = match.groups()
    if system is None:  # a function of a system: initial_states<FourParticle<double>>
        return {"system": snake(scheme), "scheme": "", "kernel": kernel}
    # The schemes of a shared form are told apart by their rules.
    scheme = snake(rule or scheme) + ("_single" if scalar == "float" else "")
    return {"system": snake(system), "scheme": scheme, "kernel": kernel}


def pair_name(row):
    """four_particle.ems_reduced: how a budget and a record of counts name a pair."""
    return f"{row['system']}.{row['scheme'] or 'system'}"


def form_of(scheme, offered):
    """(scheme, form) as users know them: ems_reduced is ("ems", "reduced"). `offered`: such pairs of the system, of
    which the one with the longest matching name is taken; None where there is none."""
    fitting = [pair for pair in offered if scheme == pair[0] or scheme.startswith(pair[0] + "_")]
    if not fitting:
        return None
    longest = max(len(name) for name, _ in fitting)
    forms = {form: (name, form) for name, form in fitting if len(name) == longest}
    reduced = scheme[longest:] in REDUCED
    return forms.get("reduced" if reduced or "full" not in forms else "full")
