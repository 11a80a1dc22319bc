// A plan for NNCF: compress_weights() for weights of 4 bits, quantize() for 8 bits, each with the scope that it ignores.
// Source: github.com/openvinotoolkit/nncf, docs/usage/post_training_compression.
#include <roofline/accuracy/format_plan.hpp>

#include "accuracy/plan/python_text.hpp"

namespace roofline {

std::string plan_for_nncf(const FormatPlan& plan) {
  std::vector<std::string> not_four_bits, not_eight_bits;
  bool four = false, eight = false;
  std::string group = "128";
  for (const PlannedTensor& layer : plan.tensors) {
    const Format* format = layer.chosen.format == no_format ? nullptr : &Formats::catalogue()[layer.chosen.format];
    const bool integer = format && format->family == FormatFamily::integer;
    const bool in_four = integer && format->bits == 4, in_eight = integer && format->bits == 8;
    if (in_four) group = format->block > 1 ? std::to_string(format->block) : "-1";
    four = four || in_four;
    eight = eight || in_eight;
    if (!in_four) not_four_bits.push_back(layer.name);
    if (!in_eight) not_eight_bits.push_back(layer.name);
  }
  std::string out = python_comment(plan.finding) + "import nncf\n" + python_names_of_nodes(plan);
  if (four)
    out += "\n# Weights of 4 bits: all layers but these\n" + python_list("not_int4", not_four_bits) +
           "model = nncf.compress_weights(model, mode=nncf.CompressWeightsMode.INT4_SYM, ratio=1.0, group_size=" + group +
           ",\n                              all_layers=True, ignored_scope=nncf.IgnoredScope(names=not_int4))\n";
  if (eight)
    out += "\n# Weights and activations of 8 bits: all layers but these\n" + python_list("not_int8", not_eight_bits) +
           "model = nncf.quantize(model, calibration_dataset, ignored_scope=nncf.IgnoredScope(names=not_int8))\n";
  return out + (four || eight ? "" : "# Every layer stays as it is.\n");
}

}  // namespace roofline
