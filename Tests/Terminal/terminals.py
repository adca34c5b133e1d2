# Longbox
# SPDX-License-Identifier: MIT
"""A terminal without a screen: runs a command in a pseudo-terminal and keeps what it is sent."""

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time

ESCAPE = b"\x1b"


class Terminal:
    """A command in a pseudo-terminal of `columns` by `rows` cells, each `cell` pixels wide and high."""

    def __init__(self, command, environment, columns=80, rows=24, cell=(8, 16)):
        self.sent = b""
        self.status = None
        self.process, self.end = pty.fork()
        if self.process == 0:
            # As a shell does. Tests that a script has started with "&" ignore the signal, and so would their commands.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            size = struct.pack("HHHH", rows, columns, columns * cell[0], rows * cell[1])
            fcntl.ioctl(0, termios.TIOCSWINSZ, size)
            os.execvpe(command[0], command, environment)

    def read(self, seconds=0.05):
        """Takes what the command has sent by now; false when it has ended."""
        ready, _, _ = select.select([self.end], [], [], seconds)
        if not ready:
            return True
        try:
            part = os.read(self.end, 65536)
        except OSError:
            return False
        self.sent += part
        return bool(part)

    def type(self, text):
        """Types something."""
        os.write(self.end, text.encode())

    def finish(self, timeout=60):
        """Waits for the command's end; returns its exit code as a shell sees it: 128 and the signal that ended it."""
        deadline = time.monotonic() + timeout
        while self.read():
            if time.monotonic() > deadline:
                os.kill(self.process, signal.SIGKILL)
        _, status = os.waitpid(self.process, 0)
        os.close(self.end)
        return os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)
