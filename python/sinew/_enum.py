"""Enums with the behaviour of the `mujoco` package's: numbers in arithmetic, not integers by type."""

from sinew import _core


def _value(other):
    return other._value if isinstance(other, MjEnum) else other


def _arithmetic(operation):
    def forward(self, other):
        other = _value(other)
        if not isinstance(other, (int, float)):
            return NotImplemented
        return operation(self._value, other)

    return forward


def _reflected(operation):
    def backward(self, other):
        if not isinstance(other, (int, float)):
            return NotImplemented
        return operation(other, self._value)

    return backward


def _bitwise(operation):
    def forward(self, other):
        other = _value(other)
        if not isinstance(other, int):
            return NotImplemented
        return operation(self._value, other)

    return forward


class _Meta(type):
    """Makes an enum class iterable and callable with a value."""

    def __call__(cls, value):
        if isinstance(value, cls):
            return value
        try:
            return cls._by_value[_core._whole(value)]
        except TypeError:
            raise TypeError(f"{cls.__name__} takes an integer, got {type(value).__name__}") from None
        except KeyError:
            raise ValueError(f"Invalid int value for {cls.__name__}: {value}") from None


class MjEnum(metaclass=_Meta):
    """One enumerator: a name and a value."""

    __slots__ = ("_name", "_value", "__weakref__")

    @property
    def name(self):
        return self._name

    @property
    def value(self):
        return self._value

    def __int__(self):
        return self._value

    __index__ = __int__

    def __float__(self):
        return float(self._value)

    def __hash__(self):
        return hash(self._value)

    def __eq__(self, other):
        other = _value(other)
        return self._value == other if isinstance(other, (int, float)) else NotImplemented

    def __bool__(self):
        return True

    def __neg__(self):
        return -self._value

    def __repr__(self):
        return f"<{type(self).__name__}.{self._name}: {self._value}>"

    def __str__(self):
        return f"{type(self).__name__}.{self._name}"

    def __reduce__(self):
        return type(self), (self._value,)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    __add__ = _arithmetic(lambda a, b: a + b)
    __sub__ = _arithmetic(lambda a, b: a - b)
    __mul__ = _arithmetic(lambda a, b: a * b)
    __truediv__ = _arithmetic(lambda a, b: a / b)
    __floordiv__ = _arithmetic(lambda a, b: a // b)
    __mod__ = _arithmetic(lambda a, b: a % b)
    __radd__ = _reflected(lambda a, b: a + b)
    __rsub__ = _reflected(lambda a, b: a - b)
    __rmul__ = _reflected(lambda a, b: a * b)
    __rtruediv__ = _reflected(lambda a, b: a / b)
    __rfloordiv__ = _reflected(lambda a, b: a // b)
    __rmod__ = _reflected(lambda a, b: a % b)
    __and__ = _bitwise(lambda a, b: a & b)
    __or__ = _bitwise(lambda a, b: a | b)
    __xor__ = _bitwise(lambda a, b: a ^ b)
    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__
    __lshift__ = _bitwise(lambda a, b: a << b)
    __rshift__ = _bitwise(lambda a, b: a >> b)


def make_enum(name, members):
    """An enum class with the given (name, value) pairs."""
    cls = _Meta(name, (MjEnum,), {"__slots__": (), "__module__": "sinew"})
    by_value, by_name = {}, {}
    for member_name, value in members:
        member = object.__new__(cls)
        member._name, member._value = member_name, value
        by_value.setdefault(value, member)
        by_name[member_name] = member
        setattr(cls, member_name, member)
    cls._by_value = by_value
    cls.__members__ = by_name
    cls.__doc__ = "Members:\n\n" + "\n\n".join(f"  {member}" for member in by_name)
    return cls
