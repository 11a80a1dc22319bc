"""What a PyTorch module computes, call by call, as operations of a commands.json: `roofline.capture`.

The calls are those of ATen below the composite functions, so that a linear layer is an addmm. Nothing has to run on a device: modules and
tensors on "meta" do.
"""

import contextlib
import json
import pathlib

import torch
from torch.utils._python_dispatch import TorchDispatchMode

FORMATS = {
    torch.float64: "fp64", torch.float32: "fp32", torch.float16: "fp16", torch.bfloat16: "bf16", torch.int8: "int8", torch.uint8: "int8",
    torch.bool: "int8", torch.int16: "int16", torch.int32: "int32", torch.int64: "int64",
}  # fmt: skip
for _name, _format in (("float8_e4m3fn", "fp8_e4m3"), ("float8_e5m2", "fp8_e5m2")):
    if hasattr(torch, _name):
        FORMATS[getattr(torch, _name)] = _format

# Element by element: the operator that each counts as, by how many tensors it reads.
UNARY = {
    "relu": "relu", "hardtanh": "clamp", "clamp": "clamp", "clamp_min": "relu", "leaky_relu": "leaky_relu", "elu": "elu", "gelu": "gelu", "silu": "silu",
    "sigmoid": "sigmoid", "hardsigmoid": "hard_sigmoid", "hardswish": "hard_swish", "softplus": "softplus", "mish": "mish", "tanh": "tanh", "exp": "exp",
    "exp2": "exp", "expm1": "exp", "log": "log", "log2": "log", "log1p": "log", "sqrt": "sqrt", "rsqrt": "rsqrt", "reciprocal": "reciprocal", "erf": "erf",
    "sin": "sin", "cos": "cos", "abs": "abs", "neg": "neg", "square": "square", "sign": "sign", "round": "round", "floor": "round", "ceil": "round",
    "logical_not": "not", "bitwise_not": "not", "isnan": "not", "isinf": "not", "cumsum": "cumsum", "_to_copy": "cast", "clone": "copy", "copy": "copy",
    "native_dropout": "mul", "bernoulli": "mul",
}  # fmt: skip
BINARY = {
    "add": "add", "sub": "sub", "rsub": "sub", "mul": "mul", "div": "div", "maximum": "max", "minimum": "min", "pow": "pow", "remainder": "mod",
    "fmod": "mod", "eq": "compare", "ne": "compare", "lt": "compare", "le": "compare", "gt": "compare", "ge": "compare", "logical_and": "logical",
    "logical_or": "logical", "bitwise_and": "logical", "bitwise_or": "logical", "masked_fill": "mul", "prelu": "prelu", "threshold_backward": "mul",
    "hardtanh_backward": "mul", "native_dropout_backward": "mul", "sigmoid_backward": "silu_mul", "tanh_backward": "silu_mul", "gelu_backward": "silu_mul",
    "silu_backward": "silu_mul", "leaky_relu_backward": "mul", "elu_backward": "silu_mul", "hardswish_backward": "silu_mul", "_softmax_backward_data": "silu_mul",
    "_log_softmax_backward_data": "silu_mul",
}  # fmt: skip
TERNARY = {"where": "where", "addcmul": "addcmul", "addcdiv": "addcmul", "lerp": "addcmul"}
REDUCTIONS = {
    "sum": "sum", "mean": "mean", "prod": "prod", "amax": "reduce_max", "amin": "reduce_min", "max": "reduce_max", "min": "reduce_min",
    "argmax": "reduce_max", "argmin": "reduce_min", "any": "reduce_max", "all": "reduce_min", "var": "mean", "std": "mean", "var_mean": "mean",
    "linalg_vector_norm": "sum", "logsumexp": "sum",
}  # fmt: skip
# Nothing is computed, and nothing moved: views, which the schema tells, are not among them.
NOTHING = {"detach", "alias", "lift_fresh", "empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "resize", "is_same_size",
           "sym_size", "_local_scalar_dense", "set", "_reshape_alias", "_unsafe_view", "view", "unsafe_split", "unsafe_chunk"}  # fmt: skip
