#!/usr/bin/env python3
"""Generates the Python bindings of the public functions from their declarations in sinew.h.

    python_functions.py OUT.cc

A declaration says almost everything: scalars, strings, model and data are passed on; arrays with a
bound are checked against it; "Nullable" in the comment makes an argument optional. What it cannot
say is in RULES: the sizes of open arrays, and the counts that Python infers from them. Functions
with another form in Python are bound by hand (special.cc).
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]

# function: "array=size array=rows,columns count:array count:array.rows"; sizes may use fields of the
# model and data, inferred counts, and other arguments
RULES = {
    "sn_rne": "result=nv",
    "sn_constraintUpdate": "jar=nefc",
    "sn_getState": "state=stateSize(sig)",
    "sn_setState": "state=stateSize(sig)",
    "sn_extractState": "src=stateSize(srcsig) dst=stateSize(dstsig)",
    "sn_mulJacVec": "res=nefc vec=nv",
    "sn_mulJacTVec": "res=nv vec=nefc",
    "sn_jac": "jacp=3,nv jacr=3,nv",
    "sn_jacBody": "jacp=3,nv jacr=3,nv",
    "sn_jacBodyCom": "jacp=3,nv jacr=3,nv",
    "sn_jacSubtreeCom": "jacp=3,nv",
    "sn_jacGeom": "jacp=3,nv jacr=3,nv",
    "sn_jacSite": "jacp=3,nv jacr=3,nv",
    "sn_jacPointAxis": "jacPoint=3,nv jacAxis=3,nv",
    "sn_jacDot": "jacp=3,nv jacr=3,nv",
    "sn_angmomMat": "mat=3,nv",
    "sn_fullM": "dst=nv,nv M=nM",
    "sn_mulM": "res=nv vec=nv",
    "sn_mulM2": "res=nv vec=nv",
    "sn_applyFT": "qfrc_target=nv",
    "sn_differentiatePos": "qvel=nv qpos1=nq qpos2=nq",
    "sn_integratePos": "qpos=nq qvel=nv",
    "sn_normalizeQuat": "qpos=nq",
    "sn_multiRay": "vec=3*nray geomgroup=6 geomid=nray dist=nray normal=3*nray",
    "sn_ray": "geomgroup=6",
    "snu_zero": "n:res",
    "snu_fill": "n:res",
    "snu_copy": "n:res vec=n",
    "snu_sum": "n:vec",
    "snu_L1": "n:vec",
    "snu_scl": "n:res vec=n",
    "snu_add": "n:res vec1=n vec2=n",
    "snu_sub": "n:res vec1=n vec2=n",
    "snu_addTo": "n:res vec=n",
    "snu_subFrom": "n:res vec=n",
    "snu_addToScl": "n:res vec=n",
    "snu_addScl": "n:res vec1=n vec2=n",
    "snu_normalize": "n:res",
    "snu_norm": "n:res",
    "snu_dot": "n:vec1 vec2=n",
    "snu_mulMatVec": "nr:mat.rows nc:mat.columns res=nr vec=nc",
    "snu_mulMatTVec": "nr:mat.rows nc:mat.columns res=nc vec=nr",
    "snu_mulVecMatVec": "n:vec1 mat=n,n vec2=n",
    "snu_transpose": "nr:mat.rows nc:mat.columns res=nc,nr",
    "snu_symmetrize": "n:mat.rows mat=n,n res=n,n",
    "snu_eye": "n:mat.rows mat=n,n",
    "snu_mulMatMat": "r1:mat1.rows c1:mat1.columns c2:mat2.columns mat2=c1,c2 res=r1,c2",
    "snu_mulMatMatT": "r1:mat1.rows c1:mat1.columns r2:mat2.rows mat2=r2,c1 res=r1,r2",
    "snu_mulMatTMat": "r1:mat1.rows c1:mat1.columns c2:mat2.columns mat2=r1,c2 res=c1,c2",
    "snu_sqrMatTD": "nr:mat.rows nc:mat.columns res=nc,nc diag=nr",
    "snu_dense2sparse": "nr:mat.rows nc:mat.columns nnz:res rownnz=nr rowadr=nr colind=nnz",
    "snu_sparse2dense": "nr:res.rows nc:res.columns rownnz=nr rowadr=nr",
    "snu_cholFactor": "n:mat.rows mat=n,n",
    "snu_cholSolve": "n:mat.rows mat=n,n res=n vec=n",
    "snu_cholUpdate": "n:mat.rows mat=n,n x=n",
    "snu_cholFactorBand": "mat=bandSize(ntotal,nband,ndense)",
    "snu_cholSolveBand": "mat=bandSize(ntotal,nband,ndense) res=ntotal vec=ntotal",
    "snu_band2Dense": "mat=bandSize(ntotal,nband,ndense) res=ntotal,ntotal",
    "snu_dense2Band": "res=bandSize(ntotal,nband,ndense) mat=ntotal,ntotal",
    "snu_bandMulMatVec": "mat=bandSize(ntotal,nband,ndense) res=ntotal*nvec vec=ntotal*nvec",
    "snu_boxQP": "n:res R=n*(n+7) index=n H=n,n g=n lower=n upper=n",
    "snu_encodePyramid": "dim:mu+1 force=dim pyramid=2*(dim-1)",
    "snu_decodePyramid": "dim:mu+1 force=dim pyramid=2*(dim-1)",
    "snu_isZero": "n:vec",
    "snu_f2n": "n:res vec=n",
    "snu_n2f": "n:res vec=n",
    "snu_d2n": "n:res vec=n",
    "snu_n2d": "n:res vec=n",
    "snu_insertionSort": "n:list",
    "snu_insertionSortInt": "n:list",
    "snu_printMat": "nr:mat.rows nc:mat.columns",
    "snu_printMatSparse": "nr:rownnz rowadr=nr",
    "snd_transitionFD": "A=2*nv+na,2*nv+na B=2*nv+na,nu C=nsensordata,2*nv+na D=nsensordata,nu",
    "snd_inverseFD": "DfDq=nv,nv DfDv=nv,nv DfDa=nv,nv DsDq=nv,nsensordata DsDv=nv,nsensordata "
    "DsDa=nv,nsensordata DmDq=nv,nM",
    "snu_raySkin": "face=3*nface vert=3*nvert",
}

# indices that C cannot check: function: {argument: count}
INDICES = {"sn_local2Global": {"body": "d.model->m->nbody"}}

# arguments that may be left out
DEFAULT_NONE = {"fromto": {"sn_geomDistance"},
                "normal": {"sn_ray", "sn_rayHfield", "sn_rayMesh", "snu_rayGeom", "sn_rayFlex"},
                "vertid": {"sn_rayFlex"}}

# optional beyond what C says, and required although C takes NULL, as in MuJoCo's package
FORCE_OPTIONAL = {("sn_multiRay", "geomgroup"), ("sn_ray", "geomgroup")}
# parameters that name a file: what os.fspath takes is taken
FILE_NAMES = {"filename", "path", "directory"}
FORCE_REQUIRED = {("sn_applyFT", "force"), ("sn_applyFT", "torque"), ("snu_transformSpatial", "rotnew2old")}

# other form in Python, or none: bound by hand or not at all
BY_HAND = {
    "sn_addM", "sn_step", "sn_saveLastXML", "sn_losslessXML", "sn_saveLosslessXML", "sn_saveModel", "sn_printSchema", "snu_getXMLDependencies",
    "sn_setLengthRange", "sn_copyData", "sn_solveM", "sn_solveM2", "sn_readSensor",
    "sn_initCtrlHistory", "sn_initSensorHistory", "sn_id2name", "snu_standardNormal", "sn_addContact",
    "sn_defaultSolRefImp", "sn_getCache", "sn_getCacheSize", "sn_getCacheCapacity", "sn_setCacheCapacity",
    "sn_clearCache", "snu_type2Str", "sn_getPluginConfig", "sn_resetCallbacks", "sn_defaultVisual",
}
ABSENT = re.compile(
    r"VFS$|^sn_(getXMLPrecision|setXMLPrecision|loadXML|parse|compile|copyBack|recompile|freeLastXML|saveXML|copyModel|loadModel|"
    r"deleteModel|makeData|deleteData|markStack|freeStack|stackAlloc|makeSpec|copySpec|deleteSpec|warning$|threads$|setThreads$)|"
    r"^snu_(error|warning$|warning_|clearHandlers|malloc|free|strncpy|boxQPmalloc|threadPool|bindThread|"
    r"defaultTask|taskJoin)|^sns_")


def declarations():
    text = (ROOT / "include/sinew/sinew.h").read_text()
    pattern = r"((?://[^\n]*\n)+)SN_API ([\w\s\*]+?)\s*\b(sn\w*)\(([^;]*)\);"
    for comment, returns, name, parameters in re.findall(pattern, text):
        parameters = re.sub(r"\s+", " ", parameters)
        yield comment, returns, name, [] if parameters == "void" else parameters.split(", ")


class Parameter:
    def __init__(self, text, function, nullable):
        match = re.match(r"(.*?)(\w+)((?:\[\d*\])*)$", text)
        self.type, self.name, bound = match[1].strip(), match[2], match[3]
        self.bound = bound.strip("[]")
        self.pointer = self.type.endswith("*") or bool(bound)
        self.element = re.sub(r"const |\*", "", self.type).strip()
        self.constant = self.type.startswith("const")
        self.optional = self.name in nullable or (function, self.name) in FORCE_OPTIONAL
        if (function, self.name) in FORCE_REQUIRED:
            self.optional = False
        self.default_none = function in DEFAULT_NONE.get(self.name, ())

    @property
    def is_array(self):
        return self.pointer and self.element in ("snReal", "int", "float", "snByte", "double")

    def declare(self):
        if self.element == "snModel":
            return f"Model& {self.name}"
        if self.element == "snData":
            return f"Data& {self.name}"
        if self.is_array:
            element = "double" if self.element in ("snReal", "double") else self.element
            kind = ("In" if self.constant else "Out") + ("Optional" if self.optional else "")
            return f"{kind}<{element}> {self.name}"
        if self.pointer and self.element == "char":
            return f"const {'FileName' if self.name in FILE_NAMES else 'std::string'}& {self.name}"
        if self.pointer:
            return f"{self.element}& {self.name}"
        return f"{'int' if self.element == 'unsigned char' else self.element} {self.name}"

    def passed(self):
        if self.element == "snModel":
            return f"{self.name}.m"
        if self.element == "snData":
            return f"{self.name}_data"
        if self.is_array:
            return f"{self.name}.data"
        if self.pointer and self.element == "char":
            return f"{self.name}.c_str()"
        return f"&{self.name}" if self.pointer else self.name

    def python(self):
        text = f'nb::arg("{self.name}")'
        if self.is_array and self.optional:
            text += ".none()"
        return text + (" = nb::none()" if self.default_none else "")


MODEL_WORDS = {"nv", "nq", "nu", "na", "nM", "nsensordata"}


def expression(text):
    """A size of RULES as C++."""
    def word(match):
        name = match[0]
        if name in MODEL_WORDS:
            return f"m.m->{name}"
        return {"nefc": "d_data->nefc", "stateSize": "stateSize(m)"}.get(name, name)

    return re.sub(r"[A-Za-z_]\w*", word, text).replace("stateSize(m)(", "sn_stateSize(m.m, ")


def parse_rules(name):
    counts, sizes = [], []
    for rule in RULES.get(name, "").split():
        if ":" in rule:
            counts.append(rule.split(":"))
        else:
            sizes.append(rule.split("=", 1))
    return counts, sizes


def binding(comment, returns, name, parameters):
    nullable = re.search(r"Nullable: ([^.]*)\.", comment)
    nullable = nullable[1].split(", ") if nullable else []
    counts, sizes = parse_rules(name)
    inferred = [count for count, _ in counts]
    arguments = [Parameter(p, name, nullable) for p in parameters]
    shown = [a for a in arguments if a.name not in inferred]
    body = []
    for count, source in counts:
        array, _, tail = source.partition(".")
        array, plus, offset = array.partition("+")
        value = f"{array}.{tail}()" if tail else f"{array}.size"
        body.append(f"int {count} = (int){value}{plus}{offset};")
    for argument in arguments:
        if argument.is_array and argument.bound:
            body.append(f'expect({argument.name}, {argument.bound}, "{argument.name}", "{argument.bound}");')
    for array, size in sizes:
        parts = re.split(r",(?![^(]*\))", size)
        if len(parts) == 2:
            body.append(f'expectShape({array}, {expression(parts[0])}, {expression(parts[1])}, '
                        f'"{array}", "({parts[0]}, {parts[1]})");')
        else:
            body.append(f'expect({array}, {expression(size)}, "{array}", "{size}");')
    call = f"{name}({', '.join(a.passed() for a in arguments)})"
    model = next((a.name for a in arguments if a.element == "snModel"), None)
    for argument in arguments:
        if argument.element == "snData":
            ready = f"of({model})" if model else "ready()"
            body.insert(0, f"snData* {argument.name}_data = {argument.name}.{ready};")
            body.append(f"StackGuard {argument.name}_stack({argument.name}_data);")
            if name.startswith("snd_") and model:
                body.append(f"StateGuard {argument.name}_state({model}.m, {argument.name}_data);")
    worked_on = next((a.name for a in arguments if a.element == "snData"), None)
    if worked_on:
        body.insert(0, f"DataLock {worked_on}_lock({worked_on});")
    for index, count in INDICES.get(name, {}).items():
        body.append(f'expectIndex({index}, {count}, "{index}");')
    body.append("Guard guard;")
    body.append(f"{call};" if returns == "void" else f"return {call};")
    python_name = "mj" + name[2:]
    doc = re.sub(r"//\s*", "", comment).split("\n")[0].split(" Nullable")[0]
    lines = [f"  module.def(\"{python_name}\", []({', '.join(a.declare() for a in shown)}) {{"]
    lines += [f"    {line}" for line in body]
    extra = "".join(f", {a.python()}" for a in shown)
    extra += signature(python_name, returns, shown)
    lines.append(f'  }}{extra}, "{doc}\\n");')
    return "\n".join(lines)


# What help() shows of a function: the types that the reference package shows, whatever else is taken.
RETURNS = {"void": "None", "int": "int", "snReal": "float", "const char*": "str", "double": "float", "float": "float",
           "snSize": "int"}
SCALARS = {"int": "typing.SupportsInt", "unsigned int": "typing.SupportsInt", "unsigned char": "typing.SupportsInt",
           "snByte": "typing.SupportsInt", "size_t": "typing.SupportsInt", "snReal": "typing.SupportsFloat",
           "float": "typing.SupportsFloat", "double": "typing.SupportsFloat", "char": "str"}
NUMBERS = {"snReal": "float64", "double": "float64", "float": "float32", "int": "int32", "snByte": "uint8"}


def matrices(name):
    """Arguments of a function that are matrices by its rules."""
    counts, sizes = parse_rules(name)
    return ({source.partition(".")[0] for _, source in counts if "." in source} |
            {array for array, size in sizes if len(re.split(r",(?![^(]*\))", size)) == 2})


def shown_type(argument, matrix):
    if not argument.is_array:
        if argument.element in SCALARS:
            return SCALARS[argument.element]
        return "mujoco._structs.Mj" + argument.element[2:] if argument.pointer else None
    parts = ["[m, n]" if matrix else f"[{argument.bound or 'm'}, 1]"]
    parts += ["flags.writeable"] * (not argument.constant) + ["flags.c_contiguous"] * matrix
    quoted = ", ".join(f'\\"{part}\\"' for part in parts)
    text = f"typing.Annotated[numpy.typing.NDArray[numpy.{NUMBERS[argument.element]}], {quoted}]"
    text += " | None" if argument.optional else ""
    return text + (" = None" if argument.default_none else "")


def signature(name, returns, arguments):
    """An nb::sig for a function; what nanobind writes by itself where a type has no other name."""
    two = matrices("sn" + name[2:])
    for array, size in parse_rules("sn" + name[2:])[1]:
        for argument in arguments:
            if argument.name == array and size.isdigit():
                argument.bound = size
    types = [shown_type(a, a.name in two) for a in arguments]
    if returns not in RETURNS or None in types:
        return ""
    text = ", ".join(f"{a.name}: {type}" for a, type in zip(arguments, types))
    return f', nb::sig("def {name}({text}) -> {RETURNS[returns]}")'


def main():
    chosen = [d for d in declarations() if d[2] not in BY_HAND and not ABSENT.search(d[2])]
    groups = [chosen[i:i + 40] for i in range(0, len(chosen), 40)]
    text = "// Generated from sinew.h.\n\n#include \"arrays.h\"\n#include \"guard.h\"\n\n"
    text += "static int bandSize(int ntotal, int nband, int ndense) {\n"
    text += "  return nband * (ntotal - ndense) + ndense * ntotal;\n}\n\n"
    for number, group in enumerate(groups):
        text += f"static void bind{number}(nb::module_& module) {{\n"
        text += "\n".join(binding(*d) for d in group) + "\n}\n\n"
    text += "void bindGenerated(nb::module_& module) {\n  (void)bandSize;\n"
    text += "".join(f"  bind{n}(module);\n" for n in range(len(groups))) + "}\n"
    path = pathlib.Path(sys.argv[1])
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


main()
