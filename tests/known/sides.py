"""A loaded die as one with more sides, all equally likely: a face stands on as many of them as it has weight."""

__all__ = ["sides_of"]


def sides_of(weights: str = "", faces: int = 6) -> list[int]:
    """List the sides of a die.

    >>> sides_of("1,0,2"), sides_of(faces=2)
    ([1, 3, 3], [1, 2])
    """
    numbers = [int(weight) for weight in weights.split(",")] if weights else [1] * faces
    return [face for face, weight in enumerate(numbers, 1) for _ in range(weight)]