FILLS = {"zeros", "ones", "full", "zeros_like", "ones_like", "full_like", "new_zeros", "new_ones", "new_full", "fill", "zero", "arange", "scalar_tensor"}


class Capture(dict):
    """A commands.json: {"commands": [operation, ...]}, in the order of the calls."""

    def save(self, path):
        """Writes it to a file."""
        pathlib.Path(path).write_text(json.dumps(self) + "\n", encoding="utf-8")


def capture(module, *inputs, backward=False, **keywords):
    recorder = Recorder(module)
    recorder.step = "forward" if backward else None
    hooks = recorder.watch_modules()
    try:
        with torch.set_grad_enabled(backward), _without_fast_path(), recorder:
            results = [tensor for tensor in _tensors(module(*inputs, **keywords)) if tensor.requires_grad or not backward]
        if backward:
            if not results:
                raise ValueError("backward: no output of the module depends on a parameter or an input that requires a gradient")
            wanted = [tensor for tensor in _tensors([list(module.parameters()), inputs, keywords]) if tensor.requires_grad]
            gradients = [torch.ones_like(result) for result in results]
            recorder.step = "backward"
            with recorder:
                torch.autograd.grad(results, wanted, gradients, allow_unused=True)
    finally:
        for hook in hooks:
            hook.remove()
    return Capture(commands=recorder.commands)


@contextlib.contextmanager
def _without_fast_path():
    """Keep transformer layers in evaluation from calling one kernel for the whole layer, so that its parts are recorded."""
    mha = getattr(torch.backends, "mha", None)
    if mha is None:  # before PyTorch 2.1 the kernel is not called while gradients are recorded
        with torch.enable_grad():
            yield
        return
    before = mha.get_fastpath_enabled()
    mha.set_fastpath_enabled(False)
    try:
        yield
    finally:
        mha.set_fastpath_enabled(before)


def _tensors(value):
    """All tensors in nested lists and dictionaries."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [tensor for item in value for tensor in _tensors(item)]
    return []


class Recorder(TorchDispatchMode):
    """Every call of ATen as one operation."""

    def __init__(self, module):
        super().__init__()
        self.commands = []
        self.step = None
        self._module = module
        self._path = [""]
        self._counts = {}
        self._weights = {id(tensor): tensor for tensor in list(module.parameters()) + list(module.buffers())}  # and views of them

    def watch_modules(self):
        """Keeps the path of the module that is running."""
        hooks = []
        for path, module in self._module.named_modules():
            hooks.append(module.register_forward_pre_hook(lambda _module, _inputs, path=path: self._path.append(path)))
            hooks.append(module.register_forward_hook(self._leave))
        return hooks

    def _leave(self, _module, _inputs, _outputs):
        self._path.pop()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        schema = func._schema
        named = {argument.name: argument.default_value for argument in schema.arguments if argument.has_default_value()}
        named.update(zip((argument.name for argument in schema.arguments), args))
        named.update(kwargs)
        name = schema.name.split("::")[-1]
        if name.endswith("_") and not name.endswith("__"):
            name = name[:-1]
        outputs = _tensors(result)
        if self._is_view(schema) or name in NOTHING:
            read = _tensors(list(named.values()))
            if read and id(read[0]) in self._weights:
                self._weights.update((id(output), output) for output in outputs)
        elif outputs:
            self._add(name, named, outputs)
        return result

    @staticmethod
    def _is_view(schema):
        return any(r.alias_info is not None and not r.alias_info.is_write for r in schema.returns)

    def _add(self, name, named, outputs):
        read = _tensors(list(named.values()))
        record = _record(name, named, read, outputs, lambda tensor: id(tensor) in self._weights)
        if record is None:
            return
        self._counts[name] = self._counts.get(name, 0) + 1
        head = {"type": record.pop("type"), "name": "%s_%d" % (name, self._counts[name])}
        if self._path[-1]:
            head["module"] = self._path[-1]
        if self.step:
            head["step"] = self.step
        data = next((tensor for tensor in read if tensor.is_floating_point()), read[0] if read else outputs[0])
        formats = {"data_type": data, "output_type": outputs[0]}
        if "weight" in record:
            formats["weight_type"] = record.pop("weight")
        for key, tensor in formats.items():
            if tensor.dtype in FORMATS:
                head[key] = FORMATS[tensor.dtype]
        self.commands.append({**head, **record})


def _shape(tensor):
    return [int(length) for length in tensor.shape]


def _each(value, size):
    """One number for each of `size` dimensions."""
    value = list(value) if isinstance(value, (list, tuple)) else [value]
    return [int(v) for v in (value * size if len(value) == 1 else value)]


def _window(named, spatial, kernel=None):
    """Stride, padding and dilation; a pool's stride is its kernel unless it says so."""
    out = {"stride": _each(named.get("stride") or kernel or 1, spatial), "dilation": _each(named.get("dilation") or 1, spatial)}
    out["padding"] = [[p, p] for p in _each(named.get("padding") or 0, spatial)]
    return out


