// Attention in its many forms, and what transformers have beside it: onnxruntime's operators (com.microsoft) and ONNX's own from opset 23
// on.
#include <algorithm>

#include "network/onnx/rules.hpp"
#include "network/work.hpp"

namespace roofline::onnx {
namespace {

/// A past of length 0, or none, adds nothing.
double past_of(const NodeSizes& n, std::size_t input, int dimension) { return n.has(input) ? n.length(input, dimension) : 0; }

// --- Attention of com.microsoft: the projection of queries, keys and values is part of it
// -------------------------------------------------

struct Projected {
  double batch, length, hidden, query, value, heads, past, head_dim;
};

Projected projected(const NodeSizes& n, std::size_t weight, std::size_t past) {
  Projected p{};
  p.batch = n.length(0, 0), p.length = n.length(0, 1), p.hidden = n.length(0, 2);
  const Values sizes = n.node().numbers("qkv_hidden_sizes");
  const double columns = n.length(weight, 1);
  p.query = sizes.size() == 3 ? sizes[0] : columns / 3;
  p.value = sizes.size() == 3 ? sizes[2] : columns / 3;
  p.heads = n.number("num_heads", unknown);
  p.past = past_of(n, past, 3);
  p.head_dim = p.query / p.heads;
  return p;
}

template <std::size_t weight, std::size_t past>
void projected_attention(NodeSizes& n) {
  if (!n.shape(0)) return;
  const Projected p = projected(n, weight, past);
  n.set(0, {p.batch, p.length, p.value});
  n.set(1, {2, p.batch, p.heads, p.past + p.length, p.head_dim});
  n.set_type(1, n.type(0));
}

template <std::size_t weight, std::size_t past>
void projected_attention_work(const NodeSizes& n, SizedNode& out) {
  const Projected p = projected(n, weight, past);
  work::linear(out, {p.batch, p.length, p.hidden}, n.length(weight, 1), p.hidden, true, types_of(n, weight), "projection");
  // Quantised, its scores are computed in floats again.
  const TensorType data = n.type(0).integer ? n.out_type(0) : n.type(0);
  work::attention(out, {p.batch, p.heads, p.heads, p.head_dim, p.value / p.heads, p.length, p.past + p.length}, {data, data, n.out_type(0)},
                  "attention");
}

void qattention(NodeSizes& n) {
  projected_attention<1, 8>(n);
  n.set_type(0, n.type(3));  // that of the scales
}

// --- queries, keys and values as they come -----------------------------------------------------------------------------------------------

struct Heads {
  work::AttentionSizes sizes;
  double past = 0;
};

/// `past`: the input that holds the keys of earlier tokens, [batch, heads, tokens, size].
Heads multi_head(const NodeSizes& n, std::size_t past) {
  Heads out;
  work::AttentionSizes& s = out.sizes;
  const Lengths *query = n.shape(0), *key = n.shape(1), *value = n.shape(2);
  if (!query) return out;
  s.heads = s.kv_heads = n.number("num_heads", unknown);
  s.batch = n.length(0, 0), s.query_length = n.length(0, 1);
  out.past = past_of(n, past, 2);
  if (query->size() == 5) {  // queries, keys and values in one, [batch, tokens, heads, 3, size]
    s.head_dim = s.head_dim_v = n.length(0, 4);
    s.context = s.query_length;
  } else {
    s.head_dim = n.length(0, 2) / s.heads;
    s.head_dim_v = s.head_dim;
    if (key && key->size() == 4) {  // of another sequence, [batch, heads, tokens, size]
      s.context = (*key)[2];
      if (value && value->size() == 4) s.head_dim_v = (*value)[3];
    } else if (key && key->size() == 5) {
      s.context = (*key)[1];
    } else {
      s.context = key ? n.length(1, 1) : s.query_length;
      if (value && value->size() == 3) s.head_dim_v = (*value)[2] / s.heads;
    }
  }
  s.context += out.past;
  return out;
}

template <std::size_t past>
void multi_head_attention(NodeSizes& n) {
  if (!n.shape(0)) return;
  const work::AttentionSizes s = multi_head(n, past).sizes;
  n.set(0, {s.batch, s.query_length, s.heads * s.head_dim_v});
  n.set(1, {s.batch, s.heads, s.context, s.head_dim});
  n.set(2, {s.batch, s.heads, s.context, s.head_dim_v});
  for (std::size_t i = 1; i < 3; ++i) n.set_type(i, n.type(0));
}

template <std::size_t past>
void multi_head_attention_work(const NodeSizes& n, SizedNode& out) {
  work::attention(out, multi_head(n, past).sizes, types_of(n, 0));
}

/// Sequences without their padding, [tokens, hidden] or [tokens, heads, 3, size]; each of at most as many tokens as a row of the offsets
/// (input 4) has.
work::AttentionSizes packed(const NodeSizes& n) {
  work::AttentionSizes s;
  const Lengths* query = n.shape(0);
  if (!query) return s;
  const bool together = query->size() == 4;
  s.batch = 1;
  s.heads = s.kv_heads = n.number("num_heads", unknown);
  s.query_length = n.length(0, 0);
  s.context = n.length(4, 1);
  s.head_dim = together ? (*query)[3] : n.length(0, 1) / s.heads;
  s.head_dim_v = together ? s.head_dim : n.length(2, 1) / s.heads;
  return s;
}
void packed_attention(NodeSizes& n) {
  const work::AttentionSizes s = packed(n);
  if (n.shape(0)) n.set(0, {s.query_length, s.heads * s.head_dim_v});
}
void packed_attention_work(const NodeSizes& n, SizedNode& out) { work::attention(out, packed(n), types_of(n, 0)); }

Heads grouped(const NodeSizes& n) {
  Heads out;
  work::AttentionSizes& s = out.sizes;
  s.heads = n.number("num_heads", unknown);
  s.kv_heads = n.number("kv_num_heads", s.heads);
  s.batch = n.length(0, 0), s.query_length = n.length(0, 1);
  // Without keys of its own, the query holds all three.
  s.head_dim = s.head_dim_v = n.length(0, 2) / (n.has(1) ? s.heads : s.heads + 2 * s.kv_heads);
  out.past = past_of(n, 3, 2);
  s.context = out.past + s.query_length;
  return out;
}

void grouped_attention(NodeSizes& n) {
  if (!n.shape(0)) return;
  const work::AttentionSizes s = grouped(n).sizes;
  n.set(0, {s.batch, s.query_length, s.heads * s.head_dim});
  for (std::size_t i = 1; i < 3; ++i) {
    n.set(i, {s.batch, s.kv_heads, s.context, s.head_dim});
    n.set_type(i, n.has(2 + i) ? n.type(2 + i) : n.type(0));
  }
}

void grouped_attention_work(const NodeSizes& n, SizedNode& out) {
  const work::AttentionSizes s = grouped(n).sizes;
  work::attention(out, s, types_of(n, 0));
  if (n.flag("do_rotary") && !out.records.empty()) work::rotation(out, s, n.type(0));
}

/// ONNX's own: three dimensions with the heads in attributes, or [batch, heads, tokens, size].
Heads standard(const NodeSizes& n) {
  Heads out;
  work::AttentionSizes& s = out.sizes;
  const Lengths *query = n.shape(0), *key = n.shape(1), *value = n.shape(2);
  if (!query || !key || !value || query->size() != key->size() || query->size() != value->size()) return out;
  const bool apart = query->size() == 4;
  s.batch = (*query)[0];
  s.heads = apart ? (*query)[1] : n.number("q_num_heads", unknown);
  s.kv_heads = apart ? (*key)[1] : n.number("kv_num_heads", unknown);
  s.query_length = (*query)[apart ? 2 : 1];
  s.head_dim = apart ? (*query)[3] : (*query)[2] / s.heads;
  s.head_dim_v = apart ? (*value)[3] : (*value)[2] / s.kv_heads;
  out.past = past_of(n, 4, 2);
  s.context = (*key)[apart ? 2 : 1] + out.past;
  return out;
}

void standard_attention(NodeSizes& n) {
  if (!n.shape(0)) return;
  const work::AttentionSizes s = standard(n).sizes;
  if (n.shape(0)->size() == 4)
    n.set(0, {s.batch, s.heads, s.query_length, s.head_dim_v});
  else
    n.set(0, {s.batch, s.query_length, s.heads * s.head_dim_v});
  n.set(1, {s.batch, s.kv_heads, s.context, s.head_dim});
  n.set(2, {s.batch, s.kv_heads, s.context, s.head_dim_v});
  n.set(3, {s.batch, s.heads, s.query_length, s.context});
  for (std::size_t i = 1; i < 4; ++i) n.set_type(i, n.type(0));
}

void standard_attention_work(const NodeSizes& n, SizedNode& out) { work::attention(out, standard(n).sizes, types_of(n, 0)); }

/// Without a projection in com.microsoft's sense: the domain tells which of the two a node is.
void attention(NodeSizes& n) { n.node().node->domain == microsoft ? projected_attention<1, 4>(n) : standard_attention(n); }
void attention_work(const NodeSizes& n, SizedNode& out) {
  n.node().node->domain == microsoft ? projected_attention_work<1, 4>(n, out) : standard_attention_work(n, out);
}

// --- around it ---------------------------------------------------------------------------------------------------------------------------

/// A sum, which may be written too (output 3), and its norm.
void skip_norm(NodeSizes& n) {
  as_first(n);
  if (n.shape(0)) n.set(3, n.lengths(0));
  n.set_type(3, n.type(0));
}
/// One kernel: the sum stays in it unless it is an output.
template <bool simplified>
void skip_norm_work(const NodeSizes& n, SizedNode& out) {
  constexpr std::size_t bias = simplified ? 3 : 4;
  const double elements = elements_of(n.lengths(0)), biases = n.has(bias) ? elements_of(n.lengths(bias)) : 0;
  const double sum = n.node().output(3) != no_tensor ? elements : 0;
  work::norm(out, simplified ? "rms_norm" : "layer_norm", n.lengths(0), {n.length(0, -1)}, types_of(n, 2));
  add_to_kernel(out, elements * (n.has(bias) ? 2 : 1), elements_of(n.lengths(1)) + biases + sum);
}

void embed_norm(NodeSizes& n) {
  if (!n.shape(0)) return;
  const Lengths out{n.length(0, 0), n.length(0, 1), n.length(2, 1)};
  n.set(0, out);
  n.set(1, {n.length(0, 0)});
  n.set(2, out);
  n.set_type(0, n.type(2));
  n.set_type(1, element_type("int32"));
  n.set_type(2, n.type(2));
}
void embed_norm_work(const NodeSizes& n, SizedNode& out) {
  const Lengths& written = n.out_lengths(0);
  const work::Types types{n.out_type(0), n.type(2), n.out_type(0)};
  for (std::size_t table = 2; table < 5; ++table)
    if (n.shape(table)) work::look_up(out, n.lengths(table), n.lengths(0), 0, true, types);
  work::norm(out, "layer_norm", written, {n.length(2, 1)}, types, "norm");
}

void gelu_work(const NodeSizes& n, SizedNode& out) {
  work::elementwise(out, "gelu", {n.lengths(0)}, n.lengths(0), n.type(0), n.out_type(0));
}
void silu_work(const NodeSizes& n, SizedNode& out) {
  work::elementwise(out, "silu", {n.lengths(0)}, n.lengths(0), n.type(0), n.out_type(0));
}
void rope_work(const NodeSizes& n, SizedNode& out) {
  work::elementwise(out, "rope", {n.lengths(0)}, n.lengths(0), n.type(0), n.out_type(0));
}

/// Half of the channels multiplies the other half.
void halved(NodeSizes& n) {
  if (!n.shape(0) || n.shape(0)->empty()) return;
  Lengths out = n.lengths(0);
  out.back() /= 2;
  n.set(0, std::move(out));
}
void gated_work(const NodeSizes& n, SizedNode& out) {
  work::elementwise(out, "silu_mul", {n.out_lengths(0), n.out_lengths(0)}, n.out_lengths(0), n.type(0), n.out_type(0));
}

void bias_add(NodeSizes& n) { as_first(n); }
void bias_add_work(const NodeSizes& n, SizedNode& out) {
  work::elementwise(out, "add", {n.lengths(0), n.lengths(0)}, n.lengths(0), n.type(0), n.out_type(0));
}

// --- experts -----------------------------------------------------------------------------------------------------------------------------

/// Each token goes through k of the experts; of their weights those are read that some token needs. `packed`: elements in a byte.
/// `beside`: inputs with their scales, zero points and biases.
void experts(const NodeSizes& n, SizedNode& out, std::initializer_list<std::size_t> weights, std::initializer_list<std::size_t> beside,
             double packed) {
  double per_expert = 0, bytes = 0;
  const double count = n.length(2, 0), hidden = n.length(0, -1), tokens = elements_of(n.lengths(0)) / hidden, chosen = n.number("k", 1);
  for (const std::size_t weight : weights) {
    if (!n.has(weight) || !n.shape(weight)) continue;
    const double stored = elements_of(n.lengths(weight)) / count;
    per_expert += stored * packed;
    bytes += stored * n.type(weight).bits / 8;
  }
  for (const std::size_t input : beside)
    if (n.has(input) && n.shape(input)) bytes += elements_of(n.lengths(input)) / count * n.type(input).bits / 8;
  const double read = std::min(count, tokens * chosen);
  work::stated(out, "experts", tokens * chosen * per_expert, read * bytes + 2 * elements_of(n.lengths(0)) * n.type(0).bits / 8,
               {n.type(0), n.type(2), n.out_type(0)});
}
void moe_work(const NodeSizes& n, SizedNode& out) { experts(n, out, {2, 4, 6}, {3, 5, 7}, 1); }
void qmoe_work(const NodeSizes& n, SizedNode& out) {
  experts(n, out, {2, 5, 8}, {3, 4, 6, 7, 9, 10, 11, 12, 13}, 8 / n.number("expert_weight_bits", 4));
}

constexpr OperatorRule attentions_table[] = {
    {"Attention", attention, attention_work},
    {"DecoderMaskedSelfAttention", projected_attention<1, 4>, projected_attention_work<1, 4>},
    {"QAttention", qattention, projected_attention_work<1, 8>},
    {"MultiHeadAttention", multi_head_attention<6>, multi_head_attention_work<6>},
    {"DecoderMaskedMultiHeadAttention", multi_head_attention<5>, multi_head_attention_work<5>},
    {"PackedMultiHeadAttention", packed_attention, packed_attention_work},
    {"GroupQueryAttention", grouped_attention, grouped_attention_work},
    {"SparseAttention", grouped_attention, grouped_attention_work},
    {"SkipLayerNormalization", skip_norm, skip_norm_work<false>, Fusing::follows},
    {"SkipSimplifiedLayerNormalization", skip_norm, skip_norm_work<true>, Fusing::follows},
    {"EmbedLayerNormalization", embed_norm, embed_norm_work},
    {"BiasGelu", as_first, gelu_work, Fusing::follows},
    {"FastGelu", as_first, gelu_work, Fusing::follows},
    {"QuickGelu", as_first, silu_work, Fusing::follows},
    {"BiasAdd", bias_add, bias_add_work, Fusing::follows},
    {"BiasDropout", bias_add, bias_add_work, Fusing::follows},
    {"BiasSplitGelu", halved, gated_work, Fusing::follows},
    {"RotaryEmbedding", as_first, rope_work, Fusing::follows},
    {"MoE", as_first, moe_work},
    {"QMoE", as_first, qmoe_work},
};

}  // namespace

std::span<const OperatorRule> attention_rules() { return attentions_table; }

}  // namespace roofline::onnx
