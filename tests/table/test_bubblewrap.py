"""What a bot cannot do in its box, and what it can: real boxes, with real bots in them."""

from __future__ import annotations

import json
import os
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from bots_support import build_random, folder_of
from spades_harness.game.rules import Rules
from spades_harness.game.score import Boards
from spades_harness.table import bubblewrap
from spades_harness.table.bounds import Custody, Limits, Resources
from spades_harness.table.bubblewrap import Bubblewrap
from spades_harness.table.launch import BoxError, Launch, LaunchError, remove
from spades_harness.table.launchers import Box
from spades_harness.table.match import Command, MatchRecord, MatchSpec, Player, Plugin
from spades_harness.table.referee import play_match, with_reports
from spades_harness.table.seating import open_table
from spades_harness.table.tree import descendants
from spades_harness.tournament.execution import voiding
from table.boxes import GUARD, boxed, demand_boxes, found_by, run_boxed

if sys.platform != "linux":
    pytest.skip("boxes are for Linux", allow_module_level=True)

ZOO = str(Path(__file__).parents[1] / "zoo")
PATIENT = Limits(start=60, move=60, bank=3600)
TRY = """
import json, os, socket, sys
def attempt(do, *args):
    try:
        return repr(do(*args))
    except OSError as error:
        return type(error).__name__
"""


@pytest.fixture(autouse=True)
def boxes() -> None:
    """They must be there."""
    demand_boxes()


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody may look into, as a bot's is; pytest's own are closed."""
    folder = Path(tempfile.mkdtemp(prefix="open-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def spec(*launches: Command | Plugin) -> MatchSpec:
    """A short match of these bots, in boxes."""
    players = tuple(Player(f"player {seat}", launch) for seat, launch in enumerate(launches))
    custody = Custody(sandbox="bubblewrap")
    return MatchSpec("id", 1, Rules(), Boards(4), bytes(32), 0, 0, players, PATIENT, custody=custody)


async def play(match: MatchSpec) -> MatchRecord:
    with trio.fail_after(GUARD):
        async with open_table(match, launchers={"bubblewrap": Bubblewrap()}) as table:
            record = await play_match(match, table)
    return with_reports(record, table)


def zoo(*flags: str) -> Command:
    return Command(("{python}", "zoo.py", *flags), ZOO)


# ------------------------------------------------------------------------------------------------ what it cannot do


def test_a_bot_reads_neither_a_rival_s_folder_nor_the_run_nor_its_file_nor_a_partner_s_files(tmp_path: Path) -> None:
    """SE-08: neither by name nor through a link that it ships."""
    rival, partner = tmp_path / "rival" / "bot.py", Path(tempfile.mkdtemp(prefix="spades-")) / "x"
    kept = [rival, tmp_path / "runs" / "ledger.sqlite", tmp_path / "t.yaml", tmp_path / "secret", partner]
    for file in kept:
        file.parent.mkdir(exist_ok=True)
        file.write_text("mine")
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "peep").symlink_to(rival)
    (mine / "peeps").symlink_to(rival.parent, target_is_directory=True)
    script = TRY + "print(json.dumps([attempt(open, name) for name in sys.argv[1:]]))"
    names = [*map(str, kept), "peep", "peeps/bot.py", "/etc/shadow", "/etc/passwd", str(Path.home() / ".profile")]
    found = found_by(script, mine, *names)
    shutil.rmtree(partner.parent)
    assert found == ["FileNotFoundError"] * len(names)


def test_a_bot_writes_into_its_working_folder_and_nowhere_else(tmp_path: Path) -> None:
    """PL-17."""
    script = TRY + (
        "names = ['note', os.environ['HOME'] + '/note', '/tmp/note', '/dev/shm/note', 'probe.py', '/usr/note',"
        " '/note', '/dev/note', os.path.dirname(sys.executable) + '/note']\n"
        "print(json.dumps([attempt(open, name, 'a') for name in names]))"
    )
    *able, own, usr, root, dev, prefix = found_by(script, tmp_path / "mine")
    assert all("TextIOWrapper" in each for each in able)
    assert {own, usr, root, dev, prefix} <= {"OSError", "PermissionError"}
    assert [each.name for each in (tmp_path / "mine").iterdir()] == ["probe.py"]


def test_a_bot_reaches_no_network_not_even_this_machine_unless_it_is_let(tmp_path: Path) -> None:
    script = TRY + (
        "print(json.dumps(attempt(lambda: socket.create_connection(('127.0.0.1', int(sys.argv[1])), 5) and 'in')))"
    )
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        assert found_by(script, tmp_path / "mine", port) == "ConnectionRefusedError"
        assert found_by(script, tmp_path / "mine", port, box=Box(network=True)) == "'in'"


def test_a_bot_sees_and_signals_no_process_but_its_own(tmp_path: Path) -> None:
    script = TRY + (
        "alive = [int(name) for name in os.listdir('/proc') if name.isdigit()]\n"
        "print(json.dumps([len(alive), attempt(os.kill, int(sys.argv[1]), 0), attempt(open, '/dev/tty', 'w')]))"
    )
    other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        alive, signalled, _ = found_by(script, tmp_path / "mine", str(other.pid))
    finally:
        other.communicate(b"\n")
    assert alive <= 3
    assert signalled == "ProcessLookupError"


def test_a_bot_is_nobody_with_no_rights_and_inherits_nothing_that_is_open(tmp_path: Path) -> None:
    script = (
        "import json, os\n"
        "status = dict(line.split(':', 1) for line in open('/proc/self/status'))\n"
        "fds = [name for name in os.listdir('/proc/self/fd') if os.path.exists('/proc/self/fd/' + name)]\n"
        "print(json.dumps([os.getuid(), status['CapEff'].strip(), status['NoNewPrivs'].strip(), fds]))\n"
    )
    with (tmp_path / "held").open("w") as held:
        os.set_inheritable(held.fileno(), True)
        uid, rights, sealed, fds = found_by(script, tmp_path / "mine")
    assert uid != 0
    assert int(rights, 16) == 0
    assert sealed == "1"
    assert sorted(fds) == ["0", "1", "2"]


def test_what_a_bot_is_passed_stands_in_no_command_line_and_in_no_other_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SE-01."""
    monkeypatch.setenv("API_KEY", "s3cret")
    monkeypatch.setenv("GITHUB_TOKEN", "y")
    script = TRY + (
        "first = attempt(lambda: open('/proc/1/environ').read())\n"
        "print(json.dumps([os.environ.get('API_KEY'), os.environ.get('GITHUB_TOKEN'), 'GITHUB' in first]))"
    )
    assert found_by(script, tmp_path / "mine", pass_env=["API_KEY"]) == ["s3cret", None, False]
    assert found_by(script, tmp_path / "mine") == [None, None, False]
    launch = boxed(Command((sys.executable,), str(tmp_path / "mine")), pass_env=("API_KEY",))
    remove(launch.folder)
    assert dict(launch.env) == {"API_KEY": "s3cret"}
    assert not any("s3cret" in word for word in (*launch.argv, repr(launch)))


