#include "llm/model/layer_kinds.hpp"

#include <algorithm>
#include <cmath>
#include <roofline/base/text.hpp>

namespace roofline {
namespace {

/// Layers that attend to a window, of all: layer_types where given, else a pattern, else as the family does.
double windowed_layers(ConfigReader& in, const Json& json, const Model& m, double full_attention_interval) {
  const Json& types = member(json, "layer_types");
  if (types.is_array()) {
    return std::min(count_of(types, "sliding_attention") + count_of(types, "chunked_attention"), m.layers);
  }
  // A letter per layer, repeated: in "LLLG", three layers have a window (L) and one has none. Or a number n: every nth layer has none.
  if (const std::string pattern = text_of(member(json, "sliding_window_pattern")); !pattern.empty()) {
    double local = 0;
    for (std::size_t i = 0; static_cast<double>(i) < m.layers; ++i) local += pattern[i % pattern.size()] == 'L' ? 1 : 0;
    return local;
  }
  if (const double n = in.size({"sliding_window_pattern"}, full_attention_interval, 0); n > 0) return m.layers - std::floor(m.layers / n);
  return std::max(0.0, m.layers - in.size({"max_window_layers"}, 0, 0));  // Qwen: the first layers see everything
}

void read_window_size(ConfigReader& in, const Json& json, Model& m, double full_attention_interval, bool known) {
  const bool chunked = m.family == "llama4_text";
  if (!in.flag({"use_sliding_window"}, true)) return;
  const double window = in.size({chunked ? "attention_chunk_size" : "sliding_window"}, 0);
  if (window == 0) return;
  const auto says = [&](const char* key) { return !member(json, key).is_null(); };
  if (!known && !says("layer_types") && !says("sliding_window_pattern") && !says("max_window_layers")) {
    m.notes.push_back("The config sets sliding_window to " + number(window) +
                      " but not the layers that use it: all layers count as full attention.");
    return;
  }
  m.window = window;
  m.chunked = chunked;
  m.windowed_layers = std::min(windowed_layers(in, json, m, full_attention_interval), m.attention_layers());
  if (m.windowed_layers == 0) m.window = 0;
}

/// The heads of windowed layers, where a config has "global" sizes for the others, and the layers that share a cache.
void read_window_heads(ConfigReader& in, const Json& json, Model& m) {
  m.keys_are_values = in.flag({"attention_k_eq_v"}, false);
  if (m.windowed_layers > 0) {
    m.window_head_dim = in.size({"head_dim"}, m.head_dim);
    m.window_kv_heads = in.size({"num_key_value_heads"}, m.kv_heads);
  }
  m.shared_kv_layers = std::min(in.size({"num_kv_shared_layers"}, 0, 0), m.layers - 1);
  const Json& types = member(json, "layer_types");
  for (double i = m.layers - m.shared_kv_layers; i < m.layers; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const bool windowed = types.is_array() && at < types.size() ? text_of(types[at]) == "sliding_attention" : m.has_window(i);
    if (m.windowed_layers > 0 && windowed) ++m.shared_windowed_layers;
  }
}

struct RecurrentFamily {
  std::string_view type;
  RecurrentKind kind;
  const char* every_layer = nullptr;  ///< the kind of all layers; null: the config lists them
};
constexpr RecurrentFamily recurrent_families[] = {
    {"mamba2", RecurrentKind::mamba2, "mamba"},     {"granitemoehybrid", RecurrentKind::mamba2}, {"nemotron_h", RecurrentKind::mamba2},
    {"falcon_h1", RecurrentKind::mamba2, "hybrid"}, {"lfm2", RecurrentKind::short_conv},         {"lfm2_moe", RecurrentKind::short_conv}};

const RecurrentFamily* recurrent_family(std::string_view model_type) {
  const auto* found =
      std::find_if(std::begin(recurrent_families), std::end(recurrent_families), [&](const auto& f) { return f.type == model_type; });
  return found == std::end(recurrent_families) ? nullptr : found;
}

/// Kinds of layers by name. Layers with attention or a recurrent part have an MLP behind it, too, unless they have one norm.
struct NamedBlocks {
  std::string_view name;
  LayerBlocks blocks;
};
constexpr NamedBlocks named_blocks[] = {{"attention", {true, false, false}}, {"full_attention", {true, false, false}},
                                        {"mamba", {false, true, false}},     {"conv", {false, true, false}},
                                        {"hybrid", {true, true, false}},     {"mlp", {false, false, true}},
                                        {"moe", {false, false, true}}};

/// The kind of each layer: of a list of names, Nemotron-H's letters, or LFM2's places of attention.
std::vector<std::string> kinds_of_layers(const Json& json, const Model& m, const RecurrentFamily& family) {
  if (family.every_layer != nullptr) return std::vector<std::string>(static_cast<std::size_t>(m.layers), family.every_layer);
  std::vector<std::string> out;
  for (const char* key : {"layer_types", "layers_block_type"})
    if (out.empty())
      for (const Json& kind : member(json, key)) out.push_back(text_of(kind));
  if (!out.empty()) return out;
  for (const char letter : text_of(member(json, "hybrid_override_pattern")))
    out.emplace_back(letter == 'M' ? "mamba" : letter == '*' ? "attention" : letter == '-' ? "mlp" : letter == 'E' ? "moe" : "");
  if (const Json& places = member(json, "full_attn_idxs"); places.is_array()) {
    out.assign(static_cast<std::size_t>(m.layers), "conv");
    for (const Json& place : places)
      if (const double i = number_of(place); i >= 0 && i < m.layers) out[static_cast<std::size_t>(i)] = "attention";
  }
  return out;
}

void read_blocks(ConfigReader& in, const Json& json, Model& m, const RecurrentFamily& family) {
  const std::vector<std::string> kinds = kinds_of_layers(json, m, family);
  if (static_cast<double>(kinds.size()) != m.layers)
    return in.fault("layer_types",
                    "expected one entry for each of the " + number(m.layers) + " layers, found " + number(double(kinds.size())));
  const auto has = [&](std::string_view kind) { return std::find(kinds.begin(), kinds.end(), kind) != kinds.end(); };
  for (const std::string& kind : kinds) {
    const auto* named =
        std::find_if(std::begin(named_blocks), std::end(named_blocks), [&](const NamedBlocks& n) { return n.name == kind; });
    if (named == std::end(named_blocks)) return in.fault("layer_types", "layers of type \"" + printable(kind) + "\" are not supported");
    LayerBlocks blocks = named->blocks;
    blocks.mlp = blocks.mlp || m.norms > 1;
    m.recurrent.layers += blocks.recurrent ? 1 : 0;
    m.attention_free_layers += blocks.attention ? 0 : 1;
    m.mlp_free_layers += blocks.mlp ? 0 : 1;
    m.blocks.push_back(blocks);
  }
  if (m.norms > 1) return;
  if (has("moe") && has("mlp")) in.fault("layer_types", "layers of experts and layers of dense MLPs are not supported in one model");
  if (!has("moe")) m.experts = 0;
  m.moe_layers = m.experts > 0 ? m.layers - m.mlp_free_layers : 0;
}

}  // namespace

void read_windows(ConfigReader& in, const Json& json, Model& m, double full_attention_interval, bool known) {
  read_window_size(in, json, m, full_attention_interval, known);
  read_window_heads(in, json, m);
}

bool is_recurrent_family(std::string_view model_type) { return recurrent_family(model_type) != nullptr; }

void read_left_out_blocks(const Json& json, Model& m) {
  const auto leave_out = [&](const char* key, bool LayerBlocks::* block, double& layers_without) {
    const Json& left_out = member(json, key);
    if (!left_out.is_array() || !(static_cast<double>(left_out.size()) >= m.layers)) return;
    m.blocks.resize(left_out.size());
    for (std::size_t i = 0; static_cast<double>(i) < m.layers; ++i) {
      m.blocks[i].*block = left_out[i] != Json(true);
      layers_without += m.blocks[i].*block ? 0 : 1;
    }
  };
  leave_out("layers_without_attention", &LayerBlocks::attention, m.attention_free_layers);
  leave_out("layers_without_mlp", &LayerBlocks::mlp, m.mlp_free_layers);
}

void read_recurrent_layers(ConfigReader& in, const Json& json, Model& m) {
  const RecurrentFamily* family = recurrent_family(m.family);
  if (family == nullptr || !in.missing().empty() || in.error) return;
  RecurrentLayers& r = m.recurrent;
  r.kind = family->kind;
  if (r.is(RecurrentKind::short_conv)) {
    r.value_heads = m.hidden;
    r.value_dim = 1;
    r.conv_taps = in.size({"conv_L_cache"});
    r.norm = false;
  } else {
    r.value_heads = in.size({"mamba_n_heads", "mamba_num_heads", "num_heads"});
    r.value_dim = in.size({"mamba_d_head", "mamba_head_dim", "head_dim"});
    r.key_heads = in.size({"mamba_n_groups", "n_groups"});
    r.key_dim = in.size({"mamba_d_state", "ssm_state_size", "state_size"});
    r.conv_taps = in.size({"mamba_d_conv", "conv_kernel"});
    r.conv_bias = in.flag({"mamba_conv_bias", "use_conv_bias"}, true);
    r.norm = in.flag({"mamba_rms_norm"}, m.family != "falcon_h1");
  }
  for (const char* key : {"mamba_proj_bias", "use_bias", "projectors_bias", "conv_bias"})
    if (in.flag({key}, false)) in.fault(key, "biases of recurrent layers' projections are not supported");
  if (!member(json, "moe_latent_size").is_null()) in.fault("moe_latent_size", "experts behind a projection are not supported");
  read_blocks(in, json, m, *family);
  if (m.attention_layers() == 0) m.heads = m.kv_heads = m.head_dim = m.rotary_dim = 0;
  if (text_of(member(json, "position_embedding_type")) == "nope") m.rotary_dim = 0;
}

}  // namespace roofline
