"""Loads emu_names in an interpreter that emu does not start itself, then the next module of this name."""

import os
import sys

if "_EMULATOR_AWS_NAMES" in os.environ:
    import emu_names  # noqa: F401

own = os.path.dirname(os.path.abspath(__file__))
for directory in sys.path:
    other = os.path.join(directory, "sitecustomize.py")
    if os.path.abspath(directory or ".") != own and os.path.isfile(other):
        with open(other) as file:
            exec(compile(file.read(), other, "exec"), {"__name__": "sitecustomize", "__file__": other})
        break
