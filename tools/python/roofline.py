"""What limits each operation of a workload: the `roofline` command from Python.

    import roofline
    run = roofline.analyze("commands.json", machine="h100-sxm")      # a path, a list of dictionaries or a DataFrame
    run["summary"]["bound_by"]                                        # the document of `roofline ... -o json` (docs/formats/formats.md)
    run.frame                                                         # its operations as a pandas DataFrame
    run                                                               # in Jupyter: the report, to explore
    roofline.analyze(roofline.capture(module, inputs))                # a PyTorch module, without exporting it

One module, no dependencies; pandas where there is one. The command is found by $ROOFLINE, else on the PATH, else beside this repository's build.
"""

import html
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

__all__ = ["analyze", "op", "llm", "compare", "listed", "capture", "Analysis", "RooflineError"]


class RooflineError(Exception):
    """The command refused: what was wrong, and where. `status` is its exit code (docs/reference/command-line.md)."""

    def __init__(self, message, status):
        super().__init__(message)
        self.status = status


class Analysis(dict):
    """The JSON document, and how to look at it. `messages`: what the command said beside it."""

    def __init__(self, document, messages, report):
        super().__init__(document)
        self.messages = messages
        self._report = report

    @property
    def ops(self):
        """The operations, as a list of dictionaries."""
        return self["ops"]

    @property
    def frame(self):
        """The operations as a pandas DataFrame, one row each; members of members are columns such as "min_time_s.HBM"."""
        import pandas

        return pandas.json_normalize(self["ops"])

    def report(self):
        """The report, one HTML file as text: the page with the data in it. Needs roofline.html (tools/build page)."""
        return self._report()

    def save_report(self, path):
        """Writes the report to a file."""
        pathlib.Path(path).write_text(self.report(), encoding="utf-8")

    def _repr_html_(self):
        try:
            page = html.escape(self.report(), quote=True)
        except RooflineError:
            return self._table_html()
        return (
            '<iframe srcdoc="%s" style="width: 100%%; height: 640px; border: 1px solid #ccc" '
            'sandbox="allow-scripts allow-downloads allow-popups" title="Roofline"></iframe>' % page
        )

    def _table_html(self, rows=20):
        """The finding and the operations that lose most time, where there is no page."""
        summary, findings = self.get("summary", {}), self.get("findings", {})
        keys = ["name", "type", "bound_by", "status", "time_s", "predicted_time_s", "efficiency"]
        ops = [op for op in self.get("ops", []) if any(op.get(key) is not None for key in keys)]
        ops.sort(key=lambda op: op.get("lost_time_s") or op.get("predicted_time_s") or 0, reverse=True)
        cell = lambda value: html.escape("%.4g" % value if isinstance(value, float) else "" if value is None else str(value))
        row = lambda tag, values: "<tr>%s</tr>" % "".join("<%s>%s</%s>" % (tag, cell(value), tag) for value in values)
        body = "".join(row("td", [op.get(key) for key in keys]) for op in ops[:rows])
        return "<p>%s</p><table><thead>%s</thead><tbody>%s</tbody></table>" % (cell(findings.get("roofline") or summary.get("finding") or ""), row("th", keys), body)


def analyze(operations, second=None, **options):
    """What limits each operation of a file (a path), or of operations as a list of dictionaries or a DataFrame.

    Options are the command's: machine="h100-sxm", set={"whatif.weight": "int4"}, registry="op_registry.json", top=20, ...
    """
    with _input(operations) as path:
        return _run(["analyze", path] + ([str(second)] if second is not None else []), options, keep=path if path != str(operations) else None)


def op(kind, formats=("fp16",), parameters=None, **options):
    """One operator by its shape, one row per format: op("gemm", parameters={"m": 1, "n": 4096, "k": 4096}, formats=["fp16", "int8"])."""
    return _run(["op", kind] + ["%s=%s" % (key, _value(value)) for key, value in (parameters or {}).items()], {"formats": list(formats), **options})


def llm(model, causal=True, **options):
    """A language model's inference: llm("llama-3-8b", phase="decode", batch=8, context=4096, weights="int4_g128")."""
    return _run(["llm", str(model)], {"no_causal": not causal, **options})


def compare(before, after, **options):
    """What changed from one run to another; both are paths."""
    return _run(["compare", str(before), str(after)], options)


