"""A terminal for programs under test."""

import fcntl
import os
import pty
import select
import struct
import termios
import time
import tty

TIMEOUT_S = 120  # turns a hang into a failure


class Terminal:
    """A pseudo terminal: programs get `slave`; what they print is read into `text`."""

    def __init__(self, columns):
        self.master, self.slave = pty.openpty()
        tty.setraw(self.slave)  # newlines arrive as they are written
        self.resize(columns)
        self.text = ""

    def resize(self, columns):
        size = struct.pack("HHHH", 24, columns, 0, 0)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, size)

    def send(self, text):
        os.write(self.master, text.encode())

    def read(self, enough):
        """Until enough(text), or nobody can write any more."""
        deadline = time.monotonic() + TIMEOUT_S
        left = b""
        while not enough(self.text):
            assert time.monotonic() < deadline, self.text[-1000:]
            if not select.select([self.master], [], [], 1)[0]:
                continue
            try:
                left += os.read(self.master, 4096)
            except OSError:  # how the end of a pseudo terminal reads
                return
            try:
                self.text += left.decode()
                left = b""
            except UnicodeDecodeError:  # the rest of a character is still to come
                pass

    def read_to_the_end(self):
        """Until all who had the terminal have left it."""
        os.close(self.slave)
        self.slave = None
        self.read(lambda text: False)
        return self.text

    def close(self):
        os.close(self.master)
        if self.slave is not None:
            os.close(self.slave)
