"""However a run ends, no process of it is left, and an interrupt is seen by nobody but the run itself."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

RUN = """
import sys
from functools import partial
from pathlib import Path
from tournament.playing import hang, specs
from spades_harness.tournament.execution.lanes import Lanes
from spades_harness.tournament.execution.worker import WorkerLane

if __name__ == "__main__":
    planned = specs(Path(sys.argv[1]))
    try:
        with Lanes(partial(hang, sys.argv[2]), 2, WorkerLane) as lanes:
            for record in lanes.run(planned):
                print("recorded")
    except KeyboardInterrupt:
        print("interrupted")
"""


if sys.platform != "win32":  # where there are fifos, and groups of processes to signal

    def read_lines(fifo: int, count: int = 1000) -> list[str]:
        """So many lines, or fewer if every process that holds the fifo has ended; fails after a minute of silence."""
        waiting = select.poll()
        waiting.register(fifo, select.POLLIN)
        said = b""
        while said.count(b"\n") < count:
            assert waiting.poll(60_000), f"nothing happens after {said!r}"
            heard = os.read(fifo, 4096)
            if not heard:
                break
            said += heard
        return said.decode().splitlines()

    @pytest.fixture
    def hanging(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
        """A run, in a process group of its own, whose two matches have begun and hang; and the fifo of all of them."""
        os.mkfifo(tmp_path / "fifo")
        fifo = os.open(tmp_path / "fifo", os.O_RDONLY | os.O_NONBLOCK)
        (tmp_path / "run.py").write_text(RUN)
        command = [sys.executable, str(tmp_path / "run.py"), str(tmp_path), str(tmp_path / "fifo")]
        path = [str(Path(__file__).parent.parent), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(path)}
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=env, start_new_session=True) as run:
            try:
                assert read_lines(fifo, 2) == ["playing", "playing"]
                yield run, fifo
            finally:
                run.kill()
                os.close(fifo)

    def test_an_interrupt_from_the_terminal_ends_every_process_and_records_nothing(
        hanging: tuple[subprocess.Popen[str], int],
    ) -> None:
        """PL-01, PL-19: the terminal signals the whole group; only the run itself takes notice."""
        run, fifo = hanging
        os.killpg(run.pid, signal.SIGINT)
        assert read_lines(fifo) == ["ended", "ended"]
        assert run.communicate(timeout=60) == ("interrupted\n", "")
        assert run.returncode == 0

    def test_an_interrupt_that_reaches_a_worker_while_it_is_born_is_not_felt() -> None:
        """PL-19: until it has left the terminal, interrupts are held back; then they are none of its business."""
        born = """if True:
            import os, signal
            from spades_harness.tournament.execution import worker
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            os.kill(os.getpid(), signal.SIGINT)
            assert signal.sigpending() == {signal.SIGINT}
            worker._leave_the_terminal()
            assert not signal.pthread_sigmask(signal.SIG_BLOCK, ())
            assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
            print("settled")
        """
        done = subprocess.run([sys.executable, "-c", born], capture_output=True, text=True, timeout=60, check=False)
        assert (done.stdout, done.stderr) == ("settled\n", "")

    @pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
    def test_when_the_run_is_killed_its_workers_end_their_bots_and_leave(
        hanging: tuple[subprocess.Popen[str], int], how: signal.Signals
    ) -> None:
        """PL-02."""
        run, fifo = hanging
        run.send_signal(how)
        assert read_lines(fifo) == ["ended", "ended"]
        out, err = run.communicate(timeout=60)
        assert out == ""
        assert "Traceback" not in err
