// Operators on integers, with scales beside them, and products with packed weights.
#include <cmath>

#include "network/onnx/rules.hpp"
#include "network/quantised/integers.hpp"
#include "network/work.hpp"

namespace roofline::onnx {
namespace {

void quantize(NodeSizes& n) {
  as_first(n);
  const double to = n.number("output_dtype", 0);
  n.set_type(0, n.has(2) ? n.type(2) : to > 0 ? type_by_number(static_cast<std::uint64_t>(to)) : element_type("int8"));
}

void dequantize(NodeSizes& n) {
  as_first(n);
  n.set_type(0, n.type(1));
}

void dynamic_quantize(NodeSizes& n) {
  as_first(n);
  n.set(1, {});
  n.set(2, {});
  n.set_type(0, element_type("int8"));
  n.set_type(1, element_type("fp32"));
  n.set_type(2, element_type("int8"));
}

void cast_work(const NodeSizes& n, SizedNode& out) {
  work::elementwise(out, "cast", {n.lengths(0)}, n.lengths(0), n.type(0), n.out_type(0));
}

// --- element-wise with scales ------------------------------------------------------------------------------------------------------------

/// a, its scale and zero point, b likewise, then those of the result.
void pair_of_scaled(NodeSizes& n) {
  if (n.shape(0) && n.shape(3)) n.set(0, broadcast(n.lengths(0), n.lengths(3)));
}
template <bool product>
void pair_of_scaled_work(const NodeSizes& n, SizedNode& out) {
  work::elementwise(out, product ? "mul" : "add", {n.lengths(0), n.lengths(3)}, n.out_lengths(0), n.type(0), n.out_type(0));
}
void scaled_sigmoid_work(const NodeSizes& n, SizedNode& out) {
  work::elementwise(out, "sigmoid", {n.lengths(0)}, n.lengths(0), n.type(0), n.out_type(0));
}
void scaled_relu_work(const NodeSizes& n, SizedNode& out) {
  work::elementwise(out, "leaky_relu", {n.lengths(0)}, n.lengths(0), n.type(0), n.out_type(0));
}
void scaled_softmax_work(const NodeSizes& n, SizedNode& out) { work::softmax(out, n.lengths(0), n.type(0), n.out_type(0)); }

/// The result's scale and zero point, then each tensor with its own.
void scaled_concat(NodeSizes& n) {
  std::optional<Lengths> out;
  for (std::size_t i = 2; i < n.inputs(); i += 3) {
    if (!n.shape(i)) return;
    if (!out) {
      out = n.lengths(i);
      continue;
    }
    const std::size_t axis = n.dimension(out->size(), 0);
    if (axis == out->size() || n.shape(i)->size() != out->size()) return;
    (*out)[axis] += n.lengths(i)[axis];
  }
  n.set_type(0, n.type(2));
  if (out) n.set(0, std::move(*out));
}
void scaled_concat_work(const NodeSizes& n, SizedNode& out) {
  std::vector<Lengths> inputs;
  for (std::size_t i = 2; i < n.inputs(); i += 3) inputs.push_back(n.lengths(i));
  work::movement(out, "concat", inputs, n.out_lengths(0), n.out_type(0));
}

// --- packed weights ----------------------------------------------------------------------------------------------------------------------

/// The format of packed weights of `bits` bits. Other widths use the next wider integer format. Only 4-bit formats with blocks of 32, 64
/// or 128 include their FP16 scales.
TensorType packed_type(double bits, double block, bool zero_points = false) {
  if (bits == 4 && block == 128 && zero_points) return element_type("int4_g128_zp");
  if (bits == 4 && (block == 32 || block == 64 || block == 128)) return int4_type(block);
  return element_type(bits <= 2 ? "int2" : bits <= 4 ? "int4" : "int8");
}

void product_with_packed(NodeSizes& n) {
  if (!n.shape(0) || n.shape(0)->empty()) return;
  Lengths out = n.lengths(0);
  out.back() = n.number("N", unknown);
  n.set(0, std::move(out));
}
/// The bytes of packed weights with a scale, and a zero point where there are any, for each block of a row.
double packed_bytes(const NodeSizes& n, double bits) {
  const double columns = n.number("N", unknown), block = n.number("block_size", 32), blocks = std::ceil(n.number("K", unknown) / block);
  const double zero_point_bytes = !n.has(3) ? 0 : n.type(3).bits == 8 ? std::ceil(blocks * bits / 8) : blocks * n.type(3).bits / 8;
  return columns * (blocks * block * bits / 8 + blocks * n.type(2).bits / 8 + zero_point_bytes);
}

/// `accuracy_level` 4: activations are made INT8 first.
void nbits_work(const NodeSizes& n, SizedNode& out) {
  const TensorType data = n.number("accuracy_level", 0) == 4 ? element_type("int8") : n.type(0);
  const double bits = n.number("bits", 4), columns = n.number("N", unknown), rows = n.number("K", unknown);
  const TensorType weight = packed_type(bits, n.number("block_size", 32), n.has(3));
  work::linear(out, n.lengths(0), columns, rows, n.has(5), {data, weight, n.out_type(0)});
  if (out.records.empty() || weight.format == no_format || !known(data.bits)) return;
  // Scales and zero points that the format does not include are read, too.
  const double packed = packed_bytes(n, bits), extra_bytes = packed - columns * rows * Formats::catalogue()[weight.format].bytes();
  if (extra_bytes > 0)
    out.records.back().add("fused_elements", extra_bytes * 8 / data.bits);
  else if (extra_bytes < 0)
    out.records.back().set("bytes", packed + elements_of(n.lengths(0)) * data.bits / 8 +
                                        (elements_of(n.out_lengths(0)) + (n.has(5) ? columns : 0)) * n.out_type(0).bits / 8);
}
void bnb4_work(const NodeSizes& n, SizedNode& out) {
  work::linear(out, n.lengths(0), n.number("N", unknown), n.number("K", unknown), false,
               {n.type(0), element_type(n.number("quant_type", 1) == 1 ? "nf4" : "int4_g64"), n.out_type(0)});
}

/// Rows of a packed table.
void packed_gather(NodeSizes& n) {
  const Lengths *table = n.shape(0), *indices = n.shape(1);
  if (!table || !indices || table->empty()) return;
  n.set_type(0, n.type(2));
  const double bits = n.number("bits", 4), packed = n.type(0).bits == 8 && bits < 8 ? 8 / bits : 1;
  Lengths out = *indices;
  for (std::size_t i = 1; i < table->size(); ++i) out.push_back((*table)[i] * (i + 1 == table->size() ? packed : 1));
  n.set(0, std::move(out));
}
void packed_gather_work(const NodeSizes& n, SizedNode& out) {
  const Lengths& rows = n.out_lengths(0);
  work::look_up(out, {n.length(0, 0), rows.empty() ? unknown : rows.back()}, n.lengths(1), 0, true,
                {n.out_type(0), packed_type(n.number("bits", 4), n.number("block_size", 128)), n.out_type(0)});
}

constexpr OperatorRule quantised_table[] = {
    {"QuantizeLinear", quantize, cast_work, Fusing::follows},
    {"DequantizeLinear", dequantize, cast_work, Fusing::follows},
    {"DynamicQuantizeLinear", dynamic_quantize, cast_work, Fusing::follows},
    {"QLinearAdd", pair_of_scaled, pair_of_scaled_work<false>, Fusing::follows},
    {"QLinearMul", pair_of_scaled, pair_of_scaled_work<true>, Fusing::follows},
    {"QLinearSigmoid", as_first, scaled_sigmoid_work, Fusing::follows},
    {"QLinearLeakyRelu", as_first, scaled_relu_work, Fusing::follows},
    {"QLinearSoftmax", as_first, scaled_softmax_work},
    {"QLinearConcat", scaled_concat, scaled_concat_work},
    {"MatMulNBits", product_with_packed, nbits_work},
    {"MatMulBnb4", product_with_packed, bnb4_work},
    {"GatherBlockQuantized", packed_gather, packed_gather_work},
};

}  // namespace

std::span<const OperatorRule> quantised_rules() { return quantised_table; }

}  // namespace roofline::onnx
