"""The laws of the house: who imports whom, where points are added up, where a game is named. Each fails in words."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HOUSE = ROOT / "rosters"
SLUGS = ["mini-combat", "6mm", "msc", "vsgmr", "urutsk"]
FOLDERS = ["mini_combat", "six_mm", "msc", "vsgmr", "urutsk"]

PURE_ROOMS = ["rulekit", "documents", "appraisals", "edits", "play", "redaction", "differences"]
PURE_PACKAGES = {"pydantic", "pydantic_core"}
FORBIDDEN_TO_SYSTEMS = ["rosters.registry", "rosters.views", "rosters.models"]
"""What no system imports."""
DOOR = "rosters.registry"
"""The one shared room that knows the systems."""

LONGEST = 40
"""Lines of a function."""
POINTS = {"points", "each", "exact", "subtotal"}
"""Names of numbers that only rules and appraisals work out."""
MAY_CALCULATE = {
    "rosters.pages.budget_of": "what is left of the budget is a comparison with it, and no price",
}
"""Functions that draw and still calculate with points, and why."""


def module(path: Path) -> str:
    """The dotted name of a file of ours."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module(path): path for path in sorted(HOUSE.rglob("*.py")) if "migrations" not in path.parts}
TREES = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in FILES.items()}
OF_A_SYSTEM = {name: name.split(".")[2] for name in FILES if re.match(r"rosters\.systems\.\w+", name)}
SHARED = [name for name in FILES if name not in OF_A_SYSTEM]
PURE = [
    *(f"rosters.{room}" for room in PURE_ROOMS),
    *(name for name in FILES if name.startswith("rosters.exports.")),
    *(name for name in OF_A_SYSTEM if name.endswith((".rules", ".tables", ".play", ".cards"))),
]
DRAWING = [
    name
    for name in FILES
    if name.startswith(("rosters.views", "rosters.templatetags", "rosters.pages", "rosters.forms", "rosters.sheetkit"))
    or name.endswith((".forms", ".sheets"))
]
"""What only shows an appraisal: views, pages, forms, sheets."""


def imports(tree: ast.AST) -> Iterator[str]:
    """Every module or name that a file imports, wherever in it, dotted."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def lies_in(name: str, rooms: list[str]) -> bool:
    return any(name == room or name.startswith(f"{room}.") for room in rooms)


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


# ---------------------------------------------------------------- purity


def test_the_list_of_pure_files_is_complete():
    """Every room that calls itself PURE is held to it, and every pure room says so."""
    said = {name for name, tree in TREES.items() if re.search(r"^PURE\b", ast.get_docstring(tree) or "", re.MULTILINE)}
    said |= {name for name in PURE if "PURE" in (ast.get_docstring(TREES[name]) or "")}
    assert said == set(PURE), f"PURE is written in or missing from the docstring of {said ^ set(PURE)}"


@pytest.mark.parametrize("name", PURE)
def test_a_pure_file_imports_the_standard_library_pydantic_and_pure_files_only(name):
    """By reading the file, imports inside functions and under TYPE_CHECKING included."""
    allowed = PURE_PACKAGES | sys.stdlib_module_names
    strangers = [i for i in imports(TREES[name]) if i.split(".")[0] not in allowed and not lies_in(i, PURE)]
    assert strangers == [], f"{name} is PURE and must not import {strangers}"


def test_a_pure_file_loads_no_django():
    """By loading them in a process of their own, so that what they import is held to it too."""
    ask = "import importlib, sys\nfor name in sys.argv[1:]:\n    importlib.import_module(name)\n"
    ask += "    assert 'django' not in sys.modules, f'importing {name} loads Django'"
    run = [sys.executable, "-c", ask, *PURE]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# ---------------------------------------------------------------- the network

CLIENTS = ["urllib.request", "urllib3", "http.client", "socket", "ssl", "ftplib", "smtplib", "imaplib", "xmlrpc"]
CLIENTS += ["asyncio", "requests", "httpx", "aiohttp", "pycurl", "subprocess", "webbrowser"]


@pytest.mark.parametrize("name", FILES)
def test_nothing_here_can_ask_another_server(name):
    """No address that a user gives is ever asked from here. Mail alone goes out, to the server of the settings."""
    wrong = [each for each in imports(TREES[name]) if lies_in(each, CLIENTS)]
    assert wrong == [], f"{name} must not import {wrong}"


# ---------------------------------------------------------------- systems


def files_of(folder: str) -> set[str]:
    found = (HOUSE / "systems" / folder).iterdir()
    return {path.name for path in found if path.name != "__pycache__"}


def test_the_systems_are_the_five_folders():
    assert set(OF_A_SYSTEM.values()) == set(FOLDERS)


def test_every_system_has_the_same_files():
    """So that a sixth rulebook is a list of files; tables.py alone is optional."""
    found = {folder: sorted(files_of(folder) - {"tables.py"}) for folder in FOLDERS}
    wanted = sorted(set().union(*found.values()))
    missing = {folder: sorted({*wanted} - {*names}) for folder, names in found.items() if names != wanted}
    assert missing == {}, f"these systems lack files that others have: {missing}"
    assert {"__init__.py", "rules.py", "forms.py"} <= {*wanted}


@pytest.mark.parametrize("folder", ["", *FOLDERS])
def test_the_init_of_a_system_is_empty(folder):
    """A registry there would break the purity of rules.py."""
    path = HOUSE / "systems" / folder / "__init__.py"
    assert path.read_text() == "", f"{path.relative_to(ROOT)} must stay empty"


@pytest.mark.parametrize("name", OF_A_SYSTEM)
def test_a_system_imports_neither_another_system_nor_the_rooms_that_use_it(name):
    others = [f"rosters.systems.{folder}" for folder in FOLDERS if folder != OF_A_SYSTEM[name]]
    wrong = [each for each in imports(TREES[name]) if lies_in(each, [*others, *FORBIDDEN_TO_SYSTEMS])]
    assert wrong == [], f"{name} belongs to a system and must not import {wrong}"


@pytest.mark.parametrize("name", SHARED)
def test_a_shared_room_never_imports_a_system(name):
    """registry.py, the door, loads them by their folder's name; nobody else does either."""
    wrong = [each for each in imports(TREES[name]) if lies_in(each, ["rosters.systems"])]
    assert name == DOOR or wrong == [], f"{name} is a shared room and must not import {wrong}"
    by_name = [node.value for node in texts(TREES[name]) if node.value.startswith("rosters.systems")]
    assert name == DOOR or by_name == [], f"{name} is a shared room and must not name {by_name}"