def test_what_an_author_puts_into_the_environment_comes_into_force_inside_alone(tmp_path: Path) -> None:
    """What is loaded before any program would be loaded by bwrap itself, outside of the box."""
    (tmp_path / "evil.so").write_bytes(b"")
    command = Command((sys.executable,), str(tmp_path), (("LD_PRELOAD", "./evil.so"),))
    launch = boxed(command)
    remove(launch.folder)
    outside, inside = launch.argv[: launch.argv.index("/usr/bin/env")], launch.argv[launch.argv.index("/usr/bin/env") :]
    assert "LD_PRELOAD" not in launch.env
    assert not any("evil" in word for word in outside if not word.startswith(("/", str(tmp_path))))
    assert "LD_PRELOAD=./evil.so" in inside


def test_more_processes_than_it_may_have_are_refused_and_so_are_larger_files(tmp_path: Path) -> None:
    """SE-07."""
    forks = (
        "import json, os, threading\nn = 0\n"
        "try:\n    while n < 60:\n        n += 1\n        if not os.fork(): threading.Event().wait()\n"
        "except BlockingIOError: pass\nprint(json.dumps(n))\n"
    )
    assert found_by(forks, tmp_path / "mine", box=Box(Resources(processes=20))) <= 20
    write = TRY + (
        "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "print(json.dumps(attempt(lambda: open('big', 'wb', 0).write(bytes(3 * 2**20)) <= 2**20)))"
    )
    assert found_by(write, tmp_path / "mine", box=Box(Resources(file_size=1))) in ("True", "OSError")


