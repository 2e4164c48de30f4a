"""Which word was probably meant, where somebody wrote one that is not known. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches


def nearest(word: str, words: Sequence[str]) -> str:
    """`; did you mean …?`, or all the choices when none is near."""
    near = near_miss(word, words)
    return f"; there are: {', '.join(sorted(words))}" if near is None else f"; did you mean {near!r}?"


def near_miss(word: str, words: Sequence[str]) -> str | None:
    """Which of the words was probably meant; letters may be large that should be small."""
    alike = {each.lower(): each for each in words}
    near = get_close_matches(word, words, n=1) or [alike[each] for each in get_close_matches(word.lower(), alike, n=1)]
    return near[0] if near else None