# ---------------------------------------------------------------- no branching on a game


def texts(tree: ast.AST) -> Iterator[ast.Constant]:
    """Every literal text, those inside f-strings too."""
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))


@pytest.mark.parametrize("name", FILES)
def test_a_game_is_named_in_its_own_folder_and_in_the_registry_only(name):
    """Elsewhere a slug in the code is a branch on a system; ask its rules instead."""
    own = dict(zip(FOLDERS, SLUGS, strict=True)).get(OF_A_SYSTEM.get(name, ""))
    found = [f"{node.value!r} in line {node.lineno}" for node in texts(TREES[name]) if node.value in {*SLUGS, *FOLDERS}]
    if own is not None:
        found = [each for each in found if not each.startswith((repr(own), repr(OF_A_SYSTEM[name])))]
    assert name == DOOR or found == [], f"{name} names a game: {found}"


TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
SCRIPTS = sorted((ROOT / "static").rglob("*.js"))


@pytest.mark.parametrize("path", [*TEMPLATES, *SCRIPTS], ids=lambda path: str(path.relative_to(ROOT)))
def test_no_shared_template_or_script_branches_on_a_game(path):
    """A system's own templates stand in templates/rosters/<folder>/."""
    if {*path.parts} & {*FOLDERS, *SLUGS}:
        own = next(part for part in path.parts if part in {*FOLDERS, *SLUGS})
        others = [slug for folder, slug in zip(FOLDERS, SLUGS, strict=True) if own not in (folder, slug)]
    else:
        others = SLUGS
    found = re.findall(rf"""["'](?:{"|".join(others)})["']""", path.read_text(encoding="utf-8"))
    assert found == [], f"{path.relative_to(ROOT)} names a game: {found}"


# ---------------------------------------------------------------- no sums where points are drawn


def is_points(node: ast.AST, tainted: set[str]) -> bool:
    """Whether an expression holds points: by its name, its attribute or its key, or a name given to one."""
    for each in ast.walk(node):
        if isinstance(each, ast.Attribute) and each.attr in POINTS:
            return True
        if isinstance(each, ast.Name) and each.id in POINTS | tainted:
            return True
        if isinstance(each, ast.Subscript) and isinstance(each.slice, ast.Constant) and each.slice.value in POINTS:
            return True
    return False


