"""`spades run`: a tournament file, played to its standings."""

from __future__ import annotations
