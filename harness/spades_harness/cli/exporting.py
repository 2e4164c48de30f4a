"""Tables as files: CSV, JSON lines, Parquet. Holds a few thousand rows at a time, and leaves no half file behind."""

from __future__ import annotations

import csv
import io
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias

from spades_harness.errors import UserError
from spades_harness.tournament.records.export import Table, Value

from .console import printable


class Terminal(io.RawIOBase):
    """A terminal, which gets strangers' texts without what would command it."""

    def writable(self) -> bool:
        """It is."""
        return True

    def write(self, data: object, /) -> int:
        """Whole lines of UTF-8."""
        sys.stdout.write(printable(bytes(data).decode()))  # type: ignore[call-overload]
        return len(data)  # type: ignore[arg-type]


def write(table: Table, form: str, output: Path | None) -> None:
    """Write a table in a form, a key of `FORMS`, to a file or to standard output. Raises UserError and OSError."""
    if output is None and form == PARQUET and sys.stdout.isatty():
        raise UserError("parquet is no text for a terminal: name a file with -o FILE")
    begin = FORMS[form]()
    with _opened(output) as file:
        begin(table, file)


# --------------------------------------------------------------------------------------------------------------- files


@contextmanager
def _opened(output: Path | None) -> Iterator[BinaryIO]:
    if output is None:
        with _standard_output() as file:
            yield file
    elif output.exists() and not output.is_file():  # a pipe or a device with a name
        with output.open("wb") as file:
            yield file
    else:
        with _whole(output) as file:
            yield file


@contextmanager
def _standard_output() -> Iterator[BinaryIO]:
    """UTF-8 with plain line ends, whatever the locale and the system."""
    sys.stdout.flush()
    if sys.stdout.isatty():
        yield Terminal()  # type: ignore[misc]
    else:
        yield sys.stdout.buffer
    sys.stdout.flush()


@contextmanager
def _whole(output: Path) -> Iterator[BinaryIO]:
    """A file that is there when all of it is written; until then, and if that never comes to be, all is as it was."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{output.name}.", dir=output.parent)
    except OSError as error:
        raise UserError(f"{output}: {error.strerror}; name another file with -o") from error
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(output)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    """What new files of this process are not to be; only setting it tells."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


# --------------------------------------------------------------------------------------------------------------- forms

Form: TypeAlias = Callable[[Table, BinaryIO], None]
PARQUET: Final = "parquet"


def write_csv(table: Table, file: BinaryIO) -> None:
    """A header and a line a row, UTF-8; what isn't known is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.name for column in table.columns])
    for batch in table.batches():
        writer.writerows([_cell(value) for value in row] for row in batch)
        file.write(text.getvalue().encode())
        text.seek(0)
        text.truncate()
    file.write(text.getvalue().encode())  # the header of a table without rows


def _cell(value: Value) -> Value:
    return ("true" if value else "false") if isinstance(value, bool) else value


def write_json(table: Table, file: BinaryIO) -> None:
    """An object a line, in UTF-8; what isn't known is null."""
    names = [column.name for column in table.columns]
    encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
    objects = ([encode(dict(zip(names, row, strict=True))) for row in batch] for batch in table.batches())
    file.writelines("".join(f"{each}\n" for each in batch).encode() for batch in objects)


def _parquet() -> Form:
    """Raises UserError where the library is missing, before anything is written."""
    try:
        from .parquet import write_parquet
    except ImportError as error:
        raise UserError("--format parquet takes pyarrow: pip install pyarrow") from error
    return write_parquet


FORMS: Final[Mapping[str, Callable[[], Form]]] = {
    "csv": lambda: write_csv,
    "json": lambda: write_json,
    PARQUET: _parquet,
}