def bare_points(node: ast.AST, tainted: set[str]) -> bool:
    """Points themselves, not what a call makes of them: `shown(points)` is text."""
    if isinstance(node, ast.Call):
        wrapped = isinstance(node.func, ast.Name) and node.func.id in {"abs", "int", "float", "Fraction", "round"}
        return wrapped and any(is_points(argument, tainted) for argument in node.args)
    if isinstance(node, ast.BinOp):
        return bare_points(node.left, tainted) or bare_points(node.right, tainted)
    return isinstance(node, ast.Name | ast.Attribute | ast.Subscript) and is_points(node, tainted)


def names_given_to_points(function: ast.AST) -> set[str]:
    """Local names that a function gives to points, one by one or several at once."""
    given: set[str] = set()
    for node in ast.walk(function):
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = [*zip(target.elts, node.value.elts, strict=False)]
            given |= {t.id for t, v in pairs if isinstance(t, ast.Name) and bare_points(v, set())}
    return given


def speaks_of_no_points(node: ast.AST) -> bool:
    """Whether nothing in a call is named as points are: on paper, lengths are added up too."""
    named = {getattr(part, "id", getattr(part, "attr", "")) for part in ast.walk(node)}
    return not named & POINTS


def sums(tree: ast.AST, lengths: bool = False) -> Iterator[tuple[str, int]]:
    """(function, line) of every sum, and of all arithmetic on points; sums of ``lengths`` may be let pass."""
    for function in functions(tree):
        tainted = names_given_to_points(function)
        for node in ast.walk(function):
            called = node.func if isinstance(node, ast.Call) else None
            name = getattr(called, "id", getattr(called, "attr", ""))
            added = isinstance(node, ast.BinOp | ast.AugAssign) and not isinstance(node.op, ast.BitOr)
            operands = [getattr(node, part) for part in ("left", "right", "target", "value") if hasattr(node, part)]
            total = name in {"sum", "fsum", "reduce", "Sum"} and not (lengths and called and speaks_of_no_points(node))
            if total or (added and any(bare_points(o, tainted) for o in operands)):
                yield function.name, node.lineno


@pytest.mark.parametrize(
    "code",
    [
        "def f(a): return sum(e.points for e in a)",
        "def f(a): return a.points + 1",
        "def f(a): return 2 * a['each']",
        "def f(a): return abs(a.exact) - 1",
        "def f(a, b):\n    now, then = a.points, b.appraisal.points\n    return then - now",
        "def f(a):\n    total = 0\n    for e in a: total += e.subtotal\n    return total",
    ],
)
def test_the_search_for_sums_finds_them(code):
    assert [*sums(ast.parse(code))] != []
    assert [*sums(ast.parse(code), lengths=True)] != []


@pytest.mark.parametrize("name", DRAWING)
def test_what_draws_never_adds_up_points(name):
    """Views, pages, forms and sheets read an Appraisal; a number of their own would be a second opinion."""
    on_paper = name.startswith("rosters.sheetkit") or name.endswith(".sheets")
    found = [f"{name}.{function}, line {line}" for function, line in sums(TREES[name], lengths=on_paper)]
    found = [place for place in found if place.split(",")[0] not in MAY_CALCULATE]
    assert found == [], f"points are added up outside the rules: {found}"


def test_every_exception_to_that_is_still_needed():
    calculating = {f"{name}.{function}" for name in DRAWING for function, _ in sums(TREES[name])}
    assert set(MAY_CALCULATE) <= calculating, f"no longer needed: {set(MAY_CALCULATE) - calculating}"


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_template_adds_anything_up(path):
    found = re.findall(r"\|\s*add\s*:|\bwidthratio\b", path.read_text(encoding="utf-8"))
    assert found == [], f"{path.relative_to(ROOT)} calculates: {found}"


# ---------------------------------------------------------------- size


@pytest.mark.parametrize("name", FILES)
def test_no_function_is_longer_than_forty_lines(name):
    lengths = {f"{name}.{f.name}": (f.end_lineno or f.lineno) - f.lineno + 1 for f in functions(TREES[name])}
    long = {function: lines for function, lines in lengths.items() if lines > LONGEST}
    assert long == {}, f"longer than {LONGEST} lines: {long}"


@pytest.mark.parametrize("name", FILES)
def test_every_file_opens_with_a_sentence(name):
    empty = FILES[name].stat().st_size == 0
    assert empty or ast.get_docstring(TREES[name]), f"{name} does not say what it is for"
