"""Every function of the C interface, by name."""

from typing import Mapping

from sinew.introspect import _declarations
from sinew.introspect.ast_nodes import ArrayType, FunctionDecl, FunctionParameterDecl, PointerType, ValueType  # noqa: F401
from sinew.introspect.type_parsing import parse_type


def _function(name, returns, parameters, doc):
    return FunctionDecl(name, parse_type(returns),
                        tuple(FunctionParameterDecl(each, parse_type(kind), nullable) for each, kind, nullable in parameters), doc)


FUNCTIONS: Mapping[str, FunctionDecl] = {row[0]: _function(*row) for row in _declarations.FUNCTIONS}
