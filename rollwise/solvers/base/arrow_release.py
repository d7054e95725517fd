"""What consumers of Arrow's structs call when they are done: compiled, so that it can be called at any time.

A struct may be released while an error is on its way, by a thread of another library, or after Python has ended; no Python can
run then. So a release only writes 1 where `private_data` points, and 0 into `release`, as the interface wants it. Structs are
seen here as words of 64 bits.
"""

from typing import Any

import numba
from llvmlite import ir
from numba import carray, types  # type: ignore[attr-defined]
from numba.extending import intrinsic

from rollwise.solvers.base.compiling import inner

__all__ = ["addresses"]


@intrinsic
def _words(context: Any, address: Any) -> Any:
    """Take a number for the address of words."""

    def point(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())

    return types.CPointer(types.int64)(types.int64), point


@inner
def _let_go(address, words, release, data):
    struct = carray(_words(address), words)
    if struct[release]:
        struct[release] = 0
        carray(_words(struct[data]), 1)[0] = 1


@inner
def _let_all_go(address, words, children, release, data):
    """Release what was not moved elsewhere, then the struct itself; the number of children is in the fifth word."""
    struct = carray(_words(address), words)
    if struct[4]:
        below = carray(_words(struct[children]), struct[4])
        for child in range(struct[4]):
            _let_go(below[child], words, release, data)
    _let_go(address, words, release, data)


def _schema(address):
    _let_all_go(address, 9, 5, 7, 8)


def _array(address):
    _let_all_go(address, 10, 6, 8, 9)


def _stream(address):
    _let_go(address, 5, 3, 4)


_compiled = [numba.cfunc(types.void(types.int64))(function) for function in (_schema, _array, _stream)]
addresses: Any = tuple(function.address for function in _compiled)
"""Where the functions are that release a schema, an array and a stream."""
