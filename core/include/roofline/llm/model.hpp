// A language model is data: the sizes from which every operator's work follows. One JSON file per model under presets/models.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <roofline/base/number.hpp>
#include <roofline/base/result.hpp>
#include <roofline/llm/gguf_tensor.hpp>
#include <roofline/llm/recurrent_layers.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// Another published checkpoint of the model, named by its format: "nvfp4".
struct NamedCheckpoint {
  FormatId name = no_format;
  WeightFormats weights;      ///< of every part
  bool block_scales = false;  ///< its 8-bit weights have a scale per block
};

/// What one layer has.
struct LayerBlocks {
  bool attention = true, recurrent = false, mlp = true;  ///< mlp: a dense one, or experts
};

/// What the file of a model holds, counted over its tensors.
struct StoredWeights {
  std::array<double, weight_parts> elements{};  ///< by WeightPart
  double other_elements = 0, other_bytes = 0;   ///< of tensors that belong to no operator of the model
  double mtp_bytes = 0;                         ///< of blocks that predict further tokens
};

/// A decoder-only transformer. Sizes are whole numbers, or means over layers that differ; they are only ever multiplied.
struct Model {
  std::string id;      ///< "llama-3-8b"
  std::string name;    ///< "Llama 3 8B"
  std::string family;  ///< model_type of its config.json
  std::string source;
  std::vector<std::string> aliases, notes;
  WeightFormats published;  ///< formats of the published weights; no_format: 16 bits
  std::vector<NamedCheckpoint> checkpoints;
  bool block_scales = false;  ///< published 8-bit weights have a scale per block (weight_block_size), not per tensor or channel

  double hidden = 0, layers = 0, vocab = 0;
  double heads = 0, kv_heads = 0, head_dim = 0;  ///< MLA: heads alone; its sizes are below
  double intermediate = 0;                       ///< of a dense MLP
  bool gated = true;                             ///< gate and up projections (SwiGLU, GeGLU), not up alone
  bool parallel = false;                         ///< attention and MLP read the same input
  bool tied = false;                             ///< the LM head is the embedding table
  bool layer_norm = false;                       ///< LayerNorm with bias; RMSNorm otherwise
  double norms = 2;                              ///< per layer
  bool qk_norm = false;                          ///< RMSNorm over each head's query and key
  bool qk_norm_of_all_heads = false;             ///< its weights differ from head to head (MiniMax)
  bool query_gate = false;                       ///< the query projection also yields a gate on attention's output
  bool qkv_bias = false, o_bias = false, mlp_bias = false, head_bias = false;
  bool sinks = false;                  ///< one learned logit per head
  double rotary_dim = 0;               ///< of each head; 0: no rotary embedding
  double positions = 0;                ///< rows of a learned position table; 0: none
  double rope_factors = 0;             ///< elements of the tables that llama.cpp keeps its rotary factors in; no parameters
  double trained_context = unknown;    ///< tokens
  double gguf_header_bytes = unknown;  ///< of the GGUF file that it is from, with padding; NaN: it is from none
  std::shared_ptr<const std::vector<GgufTensor>>
      gguf_tensors;  ///< all of that file, blocks that predict further tokens too; null: from none

  std::optional<StoredWeights> stored;  ///< where the tensors of its GGUF file are not the ones that its operators read

  double window = 0;                                ///< keys that a windowed layer attends to at most; 0: no windows
  double windowed_layers = 0;                       ///< of `layers`
  double window_kv_heads = 0, window_head_dim = 0;  ///< of windowed layers; 0: as in the others (Gemma 4 differs)
  bool keys_are_values = false;                     ///< layers without a window take their keys as values, too (Gemma 4)
  double shared_kv_layers = 0;                      ///< of `layers`, the last ones: they read the cache of a layer before (Gemma 3n and 4)
  double shared_windowed_layers = 0;                ///< of them, those with a window
  bool chunked = false;                             ///< the window starts at multiples of itself (Llama 4), it does not slide

