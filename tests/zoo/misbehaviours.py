"""Every misbehaviour of the zoo, and what becomes of it: the faults that its flag predicts. Data only.

By the default policy (`faults: forfeit`) a match ends with the first fault, so each match against a sound bot has one
fault or none. At the start it is one for each seat of the misbehaving side: all seats have their chance to start.
"""

from __future__ import annotations

from dataclasses import dataclass

NOT_READY = "not ready within the start limit"


@dataclass(frozen=True, slots=True)
class Misbehaviour:
    """A bot of the zoo with one bad habit."""

    name: str
    flags: tuple[str, ...]
    fault: str = ""
    """The fault's kind, as in PROTOCOL.md; empty where the habit is none of the harness's business."""
    words: str = ""
    """What the fault's text says, among other things."""
    escapes: bool = False
    """Without a sandbox it leaves a process that has left its process group."""
    system: str = ""
    """`posix` where Windows has no such thing."""

    @property
    def is_waited_for(self) -> bool:
        """Whether all that it gets of the harness is the end of its time."""
        return self.fault == "timeout" or self.words == NOT_READY

    @property
    def faults(self) -> tuple[str, ...]:
        """The faults of a match in which it has two seats."""
        return (self.fault,) * (2 if self.fault == "start" else 1) if self.fault else ()


def at(name: str, flag: str, fault: str = "", words: str = "", number: int = 1) -> Misbehaviour:
    """At the request of this number."""
    return Misbehaviour(name, (flag, str(number)), fault, words)


def odd(what: str, fault: str = "", words: str = "") -> Misbehaviour:
    """An odd line in place of the second answer: a bid, after `blind` was answered."""
    return Misbehaviour(f"odd_{what}".replace("-", "_"), ("--odd-at", "2", what), fault, words)


NO_JSON = "the line is no JSON object"
NO_NUMBER = 'the answer must carry "id":'
SILENT = "(output not flushed?)"
BEGUN = "the line was begun but not ended"

