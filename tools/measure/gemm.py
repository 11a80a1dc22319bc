#!/usr/bin/env python3
"""Times matrix products on a CUDA or ROCm GPU and writes a results table that Roofline reads (docs/guide/measuring.md).

    python3 gemm.py                      GEMV and GEMM in every format the card has, as JSON on standard output
    python3 gemm.py --formats fp16,int8 --shapes 1x4096x4096,512x512x512 --csv > results.csv

Needs PyTorch. Each shape runs over operands that rotate through more memory than the last-level cache holds, after a warm-up, between two
CUDA events per run; the median is reported. A format or shape that the card or PyTorch lacks is left out, and standard error says so.
"""
import argparse
import csv
import json
import statistics
import sys

GEMV = [(1, 4096, 4096), (1, 8192, 8192), (1, 14336, 4096), (1, 4096, 14336)]
GEMM = [(n, n, n) for n in (128, 256, 512, 1024, 2048, 4096, 8192)] + [(16, 4096, 4096), (128, 4096, 4096), (512, 4096, 4096)]

# PyTorch's name of each format, and what its product is written in.
FORMATS = {"fp32": ("float32", "fp32"), "tf32": ("float32", "fp32"), "fp16": ("float16", "fp16"), "bf16": ("bfloat16", "bf16"),
           "fp8_e4m3": ("float8_e4m3fn", "bf16"), "int8": ("int8", "int32")}


def stop(message, status=1):
    print(f"gemm.py: {message}", file=sys.stderr)
    sys.exit(status)


def arguments(argv=None):
    """Checked before PyTorch is looked for: a wrong argument is told anywhere."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--formats", default=",".join(FORMATS), help="which to try, in that order")
    parser.add_argument("--shapes", help="MxNxK, separated by commas; M = 1 is a GEMV")
    parser.add_argument("--runs", type=int, default=50, help="timed runs per shape (50)")
    parser.add_argument("--cache", type=float, help="MB of the last-level cache, where PyTorch states another")
    parser.add_argument("--csv", action="store_true", help="CSV instead of JSON")
    options = parser.parse_args(argv)
    options.formats = [name.strip() for name in options.formats.split(",")]
    for name in options.formats:
        if name not in FORMATS:
            stop(f"--formats: unknown format {name!r}: expected some of {', '.join(FORMATS)}", 2)
    options.shapes = shapes_of(options.shapes) if options.shapes else GEMV + GEMM
    if options.runs < 1:
        stop(f"--runs {options.runs}: expected 1 or more", 2)
    if options.cache is not None and not 0 < options.cache < 1e6:
        stop(f"--cache {options.cache:g}: expected a size in MB", 2)
    return options


def shapes_of(text):
    try:
        shapes = [tuple(int(length) for length in shape.lower().split("x")) for shape in text.split(",")]
    except ValueError:
        stop(f"--shapes {text}: expected MxNxK, such as 1x4096x4096,512x512x512", 2)
    if any(len(shape) != 3 or min(shape) < 1 for shape in shapes):
        stop(f"--shapes {text}: expected three lengths each, of at least 1", 2)
    return shapes


def lacks(name, hip, capability):
    """Why the card has no units for a format, or None. PyTorch would compute BF16 and TF32 in something else, and time that."""
    if hip:
        return "TF32 is not used on ROCm" if name == "tf32" else None
    least = {"tf32": (8, 0), "bf16": (8, 0), "fp8_e4m3": (8, 9), "int8": (7, 5)}.get(name)
    if least and capability < least:
        return f"needs compute capability {least[0]}.{least[1]}, the card has {capability[0]}.{capability[1]}"
    return None


class Format:
    """How operands are made, and how they are multiplied: a @ b, with b as PyTorch's fast kernels want it (column-major)."""

    def __init__(self, torch, name):
        self.torch, self.name = torch, name
        attribute, self.output = FORMATS[name]
        properties = torch.cuda.get_device_properties(0)
        if attribute == "float8_e4m3fn" and getattr(properties, "gcnArchName", "").startswith("gfx94"):
            attribute = "float8_e4m3fnuz"  # what AMD's MI300 multiplies
        missing = lacks(name, torch.version.hip, torch.cuda.get_device_capability(0))
        if missing:
            raise NotImplementedError(missing)
        self.dtype = getattr(torch, attribute, None)
        needed = {"int8": "_int_mm", "fp8_e4m3": "_scaled_mm"}.get(name)
        if self.dtype is None or (needed and not hasattr(torch, needed)):
            raise NotImplementedError(f"this PyTorch has no {attribute if self.dtype is None else needed}")
        self.one = torch.ones((), device="cuda")  # made once: a kernel of its own must not be timed
        torch.backends.cuda.matmul.allow_tf32 = name == "tf32"

    def matrix(self, rows, columns):
        torch = self.torch
        if self.name == "int8":
            return torch.randint(-127, 128, (rows, columns), dtype=torch.int8, device="cuda")
        return torch.randn(rows, columns, device="cuda").to(self.dtype)

    def product(self, a, b):
        if self.name == "int8":
            return self.torch._int_mm(a, b)
        if self.name == "fp8_e4m3":
            return self.torch._scaled_mm(a, b, scale_a=self.one, scale_b=self.one, out_dtype=self.torch.bfloat16)
        return a @ b


