"""YAML as a tree whose every value knows its line and column. The only module that knows yaml; it knows no key.

Nothing is made of a value here: `no`, `~` and `0777` stay the text that was written, and whoever reads a value says
what it may be. Aliases and merge keys (`<<`) are followed, within bounds. May not open files.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

import yaml

from spades_harness.errors import UserError

MAX_VALUES: Final = 1_000_000
"""Values in a file once its aliases are written out: ten thousand bots have a tenth of it, a bomb far more."""
MAX_PROBLEMS: Final = 20
"""Problems shown of one file: enough for one round of repairs, few enough to fit on a screen."""
_KNOWN_TAGS: Final = frozenset(
    f"tag:yaml.org,2002:{tag}"
    for tag in ("str", "int", "float", "bool", "null", "timestamp", "merge", "value", "map", "seq")
)
_BOMS: Final = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Problem(NamedTuple):
    """One thing wrong with a file, at a line and a column (both from 1)."""

    file: str
    line: int
    column: int
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.what}"


class FileError(UserError):
    """What is wrong with a file, one line a problem, in the order of the file."""

    def __init__(self, *problems: Problem) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__(*self.problems)

    def __str__(self) -> str:
        shown = [str(problem) for problem in self.problems[:MAX_PROBLEMS]]
        more = len(self.problems) - MAX_PROBLEMS
        return "\n".join(shown + ([f"{self.problems[0].file}: and {more} problems more"] if more > 0 else []))


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands: file, line and column (from 1), and the path of keys that leads to it."""

    file: str
    line: int
    column: int
    path: str

    def problem(self, what: str) -> Problem:
        """Something wrong there."""
        return Problem(self.file, self.line, self.column, f"{self.path}: {what}" if self.path else what)

    def error(self, what: str) -> FileError:
        """The same, to be raised."""
        return FileError(self.problem(what))


NOWHERE: Final = Place("", 1, 1, "")
"""The place of what stands in no file."""


class Mark(NamedTuple):
    """Where a value begins: line and column, both from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Word:
    """A word, a number or a text: what stands in the file, and whether in quotes."""

    text: str
    quoted: bool
    mark: Mark


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    items: tuple[Node, ...]
    mark: Mark


class Field(NamedTuple):
    """A key with its value."""

    key: str
    mark: Mark
    value: Node


@dataclass(frozen=True, slots=True)
class Fields:
    """Keys with their values, each key once; merged ones after the mapping's own."""

    fields: tuple[Field, ...]
    mark: Mark


Node: TypeAlias = Word | Items | Fields


def join(path: str, key: str) -> str:
    """The path of a key inside what has this path; a key that nobody would type is cut."""
    shown = key if len(key) <= 60 else f"{key[:60]}…"
    return f"{path}.{shown}" if path else shown


def parse(content: bytes, file: str) -> Node:
    """The tree of a file's content; `file` is its name in the messages. Raises FileError with all doubled keys."""
    try:
        composed = _compose(_decode(content, file), file)
        return Word("", quoted=False, mark=Mark(1, 1)) if composed is None else _Grower(file).grow(composed)
    except RecursionError:
        raise FileError(Problem(file, 1, 1, "lists or mappings stand too deep inside each other")) from None


# ------------------------------------------------------------------------------------------------ bytes to yaml's nodes


def _decode(content: bytes, file: str) -> str:
    if content.startswith(_BOMS):
        raise FileError(Problem(file, 1, 1, "the file is saved as UTF-16 or UTF-32; save it as UTF-8"))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - content.rfind(b"\n", 0, error.start)
        what = f"the byte 0x{content[error.start]:02x} is not UTF-8; save the file as UTF-8"
        raise FileError(Problem(file, line, column, what)) from None


def _compose(text: str, file: str) -> yaml.Node | None:
    """The C parser reads five times faster; where it refuses, the Python one says why more clearly."""
    try:
        return _compose_with(getattr(yaml, "CSafeLoader", yaml.SafeLoader), text)
    except yaml.YAMLError:
        pass
    try:
        return _compose_with(yaml.SafeLoader, text)
    except yaml.YAMLError as error:
        raise FileError(_explain(error, text, file)) from None


def _compose_with(loader: Any, text: str) -> yaml.Node | None:
    node: yaml.Node | None = yaml.compose(text, Loader=loader)
    return node


def _explain(error: yaml.YAMLError, text: str, file: str) -> Problem:
    """A parser's complaint in the words of a person who writes a file."""
    if isinstance(error, yaml.reader.ReaderError):
        line = text.count("\n", 0, error.position) + 1
        column = error.position - text.rfind("\n", 0, error.position)
        what = f"the character U+{ord(text[error.position]):04X} can't stand in a YAML file"
        return Problem(file, line, column, what)
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return Problem(file, 1, 1, f"not YAML: {error}".splitlines()[0])
    mark = _mark(error.problem_mark)
    return Problem(file, mark.line, mark.column, _in_plain_words(error))


