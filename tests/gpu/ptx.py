"""What the device compiler made of the engine, as C++: a processor can run the PTX of one lane.

    ptx.py OUT.cc IN.ptx...

Each function becomes `void T_name(void** arguments)`, where arguments[0] is room for the result and the others point to
the arguments. Functions that the modules call but do not have are `void N_name(void** arguments)`, to be defined
elsewhere (ptx_native.cc); all are declared. Addresses are those of the processor, shared memory is PTX_SHARED, and
instructions by which lanes talk abort: a lane alone never comes to them. Registers and local memory begin full of rubbish.
"""

import pathlib
import re
import sys

TYPES = {"pred": "bool", "f32": "float", "f64": "double"}
for bits in (8, 16, 32, 64):
    TYPES.update({f"b{bits}": f"uint{bits}_t", f"u{bits}": f"uint{bits}_t", f"s{bits}": f"int{bits}_t"})
SPACES = {"global", "local", "shared", "param", "const"}
COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "lo": "<", "ls": "<=", "hi": ">", "hs": ">="}
INFIX = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^", "div": "/", "rem": "%"}
BY_LANES = {"shfl", "vote", "redux", "activemask", "match"}
IDLE = {"bar", "barrier", "membar", "fence", "nanosleep"}
SPECIAL = re.compile(r"%(tid|ntid|ctaid|laneid|dynamic_smem_size)\b")


def size_of(kind):
    return int(re.sub(r"\D", "", kind)) // 8


def unsigned(kind):
    """Integers wrap around."""
    return "u" + kind[1:] if kind[0] in "sb" else kind


def pieces(text):
    """Operands: split at commas outside of brackets."""
    return [part.strip() for part in re.split(r",(?![^{\[(]*[}\])])", text) if part.strip()]