# ------------------------------------------------------------------------------------------------------- its end


def gone(*pids: int) -> bool:
    """Whether all of these have ended, or do within the guard."""
    deadline = time.monotonic() + GUARD
    for pid in pids:
        with suppress(ProcessLookupError):
            handle = os.pidfd_open(pid)
            with os.fdopen(handle):
                if not select.select([handle], [], [], deadline - time.monotonic())[0]:
                    return False
    return True


def when(condition: Callable[[], bool]) -> bool:
    """Whether it comes true within the guard."""
    deadline = time.monotonic() + GUARD
    while not condition():
        if time.monotonic() > deadline:
            return False
        os.sched_yield()
    return True


DEAF = (
    "import os, signal, subprocess, sys\n"
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "child = os.fork()\n"
    "if child: os.waitpid(child, 0)\n"
    "else:\n    os.setsid()\n    if os.fork(): os._exit(0)\n"
    "print('up', flush=True)\nwhile True: pass\n"
)


def state(pid: int) -> str:
    """As the kernel has it: T is a process that stands still."""
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]


@pytest.fixture
def deaf(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A box with a bot that spins and hears nothing, and with a daemon of its that does so too."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "deaf.py").write_text(DEAF, encoding="utf-8")
    launch = boxed(Command((sys.executable, "-I", "deaf.py"), str(tmp_path / "mine")))
    process = subprocess.Popen(
        launch.argv, env=dict(launch.env), stdout=subprocess.PIPE, cwd=launch.folder, process_group=0
    )
    assert process.stdout
    assert [process.stdout.readline(), process.stdout.readline()] == [b"up\n"] * 2
    yield process
    Bubblewrap().end(process.pid, by_force=True)
    process.communicate(timeout=GUARD)
    remove(launch.folder)


def test_nothing_outlives_a_box_that_is_ended_by_force(deaf: subprocess.Popen[bytes]) -> None:
    """PL-03."""
    inside = descendants(deaf.pid)
    assert len(inside) >= 4
    Bubblewrap().end(deaf.pid, by_force=True)
    deaf.wait(GUARD)
    assert gone(*inside)


def test_a_box_stands_still_as_a_whole_and_goes_on(deaf: subprocess.Popen[bytes]) -> None:
    launcher = Bubblewrap()
    inside = launcher.members(deaf.pid)
    assert any(os.getpgid(pid) != deaf.pid for pid in inside)
    launcher.freeze(deaf.pid)
    assert when(lambda: {state(pid) for pid in inside} == {"T"})
    launcher.thaw(deaf.pid)
    assert when(lambda: "T" not in {state(pid) for pid in inside})


def test_a_bot_alone_in_its_box_stands_still_and_so_does_the_helper_that_it_starts(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    script = (
        "import os\nprint(1, flush=True)\ninput()\nos.fork() or os.setsid()\nprint(2, flush=True)\nwhile True: pass\n"
    )
    (tmp_path / "mine" / "bot.py").write_text(script, encoding="utf-8")
    launch = boxed(Command((sys.executable, "-I", "bot.py"), str(tmp_path / "mine")))
    pipe = subprocess.PIPE
    bot = subprocess.Popen(launch.argv, env={}, cwd=launch.folder, process_group=0, stdin=pipe, stdout=pipe)
    assert bot.stdin
    assert bot.stdout
    launcher = Bubblewrap()
    try:
        bot.stdout.readline()
        *_, alone = launcher.members(bot.pid)
        launcher.freeze(bot.pid)
        assert when(lambda: state(alone) == "T")
        launcher.thaw(bot.pid)
        bot.stdin.write(b"\n")
        bot.stdin.flush()
        assert [bot.stdout.readline(), bot.stdout.readline()] == [b"2\n"] * 2
        *_, alone, helper = launcher.members(bot.pid)

        def stands() -> bool:
            launcher.freeze(bot.pid)
            return {state(alone), state(helper)} == {"T"}

        assert when(stands)
        launcher.thaw(bot.pid)
        assert when(lambda: "T" not in {state(alone), state(helper)})
    finally:
        launcher.end(bot.pid, by_force=True)
        bot.communicate(timeout=GUARD)
        remove(launch.folder)


HARNESS = (
    "import json, subprocess, sys; argv, cwd = json.load(sys.stdin)\n"
    "bot = subprocess.Popen(argv, env={}, cwd=cwd, process_group=0, stdout=subprocess.PIPE)\n"
    "bot.stdout.readline(), bot.stdout.readline(); print(bot.pid, flush=True); bot.wait()"
)


def test_a_box_ends_when_the_harness_itself_is_killed(tmp_path: Path) -> None:
    """PL-02."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "deaf.py").write_text(DEAF, encoding="utf-8")
    launch = boxed(Command((sys.executable, "-I", "deaf.py"), str(tmp_path / "mine")))
    harness = subprocess.Popen([sys.executable, "-c", HARNESS], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert harness.stdin
    assert harness.stdout
    harness.stdin.write(json.dumps([launch.argv, str(launch.folder)]).encode())
    harness.stdin.close()
    inside = descendants(int(harness.stdout.readline()))
    harness.kill()
    harness.wait(GUARD)
    harness.stdout.close()
    remove(launch.folder)
    assert len(inside) >= 4
    assert gone(*inside)


async def test_how_a_bot_dies_in_its_box_is_told_as_it_died() -> None:
    """PL-14."""
    match = spec(*[zoo("--segfault-at", "2")] * 2, *[zoo()] * 2)
    with trio.fail_after(GUARD):
        async with open_table(match, launchers={"bubblewrap": Bubblewrap()}) as table:
            record = await play_match(match, table)
    assert "was killed by SIGSEGV" in record.faults[0].what


async def test_a_bot_that_closes_its_output_is_found_out_at_once_in_a_box_too(tmp_path: Path) -> None:
    """PL-05."""
    (tmp_path / "bot.py").write_text("import os, threading\nos.close(1)\nthreading.Event().wait()\n", encoding="utf-8")
    record = await play(spec(*[Command(("{python}", "bot.py"), str(tmp_path))] * 4))
    assert "closed its standard output" in record.faults[0].what


# --------------------------------------------------------------------------------------------------- what it can do

NODE = """
const lines = require("readline").createInterface({input: process.stdin});
const say = (message) => process.stdout.write(JSON.stringify(message) + "\\n");
lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") say({type: "hello", protocol: 1});
  else if (message.type === "match_start") say({id: message.id, ready: true});
  else if (message.type === "bid") say({id: message.id, bid: message.legal[0]});
  else if (message.type === "play") say({id: message.id, card: message.legal[0]});
});
"""
JAVA = """
import java.util.regex.*;
public class Bot {
  static String find(String pattern, String line) {
    Matcher found = Pattern.compile(pattern).matcher(line);
    return found.find() ? found.group(1) : "";
  }
  public static void main(String[] words) throws Exception {
    var lines = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
    for (String line; (line = lines.readLine()) != null;) {
      String type = find("\\"type\\": ?\\"(\\\\w+)\\"", line), id = find("\\"id\\": ?(\\\\d+)", line);
      String legal = find("\\"legal\\": ?\\\\[([^,\\\\]]+)", line);
      if (type.equals("hello")) System.out.println("{\\"type\\":\\"hello\\",\\"protocol\\":1}");
      if (type.equals("match_start")) System.out.println("{\\"id\\":" + id + ",\\"ready\\":true}");
      if (type.equals("bid")) System.out.println("{\\"id\\":" + id + ",\\"bid\\":" + legal + "}");
      if (type.equals("play")) System.out.println("{\\"id\\":" + id + ",\\"card\\":" + legal + "}");
    }
  }
}
"""


def demand_program(program: str) -> str:
    """Fail in the gate, and skip elsewhere, where a runtime is missing."""
    found = shutil.which(program)
    if found is None and os.environ.get("SPADES_CI"):
        pytest.fail(f"the gate runs the tests of {program}, and it is not there")
    return found or pytest.skip(f"{program} is not there: nothing of it was tested")


async def test_bots_of_this_python_and_of_c_and_a_plugin_s_host_play_in_boxes(tmp_path: Path) -> None:
    """The Python may stand outside /usr, as environments and pyenv's do."""
    built = build_random(tmp_path)
    steady = Command(("{python}", "steady.py"), str(folder_of("steady")))
    record = await play(spec(steady, Command((f"./{built.name}",), str(built.parent)), Plugin("threes"), steady))
    assert record.faults == ()
    assert record.result is not None


