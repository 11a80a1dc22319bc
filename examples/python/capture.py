"""What limits one training step of a transformer layer on an H100, without a GPU: PYTHONPATH=tools/python python3 examples/python/capture.py"""

import roofline
import torch

layer = torch.nn.TransformerEncoderLayer(1024, 16, 4096, batch_first=True).to("meta")
calls = roofline.capture(layer, torch.randn(8, 512, 1024, device="meta"), backward=True)
run = roofline.analyze(calls, machine="h100-sxm")

for step in "forward", "backward":
    ops = [op for op in run.ops if op["step"] == step]
    print("%-8s %3d calls %8.2f ms at best" % (step, len(ops), 1e3 * sum(op["predicted_time_s"] or 0 for op in ops)))
for op in sorted(run.ops, key=lambda op: -(op["predicted_time_s"] or 0))[:5]:
    print("%-24s %-10s bound by %s" % (op["name"], op["type"], op["bound_by"]))
