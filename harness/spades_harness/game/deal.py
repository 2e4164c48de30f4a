"""The deal: a pure function of secret, board stream and hand, the same on every machine and in every version.

Nothing else may enter: no pairing, no worker, no earlier play, no generator of the language. The derivation is
frozen by test vectors and described in `protocol/DEALS.md`, so that anyone can reproduce it in any language.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from itertools import permutations
from struct import unpack
from typing import Final

SECRET_BYTES: Final = 32
"""Length of a secret: the width of SHA-256, so that it cannot be guessed and no derivation shortens it."""
_LIMITS: Final = (0, *(2**32 - 2**32 % bound for bound in range(1, 57)))
"""Where the last whole stretch of words ends, by bound; no deck has more than 56 cards."""
_DEAL: Final = b"spades-harness/deal/1\0"
_SECOND: Final = b"spades-harness/second/1\0"
_PARTNERS: Final = b"spades-harness/partners/1\0"
_SEED: Final = b"spades-harness/seed/1\0"
_COMMITMENT: Final = b"spades-harness/commitment/1\0"
_SALT: Final = b"spades-harness/salt/1\0"
_DISGUISE: Final = b"spades-harness/disguise/1\0"
_, *_OTHER_ORDERS = permutations(range(3))
"""Of clubs, diamonds and hearts, by the number of what each becomes: all but the one in which nothing changes."""


def secret_of_seed(seed: int | str) -> bytes:
    """The secret that a public seed stands for: SHA-256 of a label and the seed's decimal or text form in UTF-8."""
    return hashlib.sha256(_SEED + str(seed).encode()).digest()


def commitment(secret: bytes) -> str:
    """What is shown before the first match, 64 hex digits: SHA-256 of a label and the secret."""
    return hashlib.sha256(_COMMITMENT + secret).hexdigest()


def salted(secret: bytes, salt: str) -> bytes:
    """The secret that the deals come from where a salt is mixed in: HMAC-SHA-256 keyed by the secret over it."""
    return hmac.new(secret, _SALT + salt.encode(), hashlib.sha256).digest()


def bot_seed(secret: bytes, match: str, seat: str) -> str:
    """A bot's own dice, 64 hex digits: HMAC-SHA-256 keyed by the secret over label, match and seat."""
    message = b"\0".join((b"bot", match.encode(), seat.encode()))
    return hmac.new(secret, message, hashlib.sha256).hexdigest()


def match_tag(secret: bytes, identity: str) -> str:
    """What a bot is told as its match's name, 16 hex digits: neither board nor leg can be computed from it."""
    return hmac.new(secret, b"match\0" + identity.encode(), hashlib.sha256).hexdigest()[:16]


def permutation(secret: bytes, stream: int, hand: int, size: int = 52) -> tuple[int, ...]:
    """The shuffle of a hand's deck: 0 … size - 1 in an order of which each is equally likely.

    Raises ValueError when the secret isn't 32 bytes or stream or hand aren't in 0 … 2**64 - 1.
    """
    return _shuffle(_DEAL, secret, stream, hand, size)


def second_order(secret: bytes, stream: int, hand: int, size: int = 52) -> tuple[int, ...]:
    """Another order of the same deck (V20: which unused cards come first), as `permutation` otherwise."""
    return _shuffle(_SECOND, secret, stream, hand, size)


def drawn_for_partners(secret: bytes, stream: int, size: int = 52) -> tuple[int, ...]:
    """The deck from which players draw for partners, one card each (V1), as `permutation` otherwise."""
    return _shuffle(_PARTNERS, secret, stream, 0, size)


def disguises(secret: bytes, stream: int, hand: int) -> tuple[tuple[int, ...], ...]:
    """What clubs, diamonds and hearts become (0, 1, 2), in the order in which the legs after the first take it.

    All five ways in which something changes, so that up to five legs differ from the first and from each other.
    """
    return tuple(_OTHER_ORDERS[place] for place in _shuffle(_DISGUISE, secret, stream, hand, len(_OTHER_ORDERS)))


def _shuffle(label: bytes, secret: bytes, stream: int, hand: int, size: int) -> tuple[int, ...]:
    """An unbiased shuffle of 0 … size - 1: Fisher-Yates from the top, each index drawn by rejection."""
    order = list(range(size))
    words = _words(_key(label, secret, stream, hand))
    for bound in range(size, 1, -1):
        chosen = _below(bound, words)
        order[bound - 1], order[chosen] = order[chosen], order[bound - 1]
    return tuple(order)


def _key(label: bytes, secret: bytes, stream: int, hand: int) -> bytes:
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}")
    if not (0 <= stream < 2**64 and 0 <= hand < 2**64):
        raise ValueError(f"board stream and hand lie in 0 … 2**64 - 1, not {stream} and {hand}")
    return hashlib.sha256(label + secret + stream.to_bytes(8, "big") + hand.to_bytes(8, "big")).digest()


def _words(key: bytes) -> Iterator[int]:
    """32-bit big-endian words of SHA-256(key, counter), counter 0, 1, … in 8 bytes big-endian."""
    counter = 0
    while True:
        yield from unpack(">8I", hashlib.sha256(key + counter.to_bytes(8, "big")).digest())
        counter += 1


def _below(bound: int, words: Iterator[int]) -> int:
    """A number in 0 … bound - 1, each equally likely: words in the incomplete last stretch are thrown away."""
    for word in words:
        if word < _LIMITS[bound]:
            return word % bound
    raise AssertionError("the stream of words has no end")