class Function:
    def __init__(self, module, name, result, parameters, body):
        self.module, self.name, self.body = module, name, body
        self.kinds, self.params, self.locals = {}, [], set()
        named = r"\.param\s+(?:\.align\s+\d+\s+)?\.\w+\s+([\w$]+)"
        self.result = re.findall(named, result or "")
        self.params = re.findall(named, parameters)

    # ---- operands

    def register(self, name):
        return name.replace("%", "R_")

    def kind(self, register):
        return self.kinds.get(register) or self.kinds[re.sub(r"\d+$", "", register)]

    def value(self, x, kind):
        """An operand as a C++ expression of that type."""
        if kind == "pred":
            return f"(!{self.register(x[1:])})" if x.startswith("!") else self.register(x)
        if special := SPECIAL.match(x):
            return f"({TYPES[kind]})SPECIAL_{special[1]}"
        if x.startswith("%"):
            own = self.kind(x)
            if own[0] == "f" or kind[0] == "f":
                return f"bits<{TYPES[kind]}>({self.register(x)})"
            return f"({TYPES[kind]}){self.register(x)}"
        if number := re.fullmatch(r"0[dDfF]([0-9A-Fa-f]{8,16})", x):
            return f"bits<{'double' if x[1] in 'dD' else 'float'}>(0x{number[1]}{'ull' if x[1] in 'dD' else 'u'})"
        if re.fullmatch(r"-?\d+|0x[0-9a-fA-F]+", x):
            return f"({TYPES[kind]}){int(x, 0) & (1 << 64) - 1}ull"
        return f"({TYPES[kind]})({self.symbol(x)})"

    def symbol(self, name):
        if name == "sn_team_views":
            return "0"  # the beginning of shared memory
        return f"(uint64_t)&{name}" if name not in self.locals else f"(uint64_t){name}"

    def address(self, operand, space):
        base, offset = re.fullmatch(r"\[\s*([%\w$]+)\s*(?:\+\s*(-?\d+))?\s*\]", operand).groups()
        place = self.value(base, "u64") if base.startswith("%") else self.symbol(base)
        if base in self.params + self.result or base in self.locals:
            place = f"(uint64_t){base}"
        return f"{'(uint64_t)PTX_SHARED + (uint32_t)' if space == 'shared' else ''}({place}) + {offset or 0}"

    def put(self, to, kind, expression):
        own = self.kind(to)
        if own != "pred" and "f" in (own[0] + kind[0]) and own != kind:
            expression = f"bits<{TYPES[own]}>({expression})"
        return f"{self.register(to)} = {expression};"

    # ---- instructions

    def statement(self, text):
        guard = re.match(r"@(!?)(%p\d+)\s+", text)
        condition = f"if ({guard[1]}{self.register(guard[2])}) " if guard else ""
        text = text[guard.end():] if guard else text
        word, rest = re.match(r"([\w.]+)\s*(.*)$", text, re.S).groups()
        name, *modes = word.split(".")
        return condition + "{ " + self.instruction(name, modes, rest.strip()) + " }"

    def instruction(self, name, modes, rest):
        kind, a, value = modes[-1] if modes else "", pieces(rest), self.value
        space = next((mode for mode in modes if mode in SPACES), "")
        if name == "bra":
            return f"goto {rest.replace('$', 'L_')};"
        if name in ("ret", "exit"):
            return "return;"
        if name == "call":
            return self.call(rest)
        if name in ("ld", "ldu", "st"):
            return self.memory(name, kind, space, *(a if name != "st" else reversed(a)))
        if name in IDLE or name == "pragma":
            return ""
        if name in BY_LANES:
            return "abort();"
        if name == "setp":
            return self.put(a[0], "pred", self.comparison(modes, kind, a))
        if name == "cvta":
            return self.put(a[0], "u64", value(a[1], "u64"))
        if name == "cvt":
            return self.convert(modes, a)
        if name == "selp":
            return self.put(a[0], kind, f"{value(a[3], 'pred')} ? {value(a[1], kind)} : {value(a[2], kind)}")
        if name == "mov" and (a[0] + a[1]).count("{"):
            return self.parts(kind, *a)
        if name == "mov":
            return self.put(a[0], kind, value(a[1], kind))
        if name in ("popc", "clz"):
            return self.put(a[0], "u32", f"{name}<{TYPES[kind]}>({value(a[1], kind)})")
        return self.put(a[0], *self.arithmetic(name, modes, kind, a))

    def parts(self, kind, to, source):
        """A register into parts, the lowest first, or parts into a register."""
        names = pieces((to if to.startswith("{") else source).strip("{}"))
        width = 8 * size_of(kind) // len(names)
        part, whole = f"b{width}", TYPES[kind]
        if to.startswith("{"):
            code = f"{whole} whole = {self.value(source, kind)}; "
            taken = [self.put(one, part, f"(uint{width}_t)(whole >> {i * width})") for i, one in enumerate(names) if one != "_"]
            return code + " ".join(taken)
        return self.put(to, kind, " | ".join(f"({whole}){self.value(one, part)} << {i * width}" for i, one in enumerate(names)))

    def arithmetic(self, name, modes, kind, a):
        """(type of the result, expression)"""
        x = [self.value(operand, unsigned(kind) if name in ("add", "sub", "neg", "mad") else kind) for operand in a[1:]
             ] if kind != "pred" or name in ("and", "or", "xor", "not") else None
        if name in INFIX:
            return kind, f"({TYPES[kind]})({x[0]} {INFIX[name]} {x[1]})"
        if name == "mul" and "wide" in modes:
            wide = kind[0] + str(16 * size_of(kind))
            return wide, f"({TYPES[wide]}){x[0]} * ({TYPES[wide]}){x[1]}"
        if name == "mul":
            return kind, f"({TYPES[kind]})({self.value(a[1], unsigned(kind))} * {self.value(a[2], unsigned(kind))})"
        if name == "mad":
            return kind, f"({TYPES[kind]})({x[0]} * {x[1]} + {x[2]})"
        if name == "copysign":  # of the first operand
            return kind, f"copysign({x[1]}, {x[0]})"
        if name == "fma":
            return kind, f"fma({x[0]}, {x[1]}, {x[2]})"
        if name in ("min", "max") and kind[0] != "f":
            return kind, f"{x[0]} {'<' if name == 'min' else '>'} {x[1]} ? {x[0]} : {x[1]}"
        if name in ("shl", "shr"):
            return kind, f"{name}<{TYPES[kind]}>({x[0]}, {self.value(a[2], 'u32')})"
        if name == "bfi":
            return kind, f"bfi<{TYPES[kind]}>({x[0]}, {x[1]}, {self.value(a[3], 'u32')}, {self.value(a[4], 'u32')})"
        unary = {"neg": "-", "not": "!" if kind == "pred" else "~", "rcp": "1 / ", "sqrt": "sqrt", "abs": "fabs", "min": "fmin",
                 "max": "fmax"}
        if name not in unary:
            raise NotImplementedError(f"{name}.{'.'.join(modes)}")
        return kind, f"({TYPES[kind]})({unary[name]}({', '.join(x)}))"

    def comparison(self, modes, kind, a):
        x, y = self.value(a[1], kind), self.value(a[2], kind)
        ordered = kind[0] != "f" or f"ordered({x}, {y})"
        test = modes[0]
        if kind[0] == "f" and test in ("num", "nan"):
            result = f"{'' if test == 'num' else '!'}{ordered}"
        elif kind[0] == "f" and len(test) == 3:  # unordered numbers compare as true
            result = f"(!{ordered} || {x} {COMPARE[test[:2]]} {y})"
        elif kind[0] == "f":
            result = f"({ordered} && {x} {COMPARE[test]} {y})"
        else:
            result = f"({x} {COMPARE[test]} {y})"
        join = next((mode for mode in modes[1:] if mode in ("and", "or", "xor")), None)
        return f"({result} {INFIX[join]} {self.value(a[3], 'pred')})" if join else result

    def convert(self, modes, a):
        to, source = modes[-2:]
        x = self.value(a[1], source)
        if source[0] == "f" and to[0] != "f":
            how = {"rzi": "trunc", "rni": "nearbyint", "rmi": "floor", "rpi": "ceil"}[modes[0]]
            return self.put(a[0], to, f"({TYPES[to]}){how}({x})")
        return self.put(a[0], to, f"({TYPES[to]})({x})")

    def memory(self, name, kind, space, registers, operand):
        names = pieces(registers[1:-1]) if registers.startswith("{") else [registers]
        size = size_of(kind)
        code = f"uint64_t at = {self.address(operand, space)}; aligned(at, {size * len(names)}); "
        for i, one in enumerate(names):
            if name == "st":
                code += f"store<{TYPES[kind]}>(at + {i * size}, {self.value(one, kind)}); "
            else:
                code += self.put(one, kind, f"load<{TYPES[kind]}>(at + {i * size})") + " "
        return code

    def call(self, rest):
        result, name, given = re.match(r"(?:\((\w+)\)\s*,\s*)?([\w$]+)\s*(?:,\s*\((.*)\))?$", rest, re.S).groups()
        self.module.called.add(name)
        return f"void* all[] = {{{', '.join([result or 'nullptr', *pieces(given or '')])}}}; CALL_{name}(all);"

    # ---- the whole

    def declare(self, text):
        kind, names = re.match(r"\.reg\s+\.(\w+)\s+(.*)$", text, re.S).groups()
        found = []
        for name in pieces(names):
            if many := re.fullmatch(r"(%\w+)<(\d+)>", name):
                self.kinds[many[1]] = kind
                found += [f"{many[1]}{k}" for k in range(int(many[2]))]
            else:
                self.kinds[name] = kind
                found.append(name)
        return f"{TYPES[kind]} {', '.join(map(self.register, found))};"

    def translate(self):
        declared, code = [], []
        token = re.compile(r"\s*(?:([{}])|(\$?\w+):(?!:)|([^;]*);)")
        depth = place = 0
        while match := token.match(self.body, place):
            brace, label, text = match.groups()
            place = match.end()
            if brace:
                code.append(brace)
                depth += 1 if brace == "{" else -1
            elif label:
                code.append(label.replace("$", "L_") + ":;")
            elif text.startswith(".reg"):
                (code if depth else declared).append(self.declare(text))
            elif local := re.match(r"\.local\s+\.align\s+(\d+)\s+\.b8\s+([\w$]+)\[(\d+)\]", text):
                self.locals.add(local[2])
                declared.append(f"alignas({local[1]}) char {local[2]}[{local[3]}]; memset({local[2]}, 0xf7, {local[3]});")
            elif param := re.match(r"\.param\s+(?:\.align\s+\d+\s+)?\.\w+\s+([\w$]+)", text):
                self.locals.add(param[1])
                code.append(f"alignas(16) char {param[1]}[16];")
            elif not text.startswith("."):
                code.append(self.statement(text))
        given = [f"char* {name} = (char*)arguments[{k}];" for k, name in enumerate(self.result)]
        given += [f"char* {name} = (char*)arguments[{k + 1}];" for k, name in enumerate(self.params)]
        return "\n  ".join([f"void T_{self.name}(void** arguments) {{", *given, *declared, *code]) + "\n}\n"


