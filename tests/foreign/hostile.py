"""A backend that solves boards of up to nine cells, and on larger ones does what its option says (`stuck`: on all)."""

import os
import time

import numpy as np

from nurikabe_mip.backends import search
from nurikabe_mip.backends.base import Option

WAYS = ("solve", "slow", "loop", "memory", "exit", "raise", "wrong", "deny", "deaf", "stuck")
OPTIONS = {"how": Option("solve", "what it does", WAYS)}
PRESOLVE = "none"
SECONDS = 0.15


def version():
    return "hostile 1"


def shadings(model, run, how):
    while how == "stuck":
        pass
    if model.grid.size > 9:
        if how == "loop":
            while True:
                pass
        elif how == "memory":
            eaten = []
            while True:
                eaten.append(bytearray(b"x" * 10_000_000))
        elif how == "exit":
            print("the last words")
            os._exit(7)
        elif how == "raise":
            raise RuntimeError("it failed")
        elif how == "wrong":
            yield np.ones(model.grid.size, dtype=np.int8)
        elif how == "deaf":
            run.native(lambda: time.sleep(60), lambda: None)
        elif how == "deny":
            return
        elif how == "slow":
            time.sleep(SECONDS)
    yield from search.shadings(model, run)