def _convolution(named, weight):
    spatial = weight.dim() - 2
    out = {"weight_shape": _shape(weight), "groups": int(named["groups"]), **_window(named, spatial)}
    if named["transposed"]:
        out["output_padding"] = _each(named["output_padding"], spatial)
    return out


def _heads(query, key, value):
    batch = 1
    for length in query.shape[:-3]:
        batch *= int(length)
    heads = {"batch": batch, "heads": int(query.shape[-3]), "kv_heads": int(key.shape[-3]), "head_dim": int(query.shape[-1])}
    return {**heads, "head_dim_v": int(value.shape[-1]), "query_length": int(query.shape[-2]), "context": int(key.shape[-2])}


def _product(a, b, is_weight, added=None):
    if is_weight(b) and b.dim() == 2:
        out = {"type": "linear", "input_shape": _shape(a), "weight_shape": [int(b.shape[1]), int(b.shape[0])], "weight": b}
        return {**out, "bias": True} if added is not None else out
    out = {"type": "matmul" if added is None else "addmm", "input_mat1": _shape(a), "input_mat2": _shape(b)}
    return {**out, "input_input": _shape(added)} if added is not None else out


def _elementwise(kind, read, operands, output):
    shapes = [_shape(tensor) for tensor in read[:operands]]
    if kind == "prelu" and len(shapes[0]) > 2 and len(shapes[1]) == 1:  # a weight for each channel, dimension 1
        shapes[1] += [1] * (len(shapes[0]) - 2)
    return {"type": kind, "inputs": shapes + [[]] * (operands - len(shapes)), "output_shape": _shape(output)}


