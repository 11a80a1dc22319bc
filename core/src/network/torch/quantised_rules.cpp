// Integers with scales: PyTorch 2 Export's quantisation (quantized_decomposed), torchao, and products with packed weights.

#include "network/torch/quantisation.hpp"
#include "network/torch/rules.hpp"

namespace roofline::torch_export {
namespace {

void cast_first(const SizedCall& c, const Rule&, SizedNode& out) {
  const TensorId from = c.tensors().empty() ? no_tensor : c.tensors()[0];
  work::elementwise(out, "cast", {c.shape_of(from)}, c.out(), c.type_of(from), c.out_type());
}

/// The largest and smallest element, of which a scale is made.
void ranged(const SizedCall& c, const Rule&, SizedNode& out) {
  const TensorId from = c.tensors().empty() ? no_tensor : c.tensors()[0];
  const Lengths& shape = c.shape_of(from);
  Lengths axes;
  for (std::size_t i = 0; i < shape.size(); ++i) axes.push_back(static_cast<double>(i));
  work::reduction(out, "reduce_max", shape, axes, {}, c.type_of(from), c.type_of(from));
}

/// Weights of four bits, packed, with a scale for each group; PyTorch's kernels differ in the name of the group's size.
void packed_product(const SizedCall& c, const Rule& rule, SizedNode& out) {
  const TensorId input = c.tensors()[0];
  const Lengths& shape = c.shape_of(input);
  if (shape.empty()) return;
  const double group = c.number(c.call().find("qGroupSize") ? "qGroupSize" : "block_size", unknown);
  const TensorType weight = rule.as == "int8" ? element_type("int8") : int4_type(group);
  work::linear(out, shape, length(c.out(), -1), shape.back(), false, {c.type_of(input), weight, c.out_type()});
}

/// Rows of an integer table, dequantised.
void packed_embedding(const SizedCall& c, const Rule&, SizedNode& out) {
  work::look_up(out, {length(c.shape("weight"), 0), length(c.out(), -1)}, c.shape("indices"), 0, true,
                {c.out_type(), c.type("weight"), c.out_type()});
}

constexpr Rule casting(std::string_view target) { return {target, cast_first, {}, 1, Fusing::follows}; }

constexpr Rule quantised_table[] = {
    casting("quantized_decomposed.quantize_per_tensor"),
    casting("quantized_decomposed.quantize_per_channel"),
    casting("quantized_decomposed.quantize_per_token"),
    casting("quantized_decomposed.quantize_per_channel_group"),
    casting("quantized_decomposed.dequantize_per_tensor"),
    casting("quantized_decomposed.dequantize_per_channel"),
    casting("quantized_decomposed.dequantize_per_token"),
    casting("quantized_decomposed.dequantize_per_channel_group"),
    casting("quantized_decomposed.convert_element_type"),
    casting("quantized_decomposed.fake_quant_per_channel"),
    casting("torchao.quantize_affine"),
    casting("torchao.dequantize_affine"),
    casting("pt2e_quant.quantize_affine"),
    casting("pt2e_quant.dequantize_affine"),
    casting("fake_quantize_per_tensor_affine"),
    casting("fake_quantize_per_channel_affine"),
    casting("_fake_quantize_per_tensor_affine_cachemask_tensor_qparams"),
    casting("quantize_per_tensor"),
    casting("quantize_per_channel"),
    casting("dequantize"),
    {"quantized_decomposed.choose_qparams", ranged},
    {"quantized_decomposed.choose_qparams_symmetric", ranged},
    {"quantized_decomposed.choose_qparams_per_token", ranged},
    {"quantized_decomposed.choose_qparams_per_token_asymmetric", ranged},
    {"torchao.choose_qparams_affine", ranged},
    {"pt2e_quant.choose_qparams_affine", ranged},
    {"quantized_decomposed.embedding_byte", packed_embedding},
    {"quantized_decomposed.embedding_4bit", packed_embedding},
    {"quantized_decomposed.embedding_2bit", packed_embedding},
    {"_weight_int4pack_mm", packed_product, "int4"},
    {"_weight_int4pack_mm_for_cpu", packed_product, "int4"},
    {"_weight_int4pack_mm_with_scales_and_zeros", packed_product, "int4"},
    {"_dyn_quant_matmul_4bit", packed_product, "int4"},
    {"_weight_int8pack_mm", packed_product, "int8"},
};

}  // namespace

std::span<const Rule> quantised_rules() { return quantised_table; }

}  // namespace roofline::torch_export
