"""The Python module on the real command."""

import importlib.util
import os
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/python"))
sys.dont_write_bytecode = True

import roofline

SAMPLE = ROOT / "presets/samples/resnet-50.json"
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


if __name__ == "__main__":
    unittest.main()
