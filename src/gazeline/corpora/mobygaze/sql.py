"""Read the rows of a MySQL dump without executing anything.

A tokenizer of MySQL's lexical rules (strings with escapes, quoted names, comments, numbers) feeds a
reader that understands CREATE TABLE, for the column names, and INSERT; every other statement is
passed over up to its semicolon.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

Value = str | int | float | None

_TOKEN = re.compile(
    r"""
      (?P<blank>\s+ | --(?=\s|$)[^\n]* | \#[^\n]* | /\*.*?\*/)
    | (?P<string>'[^'\\]*(?:(?:\\.|'')[^'\\]*)*' | "[^"\\]*(?:(?:\\.|"")[^"\\]*)*")
    | (?P<quoted>`[^`]*(?:``[^`]*)*`)
    | (?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w@$]))
    | (?P<word>[\w@$][\w@$.]*)
    | (?P<mark>[^\s'"`])
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPES = {
    quote: re.compile(rf"\\(?P<escaped>.)|{quote}{quote}", re.DOTALL) for quote in ("'", '"')
}
_ESCAPED = {"0": "\0", "b": "\b", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a"}
_KEPT_ESCAPES = {"%": r"\%", "_": r"\_"}
_NOT_COLUMNS = {
    "PRIMARY", "KEY", "UNIQUE", "INDEX", "CONSTRAINT", "FOREIGN", "FULLTEXT", "SPATIAL", "CHECK",
}  # fmt: skip


class SqlError(ValueError):
    """Report text that is no MySQL dump, or one that is cut off, with its line."""

    def __init__(self, problem: str, line: int) -> None:
        self.problem = problem
        self.line = line
        super().__init__(f"line {line}: {problem}")


class Token(NamedTuple):
    """A lexical unit: its kind (a group of `_TOKEN`), its text and where it starts."""

    kind: str
    text: str
    start: int

    def is_word(self, *words: str) -> bool:
        """Return whether the token is one of these keywords, in any case."""
        return self.kind == "word" and self.text.upper() in words


class SqlRow(NamedTuple):
    """One row of an INSERT: its values by column, and the line of the dump it stands on."""

    values: dict[str, Value]
    line: int


@dataclass
class SqlTable:
    """The rows a dump inserts into one table."""

    name: str
    columns: tuple[str, ...] = ()
    rows: list[SqlRow] = field(default_factory=list)


def read_dump(text: str) -> dict[str, SqlTable]:
    """Return the tables of a dump by name.

    Raises:
        SqlError: a string or statement is cut off, or a row has not one value per column.

    >>> table = "CREATE TABLE `t` (`a` int, `b` text);"
    >>> rows = "INSERT INTO `t` VALUES (1,'it\\\\'s'),(2,NULL);"
    >>> [row.values for row in read_dump(table + rows)["t"].rows]
    [{'a': 1, 'b': "it's"}, {'a': 2, 'b': None}]
    """
    return _Reader(text).read()


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a dump, without white space and comments.

    Raises:
        SqlError: a quote or comment is never closed.
    """
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise SqlError("a quote is never closed", line_of(text, position))
        position = match.end()
        kind = match.lastgroup or ""
        if kind == "mark" and text.startswith("/*", match.start()):
            raise SqlError("a comment is never closed", line_of(text, match.start()))
        if kind != "blank":
            yield Token(kind, match.group(), match.start())


def line_of(text: str, position: int) -> int:
    """Return the line, counted from 1, that a position of the text is on."""
    return text.count("\n", 0, position) + 1


def unescape(literal: str) -> str:
    r"""Return the string that a quoted literal stands for.

    MySQL keeps the backslash of `\%` and `\_`; of any other escape it drops it.

    >>> unescape(r"'a\'b''c\n\%'")
    "a'b'c\n\\%"
    """
    body = literal[1:-1]
    if "\\" not in body and literal[0] not in body:
        return body
    return _ESCAPES[literal[0]].sub(_unescaped, body)


def _unescaped(match: re.Match[str]) -> str:
    escaped: str | None = match["escaped"]
    if escaped is None:
        return match[0][0]
    return _ESCAPED.get(escaped, _KEPT_ESCAPES.get(escaped, escaped))


class _Reader:
    """Walk the tokens of a dump once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.stream = tokens(text)
        self.tables: dict[str, SqlTable] = {}
        self.line, self._line_at = 1, 0

    def read(self) -> dict[str, SqlTable]:
        for token in self.stream:
            if token.is_word("CREATE"):
                self._create(token)
            elif token.is_word("INSERT", "REPLACE"):
                self._insert(token)
            elif token.text != ";":
                self._skip_statement()
        return self.tables

    def _next(self) -> Token:
        token = next(self.stream, None)
        if token is None:
            raise SqlError("the dump is cut off inside a statement", line_of(self.text, -1))
        return token

    def _skip_statement(self) -> None:
        for token in self.stream:
            if token.text == ";":
                return

    def _error(self, problem: str, token: Token) -> SqlError:
        return SqlError(problem, line_of(self.text, token.start))

    def _create(self, start: Token) -> None:
        token = self._next()
        if not token.is_word("TABLE"):
            self._skip_statement()
            return
        while (token := self._next()).is_word("IF", "NOT", "EXISTS"):
            pass
        table = self.tables.setdefault(_name(token), SqlTable(_name(token)))
        if self._next().text != "(":
            raise self._error(f"CREATE TABLE {table.name} has no columns", start)
        table.columns = self._column_names()
        self._skip_statement()

    def _column_names(self) -> tuple[str, ...]:
        """Read up to the closing bracket; the first token of each item names a column."""
        names, depth, first = [], 1, True
        while depth:
            token = self._next()
            if first and token.kind in ("quoted", "word") and not token.is_word(*_NOT_COLUMNS):
                names.append(_name(token))
            depth += (token.text == "(") - (token.text == ")")
            first = depth == 1 and token.text == ","
        return tuple(names)

    def _insert(self, start: Token) -> None:
        while (token := self._next()).is_word("LOW_PRIORITY", "DELAYED", "IGNORE", "INTO"):
            pass
        table = self.tables.setdefault(_name(token), SqlTable(_name(token)))
        columns = table.columns
        token = self._next()
        if token.text == "(":
            columns = self._column_names()
            token = self._next()
        if not token.is_word("VALUES", "VALUE"):
            raise self._error(f"INSERT INTO {table.name} has no VALUES", token)
        if not columns:
            raise self._error(f"the columns of {table.name} are not given before its rows", start)
        self._rows(table, columns)

    def _rows(self, table: SqlTable, columns: tuple[str, ...]) -> None:
        while True:
            token = self._next()
            if token.text != "(":
                raise self._error(f"a row of {table.name} does not start with a bracket", token)
            self._advance_line(token.start)
            values = self._values()
            if len(values) != len(columns):
                problem = f"a row of {table.name} has {len(values)} values, not {len(columns)}"
                raise self._error(problem, token)
            table.rows.append(SqlRow(dict(zip(columns, values, strict=True)), self.line))
            token = self._next()
            if token.text == ";":
                return
            if token.text != ",":
                # What may follow the rows (ON DUPLICATE KEY ...) adds none.
                self._skip_statement()
                return

    def _advance_line(self, position: int) -> None:
        self.line += self.text.count("\n", self._line_at, position)
        self._line_at = position

    def _values(self) -> list[Value]:
        values: list[Value] = []
        while True:
            token = self._next()
            # A character set introducer (_utf8mb4'…') stands before its string.
            if token.kind == "word" and token.text.startswith("_"):
                token = self._next()
            values.append(self._value(token))
            token = self._next()
            if token.text == ")":
                return values
            if token.text != ",":
                raise self._error(f"{token.text!r} stands where a comma belongs", token)

    def _value(self, token: Token) -> Value:
        if token.kind == "string":
            return unescape(token.text)
        if token.kind == "number":
            return _number(token.text)
        if token.is_word("NULL"):
            return None
        if token.is_word("TRUE", "FALSE"):
            return int(token.is_word("TRUE"))
        if token.kind == "word" and token.text[:2].lower() == "0x":
            return bytes.fromhex(token.text[2:]).decode("utf-8", "surrogateescape")
        raise self._error(f"{token.text!r} is not a value", token)


def _name(token: Token) -> str:
    if token.kind == "quoted":
        return token.text[1:-1].replace("``", "`")
    return token.text


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        return float(text)
