"""Every struct of the C interface, by name."""

from typing import Mapping

from sinew.introspect import _declarations
from sinew.introspect.ast_nodes import (  # noqa: F401
    AnonymousStructDecl, AnonymousUnionDecl, ArrayType, PointerType, StructDecl, StructFieldDecl, ValueType,
)
from sinew.introspect.type_parsing import parse_type

_GROUPS = {"struct": AnonymousStructDecl, "union": AnonymousUnionDecl}


def _field(name, kind, doc, extent):
    if isinstance(kind, str):
        return StructFieldDecl(name, parse_type(kind), doc, extent)
    group = _GROUPS[kind[0]](_field(*row) for row in kind[1])
    return StructFieldDecl(name, group, doc) if name else group


STRUCTS: Mapping[str, StructDecl] = {
    name: StructDecl(name, declared, tuple(_field(*row) for row in fields)) for name, declared, fields in _declarations.STRUCTS}