def rows_run(name, m):
    """PyTorch's integer product wants more than 16 rows, cuBLAS' FP8 product multiples of 16: fewer are run padded, which moves hardly
    more bytes."""
    return max(m, 32) if name == "int8" else -(-m // 16) * 16 if name == "fp8_e4m3" else m


def sets_needed(bytes_per_set, cache_bytes):
    """How many pairs of operands are at least twice the cache; of tiny ones so many that making them takes no longer than timing them."""
    return max(2, min(1 << 14, -(-2 * cache_bytes // bytes_per_set)))


def median_seconds(torch, form, m, n, k, runs, cache_bytes):
    """The median time of one product over `runs` runs."""
    rows = rows_run(form.name, m)
    sets = sets_needed((rows * k + k * n) * form.matrix(1, 1).element_size(), cache_bytes)
    operands = [(form.matrix(rows, k), form.matrix(n, k).t()) for _ in range(sets)]
    for a, b in operands[-10:]:  # warm up: clocks, kernel choice; with those that are timed last, if at all
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


def row_of(name, m, n, k, seconds):
    row = {"operator": "gemv" if m == 1 else "gemm", "m": m, "n": n, "k": k, "format": name, "output_type": FORMATS[name][1],
           "measured_us": round(seconds * 1e6, 3)}
    if rows_run(name, m) != m:
        row["note"] = f"run with {rows_run(name, m)} rows"
    return row


def write(results, device, method, as_csv, out):
    if not as_csv:
        print(json.dumps({"device": device, "method": method, "machine": device, "results": results}, indent=1), file=out)
        return
    columns = ["operator", "m", "n", "k", "format", "output_type", "measured_us", "note", "machine"]
    writer = csv.DictWriter(out, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows({**row, "machine": device} for row in results)


def main():
    options = arguments()
    try:
        import torch
    except ImportError:
        stop("PyTorch is not installed: pip install torch, or on a Jetson NVIDIA's wheel for it; tools/measure/gemm_cpu needs none and "
             "measures processors")
    if not torch.cuda.is_available():
        stop("PyTorch finds no CUDA or ROCm GPU; tools/measure/gemm_cpu measures processors")
    properties = torch.cuda.get_device_properties(0)
    cache = getattr(properties, "L2_cache_size", 0) or 64 << 20  # older PyTorch does not say
    if torch.version.hip:
        cache = max(cache, 256 << 20)  # the Infinity Cache behind the L2 is not stated
    if options.cache:
        cache = int(options.cache * 1e6)
    results = []
    for name in options.formats:
        for m, n, k in options.shapes:
            try:
                seconds = median_seconds(torch, Format(torch, name), m, n, k, options.runs, cache)
            except (NotImplementedError, RuntimeError, ValueError, TypeError) as error:  # not on this card, or out of memory
                print(f"gemm.py: {name} {m}x{n}x{k} left out: {(str(error).splitlines() or [type(error).__name__])[0]}", file=sys.stderr)
                torch.cuda.empty_cache()
                continue
            results.append(row_of(name, m, n, k, seconds))
    if not results:
        stop("nothing could be measured")
    method = (f"tools/measure/gemm.py, PyTorch {torch.__version__}, {options.runs} runs each, median, CUDA events, "
              f"operands over {2 * cache / 1e6:.0f} MB")
    write(results, properties.name, method, options.csv, sys.stdout)


if __name__ == "__main__":
    main()
