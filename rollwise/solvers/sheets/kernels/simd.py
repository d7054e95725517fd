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

__all__ = [
    "BYTES", "WIDTH", "add_row", "best_of_each", "best_row", "copy_row", "first_rows", "load_row", "mark_row", "max_row",
    "mean_row", "one_mark", "set_row", "take_marked", "ties_row",
]  # fmt: skip

BYTES = 64
WIDTH = 8
"""Numbers in a row of float64."""
LOW = 2**32 - 1
"""The bits of a float64 that a mark takes; the others hold its sign, its exponent and 20 digits."""
HIGH = ~LOW
MOVED = 1 + 2.0**-22
"""Numbers are multiplied by this before they are marked: what is just below 1 then has the high bits of 1, a common number."""


def _vector(array_type: Any) -> Any:
    """The vector type of a row of an array."""
    return ir.VectorType(_number(array_type), BYTES * 8 // array_type.dtype.bitwidth)


def _number(array_type: Any) -> Any:
    """The type of an array's numbers: float64 or float32."""
    return ir.DoubleType() if array_type.dtype == types.float64 else ir.FloatType()


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


def _broadcast(builder: Any, array_type: Any, number: Any) -> Any:
    """A vector with the same number in every lane."""
    return _lanes(builder, _vector(array_type), number)


def _lanes(builder: Any, kind: Any, number: Any) -> Any:
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
    """target[i] = the elements of a flat source from `first` on; the source may be of a narrower type."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        a, _, b, _ = signature.args
        pointer = builder.gep(context.make_array(b)(context, builder, args[2]).data, [args[3]])
        loaded = ir.VectorType(_number(b), _vector(a).count)
        value = builder.load(builder.bitcast(pointer, loaded.as_pointer()), align=_align(b), typ=loaded)
        value = value if a.dtype == b.dtype else builder.fpext(value, _vector(a))
        builder.store(value, _row(context, builder, a, args[0], args[1]), align=_align(a))
        return context.get_dummy_value()

    return types.void(target, types.int64, source, types.int64), generate


@intrinsic
def set_row(typing, target, i, number):
    """target[i] = number, in every lane."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = signature.args[0]
        builder.store(_broadcast(builder, kind, args[2]), _row(context, builder, kind, args[0], args[1]), align=_align(kind))
        return context.get_dummy_value()

    return types.void(target, types.int64, target.dtype), generate


@intrinsic
def add_row(typing, target, i, source, j, number):
    """target[i] = source[j] + number."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        a, _, b, _, _ = signature.args
        value = _load(builder, b, _row(context, builder, b, args[2], args[3]))
        value = builder.fadd(value, _broadcast(builder, a, args[4]))
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
def best_of_each(typing, targets, i, listed, first, end):
    """For both of two tables: target[i] = the largest of target[listed[first]], ..., target[listed[end - 1]]."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind, numbers = signature.args[0].dtype, signature.args[2]
        tables = [builder.extract_value(args[0], table) for table in (0, 1)]
        data = context.make_array(numbers)(context, builder, args[2]).data

        def load(place: Any) -> list[Any]:
            row = context.cast(builder, builder.load(builder.gep(data, [place])), numbers.dtype, types.int64)
            return [_load(builder, kind, _row(context, builder, kind, table, row)) for table in tables]

        best = [cgutils.alloca_once_value(builder, row) for row in load(args[3])]
        with _after(builder, args[3], args[4]) as (place, _):
            for kept, new in zip(best, load(place), strict=True):
                builder.store(_larger(builder, builder.load(kept), new), kept)
        for kept, table in zip(best, tables, strict=True):
            builder.store(builder.load(kept), _row(context, builder, kind, table, args[1]), align=_align(kind))
        return context.get_dummy_value()

    return types.void(targets, types.int64, listed, types.int64, types.int64), generate


@intrinsic
def first_rows(typing, targets, i, sources, listed, first, end, narrow):
    """Choose lane by lane among rows of two tables: the first listed whose number in the first table ties with the largest.

    Ties are numbers of at least the largest times 1 - narrow. What is written is the largest number, the chosen one's, and what
    goes along with that in the second table.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        a, _, b, numbers, _, _, _ = signature.args
        finds = [_listed(context, builder, b.dtype, builder.extract_value(args[2], table), numbers, args[3]) for table in (0, 1)]
        best = cgutils.alloca_once_value(builder, _load(builder, b.dtype, finds[0](args[4])))
        with _after(builder, args[4], args[5]) as (place, _):
            builder.store(_larger(builder, builder.load(best), _load(builder, b.dtype, finds[0](place))), best)
        least = _least(builder, b.dtype, builder.load(best), args[6])
        last = builder.sub(args[5], ir.Constant(args[5].type, 1))
        chosen = [cgutils.alloca_once_value(builder, _load(builder, b.dtype, find(last))) for find in finds]
        with cgutils.for_range_slice(builder, last, args[4], ir.Constant(last.type, -1), inc=False) as (place, _):
            before = builder.sub(place, ir.Constant(place.type, 1))
            new = [_load(builder, b.dtype, find(before)) for find in finds]
            ties = builder.fcmp_ordered(">=", new[0], least)
            for row, kept in zip(new, chosen, strict=True):
                builder.store(builder.select(ties, row, builder.load(kept)), kept)
        for table, value in enumerate((best, *chosen)):
            target = _row(context, builder, a.dtype, builder.extract_value(args[0], table), args[1])
            builder.store(builder.load(value), target, align=_align(a.dtype))
        return context.get_dummy_value()

    return types.void(targets, types.int64, sources, listed, types.int64, types.int64, sources.dtype.dtype), generate


def _larger(builder: Any, old: Any, new: Any) -> Any:
    return builder.select(builder.fcmp_ordered(">", new, old), new, old)


def _least(builder: Any, kind: Any, best: Any, narrow: Any) -> Any:
    """The least number that ties with the best."""
    return builder.fsub(best, builder.fmul(best, _broadcast(builder, kind, narrow)))


@intrinsic
def mark_row(typing, target, i, source, j, mark):
    """target[i] = source[j], moved, with its low 32 bits replaced by a mark: larger numbers come first, then larger marks."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        a, _, b, _, _ = signature.args
        bits = _moved_bits(builder, _load(builder, b, _row(context, builder, b, args[2], args[3])))
        bits = builder.or_(builder.and_(bits, _same(builder, bits.type, HIGH)), _lanes(builder, bits.type, args[4]))
        value = builder.bitcast(bits, _vector(a))
        builder.store(value, _row(context, builder, a, args[0], args[1]), align=_align(a))
        return context.get_dummy_value()

    return types.void(target, types.int64, source, types.int64, types.int64), generate


@intrinsic
def one_mark(typing, marked, i):
    """Give the mark of marked[i] if it is one for all lanes; else -1."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = signature.args[0]
        bits = _bits(builder, _load(builder, kind, _row(context, builder, kind, args[0], args[1])))
        marks = builder.and_(bits, _same(builder, bits.type, LOW))
        mark = builder.extract_element(marks, ir.Constant(ir.IntType(32), 0))
        same = builder.icmp_signed("==", marks, _lanes(builder, bits.type, mark))
        return builder.select(_all(builder, same), mark, ir.Constant(ir.IntType(64), -1))

    return types.int64(marked, types.int64), generate


@intrinsic
def ties_row(typing, one, i, marked, best, j, narrow):
    """Say whether every number of one[i] ties with best[j], and none that ties has other high bits than marked[j]."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        a, _, c, b, _, _ = signature.args
        value = _load(builder, a, _row(context, builder, a, args[0], args[1]))
        bits = _bits(builder, _load(builder, c, _row(context, builder, c, args[2], args[4])))
        least = _least(builder, b, _load(builder, b, _row(context, builder, b, args[3], args[4])), args[5])
        return _all(builder, _tying(builder, value, bits, least))

    return types.boolean(one, types.int64, marked, best, types.int64, types.float64), generate


def _tying(builder: Any, value: Any, bits: Any, least: Any) -> Any:
    """Which numbers tie, the least that does having the high bits of the marked one."""
    high = _same(builder, bits.type, HIGH)
    near = builder.icmp_signed("==", builder.and_(bits, high), builder.and_(_moved_bits(builder, least), high))
    return builder.and_(near, builder.fcmp_ordered(">=", value, least))


@intrinsic
def take_marked(typing, tables, i, marked, best, rows, narrow):
    """Write lane by lane what is in the row that the mark of marked[i] stands for; tables = (values, what goes along with them).

    `rows` lists the row of each mark; the second table's row i is written. Gives a bit for each lane in which the number taken
    may not be the first that ties with best[i]: it does not tie, or some that ties has other high bits than the marked one.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind, numbers = signature.args[0].dtype, signature.args[4]
        tables = [context.make_array(kind)(context, builder, builder.extract_value(args[0], table)).data for table in (0, 1)]
        listed = context.make_array(numbers)(context, builder, args[4]).data
        bits = _bits(builder, _load(builder, kind, _row(context, builder, kind, args[2], args[1])))
        least = _least(builder, kind, _load(builder, kind, _row(context, builder, kind, args[3], args[1])), args[5])
        taken = [ir.Constant(_vector(kind), ir.Undefined)] * 2
        for lane in range(_vector(kind).count):
            here = ir.Constant(ir.IntType(32), lane)
            mark = builder.and_(builder.extract_element(bits, here), ir.Constant(ir.IntType(64), LOW))
            row = builder.load(builder.gep(listed, [mark]))
            place = builder.add(builder.mul(row, ir.Constant(row.type, _vector(kind).count)), ir.Constant(row.type, lane))
            numbers_there = [builder.load(builder.gep(data, [place])) for data in tables]
            taken = [builder.insert_element(part, new, here) for part, new in zip(taken, numbers_there, strict=True)]
        along = _row(context, builder, kind, builder.extract_value(args[0], 1), args[1])
        builder.store(taken[1], along, align=_align(kind))
        open_to_doubt = builder.not_(_tying(builder, taken[0], bits, least))
        return builder.zext(builder.bitcast(open_to_doubt, ir.IntType(open_to_doubt.type.count)), ir.IntType(64))

    return types.int64(tables, types.int64, marked, best, rows, types.float64), generate


def _bits(builder: Any, vector: Any) -> Any:
    """The bits of a vector of float64."""
    return builder.bitcast(vector, ir.VectorType(ir.IntType(64), vector.type.count))


def _moved_bits(builder: Any, vector: Any) -> Any:
    kind = vector.type
    return _bits(builder, builder.fmul(vector, ir.Constant(kind, [ir.Constant(kind.element, MOVED)] * kind.count)))


def _same(builder: Any, kind: Any, number: int) -> Any:
    return ir.Constant(kind, [ir.Constant(kind.element, number)] * kind.count)


def _all(builder: Any, lanes: Any) -> Any:
    """Whether a vector of truths holds nothing else."""
    bits = ir.IntType(lanes.type.count)
    return builder.icmp_unsigned("==", builder.bitcast(lanes, bits), ir.Constant(bits, -1))


@intrinsic
def mean_row(typing, table, i, a, b, c, d, e, f, factor):
    """table[i] = (table[a] + ... + table[f]) * factor, added from left to right."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = signature.args[0]
        total = None
        for row in args[2:8]:
            value = _load(builder, kind, _row(context, builder, kind, args[0], row))
            total = value if total is None else builder.fadd(total, value)
        value = builder.fmul(total, _broadcast(builder, kind, args[8]))
        builder.store(value, _row(context, builder, kind, args[0], args[1]), align=_align(kind))
        return context.get_dummy_value()

    return types.void(table, *[types.int64] * 7, table.dtype), generate
