#!/usr/bin/env python3
"""Times matrix products on a CUDA or ROCm GPU and writes a results table that Roofline reads (docs/measuring.md).

    python3 gemm.py                      GEMV and GEMM in every format the card has, as JSON on standard output
    python3 gemm.py --formats fp16,int8 --shapes 1x4096x4096,512x512x512 --csv > results.csv

Needs PyTorch. Each shape runs over operands that rotate through more memory than the last-level cache holds, after a warm-up, between two
CUDA events per run; the median is reported. A format or shape that the card or PyTorch lacks is left out, and standard error says so.
"""
import argparse
import json
import statistics
import sys

GEMV = [(1, 4096, 4096), (1, 8192, 8192), (1, 14336, 4096), (1, 4096, 14336)]
GEMM = [(n, n, n) for n in (128, 256, 512, 1024, 2048, 4096, 8192)] + [(16, 4096, 4096), (128, 4096, 4096), (512, 4096, 4096)]


def stop(message, status=1):
    print(f"gemm.py: {message}", file=sys.stderr)
    sys.exit(status)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--formats", default="fp32,tf32,fp16,bf16,fp8_e4m3,int8", help="which to try, in that order")
    parser.add_argument("--shapes", help="MxNxK, separated by commas; M = 1 is a GEMV")
    parser.add_argument("--runs", type=int, default=50, help="timed runs per shape (50)")
    parser.add_argument("--csv", action="store_true", help="CSV instead of JSON")
    return parser.parse_args()


def shapes_of(text):
    try:
        shapes = [tuple(int(length) for length in shape.lower().split("x")) for shape in text.split(",")]
    except ValueError:
        stop(f"--shapes {text}: expected MxNxK, such as 1x4096x4096,512x512x512", 2)
    if any(len(shape) != 3 or min(shape) < 1 for shape in shapes):
        stop(f"--shapes {text}: expected three lengths each, of at least 1", 2)
    return shapes


class Format:
    """How operands are made, and how they are multiplied: a @ b, with b as PyTorch's fast kernels want it (column-major)."""

    def __init__(self, torch, name):
        self.torch, self.name = torch, name
        types = {"fp32": "float32", "tf32": "float32", "fp16": "float16", "bf16": "bfloat16", "fp8_e4m3": "float8_e4m3fn", "int8": "int8"}
        if name not in types:
            stop(f"--formats: unknown format {name}: expected one of {', '.join(types)}", 2)
        self.dtype = getattr(torch, types[name], None)
        if self.dtype is None:
            raise NotImplementedError(f"this PyTorch has no {types[name]}")

    def matrix(self, rows, columns):
        torch = self.torch
        if self.name == "int8":
            return torch.randint(-127, 128, (rows, columns), dtype=torch.int8, device="cuda")
        return torch.randn(rows, columns, device="cuda").to(self.dtype)

    def product(self, a, b):
        torch = self.torch
        torch.backends.cuda.matmul.allow_tf32 = self.name == "tf32"
        if self.name == "int8":
            return torch._int_mm(a, b)
        if self.name == "fp8_e4m3":
            one = torch.ones((), device="cuda")
            return torch._scaled_mm(a, b, scale_a=one, scale_b=one, out_dtype=torch.bfloat16)
        return a @ b

    # PyTorch's integer and FP8 products want more than 16 rows: a GEMV is run padded, which moves hardly more bytes.
    def rows(self, m):
        return max(m, 32) if self.name == "int8" else max(m, 16) if self.name == "fp8_e4m3" else m

    @property
    def output(self):
        return {"int8": "int32", "fp8_e4m3": "bf16", "tf32": "fp32"}.get(self.name, self.name)


def median_seconds(torch, form, m, n, k, runs, cache_bytes):
    """The median time of one product over `runs` runs."""
    rows = form.rows(m)
    width = form.matrix(1, 1).element_size()
    bytes_per_set = (rows * k + k * n) * width
    sets = max(2, min(64, -(-2 * cache_bytes // bytes_per_set)))  # at least twice the cache in all
    operands = [(form.matrix(rows, k), form.matrix(n, k).t()) for _ in range(sets)]
    for a, b in operands[:10]:  # warm up: clocks, kernel choice
        form.product(a, b)
    torch.cuda.synchronize()
    events = [(torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)) for _ in range(runs)]
    for i, (start, end) in enumerate(events):
        a, b = operands[i % sets]
        start.record()
        form.product(a, b)
        end.record()
    torch.cuda.synchronize()
    return statistics.median(start.elapsed_time(end) for start, end in events) / 1e3


def main():
    options = arguments()
    shapes = shapes_of(options.shapes) if options.shapes else GEMV + GEMM
    try:
        import torch
    except ImportError:
        stop("PyTorch is not installed: pip install torch, or on a Jetson NVIDIA's wheel for it")
    if not torch.cuda.is_available():
        stop("PyTorch finds no CUDA or ROCm GPU; tools/measure/gemm_cpu measures processors")
    properties = torch.cuda.get_device_properties(0)
    cache = getattr(properties, "L2_cache_size", 0) or 64 << 20  # older PyTorch does not say
    results = []
    for name in options.formats.split(","):
        for m, n, k in shapes:
            try:
                form = Format(torch, name.strip())
                seconds = median_seconds(torch, form, m, n, k, options.runs, cache)
            except (NotImplementedError, RuntimeError) as error:  # not on this card, or out of memory
                print(f"gemm.py: {name} {m}x{n}x{k} left out: {str(error).splitlines()[0]}", file=sys.stderr)
                torch.cuda.empty_cache()
                continue
            results.append({"operator": "gemv" if m == 1 else "gemm", "m": m, "n": n, "k": k, "format": form.name,
                            "output_type": form.output, "measured_us": round(seconds * 1e6, 3)})
    if not results:
        stop("nothing could be measured")
    if options.csv:
        print("operator,m,n,k,format,output_type,measured_us,machine")
        for row in results:
            print(",".join(str(value) for value in [*row.values(), properties.name]))
    else:
        method = (f"tools/measure/gemm.py, PyTorch {torch.__version__}, {options.runs} runs each, median, CUDA events, "
                  f"operands over {2 * cache / 1e6:.0f} MB")
        print(json.dumps({"device": properties.name, "method": method, "machine": properties.name, "results": results}, indent=1))


if __name__ == "__main__":
    main()
