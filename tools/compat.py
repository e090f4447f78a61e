#!/usr/bin/env python3
"""Generates the MuJoCo compatibility layer: headers and a thin library over Sinew.

    compat.py OUT

Everything comes from the public headers of Sinew, which are tables: enums.h, structs.h, spec.h,
model.h with model_fields.h, data.h with data_fields.h, and one declaration per function in sinew.h.
Names change their prefix and nothing else. What Sinew does not have (widgets) is declared by the fragments in src/compat and answers with an error.
"""

import pathlib
import re
import sys

import struct_tables

ROOT = pathlib.Path(__file__).resolve().parents[1]
SOURCE = ROOT / "include" / "sinew"
FRAGMENTS = ROOT / "src" / "compat" / "fragments"


def read(name):
    return struct_tables.plain_structs() if name == "structs.h" else (SOURCE / name).read_text()


def enum_types():
    return re.findall(r"typedef enum (\w+)_ \{", read("enums.h"))


ENUMS = enum_types()
SCALARS = {"snReal": "mjtNum", "snByte": "mjtByte", "snSize": "mjtSize"}


def rename(text):
    """Sinew's names to MuJoCo's."""
    for ours, theirs in SCALARS.items():
        text = re.sub(rf"\b{ours}\b", theirs, text)
    for enum in ENUMS:
        text = re.sub(rf"\b{enum}(_?)\b", rf"mjt{enum[2:]}\1", text)
    text = re.sub(r"\bsn([usdcpvr])_", r"mj\1_", text)
    text = re.sub(r"\bsn_(?!type_)", "mj_", text)
    text = re.sub(r"\bsn([sfpvr]?)([A-Z])", r"mj\1\2", text)
    return text


def body(text):
    """The part of a header between its includes and its closing guard."""
    text = re.sub(r"^//[^\n]*\n(//[^\n]*\n)*", "", text)
    lines = [l for l in text.splitlines() if not re.match(r"#(ifndef|define|endif).*SINEW_\w+_H_|#include", l)]
    return "\n".join(lines).strip() + "\n"


def guard(name, text, includes=(), c_linkage=True):
    macro = f"MUJOCO_{name.upper()}_H_"
    lines = ["// Generated from Sinew's tables: MuJoCo 3.5.0's interface, served by Sinew.", ""]
    lines += [f"#ifndef {macro}", f"#define {macro}", ""]
    lines += [f"#include {include}" for include in includes] + [""]
    if c_linkage:
        text = '#ifdef __cplusplus\nextern "C" {\n#endif\n\n' + text + "\n#ifdef __cplusplus\n}\n#endif\n"
    return "\n".join(lines) + text + f"\n#endif  // {macro}\n"


def fragment(name):
    return (FRAGMENTS / f"{name}.h").read_text()


# ---- structs ----


def rows(table, macro):
    """Rows of a field table as lists of arguments, tables inside tables included."""
    block = re.search(rf"#define {macro}\(.*?\) \\\n((?:.*\\\n)*.*\n)", read(table))[1]
    parsed = []
    for line in block.splitlines():
        inner = re.match(r"\s*(SN_\w+)\(X(?:, A)?\)", line)
        row = re.match(r"\s*([XA])\((.*)\)", line)
        if inner:
            parsed += rows(table, inner[1])
        elif row:
            parsed.append([row[1]] + [part.strip() for part in re.split(r",\s*(?![^(]*\))", row[2])])
    return parsed


TYPES = {
    "real": "mjtNum", "int": "int", "byte": "mjtByte", "float": "float",
    "size": "mjtSize", "char": "char", "ptr": "uintptr_t", "contact": "mjContact",
}


def pointers(table, macro):
    return [f"  {TYPES[r[1]]}* {r[2]};" for r in rows(table, macro)]


def sizes(macro):
    return [f"  mjtSize {r[1]};" for r in rows("model_fields.h", macro)]


def scalars(macro):
    return [f"  {rename(r[1])} {r[2]}{f'[{rename(r[3])}]' if r[0] == 'A' else ''};"
            for r in rows("data_fields.h", macro)]


