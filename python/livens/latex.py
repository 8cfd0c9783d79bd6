"""The equations of a system as text, as LaTeX."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_greek = ("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi "
          "omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega").split()
_functions = {"sqrt": None, "sin": r"\sin", "cos": r"\cos", "tan": r"\tan", "asin": r"\arcsin", "acos": r"\arccos",
              "atan": r"\arctan", "exp": r"\exp", "log": r"\log", "sinh": r"\sinh", "cosh": r"\cosh", "tanh": r"\tanh",
              "min": r"\min", "max": r"\max"}
_comparisons = {"<": "<", "<=": r"\le", ">": ">", ">=": r"\ge"}
_token = re.compile(r"\s*(?:(?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)"
                    r"|(?P<name>[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)*'?)|(?P<sign><=|>=|.))")


def latex_of(text: Mapping[str, Any]) -> str:
    """T, V, R, the forces and the rows, a line each."""
    lines = [(symbol, _of(text[key])) for symbol, key in
             (("T", "kinetic"), ("V", "potential"), ("R", "rayleigh"), (r"\alpha", "dissipation_rate")) if key in text]
    for of, force in (text.get("force") or {}).items():
        lines.append((f"F_{{{_name(of)}}}", _of(force)))
    for key in ("constraints", "nonholonomic"):
        rows = text.get(key, ())
        lines += [("0", _of(row)) for row in ([rows] if isinstance(rows, str) else rows)]
    for wall in text.get("impact", ()):
        lines.append((r"0 \le g", _of(wall["gap"])))
    body = " \\\\\n".join(f"{left} &= {right}" for left, right in lines)
    return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}" if lines else ""


def _of(expression: Any) -> str:
    if isinstance(expression, Mapping):
        return r",\; ".join(f"{_name(key)}: {_of(value)}" for key, value in expression.items())
    if isinstance(expression, (list, tuple)):
        return r"\left(" + ", ".join(map(_of, expression)) + r"\right)"
    return _Reader(str(expression)).whole()


def _name(name: str) -> str:
    """x' has a dot on it, crank.d1 is d1 of crank, rho_0 has an index."""
    dotted = name.endswith("'")
    first, *rest = name.rstrip("'").split(".")
    stem, digits = re.fullmatch(r"(.*?)_?(\d*)", first).groups()  # type: ignore[union-attr]
    stem, _, under = stem.partition("_")
    index = ", ".join(_word(part) for part in (under, digits) if part)
    shown = _word(stem) if stem else first
    if rest:
        shown, index = _name(rest[-1]), ", ".join(filter(None, (index, _word(first))))
        if "_" in shown and index:
            shown = "{" + shown + "}"
    return (rf"\dot{{{shown}}}" if dotted else shown) + (f"_{{{index}}}" if index else "")


def _word(word: str) -> str:
    if word in _greek:
        return "\\" + word
    return word if len(word) == 1 or word.isdigit() else rf"\mathrm{{{word}}}"


class _Reader:
    """Reads an expression of the contract, section 6, which the program has checked, and writes it."""

    def __init__(self, text: str):
        self.tokens = [match for match in _token.finditer(text.rstrip())]
        self.at = 0

    def whole(self) -> str:
        return self.comparison()

    def sign(self) -> str:
        return self.tokens[self.at]["sign"] or "" if self.at < len(self.tokens) else ""

    def take(self, *signs: str) -> str:
        if self.sign() in signs and self.sign():
            self.at += 1
            return self.tokens[self.at - 1]["sign"]
        return ""

    def comparison(self) -> str:
        left = self.sum()
        while sign := self.take("<", "<=", ">", ">="):
            left += f" {_comparisons[sign]} {self.sum()}"
        return left

    def sum(self) -> str:
        text = self.product()
        while sign := self.take("+", "-"):
            text += f" {sign} {_unsigned(self.product())}"
        return text

    def product(self) -> str:
        text = self.power()
        while sign := self.take("*", "/"):
            other = self.power()
            if sign == "/":
                text = rf"\frac{{{_bare(text)}}}{{{_bare(other)}}}"
            else:
                other = _unsigned(other)
                text = rf"{text} \cdot {other}" if other[0].isdigit() else rf"{text}\, {other}"
        return text

    def power(self) -> str:
        if sign := self.take("-", "+"):
            return f"{sign}{self.power()}"
        base = self.operand()
        if self.take("^"):
            exponent = _bare(self.power())
            base = f"{{{base}}}" if "_" in base or "^" in base else base
            return f"{base}^{{{exponent}}}"
        return base

    def operand(self) -> str:
        token = self.tokens[self.at]
        self.at += 1
        if token["number"]:
            text = token["number"]
        elif token["name"]:
            text = self.call(token["name"]) if self.take("(") else _name(token["name"])
        elif token["sign"] == "(":
            text = rf"\left({self.comparison()}\right)"
            self.take(")")
        else:  # "["
            text = r"\left(" + ", ".join(self.arguments("]")) + r"\right)"
        while self.take("["):
            index = ", ".join(self.arguments("]"))
            text = f"{{{text}}}_{{{index}}}"
        return text

    def arguments(self, end: str) -> list[str]:
        found = [self.comparison()]
        while self.take(","):
            found.append(self.comparison())
        self.take(end)
        return found

    def call(self, name: str) -> str:
        arguments = self.arguments(")")
        if name == "sqrt":
            return rf"\sqrt{{{arguments[0]}}}"
        if name in ("abs", "norm"):
            bar = "|" if name == "abs" else r"\|"
            return rf"\left{bar}{arguments[0]}\right{bar}"
        if name in ("dot", "cross"):
            sign = r"\cdot" if name == "dot" else r"\times"
            return rf"\left({_factor(arguments[0])} {sign} {_factor(arguments[1])}\right)"
        if name == "sum" and len(arguments) == 4:
            index, first, last, term = arguments
            return rf"\sum_{{{index}={first}}}^{{{last}}} {_factor(term)}"
        shown = _functions.get(name) or (f"p_{{{arguments[0]}}}" if name == "p" else _name(name))
        return shown if name == "p" else shown + r"\left(" + ", ".join(arguments) + r"\right)"


def _factor(text: str) -> str:
    """In parentheses where it is a sum, or begins with a sign."""
    depth = 0
    for match in re.finditer(r"\\left\b|\\right\b|[{}]|[+-]", text):
        depth += match[0] in ("\\left", "{")
        depth -= match[0] in ("\\right", "}")
        if depth == 0 and match[0] in "+-":
            return rf"\left({text}\right)"
    return text


def _unsigned(text: str) -> str:
    """In parentheses where it begins with a sign."""
    return rf"\left({text}\right)" if text[0] in "+-" else text


def _bare(text: str) -> str:
    """Without parentheses around all of it."""
    if not (text.startswith(r"\left(") and text.endswith(r"\right)")):
        return text
    depth = 0
    for match in re.finditer(r"\\left\(|\\right\)", text):
        depth += 1 if match[0].startswith(r"\left") else -1
        if depth == 0 and match.end() < len(text):
            return text
    return text[len(r"\left("):-len(r"\right)")]
