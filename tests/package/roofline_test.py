"""The Python module on the real command."""

import importlib.util
import os
import pathlib
import sys
import tempfile
import unittest
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/python"))
sys.dont_write_bytecode = True

import roofline

SAMPLE = ROOT / "presets/samples/resnet-50-synthetic.json"
OPS = [
    {"type": "ID_MM", "name": "a", "data_type": "FP16", "input_mat1": [1, 4096], "input_mat2": [4096, 4096], "time_ns": 30000},
    {"type": "ID_MM", "name": "b & <b>", "data_type": "INT8", "input_mat1": [8, 4096], "input_mat2": [4096, 4096]},
]


def there(module):
    return importlib.util.find_spec(module) is not None


class Analyses(unittest.TestCase):
    def test_a_file(self):
        run = roofline.analyze(SAMPLE, machine="h100-sxm")
        self.assertEqual(run["schema"], "roofline-analysis/1")
        self.assertEqual(run["machine"]["id"], "h100-sxm")
        self.assertEqual(len(run.ops), run["summary"]["ops"])

    def test_operations_in_memory_and_a_what_if(self):
        run = roofline.analyze(OPS, machine="t4", set={"whatif.weight": "int4"})
        self.assertEqual([op["name"] for op in run.ops], ["a", "b & <b>"])
        self.assertIsNone(run.ops[1]["time_s"])
        self.assertGreater(run.ops[0]["whatif"]["speedup_optimistic"], 1)

    def test_op_llm_compare_and_lists(self):
        rows = roofline.op("gemm", parameters={"m": 1, "n": 4096, "k": 4096}, formats=["fp16", "int8"], machine="t4").ops
        self.assertAlmostEqual(rows[0]["bytes"] / rows[1]["bytes"], 2, delta=0.05)
        self.assertGreater(roofline.llm("llama-3-8b", batch=8, context=4096)["summary"]["predicted_time_s"], 0)
        self.assertEqual(roofline.compare(SAMPLE, SAMPLE)["schema"], "roofline-compare/1")
        self.assertIn("h100-sxm", [machine["id"] for machine in roofline.listed("machines")])

    def test_what_the_command_refuses(self):
        with self.assertRaises(roofline.RooflineError) as caught:
            roofline.analyze(OPS, machine="h100-sxn")
        self.assertEqual(caught.exception.status, 2)
        self.assertIn("h100-sxm", str(caught.exception))

    def test_what_is_no_list_of_operations(self):
        for operations in ({"name": "a"}, [1, 2], 3):
            with self.assertRaises(roofline.RooflineError):
                roofline.analyze(operations)
        self.assertEqual(len(roofline.analyze({"ops": OPS}).ops), len(OPS))

    def test_a_flag_that_is_off(self):
        causal, full = (roofline.llm("llama-3-8b", phase="prefill", prompt=2048, causal=on)["summary"]["flops"] for on in (True, False))
        self.assertGreater(full, 1.01 * causal)

    def test_without_a_command(self):
        kept = os.environ.get("ROOFLINE")
        os.environ["ROOFLINE"] = "/nothing/roofline"
        try:
            with self.assertRaises(roofline.RooflineError):
                roofline.listed("machines")
        finally:
            os.environ.pop("ROOFLINE")
            if kept is not None:
                os.environ["ROOFLINE"] = kept


class Reports(unittest.TestCase):
    @unittest.skipUnless((ROOT / "dist/roofline.html").exists(), "dist/roofline.html is not built")
    def test_the_report_is_shown_in_a_frame(self):
        run = roofline.analyze(OPS)
        shown = run._repr_html_()
        self.assertTrue(shown.startswith('<iframe srcdoc="&lt;!doctype html&gt;'))
        self.assertNotIn("<script", shown)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report.html")
            run.save_report(path)
            with open(path, encoding="utf-8") as file:
                self.assertIn('"file":"operations.json"', file.read())

    def test_without_the_page_the_finding_and_a_table(self):
        run = roofline.analyze(OPS, template="/nothing/roofline.html")
        shown = run._repr_html_()
        self.assertIn("<table>", shown)
        self.assertIn("b &amp; &lt;b&gt;", shown)
        self.assertIn("<p>", shown)


class Frames(unittest.TestCase):
    @unittest.skipUnless(there("pandas"), "pandas is not installed")
    def test_data_frames_in_and_out(self):
        import pandas

        frame = roofline.analyze(pandas.DataFrame(OPS), machine="t4").frame
        self.assertEqual(list(frame["name"]), ["a", "b & <b>"])
        self.assertTrue(pandas.isna(frame["time_s"][1]))
        self.assertIn("formats.weight", frame.columns)


class Notebooks(unittest.TestCase):
    @unittest.skipUnless(there("nbconvert") and there("ipykernel"), "nbconvert or ipykernel is not installed")
    def test_a_notebook_runs_and_shows_it(self):
        import nbformat
        from nbconvert.preprocessors import ExecutePreprocessor

        code = "import sys; sys.path.insert(0, %r)\nimport roofline\nroofline.analyze(%r)" % (str(ROOT / "tools/python"), str(SAMPLE))
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
        ExecutePreprocessor(timeout=120).preprocess(notebook, {})
        data = notebook.cells[0].outputs[0].data
        self.assertRegex(data["text/html"], "<iframe|<table>")



PRODUCTS = {"conv", "conv_transpose", "conv_backward", "linear", "matmul", "addmm"}