def struct(header, name, expand):
    """A struct of a header, with the tables in it written out."""
    block = re.search(rf"struct {name}_ \{{\n(.*?)\n\}};", read(header), re.S)[1]
    lines = [f"struct {rename(name)}_ {{"]
    for line in block.splitlines():
        macro = re.match(r"  (SN_\w+)\((SN_\w+)", line)
        lines += expand[macro[2]](macro[1]) if macro else [rename(line)]
    return "\n".join(lines + ["};", ""])


def model_struct():
    expand = {"SN_MODEL_SIZE": sizes, "SN_MODEL_POINTER": lambda macro: pointers("model_fields.h", macro)}
    return struct("model.h", "snModel", expand) + "typedef struct mjModel_ mjModel;\n"


def data_struct():
    expand = {"SN_DATA_SCALAR": scalars, "SN_DATA_POINTER": lambda macro: pointers("data_fields.h", macro)}
    return struct("data.h", "snData", expand)


# ---- X macros ----

# arrays that programs which show fields usually skip: large, or matrices in a layout of their own
NOT_SHOWN = set("""
    geom_fluid mesh_vert mesh_normal mesh_texcoord mesh_face mesh_facenormal mesh_facetexcoord
    mesh_graph mesh_polynum mesh_polyadr mesh_polynormal mesh_polyvertadr mesh_polyvertnum
    mesh_polyvert mesh_polymapadr mesh_polymapnum mesh_polymap hfield_data tex_data crb qM M qLD qH
    qDeriv qLU efc_J_rownnz efc_J_rowadr efc_J_rowsuper efc_J_colind efc_J efc_AR_rownnz
    efc_AR_rowadr efc_AR_colind efc_AR iM_rownnz iM_rowadr iM_colind iM iLD iefc_J_rownnz
    iefc_J_rowadr iefc_J_rowsuper iefc_J_colind iefc_J""".split())

# parts of MJMODEL_POINTERS by the first word of the field's name
PARTS = {"BODY": "body", "JOINT": "jnt", "DOF": "dof", "TREE": "tree", "GEOM": "geom", "SITE": "site",
         "CAMERA": "cam", "LIGHT": "light", "FLEX": "flex|flexedge|flexvert", "MESH": "mesh",
         "SKIN": "skin", "HFIELD": "hfield", "TEXTURE": "tex", "MATERIAL": "mat", "PAIR": "pair",
         "EXCLUDE": "exclude", "EQUALITY": "eq", "TENDON": "tendon", "ACTUATOR": "actuator",
         "SENSOR": "sensor"}

NOT_IN_SCALARS = {"signature"}


def x_macro(name, entries):
    return f"#define {name} \\\n" + " \\\n".join(f"  {entry}" for entry in entries) + "\n\n"


def table_entries(table, macro):
    """Rows of a table as calls of X (or XNV)."""
    entries = []
    for row in rows(table, macro):
        count = re.sub(r"\bSN_([MD])\(", r"MJ_\1(", row[3])
        columns = rename(re.sub(r"\bSN_M\(", "MJ_M(", row[4]))
        x = "XNV" if row[2] in NOT_SHOWN else "X"
        entries.append(f"{x}( {TYPES[row[1]]}, {row[2]}, {count}, {columns} )")
    return entries


def struct_fields(struct):
    """Fields of a plain struct as (type, name, count)."""
    block = re.search(rf"struct {struct}_ \{{(.*?)\n\}};", read("structs.h"), re.S)[1]
    return [(rename(t), n, c) for t, n, c in re.findall(r"(\w+) (\w+)(?:\[(\d+)\])?;", block)]


def visual_entries():
    block = re.search(r"struct snVisual_ \{(.*?)\n\};", read("structs.h"), re.S)[1]
    return [f"X( {part}, {t}, {n}, {c or 1} )"
            for fields, part in re.findall(r"struct \{(.*?)\} (\w+);", block, re.S)
            for t, n, c in re.findall(r"(\w+) (\w+)(?:\[(\d+)\])?;", fields)]


def preamble(text):
    needed = sorted(set(re.findall(r"MJ_M\((\w+)\)", text)))
    return " \\\n".join(f"  int {n} = (int)(m)->{n}; (void){n};" for n in needed) + "\n\n"