def _record(name, named, read, outputs, is_weight):
    """One call as an operation. Where its operator is not known, the bytes that it reads and writes are stated. None: it does nothing."""
    get = named.get
    if name in ("mm", "bmm", "matmul", "_scaled_mm", "_int_mm"):
        return _product(read[0], read[1], is_weight)
    if name in ("addmm", "baddbmm"):
        return _product(read[1], read[2], is_weight, read[0])
    if name == "mv":
        return {"type": "matmul", "input_mat1": _shape(read[0]), "input_mat2": _shape(read[1]) + [1]}
    if name == "dot":
        return {"type": "matmul", "input_mat1": [1] + _shape(read[0]), "input_mat2": _shape(read[1]) + [1]}
    if name == "mkldnn_rnn_layer":  # one layer: its input and its last state, times its two weights
        inner = int(read[1].shape[1] + read[2].shape[1])
        rows = read[0].numel() // int(read[0].shape[-1])
        return {"type": "linear", "input_shape": [rows, inner], "weight_shape": [int(read[1].shape[0]), inner], "weight": read[1]}
    if name in ("convolution", "_convolution"):
        kind = {"type": "conv_transpose" if named["transposed"] else "conv", "input_shape": _shape(read[0]), "weight": read[1]}
        return {**kind, **_convolution(named, read[1]), "bias": get("bias") is not None}
    if name == "convolution_backward":
        mask = list(named["output_mask"])
        out = {"type": "conv_backward", "input_shape": _shape(named["input"]), "transposed": bool(named["transposed"])}
        return {**out, **_convolution(named, named["weight"]), "grad_input": bool(mask[0]), "grad_weight": bool(mask[1])}
    if "scaled_dot_product" in name:
        kind = "attention_backward" if name.endswith("_backward") else "attention"
        return {"type": kind, **_heads(named["query"], named["key"], named["value"]), "causal": bool(get("is_causal"))}
    if name in ("embedding", "_embedding_bag", "_embedding_bag_forward_only"):
        return {"type": "embedding", "indices_shape": _shape(named["indices"]), "weight_shape": _shape(named["weight"]), "weight": named["weight"]}
    if name in ("index_select", "gather"):
        return {"type": "copy", "inputs": [_shape(outputs[0])], "output_shape": _shape(outputs[0])}
    if name == "native_layer_norm":
        return {"type": "layer_norm", "input_shape": _shape(read[0]), "normalized_shape": _each(named["normalized_shape"], 1)}
    if name in ("native_batch_norm", "cudnn_batch_norm", "_native_batch_norm_legit", "_native_batch_norm_legit_no_training"):
        return {"type": "batch_norm", "input_shape": _shape(read[0]), "training": bool(get("training", get("train", False)))}
    if name == "native_group_norm":
        return {"type": "group_norm", "input_shape": _shape(read[0])}
    if name in ("_softmax", "_log_softmax", "_safe_softmax"):
        return {"type": "softmax", "input_shape": _shape(read[0])}
    if name.startswith(("max_pool", "avg_pool")) and not name.endswith("_backward"):
        spatial = int(name[name.index("pool") + 4])
        kernel = _each(named["kernel_size"], spatial)
        return {"type": "pool", "input_shape": _shape(read[0]), "kernel_size": kernel, **_window(named, spatial, kernel), "ceil_mode": bool(get("ceil_mode"))}
    if "adaptive" in name and not name.endswith("_backward"):
        spatial = int(name[name.index("pool") + 4])
        return {"type": "adaptive_pool", "input_shape": _shape(read[0]), "output_size": _shape(outputs[0])[-spatial:]}
    if "upsample_" in name and not name.endswith("_backward"):
        kind = "resize_cubic" if "cubic" in name else "resize" if "nearest" in name else "resize_linear"
        return {"type": kind, "input_shape": _shape(read[0]), "output_size": _shape(outputs[0])[2:]}
    if name in ("cat", "stack"):
        return {"type": "concat", "inputs": [_shape(tensor) for tensor in read], "output_shape": _shape(outputs[0])}
    if name in ("max", "min") and isinstance(get("other"), torch.Tensor):
        return _elementwise(name, read, 2, outputs[0])
    if name in REDUCTIONS:
        dims = get("dim")
        dims = list(range(read[0].dim())) if dims is None or dims == [] else dims
        axes = [axis % max(1, read[0].dim()) for axis in (dims if isinstance(dims, (list, tuple)) else [dims])]
        return {"type": REDUCTIONS[name], "input_shape": _shape(read[0]), **({"axis": axes} if axes else {})}
    for operands, table in enumerate((UNARY, BINARY, TERNARY), 1):
        if name in table:
            return _elementwise(table[name], read, operands, outputs[0])
    if name in FILLS:
        return {"type": "fill", "output_shape": _shape(outputs[0])}
    bytes_moved = sum(tensor.numel() * tensor.element_size() for tensor in read + outputs)
    return {"type": name, "bytes": bytes_moved} if bytes_moved else None