def listed(kind):
    """What is built in: "machines", "models", "formats", "operators" or "stacks"."""
    return json.loads(_call(["list", kind, "-o", "json"])[0])


def capture(module, *inputs, backward=False, **keywords):
    """The calls of ATen in one run of a PyTorch module, as a commands.json: a dictionary with "commands" and save(path).

    Each has its shapes, formats and the module that it is part of. `backward`: those of the gradients of parameters and inputs, too; then
    "step" tells the two apart. Tensors on "meta" take no memory and compute nothing. Needs torch, and roofline_torch.py beside this file.
    An operator that is not known has the bytes that it reads and writes, and no FLOPs.
    """
    import roofline_torch

    return roofline_torch.capture(module, *inputs, backward=backward, **keywords)


def command():
    """The path of the command."""
    here = pathlib.Path(__file__).resolve().parents
    beside = here[2] / "build" / "native" / "roofline" if len(here) > 2 else None
    found = os.environ.get("ROOFLINE") or shutil.which("roofline") or (str(beside) if beside and beside.exists() else None)
    if not found:
        raise RooflineError("there is no roofline command: expected it on the PATH, or its path in the environment variable ROOFLINE", 127)
    return found


class _input:
    """A path for what may be no file yet: operations in memory are written to a temporary one, for as long as the `with` lasts."""

    def __init__(self, operations):
        self.operations = operations
        self.folder = None

    def __enter__(self):
        operations = self.operations
        if isinstance(operations, (str, os.PathLike)):
            return str(operations)
        if hasattr(operations, "to_dict"):
            operations = operations.to_dict("records")
        if isinstance(operations, dict):
            operations = operations.get("ops", operations.get("commands"))
        if not isinstance(operations, (list, tuple)) or not all(isinstance(op, dict) for op in operations):
            raise RooflineError("operations: expected a path, a list of dictionaries, an object with \"ops\" or a DataFrame", 1)
        self.folder = tempfile.mkdtemp(prefix="roofline-")
        path = os.path.join(self.folder, "operations.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump([_known(op) for op in operations], file, default=_plain)
        return path

    def __exit__(self, *_):
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)


def _known(op):
    """A row without what pandas has for "not known": NaN is no JSON, and unknown is not zero."""
    return {key: value for key, value in op.items() if not (isinstance(value, float) and value != value) and value is not None}


def _plain(value):
    """Numbers and arrays of NumPy as Python's own."""
    for method in ("tolist", "item", "isoformat"):
        if hasattr(value, method):
            return getattr(value, method)()
    raise TypeError("%s cannot be written as JSON" % type(value).__name__)


def _value(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(_value(item) for item in value)
    return str(value)


def _options(options):
    """machine="t4" as --machine t4; True as a flag; lists and dictionaries as the option given again."""
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            yield flag
        elif isinstance(value, dict):
            for key, item in value.items():
                yield from (flag, "%s=%s" % (key, _value(item)))
        elif isinstance(value, (list, tuple)):
            for item in value:
                yield from (flag, _value(item))
        else:
            yield from (flag, str(value))


def _call(arguments):
    program = command()
    try:
        done = subprocess.run([program] + arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as error:
        raise RooflineError("%s: %s: expected the roofline command" % (program, error.strerror), 127) from error
    messages = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode != 0:
        raise RooflineError(messages or "roofline ended with %d" % done.returncode, done.returncode)
    return done.stdout.decode("utf-8"), messages


def _run(arguments, options, keep=None):
    settings = list(_options(options))
    text, messages = _call(arguments + settings + ["-o", "json"])
    whole = list(_options({key: value for key, value in options.items() if key != "top"}))  # a report has every operation
    if keep is None:
        return Analysis(json.loads(text), messages, lambda: _call(arguments + whole + ["-o", "html"])[0])
    with open(keep, "rb") as file:
        content = file.read()

    def report():
        """The temporary file has gone: once more."""
        with tempfile.TemporaryDirectory(prefix="roofline-") as folder:
            path = os.path.join(folder, os.path.basename(keep))
            with open(path, "wb") as file:
                file.write(content)
            return _call([path if argument == keep else argument for argument in arguments] + whole + ["-o", "html"])[0]

    return Analysis(json.loads(text), messages, report)