def model_macros():
    arrays = table_entries("model_fields.h", "SN_MUJOCO_MODEL_FIELDS")
    text = x_macro("MJMODEL_SIZES", [f"X( {r[1]} )" for r in rows("model_fields.h", "SN_MUJOCO_MODEL_SIZES")])
    for part, prefix in PARTS.items():
        text += x_macro(f"MJMODEL_POINTERS_{part}", [e for e in arrays if re.search(rf", ({prefix})_", e)])
    return text + x_macro("MJMODEL_POINTERS", arrays)


def data_macros():
    shown = [r for macro in ("SN_MUJOCO_DATA_SCALARS", "SN_MUJOCO_DATA_HANDLES")
             for r in rows("data_fields.h", macro) if r[2] not in NOT_IN_SCALARS]
    text = x_macro("MJDATA_POINTERS", table_entries("data_fields.h", "SN_MUJOCO_DATA_FIELDS"))
    text += x_macro("MJDATA_ARENA_POINTERS_CONTACT", ["X( mjContact, contact, MJ_D(ncon), 1 )"])
    for part, macro in (("SOLVER", "ROWS"), ("DUAL", "DUAL"), ("ISLAND", "ISLAND")):
        entries = table_entries("data_fields.h", f"SN_DATA_ARENA_{macro}")
        entries.sort(key=lambda entry: bool(re.search(r" (iefc_(aref|state|force)|ifrc_constraint),", entry)))
        text += x_macro(f"MJDATA_ARENA_POINTERS_{part}", entries)
    text += x_macro("MJDATA_ARENA_POINTERS",
                    [f"MJDATA_ARENA_POINTERS_{part}" for part in ("CONTACT", "SOLVER", "DUAL", "ISLAND")])
    text += x_macro("MJDATA_SCALAR", [f"X( {rename(r[1])}, {r[2]} )" for r in shown if r[0] == "X"])
    return text + x_macro(
        "MJDATA_VECTOR", [f"X( {rename(r[1])}, {r[2]}, {', '.join((rename(r[3]).split(' * ') + ['1'])[:2])} )"
                          for r in shown if r[0] == "A"])


def xmacro_header():
    options = struct_fields("snOption")
    text = x_macro("MJOPTION_FLOATS", [f"X( {t}, {n} )" for t, n, c in options if t == "mjtNum" and not c])
    text += x_macro("MJOPTION_INTS", [f"X( {t}, {n} )" for t, n, c in options if t == "int"])
    text += x_macro("MJOPTION_SCALARS", ["MJOPTION_FLOATS", "MJOPTION_INTS"])
    text += x_macro("MJOPTION_VECTORS", [f"X( {n}, {c} )" for t, n, c in options if c])
    text += x_macro("MJSTATISTIC_FIELDS", [f"X( {t}, {n}, {c or 1} )" for t, n, c in struct_fields("snStatistic")])
    text += x_macro("MJVISUAL_FIELDS", visual_entries())
    model, data = model_macros(), data_macros()
    text += model + data
    text += "#ifndef MJ_M\n#define MJ_M(n) n\n#endif\n#ifndef MJ_D\n#define MJ_D(n) n\n#endif\n"
    text += "#define XNV X\n\n"
    text += "#define MJMODEL_POINTERS_PREAMBLE( m ) \\\n" + preamble(model)
    text += "#define MJDATA_POINTERS_PREAMBLE( m ) \\\n" + preamble(data[: data.index("_CONTACT")])
    return text


# ---- functions ----


def functions():
    """Declarations of sinew.h, visual.h and render.h as (comment, return type, name, parameters)."""
    found = []
    pattern = r"((?://[^\n]*\n)+)SN_API ([\w\s\*]+?)\s*\b(sn\w*)\(([^;]*)\);"
    for comment, returns, name, parameters in re.findall(pattern, read("sinew.h") + read("visual.h") + read("render.h")):
        parameters = re.sub(r"\s+", " ", parameters)
        found.append((comment, returns, name, [] if parameters == "void" else parameters.split(", ")))
    return found


def declarations():
    return "\n".join(
        f"{rename(comment)}MJAPI {rename(returns)} {rename(name)}({rename(', '.join(parameters)) or 'void'});"
        for comment, returns, name, parameters in functions()
    ) + "\n"


