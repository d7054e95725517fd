"""Vector instructions for compiled kernels: rows of 64 bytes, eight float64 or sixteen float32 at a time.

Numba turns a short loop into scalar code: it unrolls it before it looks for vectors, and must assume that rows of one array
overlap. `Lanes` is the type of a row in a vector register; what is done with one compiles to an instruction or two. Arrays are
contiguous, with rows of 64 bytes. On a lattice of five dice this takes half the time of plain loops over eight numbers, and less
than those over rows of 128, which would waste most of a short row.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, register_model

from rollwise.solvers.base.compiling import inner

__all__ = [
    "BYTES", "WIDTH", "above", "add", "add_row", "at", "at_least", "best_of_each", "best_row", "bits_of", "choose", "copy_row",
    "first_rows", "lane_of", "larger", "load", "load_row", "mark_row", "one_mark", "same", "set_row", "spread", "store",
    "take_marked", "ties_row", "times", "truths",
]  # fmt: skip

BYTES = 64
WIDTH = 8
"""Numbers in a row of float64."""
NUMBERS = {
    types.float64: ir.DoubleType(), types.float32: ir.FloatType(), types.int64: ir.IntType(64), types.boolean: ir.IntType(1),
}  # fmt: skip


class Lanes(types.Type):
    """Numbers of one type, side by side in a vector register."""

    def __init__(self, dtype: Any, count: int) -> None:
        self.dtype, self.count = dtype, count
        super().__init__(name=f"Lanes({dtype}, {count})")

    @property
    def vector(self) -> Any:
        """The type of the register."""
        return ir.VectorType(NUMBERS[self.dtype], self.count)


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Lanes) -> None:
        super().__init__(manager, kind, kind.vector)


def _plain(emit: Callable[..., Any]) -> Any:
    """What generates code that needs nothing but the arguments."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return emit(builder, *args)

    return generate


# Between arrays and registers


