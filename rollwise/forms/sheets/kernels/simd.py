"""Vector instructions for rows of 64 bytes, for compiled kernels: eight float64 or sixteen float32.

Numba turns a short loop into scalar code: it unrolls it before it looks for vectors, and must assume that rows of one array
overlap. These operations say directly what is meant, and compile to a few vector instructions each. Arrays are contiguous, with
rows of 64 bytes; the type of the numbers is the array's.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

__all__ = ["BYTES", "WIDTH", "add_row", "best_row", "best_rows_of_two", "copy_row", "load_row", "max_row", "mean_row", "set_row"]

BYTES = 64
WIDTH = 8
"""Numbers in a row of float64."""


def _vector(array_type: Any) -> Any:
    """The vector type of a row of an array."""
    number = ir.DoubleType() if array_type.dtype == types.float64 else ir.FloatType()
    return ir.VectorType(number, BYTES * 8 // array_type.dtype.bitwidth)


def _place(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    """A pointer to the vector that begins with element `index` of a contiguous array."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), _vector(array_type).as_pointer())


def _row(context: Any, builder: Any, array_type: Any, array: Any, row: Any) -> Any:
    """A pointer to row `row` of an array, as a vector."""
    first = builder.mul(row, ir.Constant(row.type, _vector(array_type).count))
    return _place(context, builder, array_type, array, first)


def _load(builder: Any, array_type: Any, pointer: Any) -> Any:
    return builder.load(pointer, align=_align(array_type), typ=_vector(array_type))


def _align(array_type: Any) -> int:
    return int(array_type.dtype.bitwidth) // 8


def _spread(builder: Any, array_type: Any, number: Any) -> Any:
    """A vector with the same number in every lane."""
    kind = _vector(array_type)
    vector = ir.Constant(kind, ir.Undefined)
    for lane in range(kind.count):
        vector = builder.insert_element(vector, number, ir.Constant(ir.IntType(32), lane))
    return vector


@intrinsic
def copy_row(typing, target, i, source, j):
    """target[i] = source[j]."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        a, _, b, _ = signature.args
        value = _load(builder, b, _row(context, builder, b, args[2], args[3]))
        builder.store(value, _row(context, builder, a, args[0], args[1]), align=_align(a))
        return context.get_dummy_value()

    return types.void(target, types.int64, source, types.int64), generate


@intrinsic
def load_row(typing, target, i, source, first):
    """target[i] = the elements of a flat source from `first` on."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        a, _, b, _ = signature.args
        value = _load(builder, b, _place(context, builder, b, args[2], args[3]))
        builder.store(value, _row(context, builder, a, args[0], args[1]), align=_align(a))
        return context.get_dummy_value()

    return types.void(target, types.int64, source, types.int64), generate


@intrinsic
def set_row(typing, target, i, number):
    """target[i] = number, in every lane."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = signature.args[0]
        builder.store(_spread(builder, kind, args[2]), _row(context, builder, kind, args[0], args[1]), align=_align(kind))
        return context.get_dummy_value()

    return types.void(target, types.int64, target.dtype), generate


@intrinsic
def add_row(typing, target, i, source, j, number):
    """target[i] = source[j] + number."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        a, _, b, _, _ = signature.args
        value = _load(builder, b, _row(context, builder, b, args[2], args[3]))
        value = builder.fadd(value, _spread(builder, a, args[4]))
        builder.store(value, _row(context, builder, a, args[0], args[1]), align=_align(a))
        return context.get_dummy_value()

    return types.void(target, types.int64, source, types.int64, target.dtype), generate


@intrinsic
def max_row(typing, target, i, source, j):
    """target[i] = the larger of target[i] and source[j]."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        a, _, b, _ = signature.args
        place = _row(context, builder, a, args[0], args[1])
        old, new = _load(builder, a, place), _load(builder, b, _row(context, builder, b, args[2], args[3]))
        builder.store(builder.select(builder.fcmp_ordered(">", new, old), new, old), place, align=_align(a))
        return context.get_dummy_value()

    return types.void(target, types.int64, source, types.int64), generate


def _listed(context: Any, builder: Any, kind: Any, array: Any, numbers: Any, rows: Any) -> Any:
    """A function that gives, for a place in a list of row numbers, a pointer to that row of an array."""
    first = context.make_array(numbers)(context, builder, rows).data

    def find(place: Any) -> Any:
        row = context.cast(builder, builder.load(builder.gep(first, [place])), numbers.dtype, types.int64)
        return _row(context, builder, kind, array, row)

    return find


def _after(builder: Any, place: Any, end: Any) -> Any:
    """A loop over the places after the first."""
    one = ir.Constant(place.type, 1)
    return cgutils.for_range_slice(builder, builder.add(place, one), end, one, inc=True)


@intrinsic
def best_row(typing, target, i, source, listed, first, end):
    """target[i] = the largest of source[listed[first]], ..., source[listed[end - 1]]."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        a, _, b, numbers, _, _ = signature.args
        find = _listed(context, builder, b, args[2], numbers, args[3])
        best = cgutils.alloca_once_value(builder, _load(builder, b, find(args[4])))
        with _after(builder, args[4], args[5]) as (place, _):
            old, new = builder.load(best), _load(builder, b, find(place))
            builder.store(builder.select(builder.fcmp_ordered(">", new, old), new, old), best)
        builder.store(builder.load(best), _row(context, builder, a, args[0], args[1]), align=_align(a))
        return context.get_dummy_value()

    return types.void(target, types.int64, source, listed, types.int64, types.int64), generate


@intrinsic
def best_rows_of_two(typing, targets, i, sources, listed, first, end):
    """The same for two tables: the first one's numbers decide, lane by lane, the first among equals; the second's go along."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        a, _, b, numbers, _, _ = signature.args
        finds = [_listed(context, builder, b.dtype, builder.extract_value(args[2], table), numbers, args[3]) for table in (0, 1)]
        best = [cgutils.alloca_once_value(builder, _load(builder, b.dtype, find(args[4]))) for find in finds]
        with _after(builder, args[4], args[5]) as (place, _):
            old = [builder.load(kept) for kept in best]
            new = [_load(builder, b.dtype, find(place)) for find in finds]
            better = builder.fcmp_ordered(">", new[0], old[0])
            for table in (0, 1):
                builder.store(builder.select(better, new[table], old[table]), best[table])
        for table in (0, 1):
            target = _row(context, builder, a.dtype, builder.extract_value(args[0], table), args[1])
            builder.store(builder.load(best[table]), target, align=_align(a.dtype))
        return context.get_dummy_value()

    return types.void(targets, types.int64, sources, listed, types.int64, types.int64), generate


@intrinsic
def mean_row(typing, table, i, a, b, c, d, e, f, factor):
    """table[i] = (table[a] + ... + table[f]) * factor, added from left to right."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = signature.args[0]
        total = None
        for row in args[2:8]:
            value = _load(builder, kind, _row(context, builder, kind, args[0], row))
            total = value if total is None else builder.fadd(total, value)
        value = builder.fmul(total, _spread(builder, kind, args[8]))
        builder.store(value, _row(context, builder, kind, args[0], args[1]), align=_align(kind))
        return context.get_dummy_value()

    return types.void(table, *[types.int64] * 7, table.dtype), generate