def argument(parameter):
    """Name of a parameter, cast to Sinew's type where it is a pointer or an enum."""
    match = re.match(r"(.*?)(\w+)((?:\[\d*\])*)$", parameter)
    kind, name, array = match[1].strip(), match[2], match[3]
    if array:
        return name
    if kind == "snrRect":  # by value: the same struct under its other name
        return f"(snrRect){{{name}.left, {name}.bottom, {name}.width, {name}.height}}"
    return f"({kind}){name}" if "sn" in kind and kind != "snReal" else name


def wrapper(returns, name, parameters):
    data = next((p.split("*")[-1].strip() for p in parameters if re.match(r"snData\* \w+$", p)), None)
    call = f"{name}({', '.join(argument(p) for p in parameters)})"
    head = f"{rename(returns)} {rename(name)}({rename(', '.join(parameters)) or 'void'})"
    lines = [f"MJAPI {head} {{"]
    if data and not name.startswith(("sn_markStack", "sn_freeStack", "sn_stack", "sn_deleteData")):
        lines.append(f"  installCallbacks({data});")
    if returns == "void":
        lines.append(f"  {call};")
    elif name in ("sn_makeData",):
        lines += [f"  mjData* made = (mjData*){call};", "  installCallbacks(made);", "  return made;"]
    else:
        lines.append(f"  return ({rename(returns)}){call};")
    return "\n".join(lines + ["}", ""])


# functions that the hand-written part of the library defines
BY_HAND = {name for file in FRAGMENTS.parent.glob("*.c*")
           for name in re.findall(r"^MJAPI [\w\s\*]+?\b(mj\w+)\(", file.read_text(), re.M)}


def fragment_functions():
    """Functions that the fragments declare, as (return type, name, parameters)."""
    for name in ("mjvisualize", "mjrender", "mjui", "mjplugin"):
        declared = re.sub(r"//[^\n]*\n", "", fragment(name + "_functions"))
        for returns, function, parameters in re.findall(r"MJAPI (.*?)\s*\b(mj\w+)\((.*?)\);", declared, re.S):
            yield returns, function, re.sub(r"\s+", " ", parameters)


def unavailable():
    """Functions of the fragments that nobody defines: declared, and answering with an error."""
    text = ""
    for returns, function, parameters in fragment_functions():
        if function in BY_HAND:
            continue
        names = [] if parameters == "void" else [
            re.match(r".*?(\w+)(\[\d*\])*$", p)[1] for p in parameters.split(", ")]
        text += f"MJAPI {returns} {function}({parameters}) {{\n"
        text += "".join(f"  (void){n};\n" for n in names)
        text += f'  snu_error("{function} is declared and not available in Sinew");\n'
        if returns != "void":
            simple = "*" in returns or returns in ("int", "mjtNum")
            text += "  return 0;\n" if simple else f"  static {returns} zero;\n  return zero;\n"
        text += "}\n\n"
    return text


def types_of(header):
    """The part of a header before its functions."""
    text = body(read(header)).replace("SN_EXTERN_C_BEGIN\n", "")
    return rename(text[: re.search(r"//[^\n]*\nSN_API", text).start()])


def visual_types():
    return types_of("visual.h")


def render_types():
    return types_of("render.h")


