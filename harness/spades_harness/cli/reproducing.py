"""A bot of a recorded match, found and started once more: from the ledger to what came of it."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

from spades_harness.errors import UserError
from spades_harness.table.bounds import UNBOXED
from spades_harness.table.judge import spell
from spades_harness.table.local import Factory
from spades_harness.table.match import Command, Decision, Fault, MatchRecord, MatchSpec, Player, Plugin
from spades_harness.table.rehearsal import Again, Alike, Finding, Parted
from spades_harness.tournament.file.bots import Bot, find_bot, folder_bot, registered_bot, unbuilt_player
from spades_harness.tournament.file.build import is_built
from spades_harness.tournament.records.ledger import Ledger, read_ledger
from spades_harness.tournament.registry import Registry

from .console import Exit, say, tell
from .custody import demand
from .debug import NAME as DEBUGGED
from .debug import debugged, in_folder_of, left_debugger
from .echo import Echo
from .opening import registered
from .pitch import UNTIMED
from .players import ready
from .playing import play_again
from .seated import Seated
from .signals import terminated_as_interrupted


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the command line asks for."""

    run: Path
    match: int
    seat: str | None
    """Its letter, as typed."""
    bot: str | None
    command: str | None
    plugins: tuple[Path, ...]
    no_clock: bool
    debug: bool


@dataclass(frozen=True, slots=True)
class Scene:
    """A match that is to be gone through once more."""

    spec: MatchSpec
    seat: int
    record: MatchRecord
    files: tuple[str, ...] = ()
    """Plugin files."""
    own: Mapping[str, Factory] = field(default_factory=dict)
    """The bot that is debugged."""
    place: AbstractContextManager[None] = field(default_factory=nullcontext)

    @property
    def who(self) -> str:
        """The bot with its seat."""
        return f"{self.spec.players[self.seat].name} ({self.spec.rules.shape.seats[self.seat]})"


def reproduce(wishes: Wishes) -> Exit:
    """Go through the match with the bot, and tell what came of it. Raises UserError."""
    with terminated_as_interrupted():
        with read_ledger(wishes.run) as ledger:
            scene = _scene(ledger, wishes)
        letters = scene.spec.rules.shape.seats
        with scene.place, Echo({scene.seat}, letters, tell) as echo:
            finding = play_again(scene.spec, scene.seat, scene.record, scene.files, echo.hear, scene.own)
    for line in _told(scene, finding):
        say(line)
    match finding:
        case Again() | Parted(now=Fault()):
            return Exit.TROUBLE
        case _:
            return Exit.DONE


# ----------------------------------------------------------------------------------------------------------- the scene


def _scene(ledger: Ledger, wishes: Wishes) -> Scene:
    record = ledger.match(wishes.match)
    if record.result is None:
        raise UserError(f"match {wishes.match} is void: there is nothing to go by")
    planned, terms = ledger.planned()[wishes.match - 1], ledger.run.terms
    seat = _seat(record, terms.rules.shape.seats, wishes)
    kept = ledger.player(Seated(ledger).bots(planned.leg)[seat])
    bot = _bot(kept, wishes)
    player, own, place = _debugged(bot) if wishes.debug else (bot, {}, nullcontext())
    spec = MatchSpec(
        identity=planned.identity,
        attempt=record.attempt,
        rules=terms.rules,
        format=terms.format,
        secret=terms.secrets[planned.secret].source,
        stream=planned.leg.stream,
        leg=planned.leg.leg,
        players=(player,) * len(terms.rules.shape.seats),
        limits=UNTIMED if wishes.no_clock or wishes.debug else terms.limits,
        faults=terms.faults,
        disguise=terms.disguised(planned.leg.leg),
        game=terms.game,
        custody=UNBOXED if wishes.command or wishes.debug else terms.custody,
    )
    _demand(spec, player, wishes)
    return Scene(spec, seat, record, (*_sources(kept), *_typed(wishes)), own, place)


def _demand(spec: MatchSpec, player: Player, wishes: Wishes) -> None:
    """Raises UserError where this machine can't keep the bot as the run did."""
    launchers = registered(wishes.plugins, kinds=("launchers",)).launchers
    if spec.custody.sandbox not in launchers:
        cure = "load its plugin with --plugin, or start the bot without a sandbox by --command"
        raise UserError(f"the run's sandbox is {spec.custody.sandbox!r}, which nothing registers here: {cure}")
    demand(launchers, spec.custody, [player])


def _typed(wishes: Wishes) -> Iterator[str]:
    """The plugin files of the command line."""
    return (str(path.resolve()) for path in wishes.plugins)


def _seat(record: MatchRecord, letters: Sequence[str], wishes: Wishes) -> int:
    """The seat that was named, else that of the first fault."""
    if wishes.seat is not None:
        if (letter := wishes.seat.upper()) not in letters:
            raise UserError(f"--seat {wishes.seat}: there is none; this match has {' '.join(letters)}")
        return letters.index(letter)
    if not record.faults:
        raise UserError(f"match {wishes.match} has no fault: say whose bot is meant, such as --seat {letters[0]}")
    return record.faults[0].seat