  RecurrentLayers recurrent;
  double attention_free_layers = 0, mlp_free_layers = 0;  ///< of `layers`
  std::vector<LayerBlocks> blocks;  ///< of each layer; empty: has_attention() says where attention is, all have an MLP

  double index_heads = 0, index_dim = 0;  ///< of the indexer of DeepSeek's sparse attention; 0: attention is dense
  double index_top_k = 0;                 ///< keys that it leaves to each query
  double index_layers = 0;                ///< layers with an indexer; the others take the keys of the layer before

  double experts = 0, top_k = 0;   ///< routed experts, and how many a token goes to; 0: a dense model
  double expert_intermediate = 0;  ///< of one routed expert
  double shared_intermediate = 0;  ///< of all shared experts together
  double moe_layers = 0;           ///< of `layers`; the others are dense
  double first_dense_layers = 0;   ///< dense layers before the others; behind them, those with experts are the last of equal groups
  bool expert_bias = false;        ///< on the experts' and the router's projections
  bool router_correction = false;  ///< a bias on the router's scores alone
  bool shared_gate = false;        ///< the shared expert is weighted by a learned gate

  double q_rank = 0, kv_rank = 0;                    ///< MLA: ranks of the compressed query (0: not compressed) and key-value
  double nope_dim = 0, rope_dim = 0, value_dim = 0;  ///< MLA: per head, without and with position, and of the value

  [[nodiscard]] bool mla() const { return kv_rank > 0; }
  [[nodiscard]] double query_dim() const { return mla() ? nope_dim + rope_dim : head_dim; }  ///< per head, also the key's
  [[nodiscard]] double output_dim() const { return mla() ? value_dim : head_dim; }           ///< per head
  [[nodiscard]] double dense_layers() const { return layers - mlp_free_layers - moe_layers; }
  /// Weights of the norms of queries and keys in a layer.
  [[nodiscard]] double norm_weights() const { return !qk_norm ? 0 : head_dim * (qk_norm_of_all_heads ? heads + kv_heads : 2); }
  [[nodiscard]] double attention_layers() const { return layers - attention_free_layers; }
  [[nodiscard]] double full_layers() const { return attention_layers() - windowed_layers; }  ///< attend to the whole context
  /// Layers with a key-value cache of their own, without a window and with one.
  [[nodiscard]] double full_caches() const { return full_layers() - (shared_kv_layers - shared_windowed_layers); }
  [[nodiscard]] double windowed_caches() const { return windowed_layers - shared_windowed_layers; }
  [[nodiscard]] double kv_heads_of(bool windowed) const { return windowed && window_kv_heads > 0 ? window_kv_heads : kv_heads; }
  [[nodiscard]] double head_dim_of(bool windowed) const { return windowed && window_head_dim > 0 ? window_head_dim : head_dim; }
  /// The mean over the layers with attention of a size that those with a window may have their own of.
  [[nodiscard]] double mean_of(double full, double windowed) const {
    return full == windowed ? full : (full_layers() * full + windowed_layers * windowed) / attention_layers();
  }
  /// Kinds of layers, counted from 0, where `blocks` does not say. Where only some have attention, or no window, these are the last of
  /// equal groups; where only some have an indexer, they are the first, because the others take the keys of the layer before.
  [[nodiscard]] bool has_attention(double layer) const {
    return blocks.empty() ? is_last_of_group(layer, attention_layers(), layers) : blocks_of(layer).attention;
  }
  [[nodiscard]] bool has_recurrent(double layer) const { return blocks.empty() ? !has_attention(layer) : blocks_of(layer).recurrent; }
  [[nodiscard]] bool has_mlp(double layer) const { return blocks.empty() || blocks_of(layer).mlp; }
  [[nodiscard]] bool has_window(double layer) const {
    return windowed_layers > 0 && has_attention(layer) && !is_last_of_group(layer, full_layers(), layers);
  }
  [[nodiscard]] bool has_experts(double layer) const {
    if (!has_mlp(layer) || dense_layers() == 0) return has_mlp(layer) && moe_layers > 0;
    return layer >= first_dense_layers && is_last_of_group(layer - first_dense_layers, moe_layers, layers - first_dense_layers);
  }
  [[nodiscard]] bool has_indexer(double layer) const {
    return std::ceil((layer + 1) * index_layers / layers) > std::ceil(layer * index_layers / layers);
  }
  /// Elements of a token in an indexer's cache, in FP8: the key, and the four bytes of its FP32 scale.
  [[nodiscard]] double index_elements() const { return index_dim + 4; }
  /// The part that holds most of the weights.
  [[nodiscard]] WeightPart largest_part() const { return experts > 0 ? WeightPart::experts : WeightPart::up; }
  /// Key-value cache elements per token and layer: both of every key-value head, or the latent and the shared rotary key.
  [[nodiscard]] double kv_elements(bool windowed = false) const {
    return mla() ? kv_rank + rope_dim : 2 * kv_heads_of(windowed) * head_dim_of(windowed);
  }
  /// Of all layers, windows ignored.
  [[nodiscard]] double cache_elements() const { return full_caches() * kv_elements() + windowed_caches() * kv_elements(true); }

