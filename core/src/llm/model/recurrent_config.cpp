#include "llm/model/recurrent_config.hpp"

#include <algorithm>
#include <roofline/base/text.hpp>

namespace roofline {
namespace {

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
    return in.wrong("layer_types", "expected the kinds of " + number(m.layers) + " layers, found " + number(double(kinds.size())));
  const auto has = [&](std::string_view kind) { return std::find(kinds.begin(), kinds.end(), kind) != kinds.end(); };
  for (const std::string& kind : kinds) {
    const auto* named =
        std::find_if(std::begin(named_blocks), std::end(named_blocks), [&](const NamedBlocks& n) { return n.name == kind; });
    if (named == std::end(named_blocks))
      return in.wrong("layer_types", "has layers of \"" + printable(kind) + "\", which are not supported");
    LayerBlocks blocks = named->blocks;
    blocks.mlp = blocks.mlp || m.norms > 1;
    m.recurrent.layers += blocks.recurrent ? 1 : 0;
    m.attention_free_layers += blocks.attention ? 0 : 1;
    m.mlp_free_layers += blocks.mlp ? 0 : 1;
    m.blocks.push_back(blocks);
  }
  if (m.norms > 1) return;
  if (has("moe") && has("mlp")) in.wrong("layer_types", "has layers of experts and of dense MLPs, which are not supported together");
  if (!has("moe")) m.experts = 0;
  m.moe_layers = m.experts > 0 ? m.layers - m.mlp_free_layers : 0;
}

}  // namespace

bool is_recurrent_family(std::string_view model_type) { return recurrent_family(model_type) != nullptr; }

void read_recurrent_layers(ConfigReader& in, const Json& json, Model& m) {
  const RecurrentFamily* family = recurrent_family(m.family);
  if (family == nullptr || !in.missing().empty() || in.error()) return;
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
    if (in.flag({key}, false)) in.wrong(key, "biases of recurrent layers' projections are not supported");
  if (!member(json, "moe_latent_size").is_null()) in.wrong("moe_latent_size", "experts behind a projection are not supported");
  read_blocks(in, json, m, *family);
  if (m.attention_layers() == 0) m.heads = m.kv_heads = m.head_dim = m.rotary_dim = 0;
  if (text_of(member(json, "position_embedding_type")) == "nope") m.rotary_dim = 0;
}

}  // namespace roofline