def compile_java(folder: Path) -> None:
    subprocess.run(["javac", "Bot.java"], cwd=folder, check=True, timeout=GUARD)


async def test_bots_of_node_and_of_java_play_in_boxes(open_folder: Path) -> None:
    demand_program("node")
    demand_program("javac")
    (open_folder / "bot.js").write_text(NODE, encoding="utf-8")
    (open_folder / "Bot.java").write_text(JAVA, encoding="utf-8")
    compile_java(open_folder)
    node, java = (Command(words, str(open_folder)) for words in (("node", "bot.js"), ("java", "-cp", ".", "Bot")))
    record = await play(spec(node, java, node, java))
    assert record.faults == ()
    assert record.result is not None


def test_what_read_lists_is_read_and_not_written(tmp_path: Path, open_folder: Path) -> None:
    (open_folder / "model").write_text("42")
    script = TRY + (
        "print(json.dumps([open(sys.argv[1] + '/model').read(), attempt(open, sys.argv[1] + '/model', 'w')]))"
    )
    read = found_by(script, tmp_path / "mine", str(open_folder), box=Box(read=(str(open_folder),)))
    assert read[0] == "42"
    assert read[1] in ("OSError", "PermissionError")


def test_links_inside_a_bot_s_folder_lead_where_they_led_and_an_empty_folder_is_its_own(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    (mine / "data").mkdir(parents=True)
    (mine / "out").mkdir()
    (mine / "data" / "table").write_text("1 2 3")
    (mine / "short").symlink_to(mine / "data" / "table")
    (mine / "round").symlink_to(mine)
    script = "import json; open('out/x', 'w').write('y'); print(json.dumps([open(n).read() for n in "
    script += "('data/table', 'short', 'round/data/table', 'out/x')]))"
    assert found_by(script, mine) == ["1 2 3"] * 3 + ["y"]


def test_a_program_whose_name_holds_an_equals_sign_is_no_variable(open_folder: Path) -> None:
    (open_folder / "a=b").write_text("#!/bin/sh\necho hello\n")
    (open_folder / "a=b").chmod(0o755)
    assert run_boxed(Command(("./a=b",), str(open_folder))) == "hello\n"


def test_it_works_for_who_is_not_root_as_well(open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid() != 0:
        pytest.skip("whoever runs this is not root: all other tests have shown it")
    (open_folder / "bot.sh").write_text(
        "id -u; cat /etc/shadow /root/.profile 2>&1 | grep -c 'No such file'\n"
        "unshare -U true 2>/dev/null && echo made || echo refused\n"
    )
    monkeypatch.setattr(bubblewrap, "_is_root", lambda: False)
    launch = boxed(Command(("/bin/sh", "bot.sh"), str(open_folder)))
    Path(launch.folder).chmod(0o777)  # it would be that user's own
    try:
        done = subprocess.run(launch.argv, env={}, cwd="/", capture_output=True, user=65534, group=65534, check=False)
    finally:
        remove(launch.folder)
    may = b"refused" if bubblewrap._can_forbid_users(str(shutil.which("bwrap"))) else b"made"
    assert done.stdout.split() == [b"65534", b"2", may], done.stderr


def test_a_bwrap_that_cannot_forbid_namespaces_is_not_asked_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, open_folder: Path
) -> None:
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho bwrap: Unknown option --disable-userns >&2\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setattr(bubblewrap, "_is_root", lambda: False)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    launch = boxed(Command(("/bin/true",), str(open_folder)))
    remove(launch.folder)
    assert str(tmp_path / "bwrap") in launch.argv
    assert "--disable-userns" not in launch.argv


# -------------------------------------------------------------------------------------------------- what is missing


async def test_a_link_to_nothing_is_as_broken_in_a_box_as_it_is_outside(open_folder: Path) -> None:
    (open_folder / "dangling").symlink_to("nowhere")
    (open_folder / "deep").mkdir()
    (open_folder / "deep" / "dangling").symlink_to(open_folder / "gone")
    script = TRY + "print(json.dumps([attempt(open, name) for name in sys.argv[1:]]))"
    assert found_by(script, open_folder, "dangling", "deep/dangling") == ["FileNotFoundError"] * 2


def test_a_folder_with_more_files_than_bwrap_takes_is_the_bots_own_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And no working folder is left."""
    full, working = tmp_path / "full", tmp_path / "working"
    full.mkdir()
    working.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(working))
    for number in range(3_100):
        (full / str(number)).touch()
    with pytest.raises(LaunchError, match="too many files for bubblewrap, which takes 8,900 words"):
        boxed(Command(("/bin/true",), str(full)))
    assert not [*working.iterdir()]


async def test_the_processor_time_of_a_boxed_bot_is_its_own(open_folder: Path) -> None:
    """Not that of bwrap, which is all that the system tells at the end."""
    burns = "import runpy, time\nend = time.process_time() + 0.2\nwhile time.process_time() < end: pass\n"
    (open_folder / "burning.py").write_text(burns + "runpy.run_path('zoo.py', run_name='__main__')\n")
    shutil.copy(Path(ZOO) / "zoo.py", open_folder)
    shutil.copy(Path(ZOO) / "misbehaviours.py", open_folder)
    record = await play(spec(Command(("{python}", "burning.py"), str(open_folder)), zoo(), zoo(), zoo()))
    assert record.bots[0].cpu >= 0.2


async def test_the_processes_of_the_box_itself_are_not_counted_as_the_bots() -> None:
    match = spec(*[zoo()] * 4)
    record = await play(replace(match, custody=replace(match.custody, resources=Resources(processes=1))))
    assert not record.faults


class _Hasty(Bubblewrap):
    """Boxes for which a file that belongs in them has gone when they are made."""

    def enclose(self, launch: Launch, box: Box) -> Launch:
        enclosed = super().enclose(launch, box)
        if launch.home:
            (launch.home / "needed").unlink(missing_ok=True)
        return enclosed


async def test_a_box_that_cannot_be_made_is_no_fault_of_the_bot_in_it(open_folder: Path) -> None:
    (open_folder / "needed").write_text("")
    match = spec(*[Command(("{python}", str(Path(ZOO) / "zoo.py")), str(open_folder))] * 4)
    with trio.fail_after(GUARD), pytest.raises(BoxError) as raised:
        async with open_table(match, launchers={"bubblewrap": _Hasty()}) as table:
            await play_match(match, table)
    why = voiding.told(raised.value)
    assert why.startswith("the bot's box could not be made: it exits with 1 before the bot began: bwrap: Can't find")
    assert "\n" not in why


async def test_a_bot_that_says_what_bwrap_would_say_is_at_fault_itself() -> None:
    lies = "import sys; sys.stderr.write('bwrap: Can\\'t find source path /x\\n'); sys.exit(1)"
    record = await play(spec(Command(("{python}", "-c", lies), ZOO), zoo(), zoo(), zoo()))
    assert [(fault.kind.value, fault.what) for fault in record.faults] == [
        ("start", "exited with code 1 before it was ready")
    ]


def test_a_machine_without_bubblewrap_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert Bubblewrap().objection(Box()).startswith("bwrap and prlimit")
    assert "install bubblewrap" in Bubblewrap().objection(Box())


def test_a_machine_that_permits_no_box_is_told_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho bwrap: No permissions to create a new namespace >&2\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    objection = Bubblewrap().objection(Box())
    assert objection.startswith("bwrap is not permitted here (bwrap: No permissions to create a new namespace)")
    assert "\n" not in objection


def test_a_path_to_be_read_that_is_not_there_is_named() -> None:
    assert Bubblewrap().objection(Box(read=("/no/such/model",))) == "read: /no/such/model is not there"


def test_files_that_another_user_cannot_read_are_named_to_root(
    open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (open_folder / "bot.py").write_text("")
    (open_folder / "bot.py").chmod(0o600)
    monkeypatch.setattr(bubblewrap, "_is_root", lambda: True)
    with pytest.raises(LaunchError, match=r"bot\.py is closed to all but its owner.*chmod -R o\+rX"):
        boxed(Command((sys.executable, "bot.py"), str(open_folder)))
