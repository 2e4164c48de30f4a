"""A tournament file that was named on the command line, read with its plugins: what a run starts from."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from spades_harness.errors import UserError
from spades_harness.game.deal import SECRET_BYTES
from spades_harness.modules import not_a_file
from spades_harness.plugins import KINDS, load_registry
from spades_harness.tournament.anchor import unknown
from spades_harness.tournament.execution.executors import HERE, Checked, Executor, Named
from spades_harness.tournament.file import entries
from spades_harness.tournament.file.config import SEED_AND_SALT, find_file, open_file, plugin_files, read_tournament
from spades_harness.tournament.file.effective import effective, without_secrets
from spades_harness.tournament.file.entries import BotEntry, CommandLine, Submissions, Tournament
from spades_harness.tournament.file.roster import Roster, Seat, gather
from spades_harness.tournament.file.seeds import typed_salt, typed_seed
from spades_harness.tournament.identity import Terms
from spades_harness.tournament.records.founding import Setup
from spades_harness.tournament.registry import Registry
from spades_harness.tournament.sealed import Sealed

from .console import tell


@dataclass(frozen=True, slots=True)
class Opened:
    """A tournament file as it was understood; `plugins` are the plugin files to load in every worker."""

    file: Tournament
    registry: Registry
    plugins: tuple[str, ...]
    path: Path
    """Where the file lies."""
    reuse: Path | None = None
    """A run whose matches are taken over where they are the same."""
    executor: Named = HERE
    """Where matches run."""

    def roster(self, seat: Seat) -> Roster:
        """Who takes part. Raises UserError; tells of submissions that are left out."""
        roster = gather(self.file, self.registry, seat)
        for left_out in roster.unusable:
            tell(f"spades: left out: {left_out}")
        names = [*(each.name for each in roster.entrants), *sorted(roster.absent)]
        if (fixed := self.file.anchor) and (what := unknown(fixed.anchor, names)):
            raise fixed.place.error(what)
        return roster

    def where(self) -> Executor:
        """What plays the matches. Raises UserError for a name that nobody registers, and for a text that is no good."""
        name, known = self.executor.name, self.registry.executors
        if name not in known:
            raise UserError(f"--executor: no executor {name!r}{self.registry.missing(name, [*known])}")
        found = known[name]
        if isinstance(found, Checked) and (why := found.objection(self.executor.where)):
            raise UserError(f"--executor {self.executor.text}: {why}")
        return found

    def homes(self) -> Iterator[Path]:
        """The folders of bots, and of submissions, that the file names."""
        for entry in self.file.bots:
            match entry:
                case Submissions(folder) | BotEntry(source=CommandLine(dir=folder)):
                    yield self.file.base / folder
                case BotEntry(source=entries.Named(bot)) if (path := self.file.base / bot).exists():
                    yield path if path.is_dir() else path.parent

    def text(self) -> str:
        """The file as it was understood, every default filled in, no secret of a bot's environment shown."""
        return effective(without_secrets(self.file))

    def terms(self) -> Terms:
        """What all matches have in common, before there is a secret: good for planning and for handshakes."""
        file = self.file
        none = (Sealed(bytes(SECRET_BYTES)),)
        return Terms(file.rules, file.format, file.limits, file.faults, none, file.custody, disguise=file.disguise)

    def setup(self, roster: Roster) -> Setup:
        """What the run is founded on."""
        file = self.file
        return Setup(
            name=file.name,
            text=self.text(),
            rules=file.rules,
            format=file.format,
            limits=file.limits,
            faults=file.faults,
            seed=file.seed,
            schedule=file.schedule.name,
            entrants=roster.entrants,
            options=dict(file.schedule.options),
            custody=file.custody,
            disguise=file.disguise,
            stop=file.stop.rule if file.stop else None,
            rank_by=file.rank_by,
            anchor=file.anchor.anchor if file.anchor else None,
        )


def open_tournament(named: str, seed: str | None, plugins: Sequence[Path], salt: str | None = None) -> Opened:
    """Read the file of this name, or one that ships; seed and salt, as typed, override its own. Raises UserError."""
    public = None if seed is None else typed_seed(seed)
    mixed_in = None if salt is None else typed_salt(salt)
    path = find_file(named)
    root = open_file(path)
    files = (*plugin_files(root, path.resolve().parent), *_given(plugins))
    registry = _load(files)
    file = read_tournament(root, path, registry)
    file = replace(file, seed=file.seed if public is None else public, salt=mixed_in or file.salt)
    if file.salt is not None and file.seed is not None:
        raise UserError(f"salt: {SEED_AND_SALT}; leave one out")
    return Opened(file, registry, tuple(map(str, files)), path)


def registered(plugins: Sequence[Path], kinds: Collection[str] = KINDS) -> Registry:
    """What is registered of these kinds, by these plugin files too. Raises UserError, also for a file that is broken;
    tells of installed plugins that are set aside."""
    return _load(_given(plugins), kinds)


def _load(files: Sequence[Path], kinds: Collection[str] = KINDS) -> Registry:
    registry, named = load_registry(files, kinds), {*map(str, files)}
    if broken := [str(problem) for problem in registry.problems if problem.plugin in named]:
        raise UserError("\n".join(broken))
    for problem in registry.problems:
        tell(f"spades: {problem}")
    return registry


def _given(plugins: Sequence[Path]) -> list[Path]:
    for plugin in plugins:
        if (why := not_a_file(plugin)) is not None:
            raise UserError(f"--plugin {plugin}: {why}")
    return [plugin.resolve() for plugin in plugins]