def _debugged(bot: Player) -> tuple[Player, Mapping[str, Factory], AbstractContextManager[None]]:
    player, factory = debugged(bot)
    return player, {DEBUGGED: factory}, in_folder_of(bot)


# ------------------------------------------------------------------------------------------------------------- the bot


def _bot(kept: Player, wishes: Wishes) -> Player:
    """The bot of then, or what is to play in its place."""
    kept = replace(kept, launch=replace(kept.launch, env=tuple(_env(kept))))
    if wishes.command:
        return replace(kept, launch=_by_command(kept, wishes.command))
    registry = registered([*map(Path, _sources(kept)), *wishes.plugins], kinds=("bots",))
    if wishes.bot:
        found = ready(find_bot(wishes.bot, Path.cwd(), registry))
        return replace(kept, launch=replace(found.launch, env=kept.launch.env), content=found.content)
    now = _as_it_is_now(kept, registry)
    if now is not None and unbuilt_player(now).content != kept.content:
        tell(f"spades: {kept.name} has changed since the match: what was asked is as it was then, the bot isn't")
    return kept


def _as_it_is_now(kept: Player, registry: Registry) -> Bot | None:
    match kept.launch:
        case Command():
            return _in_folder(kept, kept.launch)
        case Plugin(name=name):
            return registered_bot(name, registry)


def _sources(kept: Player) -> tuple[str, ...]:
    """The plugin files that the bot came from, those that are still there."""
    return (
        tuple(path for path in kept.launch.sources if Path(path).is_file()) if isinstance(kept.launch, Plugin) else ()
    )


def _env(kept: Player) -> Iterator[tuple[str, str]]:
    """The variables of its entry, as this shell has them: their values may be secrets, and no ledger has them."""
    for name, _ in kept.launch.env:
        if name in os.environ:
            yield name, os.environ[name]
        else:
            tell(f"spades: {kept.name} was given {name}, which no ledger keeps: set it for this call if it needs it")


def _in_folder(kept: Player, launch: Command) -> Bot | None:
    """The bot that lies where it lay; None where it was built, and what was built never changes. Raises UserError."""
    folder = Path(launch.folder)
    if not launch.folder or not folder.is_dir():
        where = f"{folder} is gone" if launch.folder else "the ledger doesn't say where it lies"
        raise UserError(f"{kept.name}: {where}; name it with --bot, or say how to start it with --command")
    if is_built(folder):
        return None
    return Bot(kept.name, launch, build=_steps(folder))


def _steps(folder: Path) -> tuple[tuple[str, ...], ...]:
    """How it is built, by its `bot.yaml` if it has one."""
    try:
        return folder_bot(folder).build
    except UserError:
        return ()


def _by_command(kept: Player, text: str) -> Command:
    """The command that was typed, in the bot's folder if there is one, else here."""
    try:
        argv = tuple(shlex.split(text, posix=sys.platform != "win32"))
    except ValueError as error:
        raise UserError(f"--command: {error}; quote its words as a shell wants them") from None
    if not argv:
        raise UserError("--command: it is empty; say how to start the bot")
    folder = kept.launch.folder if isinstance(kept.launch, Command) else ""
    return Command(argv, folder if folder and Path(folder).is_dir() else str(Path.cwd()), kept.launch.env)


# ------------------------------------------------------------------------------------------------------ what came of it


def _told(scene: Scene, finding: Finding) -> Iterator[str]:
    answers = f"{finding.answers} answer{'' if finding.answers == 1 else 's'}"
    match finding:
        case Alike():
            yield f"{scene.who}: {answers}, all as in the match; no fault"
        case Again(then=then, now=now):
            yield f"{scene.who}: {answers} as in the match, then the same fault: {_deed(now)}"
            if now.what != then.what:
                yield f"  in the match: {then.what}"
        case Parted(now=Fault() as fault) if left_debugger(fault):
            yield "left the debugger"
        case Parted(then=then, now=now):
            yield f"{scene.who}: {answers} as in the match, then something else"
            yield f"  now:          {_deed(now) if now else 'it comes up'}"
            yield f"  in the match: {_deed(then) if then else 'nothing more was asked of it'}"


def _deed(deed: Decision | Fault) -> str:
    if isinstance(deed, Fault):
        where = f"in hand {deed.hand_no}, {deed.asked}" if deed.hand_no else "at the start"
        answer = f"; it answered {deed.answer}" if deed.answer else ""
        return f"{deed.kind.value} {where}: {deed.what}{answer}"
    whose = " (the substitute's choice)" if deed.substituted else ""
    return f"{spell(deed.kind, deed.written)} in hand {deed.hand_no}, {deed.kind}{whose}"