AT_THE_START = (
    Misbehaviour("exit_at_start", ("--exit-at-start",), "start", "exited with code 4 before it was ready"),
    Misbehaviour("quit_at_start", ("--quit-at-start",), "start", "exited with code 0 before it was ready"),
    Misbehaviour("never_hello", ("--never-hello",), "start", NOT_READY),
    Misbehaviour("never_ready", ("--never-ready",), "start", NOT_READY),
    Misbehaviour("other_protocol", ("--protocol", "2"), "start", "it speaks protocol 2"),
    Misbehaviour("refuse", ("--refuse",), "start", "gave up: these rules are beyond me"),
    Misbehaviour("chatter_at_start", ("--odd-hello", "chatter"), "start", NO_JSON),
    Misbehaviour("binary_at_start", ("--odd-hello", "binary"), "start", NO_JSON),
    Misbehaviour("answers_before_hello", ("--odd-hello", "answers"), "start", "the first message must be"),
    Misbehaviour("answers_before_ready", ("--odd-hello", "early"), "start", NO_NUMBER),
    Misbehaviour("hello_of_another_type", ("--odd-hello", "type"), "start", "the first message must be"),
    Misbehaviour("protocol_as_a_float", ("--odd-hello", "float"), "start", '"protocol" in hello must be the number'),
    Misbehaviour("wrong_name", ("--wrong-name",)),
)
GONE = (
    at("crash", "--crash-at", "crash", "exited with code 3", 3),
    at("quit", "--quit-at", "crash", "exited with code 0", 2),
    at("raise", "--raise-at", "crash", "exited with code 1", 2),
    at("sys_exit", "--sys-exit-at", "crash", "exited with code 1", 2),
    at("give_up", "--give-up-at", "crash", "gave up: no more", 2),
    Misbehaviour("segfault", ("--segfault-at", "2"), "crash", "SIGSEGV", system="posix"),
    Misbehaviour("kill_group", ("--kill-group-at", "2"), "crash", "SIGKILL", system="posix"),
    Misbehaviour("abort_in_line", ("--abort-in-line-at", "2"), "crash", "in the middle of a line", system="posix"),
    at("crash_after_answer", "--crash-after", "crash", "exited with code 0"),
    at("close_output", "--close-output-at", "crash", "closed its standard output", 2),
    at("close_input", "--close-input-at", "crash", "closed its standard input"),
    Misbehaviour(
        "abandon_pipes", ("--abandon-pipes-at", "2"), "crash", "exited with code 7", escapes=True, system="posix"
    ),
    Misbehaviour("crash_at_end", ("--crash-at-end",)),
)
LATE = (
    at("hang", "--hang-at", "timeout", SILENT, 2),
    Misbehaviour("stop", ("--stop-at", "2"), "timeout", SILENT, system="posix"),
    at("exec", "--exec-at", "timeout", SILENT, 2),
    at("half_line", "--half-line-at", "timeout", BEGUN, 2),
    at("no_newline", "--no-newline-at", "timeout", BEGUN, 2),
    at("drip", "--drip-at", "timeout", BEGUN, 2),
    at("late", "--late-at", "timeout", SILENT, 2),
    Misbehaviour("late_by_little", ("--late-by", "0.15"), "timeout", SILENT),
    Misbehaviour("slow", ("--late-by", "60"), "timeout", SILENT),
    Misbehaviour("no_flush", ("--no-flush",), "timeout", SILENT),
    Misbehaviour("never_read", ("--never-read",), "timeout", SILENT),
)
ODD_LINES = (
    Misbehaviour("babble", ("--babble",), "malformed", "print to standard error"),
    Misbehaviour("two_objects", ("--two-objects",), "malformed", NO_JSON),
    at("endless_line", "--endless-at", "malformed", "longer than 65536 bytes", 2),
    at("flood", "--flood-at", "malformed"),
    Misbehaviour("blank_flood", ("--blank-lines", "2000"), "malformed", "more than 100 blank or outdated lines"),
    odd("array", "malformed", "valid JSON but no object"),
    odd("null", "malformed", "valid JSON but no object"),
    odd("empty", "malformed", "no answer in it"),
    odd("no-answer", "malformed", "no answer in it"),
    odd("true", "malformed", '"bid" must be a whole number'),
    odd("float", "malformed", '"bid" must be a whole number'),
    odd("list", "malformed", '"bid" must be a whole number'),
    odd("other-key", "malformed", '"bid", not "ready"'),
    odd("both-keys", "malformed", "an answer has one of its keys"),
    odd("nan", "malformed", NO_JSON),
    odd("infinity", "malformed", NO_JSON),
    odd("5000-digits", "malformed"),
    odd("nested", "malformed", "nested deeper than 100 levels"),
    odd("latin-1", "malformed", NO_JSON),
    odd("utf-16", "malformed", NO_JSON),
    odd("bom", "malformed", NO_JSON),
    odd("nul", "malformed", NO_JSON),
    odd("nul-after", "malformed", NO_JSON),
    odd("lone-cr", "malformed", NO_JSON),
    odd("comment", "malformed", NO_JSON),
    odd("long", "malformed", "longer than 65536 bytes"),
    odd("doubled-key"),
    odd("surrogate"),
    odd("separators"),
    odd("escapes"),
    odd("blank-lines"),
    Misbehaviour("crlf", ("--crlf",)),
)
WRONG_NUMBERS = (
    Misbehaviour("string_id", ("--string-id",), "protocol", NO_NUMBER),
    Misbehaviour("no_id", ("--no-id",), "protocol", NO_NUMBER),
    odd("future-id", "protocol", NO_NUMBER),
    odd("float-id", "protocol", NO_NUMBER),
    odd("zero-id", "protocol", NO_NUMBER),
    Misbehaviour("old_id", ("--old-id",)),
    Misbehaviour("twice", ("--twice",)),
)
FORBIDDEN = (
    at("illegal_blind_bid", "--illegal-at", "illegal", "99"),
    at("illegal_bid", "--illegal-at", "illegal", "99", 2),
    at("no_card", "--illegal-at", "illegal", "1X", 3),
    Misbehaviour("revoke", ("--revoke",), "illegal"),
    Misbehaviour("foreign_card", ("--foreign-card",), "illegal"),
    Misbehaviour("played_card", ("--played-card",), "illegal"),
)
ON_THE_MACHINE = (
    Misbehaviour("fork", ("--fork",)),
    Misbehaviour("fork_many", ("--fork-many",)),
    Misbehaviour("fork_at_end", ("--fork-at-end",)),
    Misbehaviour("daemon", ("--daemon",), escapes=True, system="posix"),
    Misbehaviour("ignore_sigterm", ("--ignore-sigterm",)),
    Misbehaviour("linger", ("--linger",)),
    Misbehaviour("spin", ("--spin",)),
    Misbehaviour("threads", ("--threads",)),
    Misbehaviour("files", ("--files",)),
    Misbehaviour("remove_folder", ("--remove-folder",)),
    Misbehaviour("stderr_flood", ("--stderr-flood",)),
)
ALL = (*AT_THE_START, *GONE, *LATE, *ODD_LINES, *WRONG_NUMBERS, *FORBIDDEN, *ON_THE_MACHINE)
