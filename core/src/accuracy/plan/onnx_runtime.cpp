// A plan for onnxruntime.quantization: quantize_static() for 8 bits, MatMulNBitsQuantizer for weights of 4 bits in groups.
// Source: onnxruntime.ai/docs/performance/model-optimizations/quantization.html; onnxruntime/python/tools/quantization.
#include <roofline/accuracy/format_plan.hpp>

#include "accuracy/plan/python_text.hpp"

namespace roofline {
namespace {

bool is_product(const PlannedTensor& layer) { return layer.type == "MatMul"; }

}  // namespace

std::string plan_for_onnx_runtime(const FormatPlan& plan) {
  std::vector<std::string> excluded, weight_only, left_out;
  std::string overrides, block = "128";
  for (const PlannedTensor& layer : plan.tensors) {
    const Format* format = layer.chosen.format == no_format ? nullptr : &Formats::catalogue()[layer.chosen.format];
    const bool integer = format && format->family == FormatFamily::integer;
    if (integer && format->bits == 8) continue;
    if (integer && format->bits == 4 && is_product(layer)) {
      weight_only.push_back(layer.name);
      block = std::to_string(format->block);
    } else if (integer && format->bits == 4 && !layer.weight.empty()) {
      overrides += "    " + python_text(layer.weight) + ": [{\"quant_type\": QuantType.QInt4, \"symmetric\": True, \"axis\": 0}],\n";
      continue;  // its activations are of 8 bits
    } else if (format) {
      left_out.push_back(layer.name);
    }
    excluded.push_back(layer.name);
  }
  std::string out = python_comment(plan.finding) + "from onnxruntime.quantization import QuantType, quantize_static\n";
  if (!weight_only.empty()) out += "from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer\n";
  out += python_names_of_nodes(plan) + "\n# Not quantised by quantize_static()\n" + python_list("nodes_to_exclude", excluded);
  out += overrides.empty() ? "tensor_quant_overrides = {}\n" : "tensor_quant_overrides = {\n" + overrides + "}\n";
  if (!overrides.empty()) out += "# Weights of 4 bits outside of MatMul have a scale per channel, not per group: check what they lose.\n";
  if (!weight_only.empty())
    out += "# Weights of 4 bits in blocks of " + block + "\n" + python_list("matmul_nbits_nodes_to_include", weight_only);
  if (!left_out.empty())
    out += "# The plan has these in a format that onnxruntime.quantization does not mix with integers; they stay as they are.\n" +
           python_list("left_out", left_out);
  return out +
         "\n# quantize_static(model, quantised, data_reader, weight_type=QuantType.QInt8, nodes_to_exclude=nodes_to_exclude,\n"
         "#                 extra_options={\"TensorQuantOverrides\": tensor_quant_overrides})\n" +
         (weight_only.empty() ? ""
                              : "# MatMulNBitsQuantizer(quantised, block_size=" + block +
                                    ", is_symmetric=True, nodes_to_include=matmul_nbits_nodes_to_include).process()\n");
}

}  // namespace roofline
