"""The one family of errors that is the user's own: it is printed as it is, without a traceback, with exit code 2."""

from __future__ import annotations


class UserError(Exception):
    """What is wrong, where, and what to do about it, in one line (or one line a mistake)."""