def headers():
    data = body(read("data.h"))
    callbacks = data[: data.index("#define SN_DATA_SCALAR(")]
    constants = "\n".join(re.findall(r"#define sn[A-Z]\w+ [^\n]*", read("types.h"))) + "\n"
    smallest = re.search(r"#define snMINVAL [^\n]*\n", constants)[0]  # goes with the type of numbers
    constants = constants.replace(smallest, "")
    structs = body(read("structs.h"))
    split = structs.index("struct snContact_")
    sinew = body(read("sinew.h"))
    handles = re.sub(r"SN_EXTERN_C_BEGIN\n*", "", sinew[: sinew.index("// ---- ")])
    vfs = handles[: handles.index("// thread pool")]
    threads = handles[handles.index("// thread pool"):]
    spec = body(read("spec.h"))
    spec = re.sub(r"typedef struct sn(String|\w+Vec)_ sn\w+;\n", "", spec)
    yield "mjexport", guard("mjexport", fragment("mjexport"), c_linkage=False)
    yield "mjtnum", guard("mjtnum", fragment("mjtnum") + rename(smallest), ["<stdint.h>", "<stddef.h>"])
    yield "mjmacro", guard("mjmacro", fragment("mjmacro"), c_linkage=False)
    yield "mjsan", guard("mjsan", fragment("mjsan"), c_linkage=False)
    yield "mjmodel", guard(
        "mjmodel", rename(constants) + "\n" + rename(body(read("enums.h"))) + "\n" +
        rename(structs[:split]) + rename(vfs) + model_struct(), ["<stddef.h>", "<stdint.h>", "<mujoco/mjtnum.h>"])
    yield "mjdata", guard(
        "mjdata", rename(structs[split:]) + rename(callbacks).replace("typedef struct mjModel_ mjModel;", "") +
        data_struct(), ["<stddef.h>", "<stdint.h>", "<mujoco/mjtnum.h>", "<mujoco/mjmodel.h>", "<mujoco/mjthread.h>"])
    yield "mjspec", guard(
        "mjspec", rename(spec), ["<stddef.h>", "<mujoco/mjmodel.h>", "<mujoco/mjtnum.h>", "<mujoco/mjspec_vectors.h>"])
    yield "mjspec_vectors", guard("mjspec_vectors", fragment("mjspec_vectors"), c_linkage=False)
    yield "mjthread", guard("mjthread", rename(threads), ["<mujoco/mjmodel.h>"])
    yield "mjvisualize", guard("mjvisualize", visual_types(), ["<mujoco/mjmodel.h>", "<mujoco/mjdata.h>", "<mujoco/mjtnum.h>"])
    yield "mjrender", guard(
        "mjrender", render_types().replace("void* state;", "uint32_t* skinvertVBO;").replace("uint32_t", "unsigned int"),
        ["<mujoco/mjmodel.h>"])
    yield "mjui", guard("mjui", fragment("mjui_types"), ["<mujoco/mjmodel.h>", "<mujoco/mjrender.h>"])
    yield "mjplugin", guard(
        "mjplugin", fragment("mjplugin_types"),
        ["<mujoco/mjmodel.h>", "<mujoco/mjdata.h>", "<mujoco/mjspec.h>", "<mujoco/mjtnum.h>", "<mujoco/mjvisualize.h>"])
    yield "mjxmacro", guard("mjxmacro", xmacro_header(), c_linkage=False)
    everything = ["mjexport", "mjsan", "mjtnum", "mjmacro", "mjmodel", "mjdata", "mjspec", "mjthread", "mjvisualize",
                  "mjrender", "mjui", "mjplugin"]
    yield "mujoco", guard(
        "mujoco", fragment("globals") + declarations() +
        "".join(fragment(n + "_functions") for n in ("mjvisualize", "mjrender", "mjui", "mjplugin")) + fragment("overloads"),
        ["<math.h>", "<stdlib.h>", *(f"<mujoco/{name}.h>" for name in everything)])


def library():
    return (
        "// Generated: MuJoCo's functions, each a call of Sinew's.\n\n"
        '#include <mujoco/mujoco.h>\n\n#include "compat/compat.h"\n#include "sinew/sinew.h"\n#include "sinew/render.h"\n\n'
        '_Static_assert(sizeof(mjModel) == sizeof(snModel), "one layout of the model");\n'
        '_Static_assert(sizeof(mjData) == sizeof(snData), "one layout of the data");\n'
        '_Static_assert(sizeof(mjSpec) == sizeof(snSpec), "one layout of the spec");\n'
        '_Static_assert(sizeof(mjvScene) == sizeof(snvScene), "one layout of scenes");\n'
        '_Static_assert(sizeof(mjrContext) == sizeof(snrContext), "one layout of rendering contexts");\n\n'
        + "".join(wrapper(r, n, p) for _, r, n, p in functions() if rename(n) not in BY_HAND) + unavailable())


def main():
    out = pathlib.Path(sys.argv[1])
    (out / "mujoco").mkdir(parents=True, exist_ok=True)
    for name, text in headers():
        target = out / "mujoco" / f"{name}.h"
        if not target.exists() or target.read_text() != text:
            target.write_text(text)
    (out / "functions.c").write_text(library())


if __name__ == "__main__":
    main()
