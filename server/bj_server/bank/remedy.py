"""Remedies: what a host can do about each way in which the system refuses a file."""

import errno
import os
import pwd
from pathlib import Path

LACKING = frozenset(
    {errno.EINVAL, errno.ENOLCK, errno.ENOSYS, errno.ENOTTY, errno.EOPNOTSUPP}
)
"""What the system says of an operation that a file system does not have."""

_ANOTHER = "choose another bank folder"
_MOVE = f"Move what stands there away, or {_ANOTHER}"

_REMEDIES = {
    errno.ENOSPC: "Make space on its disk",
    errno.EDQUOT: "Make space on its disk, or have the quota raised",
    errno.EROFS: f"Its disk is mounted read-only: mount it anew, or {_ANOTHER}",
    errno.EIO: "Its disk fails: copy what can be read, and use another disk",
    errno.ENOTDIR: _MOVE,
    errno.EISDIR: _MOVE,
    errno.EEXIST: _MOVE,
    errno.ENXIO: _MOVE,
    errno.ELOOP: _MOVE,
    errno.ENAMETOOLONG: f"Its path is too long: {_ANOTHER}",
    errno.EMFILE: "Raise the limit of open files (ulimit -n)",
    errno.ENFILE: "Close other programs: the system has too many files open",
}


def remedy(number: int | None, path: Path) -> str:
    """Return what helps against an error of the system about ``path``, as a clause.

    Empty for an error about which nothing more is known.
    """
    if number in LACKING:
        return "Keep the bank on a local disk that has it"
    if number in (errno.EACCES, errno.EPERM):
        return _of_rights(path)
    return _REMEDIES.get(number or 0, "")


def _of_rights(path: Path) -> str:
    """Say whose the nearest thing is that is there, if we may not use it."""
    path = path.absolute()
    near = next(each for each in (path, *path.parents) if _is_there(each))
    if os.access(near, os.R_OK | os.W_OK | (os.X_OK if near.is_dir() else 0)):
        return ""
    us, owner = os.geteuid(), near.stat().st_uid
    if owner == us:
        return f"Give yourself the right to it with: chmod u+rwX {near}"
    # A folder may be anybody's, such as that of root: only the host knows.
    condition = f"{_ANOTHER} or, if that is a bank, " if near.is_dir() else ""
    return (
        f"It belongs to {_name(owner)} and this is {_name(us)}: {condition}give it "
        f"back with: sudo chown -R {_name(us)} {near}"
    )


def _is_there(path: Path) -> bool:
    """Whether something is there; False also where we may not even look."""
    try:
        path.stat()
    except OSError:
        return False
    return True


def _name(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:  # as in a container
        return str(number)
