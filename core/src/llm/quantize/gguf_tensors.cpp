#include "llm/quantize/gguf_tensors.hpp"

#include <algorithm>
#include <cmath>

namespace roofline {
namespace {

/// Lists tensors by llama.cpp's names, each with the length of its rows.
class Lister {
 public:
  explicit Lister(const Model& model) : m_(model) {}

  std::vector<GgufTensor> list() {
    const double H = m_.hidden;
    matrix("token_embd", H, m_.vocab);
    if (m_.positions > 0) vector("position_embd", H * m_.positions);
    if (m_.rope_factors > 0) vector("rope_freqs", m_.rope_factors);
    for (layer_ = 0; layer_ < static_cast<int>(m_.layers); ++layer_) {
      blocks();
      if (!m_.has_mlp(layer_)) continue;
      if (m_.has_experts(layer_))
        experts();
      else
        dense();
    }
    layer_ = -1;
    norm("output_norm");
    if (!m_.tied) matrix("output", H, m_.vocab);
    if (m_.head_bias) vector("output", m_.vocab, ".bias");
    return std::move(tensors_);
  }

 private:
  /// Norms, and what is no MLP.
  void blocks() {
    norm("attn_norm");
    for (double extra = 2; extra < m_.norms; ++extra) norm(extra == 2 ? "post_attention_norm" : "post_ffw_norm");
    const bool delta = m_.recurrent.layers > 0 && m_.recurrent.is(RecurrentKind::gated_delta);
    if (m_.norms > 1) norm(delta ? "post_attention_norm" : "ffn_norm");
    if (m_.recurrent.layers > 0 && m_.has_recurrent(layer_)) recurrent();
    if (m_.has_attention(layer_)) attention();
  }

  void attention() {
    const bool windowed = m_.has_window(layer_);
    const double H = m_.hidden, head = m_.head_dim_of(windowed), keys = m_.kv_heads_of(windowed) * head;
    const double query = m_.heads * (m_.mla() ? m_.query_dim() : head);
    if (m_.mla()) {
      if (m_.q_rank > 0) {
        matrix("attn_q_a", H, m_.q_rank);
        vector("attn_q_a_norm", m_.q_rank);
        matrix("attn_q_b", m_.q_rank, query);
      } else {
        matrix("attn_q", H, query);
      }
      matrix("attn_kv_a_mqa", H, m_.kv_rank + m_.rope_dim);
      vector("attn_kv_a_norm", m_.kv_rank);
      matrix("attn_k_b", m_.nope_dim, m_.kv_rank * m_.heads);
      matrix("attn_v_b", m_.kv_rank, m_.value_dim * m_.heads);
      matrix("attn_output", m_.heads * m_.value_dim, H);
      if (m_.has_indexer(layer_)) indexer();
      return;
    }
    if (fused_qkv(m_)) {
      matrix("attn_qkv", H, query + 2 * keys);
      if (m_.qkv_bias) vector("attn_qkv", query + 2 * keys, ".bias");
    } else {
      const double values = m_.keys_are_values && !windowed ? 0 : keys;
      for (const auto& [name, width] : {Projection{"attn_q", m_.query_gate ? 2 * query : query}, {"attn_k", keys}, {"attn_v", values}}) {
        if (width == 0) continue;
        matrix(name, H, width);
        if (m_.qkv_bias) vector(name, width, ".bias");
      }
    }
    if (m_.qk_norm) {
      vector("attn_q_norm", head * (m_.qk_norm_of_all_heads ? m_.heads : 1));
      vector("attn_k_norm", head * (m_.qk_norm_of_all_heads ? m_.kv_heads : 1));
    }
    if (m_.sinks) vector("attn_sinks", m_.heads);
    matrix("attn_output", query, H);
    if (m_.o_bias) vector("attn_output", H, ".bias");
  }

  void recurrent() {
    const RecurrentLayers& r = m_.recurrent;
    const double H = m_.hidden;
    if (r.is(RecurrentKind::short_conv)) {
      vector("shortconv.conv", r.conv_taps * r.conv_channels());
      matrix("shortconv.in_proj", H, r.columns());
      matrix("shortconv.out_proj", r.values(), H);
      return;
    }
    if (r.is(RecurrentKind::mamba2)) {
      matrix("ssm_in", H, r.columns());
    } else {
      matrix("attn_qkv", H, r.conv_channels());
      matrix("attn_gate", H, r.values());
    }
    vector("ssm_conv1d", r.conv_taps * r.conv_channels());
    if (r.conv_bias) vector("ssm_conv1d", r.conv_channels(), ".bias");
    vector("ssm_a", r.value_heads, "");
    vector("ssm_dt", r.value_heads, ".bias");
    if (r.is(RecurrentKind::mamba2))
      vector("ssm_d", r.value_heads, "");
    else
      for (const char* name : {"ssm_alpha", "ssm_beta"}) matrix(name, H, r.value_heads);
    if (r.norm) vector("ssm_norm", r.norm_weights());
    matrix("ssm_out", r.values(), H);
  }

