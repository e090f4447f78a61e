"""Nodes of C declarations: types, functions, structs and enums. `str` of a node is C again."""

import dataclasses
import re
from typing import Dict, Optional, Tuple, Union

VALID_TYPE_NAME_PATTERN = re.compile("(struct )?[A-Za-z_][A-Za-z0-9_]*")
# words of the language that name no type
C_INVALID_TYPE_NAMES = frozenset(
    "auto break case const continue default do else enum extern for goto if inline register restrict return sizeof static struct "
    "switch typedef union volatile while _Alignas _Atomic _Generic _Imaginary _Noreturn _Pragma _Static_assert _Thread_local "
    "__attribute__".split())
_SIGNS, _LENGTHS = ("signed", "unsigned"), (["long"], ["long", "long"], ["short"])


def _is_type_name(name):
    if VALID_TYPE_NAME_PATTERN.fullmatch(name):
        return name not in C_INVALID_TYPE_NAMES
    # words of sign and length in any order, and one name at most: "int unsigned long long"
    words = name.split()
    signs = [word for word in words if word in _SIGNS]
    lengths = [word for word in words if word in ("long", "short")]
    others = [word for word in words if word not in _SIGNS and word not in ("long", "short")]
    if not signs and not lengths or len(signs) > 1 or len(others) > 1 or lengths and lengths not in _LENGTHS:
        return False
    return not others or bool(VALID_TYPE_NAME_PATTERN.fullmatch(others[0])) and not (lengths and others == ["char"])


def _words(*parts):
    return " ".join(part for part in parts if part)


@dataclasses.dataclass
class ValueType:
    """A type that is neither a pointer nor an array."""

    name: str
    is_const: bool = False
    is_volatile: bool = False
    nullable: bool = False

    def __post_init__(self):
        if not _is_type_name(self.name):
            raise ValueError(f"{self.name!r} is not a valid value type name")

    def decl(self, name_or_decl: Optional[str] = None) -> str:
        return _words("const" * self.is_const, "volatile" * self.is_volatile, self.name, name_or_decl)

    def __str__(self):
        return self.decl()


@dataclasses.dataclass
class ArrayType:
    """An array of fixed size."""

    inner_type: Union[ValueType, "PointerType"]
    extents: Tuple[int, ...]
    nullable: bool = False

    def __post_init__(self):
        self.extents = tuple(self.extents)

    @property
    def _extents_str(self) -> str:
        return "".join(f"[{n}]" for n in self.extents)

    def decl(self, name_or_decl: Optional[str] = None) -> str:
        return self.inner_type.decl((name_or_decl or "") + self._extents_str)

    def __str__(self):
        return self.decl()


@dataclasses.dataclass
class PointerType:
    """A pointer."""

    inner_type: Union[ValueType, ArrayType, "PointerType"]
    nullable: bool = False
    is_const: bool = False
    is_volatile: bool = False
    is_restrict: bool = False

    def decl(self, name_or_decl: Optional[str] = None) -> str:
        text = _words("*", "const" * self.is_const, "volatile" * self.is_volatile, "restrict" * self.is_restrict, name_or_decl)
        return self.inner_type.decl(f"({text})" if isinstance(self.inner_type, ArrayType) else text)

    def __str__(self):
        return self.decl()


_Type = Union[ValueType, ArrayType, PointerType]


class _Declaration:
    """Something with a name and a type."""

    def __str__(self):
        return self.type.decl(self.name)

    @property
    def decltype(self) -> str:
        return self.type.decl()


@dataclasses.dataclass
class FunctionParameterDecl(_Declaration):
    """A parameter of a function."""

    name: str
    type: _Type
    nullable: bool = False


@dataclasses.dataclass
class FunctionDecl:
    """A function."""

    name: str
    return_type: _Type
    parameters: Tuple[FunctionParameterDecl, ...]
    doc: str

    def __post_init__(self):
        self.parameters = tuple(self.parameters)

    def __str__(self):
        return f"{self.return_type} {self.name}({', '.join(map(str, self.parameters))})"

    @property
    def decltype(self) -> str:
        return f"{self.return_type} ({', '.join(each.decltype for each in self.parameters)})"


class _EnumDeclValues(Dict[str, int]):
    """Enumerators and their values, shown as a plain dict."""

    def __repr__(self):
        return repr(dict(self))


@dataclasses.dataclass
class EnumDecl:
    """An enum."""

    name: str
    declname: str
    values: Dict[str, int]

    def __post_init__(self):
        self.values = _EnumDeclValues(self.values)


@dataclasses.dataclass
class StructFieldDecl(_Declaration):
    """A member of a struct; array_extent is the shape of what a pointer leads to."""

    name: str
    type: Union[ValueType, ArrayType, PointerType, "AnonymousStructDecl", "AnonymousUnionDecl"]
    doc: str
    array_extent: Optional[Tuple[Union[str, int], ...]] = None


@dataclasses.dataclass
class AnonymousStructDecl:
    """A struct without a name, inside another."""

    fields: Tuple[Union[StructFieldDecl, "AnonymousUnionDecl"], ...]

    def __post_init__(self):
        self.fields = tuple(self.fields)

    def __str__(self):
        return self.decl()

    def _inner_decl(self) -> str:
        return " ".join(f"{field};" for field in self.fields)

    def decl(self, name_or_decl: Optional[str] = None) -> str:
        return _words(f"struct {{{self._inner_decl()}}}", name_or_decl)


class AnonymousUnionDecl(AnonymousStructDecl):
    """A union without a name, inside a struct."""

    def decl(self, name_or_decl: Optional[str] = None) -> str:
        return _words(f"union {{{self._inner_decl()}}}", name_or_decl)


@dataclasses.dataclass
class StructDecl:
    """A struct."""

    name: str
    declname: str
    fields: Tuple[Union[StructFieldDecl, AnonymousUnionDecl], ...]

    def decl(self, name_or_decl: Optional[str] = None) -> str:
        return _words(self.name or self.declname, name_or_decl)
