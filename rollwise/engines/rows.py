"""Vector instructions for rows of eight numbers, for compiled kernels.

Numba turns a short loop into scalar code: it unrolls it before it looks for vectors, and must assume that rows of one array
overlap. These operations say directly what is meant, and compile to two or one vector instruction each.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

__all__ = ["WIDTH", "add_row", "copy_row", "max_row", "mean_row"]

WIDTH = 8
_VECTOR = ir.VectorType(ir.DoubleType(), WIDTH)


def _row(context: Any, builder: Any, array_type: Any, array: Any, row: Any) -> Any:
    """A pointer to row `row` of a contiguous (n, WIDTH) array, as a vector."""
    data = context.make_array(array_type)(context, builder, array).data
    first = builder.gep(data, [builder.mul(row, ir.Constant(row.type, WIDTH))])
    return builder.bitcast(first, _VECTOR.as_pointer())


def _load(builder: Any, pointer: Any) -> Any:
    return builder.load(pointer, align=8, typ=_VECTOR)


def _spread(builder: Any, number: Any) -> Any:
    """A vector with the same number in every lane."""
    vector = ir.Constant(_VECTOR, ir.Undefined)
    for lane in range(WIDTH):
        vector = builder.insert_element(vector, number, ir.Constant(ir.IntType(32), lane))
    return vector


@intrinsic
def copy_row(typing, target, i, source, j):
    """target[i] = source[j]."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        a, _, b, _ = signature.args
        value = _load(builder, _row(context, builder, b, args[2], args[3]))
        builder.store(value, _row(context, builder, a, args[0], args[1]), align=8)
        return context.get_dummy_value()

    return types.void(target, types.int64, source, types.int64), generate


@intrinsic
def add_row(typing, target, i, source, j, number):
    """target[i] = source[j] + number."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        a, _, b, _, _ = signature.args
        value = builder.fadd(_load(builder, _row(context, builder, b, args[2], args[3])), _spread(builder, args[4]))
        builder.store(value, _row(context, builder, a, args[0], args[1]), align=8)
        return context.get_dummy_value()

    return types.void(target, types.int64, source, types.int64, types.float64), generate


@intrinsic
def max_row(typing, target, i, source, j):
    """target[i] = the larger of target[i] and source[j]."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        a, _, b, _ = signature.args
        place = _row(context, builder, a, args[0], args[1])
        old, new = _load(builder, place), _load(builder, _row(context, builder, b, args[2], args[3]))
        builder.store(builder.select(builder.fcmp_ordered(">", new, old), new, old), place, align=8)
        return context.get_dummy_value()

    return types.void(target, types.int64, source, types.int64), generate


@intrinsic
def mean_row(typing, table, i, a, b, c, d, e, f, factor):
    """table[i] = (table[a] + ... + table[f]) * factor, added from left to right."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = signature.args[0]
        total = None
        for row in args[2:8]:
            value = _load(builder, _row(context, builder, kind, args[0], row))
            total = value if total is None else builder.fadd(total, value)
        builder.store(builder.fmul(total, _spread(builder, args[8])), _row(context, builder, kind, args[0], args[1]), align=8)
        return context.get_dummy_value()

    return types.void(table, *[types.int64] * 7, types.float64), generate
