"""As much of PyTorch as tools/measure/gemm.py calls, on a card that the environment describes (TORCH_CARD): the products that PyTorch would
refuse are refused, the others take the card's times without computing anything, and are written to TORCH_LOG. It shows what the script asks
for, not how fast a card is."""
import atexit
import json
import os
import types

card = {"name": "Stand-in", "capability": [8, 0], "ms": [1], "hip": None, "memory": 80e9, "lacks": [], "properties": {},
        **json.loads(os.environ.get("TORCH_CARD", "{}"))}
__version__ = "2.6.0"
version = types.SimpleNamespace(hip=card["hip"])
log = {"products": [], "made": {}, "emptied": 0}
if "TORCH_LOG" in os.environ:
    atexit.register(lambda: json.dump(log, open(os.environ["TORCH_LOG"], "w")))


class Type:
    def __init__(self, name, size):
        self.name, self.size = name, size


float32, float16, bfloat16, int8 = Type("float32", 4), Type("float16", 2), Type("bfloat16", 2), Type("int8", 1)
float8_e4m3fn, float8_e4m3fnuz = Type("float8_e4m3fn", 1), Type("float8_e4m3fnuz", 1)
now = in_use = runs = 0


class Tensor:
    """Rows and columns of a buffer, which lies row by row or, transposed, column by column."""

    def __init__(self, rows, columns, dtype, buffer=None, by_column=False):
        global in_use
        self.rows, self.columns, self.dtype, self.by_column = rows, columns, dtype, by_column
        self.buffer = buffer if buffer is not None else len(log["made"])
        self.owned = 0
        if buffer is None:
            self.owned = rows * columns * dtype.size
            if in_use + self.owned > card["memory"]:
                self.owned = 0
                raise RuntimeError("CUDA out of memory. Tried to allocate more than there is")
            in_use += self.owned
            log["made"][self.buffer] = rows * columns * dtype.size

    def __del__(self):
        global in_use
        in_use -= getattr(self, "owned", 0)

    def to(self, dtype):
        return self if dtype is self.dtype else Tensor(self.rows, self.columns, dtype)

    def t(self):
        turned = Tensor(self.columns, self.rows, self.dtype, self.buffer, not self.by_column)
        turned.owned, self.owned = self.owned, 0  # the last view frees it
        return turned

    def element_size(self):
        return self.dtype.size

    def __matmul__(self, other):
        return product("matmul", self, other, self.dtype)


def product(call, a, b, output):
    global now, runs
    if a.columns != b.rows or a.dtype is not b.dtype:
        raise RuntimeError(f"mat1 and mat2 do not fit: {a.rows}x{a.columns} and {b.rows}x{b.columns}")
    log["products"].append({"call": call, "type": a.dtype.name, "m": a.rows, "n": b.columns, "k": a.columns, "output": output.name,
                            "a": a.buffer, "b": b.buffer, "by_column": b.by_column, "timed": Event.running, "tf32": backends.cuda.matmul.allow_tf32})
    now += card["ms"][runs % len(card["ms"])]
    runs += 1


def _int_mm(self, mat2):
    if self.rows <= 16:
        raise RuntimeError(f"self.size(0) needs to be greater than 16, but got {self.rows}")
    if self.dtype is not int8 or self.columns % 8 or mat2.columns % 8:
        raise RuntimeError("expected int8 and multiples of 8")
    product("_int_mm", self, mat2, Type("int32", 4))


def _scaled_mm(self, mat2, scale_a, scale_b, bias=None, scale_result=None, out_dtype=None, use_fast_accum=False):
    if not self.dtype.name.startswith("float8") or not mat2.by_column:
        raise RuntimeError("expected FP8, the second operand column-major")
    if self.columns % 16 or mat2.columns % 16:
        raise RuntimeError("Expected both dimensions of mat2 to be divisible by 16")
    if scale_a.dtype is not float32 or scale_b.dtype is not float32:
        raise RuntimeError("expected scales in float32")
    product("_scaled_mm", self, mat2, out_dtype)


def on_card(device):
    if device != "cuda":
        raise RuntimeError(f"expected everything on the card, not on {device}")


def ones(shape, device):
    on_card(device)
    return Tensor(1, 1, float32)


def randn(rows, columns, device):
    on_card(device)
    return Tensor(rows, columns, float32)


def randint(low, high, shape, dtype, device):
    on_card(device)
    if dtype is not int8 or low < -128 or high > 128:
        raise RuntimeError("from is out of bounds for int8")
    return Tensor(*shape, dtype)


class Event:
    running = False

    def __init__(self, enable_timing=False):
        self.at, self.timing = None, enable_timing

    def record(self):
        self.at, Event.running = now, not Event.running

    def elapsed_time(self, end):
        if not self.timing or self.at is None or end.at is None:
            raise RuntimeError("Both events must be recorded, and made with enable_timing=True")
        return end.at - self.at


def synchronize():
    global runs
    runs = 0  # the card's times begin anew


def empty_cache():
    log["emptied"] += 1


cuda = types.SimpleNamespace(is_available=lambda: card["name"] is not None, synchronize=synchronize, Event=Event, empty_cache=empty_cache,
                             get_device_capability=lambda device: tuple(card["capability"]),
                             get_device_properties=lambda device: types.SimpleNamespace(name=card["name"], **card["properties"]))
backends = types.SimpleNamespace(cuda=types.SimpleNamespace(matmul=types.SimpleNamespace(allow_tf32=False)))
for name in card["lacks"]:
    del globals()[name]
