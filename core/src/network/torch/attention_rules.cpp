// Attention, and the encoder layers that PyTorch has in one call.
#include <functional>
#include <numeric>

#include "network/torch/rules.hpp"

namespace roofline::torch_export {
namespace {

/// Queries, keys and values [batch..., heads, tokens, size], the way of scaled_dot_product_attention and its kernels.
void attention(const SizedCall& c, const Rule&, SizedNode& out) {
  const Lengths &query = c.shape("query"), &key = c.shape("key"), &value = c.shape("value");
  if (query.size() < 2) return;
  work::AttentionSizes s;
  s.batch = query.size() > 3 ? std::accumulate(query.begin(), query.end() - 3, 1.0, std::multiplies<>()) : 1;
  s.heads = query.size() > 2 ? length(query, -3) : 1;
  s.kv_heads = key.size() > 2 ? length(key, -3) : 1;
  s.head_dim = length(query, -1), s.head_dim_v = length(value, -1);
  s.query_length = length(query, -2), s.context = length(key, -2);
  work::attention(out, s, types(c, "query", "query"));
}

/// [batch, tokens, heads, size], the way of flash-attention.
void token_major_attention(const SizedCall& c, const Rule&, SizedNode& out) {
  const Lengths &query = c.shape("query"), &key = c.shape("key"), &value = c.shape("value");
  work::attention(
      out, {length(query, 0), length(query, 2), length(key, 2), length(query, 3), length(value, 3), length(query, 1), length(key, 1)},
      types(c, "query", "query"));
}

/// Of tokens [batch, tokens, width]: projections, attention among them, and the projection of the result.
void multi_head(SizedNode& out, const Lengths& tokens, double context, double width, double heads, const work::Types& types) {
  Lengths keys = tokens;
  if (keys.size() == 3) keys[1] = context;
  work::linear(out, tokens, width, width, true, types, "query");
  work::linear(out, keys, 2 * width, width, true, types, "key_value");
  const double size = width / heads;
  work::attention(out, {length(tokens, 0), heads, heads, size, size, length(tokens, 1), context}, {types.data, types.data, types.output},
                  "attention");
  work::linear(out, tokens, width, width, true, types, "projection");
}

void native_multi_head(const SizedCall& c, const Rule&, SizedNode& out) {
  multi_head(out, c.shape("query"), length(c.shape("key"), 1), c.number("embed_dim", unknown), c.number("num_head", unknown),
             types(c, "query", "qkv_weight"));
}

void encoder_layer(const SizedCall& c, const Rule&, SizedNode& out) {
  const Lengths &tokens = c.shape("src"), &up = c.shape("ffn_weight_1");
  const double width = c.number("embed_dim", unknown);
  const work::Types kinds = types(c, "src", "qkv_weight");
  multi_head(out, tokens, length(tokens, 1), width, c.number("num_heads", unknown), kinds);
  work::norm(out, "layer_norm", tokens, {width}, kinds, "norm1");
  work::linear(out, tokens, length(up, 0), width, true, kinds, "ffn_up");
  Lengths hidden = tokens;
  if (!hidden.empty()) hidden.back() = length(up, 0);
  work::elementwise(out, c.flag("use_gelu") ? "gelu" : "relu", {hidden}, hidden, kinds.data, kinds.data, "activation");
  work::linear(out, hidden, width, length(up, 0), true, kinds, "ffn_down");
  work::norm(out, "layer_norm", tokens, {width}, kinds, "norm2");
}

constexpr Rule attentions_table[] = {
    {"scaled_dot_product_attention", attention},
    {"_scaled_dot_product_attention_math", attention},
    {"_scaled_dot_product_attention_math_for_mps", attention},
    {"_scaled_dot_product_flash_attention", attention},
    {"_scaled_dot_product_flash_attention_for_cpu", attention},
    {"_scaled_dot_product_efficient_attention", attention},
    {"_scaled_dot_product_cudnn_attention", attention},
    {"_scaled_dot_product_fused_attention_overrideable", attention},
    {"_flash_attention_forward", token_major_attention},
    {"_efficient_attention_forward", token_major_attention},
    {"_native_multi_head_attention", native_multi_head},
    {"_transformer_encoder_layer_fwd", encoder_layer},
};

}  // namespace

std::span<const Rule> attention_rules() { return attentions_table; }

}  // namespace roofline::torch_export
