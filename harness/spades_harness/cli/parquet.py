"""Tables as Parquet. The only module that knows pyarrow, which is there if the extra `parquet` was installed."""

from __future__ import annotations

import io
from datetime import datetime
from typing import Any, BinaryIO, Final

import pyarrow as pa
from pyarrow import parquet

from spades_harness.tournament.records.export import Kind, Table, Value, Values

TYPES: Final = {
    Kind.WHOLE: pa.int64(),
    Kind.REAL: pa.float64(),
    Kind.TEXT: pa.string(),
    Kind.FLAG: pa.bool_(),
    Kind.MOMENT: pa.timestamp("ms", tz="UTC"),
}


def write_parquet(table: Table, file: BinaryIO) -> None:
    """A row group a batch; what isn't known is null."""
    schema = pa.schema([(column.name, TYPES[column.kind]) for column in table.columns])
    with parquet.ParquetWriter(_Counted(file), schema) as writer:
        for batch in table.batches():
            writer.write_batch(_batch(table, schema, batch))


def _batch(table: Table, schema: Any, rows: list[Values] | Any) -> Any:
    columns = zip(table.columns, zip(*rows, strict=True), strict=True)
    arrays = [pa.array(_values(column.kind, values), TYPES[column.kind]) for column, values in columns]
    return pa.record_batch(arrays, schema=schema)


def _values(kind: Kind, values: tuple[Value, ...]) -> list[Any]:
    if kind is not Kind.MOMENT:
        return [*values]
    return [datetime.fromisoformat(value) if isinstance(value, str) and value else None for value in values]


class _Counted(io.RawIOBase):
    """A file that is written from its beginning, be it a pipe: it knows by itself how far it is."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._at = file, 0

    def writable(self) -> bool:
        """It is."""
        return True

    def tell(self) -> int:
        """Bytes so far."""
        return self._at

    def write(self, data: Any, /) -> int:
        """All of it."""
        self._file.write(data)
        self._at += len(data)
        return len(data)