@unittest.skipUnless(there("torch"), "no torch")
class Captures(unittest.TestCase):
    def setUp(self):
        import torch

        class Net(torch.nn.Module):
            """A convolution to four channels of 4 x 4, a norm, a ReLU in place, a layer of ten, a softmax."""

            def __init__(self):
                super().__init__()
                self.conv = torch.nn.Conv2d(3, 4, 3, stride=2, padding=1)
                self.norm = torch.nn.BatchNorm2d(4)
                self.head = torch.nn.Linear(64, 10)

            def forward(self, x):
                return self.head(torch.relu_(self.norm(self.conv(x))).flatten(1)).softmax(-1)

        self.torch, self.net = torch, Net()

    def macs(self, captured, step=None):
        """Multiply-adds of products and convolutions, as the command counts them; of attention by its sizes, without its softmax."""
        run = roofline.analyze(captured)
        self.assertEqual(run.messages, "")
        total = sum(op["macs"] for op in run.ops if op["type"] in PRODUCTS and (step is None or op["step"] == step))
        for c in captured["commands"]:
            if c["type"] == "attention":
                total += c["batch"] * c["heads"] * c["query_length"] * c["context"] * (c["head_dim"] + c["head_dim_v"])
        return total

    def test_a_forward_on_any_device(self):
        captures = []
        for device in "cpu", "meta":
            captures.append(roofline.capture(self.net.to(device).eval(), self.torch.randn(3, 3, 8, 8, device=device)))
        self.assertEqual(captures[0], captures[1])
        self.assertEqual([c["type"] for c in captures[0]["commands"]], ["conv", "batch_norm", "relu", "linear", "softmax"])
        self.assertEqual([c.get("module") for c in captures[0]["commands"]], ["conv", "norm", None, "head", None])
        self.assertEqual(self.macs(captures[0]), 3 * (64 * 27 + 64 * 10))

    def test_a_backward(self):
        captured = roofline.capture(self.net, self.torch.randn(3, 3, 8, 8), backward=True)
        forward = 3 * (64 * 27 + 64 * 10)
        self.assertEqual(self.macs(captured, "forward"), forward)
        self.assertEqual(self.macs(captured, "backward"), forward + 3 * 64 * 10)  # the image needs no gradient
        self.assertTrue(all(p.grad is None for p in self.net.parameters()))
        with self.assertRaises(ValueError):
            roofline.capture(self.torch.nn.Flatten(), self.torch.randn(2, 3), backward=True)

    def test_attention_and_the_file(self):
        layer = self.torch.nn.TransformerEncoderLayer(32, 4, 64, dropout=0, batch_first=True)
        captured = roofline.capture(layer, self.torch.randn(2, 6, 32), backward=False)
        linear, attention = 12 * 32 * (3 * 32 + 32 + 2 * 64), 2 * 2 * 6 * 6 * 32
        self.assertEqual(self.macs(captured), linear + attention)
        self.assertEqual(self.macs(roofline.capture(layer.eval(), self.torch.randn(2, 6, 32))), linear + attention)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "layer.json")
            captured.save(path)
            self.assertEqual(roofline.analyze(path).ops, roofline.analyze(captured).ops)

    def test_an_exported_onnx(self):
        """Its open lengths set, against a closed form and against the calls of a forward of that size."""
        torch = self.torch

        class Encoder(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = torch.nn.Conv1d(8, 32, 3, padding=1)
                self.layer = torch.nn.TransformerEncoderLayer(32, 4, 64, dropout=0, batch_first=True)
                self.head = torch.nn.Linear(32, 10)

            def forward(self, x):
                return self.head(self.layer(self.conv(x).transpose(1, 2)))

        encoder = Encoder()
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            path = os.path.join(folder, "encoder.onnx")
            axes = {"x": {0: "batch", 2: "length"}}
            try:
                torch.onnx.export(encoder, torch.randn(2, 8, 6), path, input_names=["x"], dynamic_axes=axes, training=torch.onnx.TrainingMode.PRESERVE)  # fmt: skip
            except ImportError as missing:
                self.skipTest("torch.onnx: %s" % missing)
            for batch, length in (2, 6), (1, 128), (7, 33):
                summary = roofline.analyze(path, dim={"batch": batch, "length": length})["summary"]
                rows = batch * length
                products = rows * (32 * 8 * 3 + 32 * (3 * 32 + 32 + 2 * 64) + 32 * 10)
                self.assertEqual(summary["matrix_macs"], products + 2 * rows * length * 32)
                self.assertEqual(summary["not_counted"], [])
                captured = roofline.capture(encoder, torch.randn(batch, 8, length))
                self.assertEqual(summary["matrix_macs"], self.macs(captured))

    def test_the_counter_of_pytorch(self):
        try:
            from torch.utils.flop_counter import FlopCounterMode
        except ImportError:
            self.skipTest("no torch.utils.flop_counter: PyTorch 2.1 has it")
        nn = self.torch.nn
        nets = [(nn.Conv1d(4, 8, 5, padding=2), (2, 4, 20)), (nn.Conv3d(2, 4, 3, stride=2), (1, 2, 9, 9, 9)),
                (nn.ConvTranspose2d(8, 6, 4, stride=2, padding=1), (2, 8, 5, 5)), (nn.Linear(7, 5), (2, 3, 7))]  # fmt: skip
        for net, shape in nets:
            image = self.torch.randn(*shape, requires_grad=True)
            with FlopCounterMode(display=False) as counter:
                net(image).sum().backward()
            self.assertEqual(2 * self.macs(roofline.capture(net, image, backward=True)), counter.get_total_flops(), net)


if __name__ == "__main__":
    unittest.main()
