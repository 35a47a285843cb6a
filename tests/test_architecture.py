"""The laws of the house, each with the list of its offenders: purity, systems alike, games named nowhere else, sums."""

import ast
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

from rosters.registry import SYSTEMS

ROOT = Path(__file__).parent.parent
HOUSE = ROOT / "rosters"
SLUGS = {system.folder: slug for slug, system in SYSTEMS.items()}
"""The slug of each system by its folder."""
DOOR = "rosters.registry"
"""The one shared module that names the systems."""
PURE_FILES = (  # the modules that run without Django, said here once instead of in each
    r"rosters\.(core|drawing|exports)\.\w+|rosters\.balance\.(chains|dice|report|solver)"
    r"|rosters\.systems\.\w+\.(rules|tables|play|characteristics|odds|battle|variants|forces|dice|drawing|grid|lines|help|fixes)"
)
PURE_LIBRARIES = {"pydantic", "pydantic_core", "rapidfuzz", "typing_extensions"}
WITH_NUMPY = r"rosters\.balance\.\w+|rosters\.systems\.\w+\.battle"
"""The modules that import NumPy, and are imported only where battles are fought."""
CLIENTS = ["urllib.request", "urllib3", "http.client", "socket", "ssl", "ftplib", "smtplib", "imaplib", "xmlrpc"]
CLIENTS += ["asyncio", "requests", "httpx", "aiohttp", "pycurl", "subprocess", "webbrowser"]

PAPER = {"pdf", "sheets"}
DRAWING = {"web", "templatetags", "forms", *PAPER}
"""Modules and packages that only show an appraisal; those of paper add up lengths too."""
POINTS = {"points", "unit_points", "exact", "subtotal"}
"""Names of numbers that only rules and appraisals compute."""
MAY_CALCULATE = {
    "budget_of": "what is left of the budget is a comparison with it, and no price",
    "count_models": "the models that a mean weighs by are no points",
    "import_rosters": "the bytes of files are added up, which are no points",
    "clean_roster": "the characters of documents are added up, which are no points",
}
"""Functions that draw and still calculate, and why."""
MAX_LENGTH = 40
"""Lines of a function."""


def module(path):
    """The dotted name of a file of ours."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


FILES = {module(path): path for path in sorted(HOUSE.rglob("*.py")) if "migrations" not in path.parts}
PURE = [name for name in FILES if re.fullmatch(PURE_FILES, name)]
PAGES = [*sorted((ROOT / "templates").rglob("*.html")), *sorted((ROOT / "static").rglob("*.js"))]


@cache
def trees():
    """The syntax of each file: parsed when a test asks, not by every process that collects."""
    return {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in FILES.items()}


@cache
def walk(node):
    """Every node of a tree or of a function, found once for all tests."""
    return tuple(ast.walk(node))


def imports(tree):
    """Every module or name that a file imports, wherever in it, dotted."""
    for node in walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def read(path):
    """The text of a file; "" where there is none."""
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def lies_in(name, packages):
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def functions(tree):
    return [node for node in walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def test_a_pure_file_imports_the_standard_library_pydantic_and_pure_files_only():
    """By reading the file, imports inside functions and under TYPE_CHECKING included."""
    allowed = PURE_LIBRARIES | sys.stdlib_module_names
    found = [(name, each) for name in PURE for each in imports(trees()[name])]
    found = [pair for pair in found if not (lies_in(pair[1], ["numpy"]) and re.fullmatch(WITH_NUMPY, pair[0]))]
    assert [(name, each) for name, each in found if each.split(".")[0] not in allowed and not lies_in(each, PURE)] == []
    assert len(PURE) > 20


def test_nothing_here_can_ask_another_server():
    """No address that a user gives is ever asked from here. Mail alone goes out, to the server of the settings."""
    assert [(name, each) for name, tree in trees().items() for each in imports(tree) if lies_in(each, CLIENTS)] == []


def test_the_addresses_of_pages_load_no_numpy():
    """It takes a tenth of a second and 20 MB, and only simulated battles need it."""
    code = "import django; django.setup(); import armybuilder.urls, sys; print('numpy' in sys.modules)"
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "armybuilder.settings"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, check=True)
    assert done.stdout.split() == [b"False"]


def test_every_system_has_the_same_files_and_an_empty_init():
    """So that a sixth rulebook is a list of files; two are optional. A registry there breaks purity."""
    folders = {folder: HOUSE / "systems" / folder for folder in SLUGS}
    names = {name: {each.relative_to(path).parts[0] for each in path.rglob("*.py")} for name, path in folders.items()}
    every = {"rules.py", "forms.py", "sheets"}.union(*names.values())
    every -= {"tables.py", "dice.py"}
    assert {folder: missing for folder, found in names.items() if (missing := every - found)} == {}
    sheets = [path / "sheets/__init__.py" for path in folders.values()]
    assert [path for path in sheets if not re.search("^SHEETS =", read(path), re.M)] == []
    empty = [path / "__init__.py" for path in (HOUSE / "systems", *folders.values())]
    assert [path for path in empty if not path.is_file() or read(path)] == []


def foreign(names):
    """Slugs and folders that a file at such a path must not name: all but its own system's."""
    return {each for pair in SLUGS.items() if not {*pair} & {*names} for each in pair}


