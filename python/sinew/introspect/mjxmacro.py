"""Arrays of the model and the data: name to (rows, columns), as the X macros have them."""

from sinew.introspect import structs

MJMODEL_S = structs.STRUCTS["mjModel"]
MJDATA_S = structs.STRUCTS["mjData"]


def _arrays(struct):
    return {field.name: (*map(str, field.array_extent), "1")[:2] for field in struct.fields if field.array_extent}


MJMODEL = _arrays(MJMODEL_S)
MJDATA = _arrays(MJDATA_S)
