"""Public seeds and salts: what one may be, in a tournament file and on the command line. Deals nothing."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from spades_harness.errors import UserError

from .reading import At, scalar, text
from .yaml_nodes import Word

MAX_SEED: Final = 2**64 - 1
"""As large as any language's seeds; only its digits count."""
MAX_SEED_TEXT: Final = 200
"""Characters of a seed that is a text: a sentence, which people can still read out and type again."""
_SEED: Final = f"a whole number from 0 to {MAX_SEED} or a text of 1 to {MAX_SEED_TEXT} characters"
REQUIRED: Final = "required"
"""In the place of a salt: there is to be one before anything is played."""
_SALT: Final = f"a text of 1 to {MAX_SEED_TEXT} characters, in one line and without blanks at its ends"
_DIGITS: Final = re.compile(r"-?(0|[1-9][0-9]*)")


def typed_seed(typed: str) -> int | str:
    """A seed as it is typed on the command line: digits are a number, all else a text. Raises UserError."""
    if typed.lstrip("+-").isdigit():
        if _DIGITS.fullmatch(typed) and _is_seed(typed):
            return int(typed)
    elif _may_be_seed(typed):
        return typed
    raise UserError(f"--seed: must be {_SEED}, not {typed[:40]!a}")


def seed(at: At) -> int | str:
    """A number in plain digits, or a text; what could be taken for either has to stand in quotes."""
    if not isinstance(at.node, Word) or at.node.quoted or not _DIGITS.fullmatch(at.node.text):
        found = scalar(at) if isinstance(at.node, Word) else None
        if isinstance(found, str) and _may_be_seed(found):
            return found
    elif _is_seed(at.node.text):
        return int(at.node.text)
    raise at.must_be(_SEED)


def typed_salt(typed: str) -> str:
    """A salt as it is typed on the command line, to the letter. Raises UserError."""
    if not _may_be_salt(typed) or typed == REQUIRED:
        raise UserError(f"--salt: must be {_SALT}, not {typed[:40]!a}")
    return typed


def salt(at: At) -> str:
    """A text to the letter, also one that looks like a number; or the word `required`. Raises FileError."""
    found = text(at)
    if not _may_be_salt(found):
        raise at.must_be(f"{_SALT}, or the word {REQUIRED}")
    return found


def _is_seed(digits: str) -> bool:
    return len(digits) <= len(str(MAX_SEED)) and 0 <= int(digits) <= MAX_SEED


def _may_be_salt(found: str) -> bool:
    return _may_be_seed(found) and found == found.strip()


def _may_be_seed(found: str) -> bool:
    """Whether a text has the length of one, and nothing in it that cannot be typed or has no UTF-8."""
    return 0 < len(found) <= MAX_SEED_TEXT and not any(unicodedata.category(each) in ("Cc", "Cs") for each in found)