 private:
  [[nodiscard]] const LayerBlocks& blocks_of(double layer) const { return blocks[static_cast<std::size_t>(layer)]; }
  /// Of `of` layers in `groups` equal groups.
  static bool is_last_of_group(double layer, double groups, double of) {
    return std::floor((layer + 1) * groups / of) > std::floor(layer * groups / of);
  }
};

/// Parameters by where they are, whole model.
struct Parameters {
  std::array<double, weight_parts> by_part{};  ///< by WeightPart; without `expert_biases`
  double embedding = 0;                        ///< token and position tables
  double head = 0;                             ///< LM head; 0 where it is tied to the embedding
  double attention = 0;                        ///< projections of all layers, with their biases and norms of queries and keys
  double mlp = 0;                              ///< dense MLPs, routers and shared experts of all layers
  double experts = 0;                          ///< routed experts of all layers
  double expert_biases = 0;  ///< of `experts`, their biases, which are kept in the format of the other weights (gpt-oss: BF16 beside MXFP4)
  double norms = 0;          ///< of all layers, and the last one
  double other = 0;          ///< of the model's file, those that belong to no operator
  double inactive = 0;       ///< of `experts`, those that one token does not go to
  [[nodiscard]] double total() const { return embedding + head + attention + mlp + experts + norms + other; }
  [[nodiscard]] double active() const { return total() - inactive; }  ///< the embedding table counted
};
[[nodiscard]] Parameters parameters(const Model& model);

/// From a Hugging Face config.json, or from a file in the presets' form ({"id", "name", "source", "config": {...}}). Multimodal configs are
/// read by their text_config. An error names the keys that are missing or wrong.
[[nodiscard]] Result<Model> parse_model(std::string_view json);

/// What is known of a model, as `show model` prints it.
[[nodiscard]] std::string model_json(const Model& model);

/// The models compiled into the library, in list order.
class Models {
 public:
  [[nodiscard]] static const Models& presets();
  /// By id, name or alias, case and punctuation ignored; else without words such as "Instruct", which leave the architecture as it is.
  [[nodiscard]] const Model* find(std::string_view id) const;
  [[nodiscard]] std::vector<std::string> near(std::string_view id) const;
  /// `unknown model "llama-3-8c": did you mean llama-3-8b?`
  [[nodiscard]] std::string unknown_name_message(std::string_view id) const;
  [[nodiscard]] const std::vector<Model>& all() const { return models_; }
  explicit Models(std::vector<Model> models) : models_(std::move(models)) {}

 private:
  std::vector<Model> models_;
};

}  // namespace roofline
