"""Every enum of the C interface, by name."""

from typing import Mapping

from sinew.introspect import _declarations
from sinew.introspect.ast_nodes import EnumDecl

ENUMS: Mapping[str, EnumDecl] = {name: EnumDecl(name, f"enum {name}_", values) for name, values in _declarations.ENUMS}
