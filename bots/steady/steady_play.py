"""Which card steady plays: a pure function of what the seat sees. What matters most now decides who chooses."""

from __future__ import annotations

from steady_contract import follow_to_duck, follow_to_win, lead_to_duck, lead_to_win, wants_tricks
from steady_nil import follow_cover, follow_hunt, lead_cover, lead_hunt
from steady_sight import Card, Sight, keeps_nil, lowest, opponents_of, partner_of


def choose_card(s: Sight) -> Card:
    """The card to play, an element of `s.legal`."""
    if s.legal & (s.legal - 1) == 0:
        return lowest(s.legal)
    return lead(s) if not s.trick else follow(s)


def lead(s: Sight) -> Card:
    """The first card of a trick."""
    if keeps_nil(s, s.seat):
        return lead_to_duck(s)
    partner = partner_of(s)
    if partner is not None and keeps_nil(s, partner):
        return lead_cover(s, partner)
    prey = hunted(s)
    if prey is not None:
        return lead_hunt(s, prey)
    return lead_to_win(s) if wants_tricks(s) else lead_to_duck(s)


def follow(s: Sight) -> Card:
    """A later card of a trick."""
    if keeps_nil(s, s.seat):
        return follow_to_duck(s)
    partner = partner_of(s)
    if partner is not None and keeps_nil(s, partner):
        return follow_cover(s, partner, for_contract)
    prey = hunted(s)
    if prey is not None:
        return follow_hunt(s, prey, for_contract)
    return for_contract(s)


def for_contract(s: Sight) -> Card:
    """Follow where no Nil is concerned."""
    return follow_to_win(s) if wants_tricks(s) else follow_to_duck(s)


def hunted(s: Sight) -> int | None:
    """An opponent whose Nil can still be broken."""
    return next((seat for seat in opponents_of(s) if keeps_nil(s, seat)), None)
