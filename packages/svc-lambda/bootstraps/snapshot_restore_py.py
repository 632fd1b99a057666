"""Registers hooks of functions with SnapStart, as the module of AWS's Python runtimes with this name."""

_before_snapshot = []
_after_restore = []


def register_before_snapshot(func, *args, **kwargs):
    """Registers a function to call before the snapshot; the last registered one is called first."""
    _before_snapshot.append((func, args, kwargs))
    return func


def register_after_restore(func, *args, **kwargs):
    """Registers a function to call after a restore, in the order of registration."""
    _after_restore.append((func, args, kwargs))
    return func


def get_before_snapshot():
    """Returns the registered functions with their arguments, in the order of registration."""
    return _before_snapshot


def get_after_restore():
    """Returns the registered functions with their arguments, in the order of registration."""
    return _after_restore