class Module:
    FUNCTION = re.compile(r"((?:\.(?:visible|extern|weak)\s+)*)\.func\s*(\([^()]*\))?\s*([\w$]+)\s*\(([^()]*)\)\s*([;{])")

    def __init__(self, text):
        text = re.sub(r"//[^\n]*", "", text)
        self.called, self.code, self.defined = set(), [], set()
        self.code += [self.constant(*found) for found in re.findall(
            r"^\.(?:global|const)\s+\.align\s+(\d+)\s+\.(\w+)\s+([\w$]+)(\[\d*\])?\s*(?:=\s*(.*?))?;", text, re.M | re.S)]
        for head in self.FUNCTION.finditer(text):
            if head[5] == ";":
                continue
            depth, end = 1, head.end()
            while depth:
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                end += 1
            self.defined.add(head[3])
            self.code.append(Function(self, head[3], head[2], head[4], text[head.end():end - 1]).translate())

    @staticmethod
    def constant(align, kind, name, count, value):
        numbers = re.sub(r"0[dD]([0-9A-Fa-f]{16})", r"bits<double>(0x\1ull)", value.strip(" {}"))
        return f"alignas({align}) static const {TYPES[kind]} {name}{count or '[]'} = {{{numbers or 0}}};"


HEAD = """
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
template <class T, class S> static T bits(S s) { T t; static_assert(sizeof(T) == sizeof(S)); memcpy(&t, &s, sizeof(t)); return t; }
template <class T> static T load(uint64_t at) { T t; memcpy(&t, (void*)at, sizeof(t)); return t; }
template <class T> static void store(uint64_t at, T t) { memcpy((void*)at, &t, sizeof(t)); }
template <class T> static T shl(T x, uint32_t n) { return n >= 8 * sizeof(T) ? 0 : (T)(x << n); }
template <class T> static T shr(T x, uint32_t n) { return n >= 8 * sizeof(T) ? (x < 0 ? (T)-1 : 0) : (T)(x >> n); }
template <class T> static uint32_t popc(T x) { return (uint32_t)__builtin_popcountll(x); }
template <class T> static uint32_t clz(T x) { return x ? (uint32_t)(__builtin_clzll(x) - 64 + 8 * sizeof(T)) : 8 * sizeof(T); }
template <class T> static T bfi(T a, T b, uint32_t at, uint32_t n) {
  T mask = shl<T>(n >= 8 * sizeof(T) ? (T)-1 : (T)(((T)1 << n) - 1), at);
  return (T)((b & (T)~mask) | (shl<T>(a, at) & mask));
}
static bool ordered(double x, double y) { return x == x && y == y; }
static void aligned(uint64_t at, int size) { if (at % size) abort(); }
extern "C" char PTX_SHARED[];
enum { SPECIAL_tid, SPECIAL_ctaid = 0, SPECIAL_laneid = 0, SPECIAL_dynamic_smem_size = 0, SPECIAL_ntid };
"""


def translate(texts):
    """(C++ of the modules, the names that they call and do not have)"""
    modules = [Module(text) for text in texts]
    defined = set().union(*(module.defined for module in modules))
    missing = sorted(set().union(*(module.called for module in modules)) - defined)
    names = [f"void {letter}_{name}(void**);\n#define CALL_{name} {letter}_{name}\n"
             for letter, group in (("T", sorted(defined)), ("N", missing)) for name in group]
    return HEAD + "".join(names) + "\n".join(line for module in modules for line in module.code), missing


if __name__ == "__main__":
    pathlib.Path(sys.argv[1]).write_text(translate([pathlib.Path(path).read_text() for path in sys.argv[2:]])[0])
