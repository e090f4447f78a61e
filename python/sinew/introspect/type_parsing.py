"""Types of C declarations from their text."""

import re
from typing import Union

from sinew.introspect import ast_nodes

_QUALIFIED = r"\*((?:\s*(?:const|volatile|restrict)\b)*)"
_WORD = re.compile(r"\s*\b(const|volatile)\b\s*")


def _value(text):
    name = " ".join(_WORD.sub(" ", text).split())
    words = _WORD.findall(text)
    return ast_nodes.ValueType(name, is_const="const" in words, is_volatile="volatile" in words)


def _pointers(inner, text):
    """The type with the pointers of a text like `* const *` around it."""
    for words in re.findall(_QUALIFIED, text):
        words = words.split()
        inner = ast_nodes.PointerType(inner, is_const="const" in words, is_volatile="volatile" in words, is_restrict="restrict" in words)
    return inner


def _declarator(inner, text, whole):
    """What a declarator without a name makes of the type before it."""
    start = 0
    while pointer := re.compile(r"\s*" + _QUALIFIED).match(text, start):
        inner, start = _pointers(inner, pointer[0]), pointer.end()
    group, arrays = "", text[start:].strip()
    if arrays.startswith("(") and ")" in arrays:
        group, _, arrays = arrays[1:].rpartition(")")
        arrays = arrays.strip()
    extents = re.findall(r"\[(\d+)\]", arrays)
    if re.sub(r"\[\d+\]\s*", "", arrays):
        raise ValueError(f"invalid type name {whole!r}")
    if extents:
        inner = ast_nodes.ArrayType(inner, tuple(map(int, extents)))
    return _declarator(inner, group, whole) if group else inner


def parse_type(type_name: str) -> Union[ast_nodes.ValueType, ast_nodes.ArrayType, ast_nodes.PointerType]:
    """A type from a text such as `const int (*)[3]`."""
    end = re.search(r"[*(\[]|$", type_name).start()
    return _declarator(_value(type_name[:end]), type_name[end:], type_name)


def parse_function_return_type(type_name: str) -> Union[ast_nodes.ValueType, ast_nodes.ArrayType, ast_nodes.PointerType]:
    """The type before the parameters in a text such as `const char *(int, void *)`."""
    return parse_type(type_name[: type_name.index("(")])