def _in_plain_words(error: yaml.MarkedYAMLError) -> str:
    problem = error.problem or "not YAML"
    match problem:
        case "found character '\\t' that cannot start any token":
            return "a tab: YAML is indented with spaces"
        case "mapping values are not allowed here":
            return "a colon and a space inside a value: put the value in quotes"
        case "but found another document":
            return "a second document (---): one file holds one"
        case _:
            pass
    if problem.startswith("found character"):
        return f"{problem.split()[2]} can't begin a value: put the value in quotes"
    if problem.startswith("found undefined alias"):
        alias = problem.split("'")[1]
        return f"*{alias} stands for nothing, since no &{alias} comes before it; to mean a text, put it in quotes"
    opened = f" (begun in line {error.context_mark.line + 1})" if error.context_mark else ""
    return f"{problem.replace('<block end>', 'the end of this block')}{opened}"


def _mark(mark: yaml.Mark) -> Mark:
    return Mark(mark.line + 1, mark.column + 1)


# ------------------------------------------------------------------------------------------------- yaml's nodes to ours


class _Grower:
    """Turns composed nodes into ours, each once, however often aliases name it; counts as if each were written out."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._grown: dict[yaml.Node, tuple[Node, int] | None] = {}
        self._problems: list[Problem] = []
        self._merged = 0

    def grow(self, root: yaml.Node) -> Node:
        tree, _ = self._visit(root, "")
        if self._problems:
            raise FileError(*self._problems)
        return tree

    def _visit(self, node: yaml.Node, path: str) -> tuple[Node, int]:
        """Our node, and how many values it holds."""
        if node in self._grown:
            known = self._grown[node]
            if known is None:
                raise self._error(node, path, "the alias stands inside what it stands for")
            return known
        self._grown[node] = None  # until it is finished: who comes by meanwhile stands inside it
        grown, size = self._make(node, path)
        if size > MAX_VALUES:
            raise self._error(node, path, f"aliases multiply this to more than {MAX_VALUES} values")
        self._grown[node] = grown, size
        return grown, size

    def _make(self, node: yaml.Node, path: str) -> tuple[Node, int]:
        if node.tag not in _KNOWN_TAGS:
            tag = node.tag.replace("tag:yaml.org,2002:", "!!")
            self._note(node, path, f"the tag {tag} means nothing here; leave it out")
        if isinstance(node, yaml.SequenceNode):
            grown = [self._visit(item, f"{path}[{index}]") for index, item in enumerate(node.value)]
            return Items(tuple(item for item, _ in grown), _mark(node.start_mark)), 1 + sum(size for _, size in grown)
        if isinstance(node, yaml.MappingNode):
            return self._make_fields(node, path)
        assert isinstance(node, yaml.ScalarNode)
        return Word(node.value, quoted=node.style not in (None, ""), mark=_mark(node.start_mark)), 1

    def _make_fields(self, node: yaml.MappingNode, path: str) -> tuple[Node, int]:
        own: dict[str, Field] = {}
        merged: list[Field] = []
        size = 1
        for key, value_node in node.value:
            name = self._name(key, path)
            inner = join(path, name)
            value, inside = self._visit(value_node, inner)
            size += inside
            if name in own:
                lines = f"in line {own[name].mark.line} and in line {key.start_mark.line + 1}"
                self._note(key, inner, f"stands twice, {lines}; leave one of them out")
            elif name == "<<":
                merged = self._merge(value, value_node, inner)
            own.setdefault(name, Field(name, _mark(key.start_mark), value))
        return Fields(_without_merge_key(own, merged), _mark(node.start_mark)), size

    def _name(self, key: yaml.Node, path: str) -> str:
        if not isinstance(key, yaml.ScalarNode):
            raise self._error(key, path, "a key must be a single word")
        return str(key.value)

    def _merge(self, value: Node, node: yaml.Node, path: str) -> list[Field]:
        """The fields that `<<` brings in: of one mapping, or of a list of them, where the first to have a key wins."""
        merged: list[Field] = []
        for part in value.items if isinstance(value, Items) else (value,):
            if not isinstance(part, Fields):
                raise self._error(node, path, "only mappings can be merged")
            merged += part.fields
            self._merged += len(part.fields)
            if self._merged > MAX_VALUES:
                raise self._error(node, path, f"merge keys multiply this file to more than {MAX_VALUES} values")
        return merged

    def _note(self, node: yaml.Node, path: str, what: str) -> None:
        self._problems.append(Problem(self._file, *_mark(node.start_mark), f"{path}: {what}" if path else what))

    def _error(self, node: yaml.Node, path: str, what: str) -> FileError:
        self._note(node, path, what)
        return FileError(*self._problems)


def _without_merge_key(own: dict[str, Field], merged: list[Field]) -> tuple[Field, ...]:
    """A mapping's own fields, then the merged ones whose keys it doesn't have."""
    fields = {key: field for key, field in own.items() if key != "<<"}
    for field in merged:
        fields.setdefault(field.key, field)
    return tuple(fields.values())