def test_a_game_is_named_in_its_own_folder_and_in_the_registry_only():
    """Elsewhere a slug in the code is a branch on a system; ask its rules instead."""
    found = []
    for name, tree in trees().items():
        texts = (node for node in walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
        names = foreign(name.split("."))
        wrong = [node for node in texts if node.value in names or node.value.startswith("rosters.systems")]
        found += [(name, node.lineno, node.value) for node in wrong if name != DOOR]
    assert found == []


def test_no_shared_template_or_script_branches_on_a_game_and_no_template_adds_up():
    """A system's own templates are in templates/systems/<folder>/."""
    wrong = {path: rf"""["'](?:{"|".join(foreign(path.parts) & {*SLUGS.values()})})["']""" for path in PAGES}
    wrong |= {p: rf"{pattern}|\|\s*add\s*:|\bwidthratio\b" for p, pattern in wrong.items() if p.suffix == ".html"}
    assert [path for path, pattern in wrong.items() if re.search(pattern, path.read_text(encoding="utf-8"))] == []


def has_points(node, names=POINTS):
    """Whether an expression has points in it: as a name, an attribute or a key."""
    found = (getattr(each, "id", getattr(each, "attr", getattr(each, "value", ""))) for each in ast.walk(node))
    return any(isinstance(name, str) and name in names for name in found)


def is_points(node, names):
    """Whether an expression is points, and not what another call makes of them: `format_amount(points)` is text."""
    if isinstance(node, ast.Call):
        return getattr(node.func, "id", "") in {"abs", "int", "float", "Fraction", "round"} and has_points(node, names)
    if isinstance(node, ast.BinOp):
        return is_points(node.left, names) or is_points(node.right, names)
    return isinstance(node, ast.Name | ast.Attribute | ast.Subscript) and has_points(node, names)


def names_of_points(function):
    """POINTS, and the local names to which a function assigns points, one by one or several at once."""
    assigned = [node for node in walk(function) if isinstance(node, ast.Assign)]
    pairs = [(target, node.value) for node in assigned for target in node.targets]
    pairs += [pair for to, value in pairs for pair in zip(*(getattr(e, "elts", ()) for e in (to, value)), strict=False)]
    return POINTS | {to.id for to, value in pairs if isinstance(to, ast.Name) and is_points(value, POINTS)}


def sums(tree, lengths=False):
    """(function, line) of every sum, and of all arithmetic on points; sums of ``lengths`` are allowed on paper."""
    for function in functions(tree):
        names = names_of_points(function)
        for node in walk(function):
            operands = [getattr(node, part) for part in ("left", "right", "target", "value") if hasattr(node, part)]
            arithmetic = isinstance(node, ast.BinOp | ast.AugAssign) and not isinstance(node.op, ast.BitOr)
            called = getattr(node, "func", None)
            total = getattr(called, "id", getattr(called, "attr", "")) in {"sum", "fsum", "reduce", "Sum"}
            forbidden = total and (not lengths or has_points(node))
            if forbidden or (arithmetic and any(is_points(each, names) for each in operands)):
                yield function.name, node.lineno


SUMS = [
    "def f(a): return sum(e.points for e in a)",
    "def f(a): return a.points + 1",
    "def f(a): return 2 * a['unit_points']",
    "def f(a): return abs(a.exact) - 1",
    "def f(a, b):\n    now, then = a.points, b.appraisal.points\n    return then - now",
    "def f(a):\n    total = 0\n    for e in a: total += e.subtotal\n    return total",
]


def test_what_draws_never_adds_up_points():
    """Views, pages, forms and sheets read an Appraisal; a number of their own would be a second opinion."""
    drawing = {name: {*name.split(".")[1:]} for name in FILES if {*name.split(".")[1:]} & DRAWING}
    assert len(drawing) > 20
    found = [(name, *each) for name, parts in drawing.items() for each in sums(trees()[name], bool(parts & PAPER))]
    assert [each for each in found if each[1] not in MAY_CALCULATE] == []
    assert {*MAY_CALCULATE} <= {each[1] for each in found}, "an exception is no longer needed"
    assert [code for code in SUMS for lengths in (False, True) if not [*sums(ast.parse(code), lengths)]] == []


def test_no_function_is_longer_than_forty_lines():
    every = [(name, function) for name, tree in trees().items() for function in functions(tree)]
    assert [(name, f.name) for name, f in every if f.end_lineno - f.lineno >= MAX_LENGTH] == []


def test_the_decorators_of_views_stand_in_one_order():
    order = ["never_cache", "rate_limited", "render_print_errors", "permission", "wraps"]
    offenders = []
    for name, tree in trees().items():
        for function in (each for each in walk(tree) if isinstance(each, ast.FunctionDef)):
            names = [re.split(r"\W", ast.unparse(each))[0] for each in function.decorator_list]
            names = ["permission" if each.endswith("_view") else each for each in names]
            ranks = [order.index(each) for each in names if each in order]
            offenders += [f"{name}.{function.name}"] if ranks != sorted(ranks) else []
    assert offenders == []


def test_every_file_opens_with_a_sentence():
    assert [name for name, path in FILES.items() if path.stat().st_size and not ast.get_docstring(trees()[name])] == []