def _row_of(array: Any) -> Lanes:
    """The type of a row of an array."""
    return Lanes(array.dtype, BYTES * 8 // array.dtype.bitwidth)


def _pointer(context: Any, builder: Any, array: Any, value: Any, first: Any, count: int) -> Any:
    """A pointer to `count` numbers of an array of this type, from a flat place on."""
    data = context.make_array(array)(context, builder, value).data
    return builder.bitcast(builder.gep(data, [first]), Lanes(array.dtype, count).vector.as_pointer())


def _row_pointer(context: Any, builder: Any, array: Any, value: Any, row: Any) -> Any:
    count = _row_of(array).count
    return _pointer(context, builder, array, value, builder.mul(row, ir.Constant(row.type, count)), count)


@intrinsic
def at(typing, numbers, place):
    """Give the number at a flat place, without a look at whether it counts from the end."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(builder.gep(context.make_array(numbers)(context, builder, args[0]).data, [args[1]]))

    return numbers.dtype(numbers, types.int64), generate


@intrinsic
def load(typing, array, row):
    """Give a row of an array."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_row_pointer(context, builder, array, *args), align=array.dtype.bitwidth // 8)

    return _row_of(array)(array, types.int64), generate


@intrinsic
def store(typing, array, row, lanes):
    """Write a row of an array."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[2], _row_pointer(context, builder, array, *args[:2]), align=array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, types.int64, lanes), generate


@intrinsic
def _read(typing, table, flat, first):
    """Give numbers of a flat array, which may be of a narrower type, as a row of a table."""
    kind = _row_of(table)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        found = builder.load(_pointer(context, builder, flat, *args[1:], kind.count), align=flat.dtype.bitwidth // 8)
        return found if flat.dtype == kind.dtype else builder.fpext(found, kind.vector)

    return kind(table, flat, types.int64), generate


@intrinsic
def lane_of(typing, lanes, i):
    """Give the number in a lane."""
    return lanes.dtype(lanes, types.int64), _plain(lambda builder, *args: builder.extract_element(*args))


# Lane by lane


def _spread(builder: Any, kind: Lanes, number: Any) -> Any:
    found = ir.Constant(kind.vector, ir.Undefined)
    for lane in range(kind.count):
        found = builder.insert_element(found, number, ir.Constant(ir.IntType(32), lane))
    return found


@intrinsic
def spread(typing, lanes, number):
    """Give lanes like these, with the same number in each."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _spread(builder, lanes, args[1])

    return lanes(lanes, lanes.dtype), generate


def _operation(emit: Callable[[Any, Any, Any], Any], dtype: Any = None) -> Any:
    """Make an operation on two rows; the result is of the same type, or of that given."""

    @intrinsic
    def operation(typing, one, other):
        result = one if dtype is None else Lanes(dtype, one.count)
        return result(one, one), _plain(emit)

    return operation


add = _operation(lambda builder, one, other: builder.fadd(one, other))
subtract = _operation(lambda builder, one, other: builder.fsub(one, other))
times = _operation(lambda builder, one, other: builder.fmul(one, other))
larger = _operation(lambda builder, one, other: builder.select(builder.fcmp_ordered(">", other, one), other, one))
above = _operation(lambda builder, one, other: builder.fcmp_ordered(">", one, other), types.boolean)
at_least = _operation(lambda builder, one, other: builder.fcmp_ordered(">=", one, other), types.boolean)
same = _operation(lambda builder, one, other: builder.icmp_signed("==", one, other), types.boolean)
both = _operation(lambda builder, one, other: builder.and_(one, other))
either = _operation(lambda builder, one, other: builder.or_(one, other))


@intrinsic
def choose(typing, where, one, other):
    """Give lanes of one row where something is true, else those of another."""
    return one(where, one, one), _plain(lambda builder, *args: builder.select(*args))


def _conversion(dtype: Any) -> Any:
    """Make what gives the bits of a row as numbers of another type of the same size."""

    @intrinsic
    def convert(typing, lanes):
        kind = Lanes(dtype, lanes.count)
        return kind(lanes), _plain(lambda builder, row: builder.bitcast(row, kind.vector))

    return convert


bits_of = _conversion(types.int64)
floats_of = _conversion(types.float64)


@intrinsic
def truths(typing, lanes):
    """Give a number with a bit for each lane."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.zext(builder.bitcast(args[0], ir.IntType(lanes.count)), ir.IntType(64))

    return types.int64(lanes), generate


# Rows of tables


@inner
def copy_row(target, i, source, j):
    """target[i] = source[j]."""
    store(target, i, load(source, j))


@inner
def load_row(target, i, source, first):
    """target[i] = the elements of a flat source from `first` on; the source may be of a narrower type."""
    store(target, i, _read(target, source, first))


@inner
def set_row(target, i, number):
    """target[i] = number, in every lane."""
    store(target, i, spread(load(target, i), number))


@inner
def add_row(target, i, source, j, number):
    """target[i] = source[j] + number."""
    row: Any = load(source, j)
    store(target, i, add(row, spread(row, number)))


@inner
def best_row(target, i, source, listed, first, end):
    """target[i] = the largest of source[listed[first]], ..., source[listed[end - 1]]."""
    best: Any = load(source, at(listed, first))
    for place in range(first + 1, end):
        best = larger(best, load(source, at(listed, place)))
    store(target, i, best)


# The first among ties, and what goes along with it

LOW = 2**32 - 1
"""The bits of a float64 that a mark takes; the others hold its sign, its exponent and 20 digits."""
HIGH = ~LOW
MOVED = 1 + 2.0**-22
"""Numbers are multiplied by this before they are marked: what is just below 1 then has the high bits of 1, a common number."""


@inner
def best_of_each(targets, i, listed, first, end):
    """For both of two tables: target[i] = the largest of target[i], target[listed[first]], ..., target[listed[end - 1]]."""
    one: Any = load(targets[0], i)
    other: Any = load(targets[1], i)
    for place in range(first, end):
        row = at(listed, place)
        one, other = larger(one, load(targets[0], row)), larger(other, load(targets[1], row))
    store(targets[0], i, one)
    store(targets[1], i, other)


@inner
def _least(best, narrow):
    """The least number that ties with the best."""
    return subtract(best, times(best, spread(best, narrow)))


@inner
def first_rows(targets, i, sources, listed, first, end, narrow):
    """Choose lane by lane among rows of two tables: the first listed whose number in the first table ties with the largest.

    Ties are numbers of at least the largest times 1 - narrow. What is written is the largest number, the chosen one's, and what
    goes along with that in the second table.
    """
    best: Any = load(sources[0], at(listed, first))
    for place in range(first + 1, end):
        best = larger(best, load(sources[0], at(listed, place)))
    least = _least(best, narrow)
    value, along = load(sources[0], at(listed, end - 1)), load(sources[1], at(listed, end - 1))
    for place in range(end - 2, first - 1, -1):
        row = load(sources[0], at(listed, place))
        ties = at_least(row, least)
        value, along = choose(ties, row, value), choose(ties, load(sources[1], at(listed, place)), along)
    store(targets[0], i, best)
    store(targets[1], i, value)
    store(targets[2], i, along)


@inner
def _high_bits(bits):
    return both(bits, spread(bits, HIGH))


@inner
def _moved(row):
    return bits_of(times(row, spread(row, MOVED)))


@inner
def mark_row(target, i, source, j, mark):
    """target[i] = source[j], moved, with its low 32 bits replaced by a mark: larger numbers come first, then larger marks."""
    bits = _high_bits(_moved(load(source, j)))
    store(target, i, floats_of(either(bits, spread(bits, mark))))


@inner
def one_mark(marked, i):
    """Give the mark of marked[i] if it is one for all lanes; else -1."""
    bits = bits_of(load(marked, i))
    marks = both(bits, spread(bits, LOW))
    mark = lane_of(marks, 0)
    return mark if truths(same(marks, spread(marks, mark))) == (1 << WIDTH) - 1 else -1


@inner
def _doubtful(row, bits, least):
    """A bit for each lane in which a number may not be the first that ties.

    It does not tie, or the least that ties has not the high bits of the marked one, so that some that ties may have others.
    """
    near = same(_high_bits(bits), _high_bits(_moved(least)))
    return truths(both(near, at_least(row, least))) ^ ((1 << WIDTH) - 1)


@inner
def ties_row(one, i, marked, best, j, narrow):
    """Say whether every number of one[i] ties with best[j], and none that ties has other high bits than marked[j]."""
    return _doubtful(load(one, i), bits_of(load(marked, j)), _least(load(best, j), narrow)) == 0


@inner
def take_marked(tables, i, marked, best, rows, narrow):
    """Write lane by lane what is in the row that the mark of marked[i] stands for; tables = (values, what goes along with them).

    `rows` lists the row of each mark; both tables' row i is written. Gives a bit for each lane in which the number taken may not
    be the first that ties with best[i].
    """
    bits = bits_of(load(marked, i))
    for lane in range(WIDTH):
        place = at(rows, lane_of(bits, lane) & LOW) * WIDTH + lane
        tables[0][i, lane], tables[1][i, lane] = at(tables[0], place), at(tables[1], place)
    return _doubtful(load(tables[0], i), bits, _least(load(best, i), narrow))