  void indexer() {
    vector("indexer.k_norm", m_.index_dim);
    vector("indexer.k_norm", m_.index_dim, ".bias");
    matrix("indexer.proj", m_.hidden, m_.index_heads);
    matrix("indexer.attn_k", m_.hidden, m_.index_dim);
    matrix("indexer.attn_q_b", m_.q_rank, m_.index_heads * m_.index_dim);
  }

  void dense() {
    const double H = m_.hidden, I = m_.intermediate;
    if (m_.gated && !fused_gate(m_)) matrix("ffn_gate", H, I);
    matrix("ffn_up", H, fused_gate(m_) ? 2 * I : I);
    matrix("ffn_down", I, H);
    if (!m_.mlp_bias) return;
    if (m_.gated) vector("ffn_gate", I, ".bias");
    vector("ffn_up", I, ".bias");
    vector("ffn_down", H, ".bias");
  }

  void experts() {
    const double H = m_.hidden, I = m_.expert_intermediate, shared = m_.shared_intermediate;
    vector("ffn_gate_inp", H * m_.experts);
    if (m_.router_correction) vector("exp_probs_b", m_.experts, ".bias");
    if (m_.expert_bias) vector("ffn_gate_inp", m_.experts, ".bias");
    for (const auto& [name, width] : {Projection{"ffn_gate_exps", I}, {"ffn_up_exps", I}}) {
      if (name[4] == 'g' && !m_.gated) continue;
      matrix(name, H, width * m_.experts);
      if (m_.expert_bias) vector(name, width * m_.experts, ".bias");
    }
    matrix("ffn_down_exps", I, H * m_.experts);
    if (m_.expert_bias) vector("ffn_down_exps", H * m_.experts, ".bias");
    if (shared == 0) return;
    if (m_.gated) matrix("ffn_gate_shexp", H, shared);
    matrix("ffn_up_shexp", H, shared);
    matrix("ffn_down_shexp", shared, H);
    if (m_.shared_gate) vector("ffn_gate_inp_shexp", H);
  }

  struct Projection {
    const char* name;
    double width;
  };

  void norm(const char* name) {
    vector(name, m_.hidden);
    if (m_.layer_norm) vector(name, m_.hidden, ".bias");
  }
  void matrix(const char* name, double row, double rows) { add(std::string(name) + ".weight", row, row * rows); }
  /// What llama-quantize leaves alone, in FP32: norms, biases and the router.
  void vector(const char* name, double elements, const char* suffix = ".weight") {
    add(std::string(name) + suffix, elements, elements);
    tensors_.back().format = Formats::catalogue().find("fp32").value_or(0);
  }
  void add(std::string name, double row, double elements) {
    if (layer_ >= 0) name = "blk." + std::to_string(layer_) + "." + name;
    tensors_.push_back({std::move(name), layer_, row, elements});
  }

  const Model& m_;
  int layer_ = -1;
  std::vector<GgufTensor> tensors_;
};

/// Whether llama-quantize changes the type of a file's tensor: github.com/ggml-org/llama.cpp, src/llama-quant.cpp,
/// tensor_allows_quantization().
bool is_quantised(const GgufTensor& tensor) {
  constexpr std::string_view left_alone[] = {"_norm.weight",
                                             "ffn_gate_inp.weight",
                                             "altup",
                                             "laurel",
                                             "per_layer_model_proj",
                                             "position_embd.weight",
                                             "token_types.weight",
                                             "ssm_conv1d",
                                             "shortconv.conv.weight",
                                             "time_mix_",
                                             "attn_rel_b.weight",
                                             ".position_embd."};
  return tensor.elements > tensor.row && tensor.name.ends_with("weight") &&
         std::none_of(std::begin(left_alone), std::end(left_alone),
                      [&](std::string_view part) { return tensor.name.find(part) != std::string::npos; });
}

}  // namespace

bool fused_qkv(const Model& model) {
  constexpr std::string_view families[] = {"phi3", "falcon", "gpt2", "gpt_neox"};
  return std::find(std::begin(families), std::end(families), model.family) != std::end(families);
}

bool fused_gate(const Model& model) {
  if (!model.gguf_tensors) return model.family == "phi3";
  const auto holds = [&](std::string_view part) {
    return std::any_of(model.gguf_tensors->begin(), model.gguf_tensors->end(),
                       [&](const GgufTensor& tensor) { return tensor.name.find(part) != std::string::npos; });
  };
  return model.gated && holds(".ffn_up.weight") && !holds(".ffn_gate.weight");
}

std::vector<GgufTensor> gguf_tensors(const Model& model) {
  if (!model.gguf_tensors) return Lister(model).list();
  std::vector<GgufTensor> out = *model.gguf_tensors;
  for (GgufTensor& tensor : out)
    if (is_quantised(tensor)) tensor.format = no_format, tensor.element_bytes = 0;
  return out;
}

}  // namespace roofline
