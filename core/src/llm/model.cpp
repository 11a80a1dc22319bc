#include <algorithm>
#include <roofline/llm/model.hpp>
#include <roofline/machine/format.hpp>
#include <roofline/machine/presets.hpp>

#include "base/json.hpp"

namespace roofline {

Parameters parameters(const Model& m) {
  const double H = m.hidden, L = m.layers;
  const double norm = H * (m.layer_norm ? 2 : 1);
  const double mats = m.gated ? 3 : 2;
  const auto mlp = [&](double width, bool bias) { return mats * H * width + (bias ? (mats - 1) * width + H : 0); };

  Parameters p;
  p.embedding = (m.vocab + m.positions) * H;
  p.head = (m.tied ? 0 : m.vocab * H) + (m.head_bias ? m.vocab : 0);
  if (m.mla()) {
    const double query = m.heads * m.query_dim();
    p.attention = (m.q_rank > 0 ? H * m.q_rank + m.q_rank + m.q_rank * query : H * query)  // with the compressed query's norm
                  + H * (m.kv_rank + m.rope_dim) + m.kv_rank                               // with the latent's norm
                  + m.kv_rank * m.heads * (m.nope_dim + m.value_dim) + m.heads * m.value_dim * H;
  } else {
    const double qkv = (m.heads + 2 * m.kv_heads) * m.head_dim;
    p.attention = H * qkv + m.heads * m.head_dim * H + (m.qkv_bias ? qkv : 0) + (m.o_bias ? H : 0) + (m.qk_norm ? 2 * m.head_dim : 0) +
                  (m.sinks ? m.heads : 0);
  }
  p.attention *= L;
  const double router = H * m.experts + (m.expert_bias || m.router_correction ? m.experts : 0);
  const double shared = m.shared_intermediate > 0 ? mlp(m.shared_intermediate, false) + (m.shared_gate ? H : 0) : 0;
  const double expert = mlp(m.expert_intermediate, m.expert_bias);
  p.mlp = m.dense_layers() * mlp(m.intermediate, m.mlp_bias) + m.moe_layers * (router + shared);
  p.experts = m.moe_layers * m.experts * expert;
  p.inactive = m.moe_layers * (m.experts - m.top_k) * expert;
  p.norms = L * m.norms * norm + norm;
  return p;
}

std::string model_json(const Model& m) {
  const Parameters p = parameters(m);
  Json out = {{"id", m.id}, {"name", m.name}, {"family", m.family}, {"source", m.source}};
  if (!m.aliases.empty()) out["aliases"] = m.aliases;
  if (!m.notes.empty()) out["notes"] = m.notes;
  out["parameters"] = p.total();
  out["active_parameters"] = p.active();
  out["kv_elements_per_token"] = m.layers * m.kv_elements();
  out["hidden"] = m.hidden;
  out["layers"] = m.layers;
  out["vocab"] = m.vocab;
  out["tied_embeddings"] = m.tied;
  out["norm"] = m.layer_norm ? "LayerNorm" : "RMSNorm";
  out["norms_per_layer"] = m.norms;
  out["parallel"] = m.parallel;
  Json attention = {{"kind", m.mla() ? "MLA" : m.kv_heads == m.heads ? "MHA" : m.kv_heads == 1 ? "MQA" : "GQA"}, {"heads", m.heads}};
  if (m.mla()) {
    attention["q_rank"] = m.q_rank > 0 ? Json(m.q_rank) : Json();
    attention["kv_rank"] = m.kv_rank;
    attention["nope_dim"] = m.nope_dim;
    attention["rope_dim"] = m.rope_dim;
    attention["value_dim"] = m.value_dim;
  } else {
    attention["kv_heads"] = m.kv_heads;
    attention["head_dim"] = m.head_dim;
    attention["rotary_dim"] = m.rotary_dim;
    attention["qkv_bias"] = m.qkv_bias;
    attention["o_bias"] = m.o_bias;
    attention["qk_norm"] = m.qk_norm;
    attention["sinks"] = m.sinks;
  }
  if (m.window > 0) {
    attention[m.chunked ? "chunk" : "window"] = m.window;
    attention["windowed_layers"] = m.windowed_layers;
  }
  out["attention"] = std::move(attention);
  Json mlp = {{"gated", m.gated}, {"bias", m.mlp_bias}, {"dense_layers", m.dense_layers()}};
  if (m.dense_layers() > 0) mlp["intermediate"] = m.intermediate;
  if (m.experts > 0) {
    mlp["moe_layers"] = m.moe_layers;
    mlp["experts"] = m.experts;
    mlp["top_k"] = m.top_k;
    mlp["expert_intermediate"] = m.expert_intermediate;
    mlp["shared_intermediate"] = m.shared_intermediate;
    if (!m.experts_format.empty()) mlp["experts_format"] = m.experts_format;
  }
  out["mlp"] = std::move(mlp);
  return dump(out);
}

const Models& Models::presets() {
  static const Models models([] {
    std::vector<Model> all;
    for (const PresetFile& file : preset_files("models"))
      if (Result<Model> model = parse_model(file.text)) all.push_back(std::move(*model));
    return all;
  }());
  return models;
}

const Model* Models::find(std::string_view id) const {
  const std::string wanted = normalised(id.substr(id.find_last_of('/') + 1));  // "meta-llama/Llama-3.1-8B"
  if (wanted.empty()) return nullptr;
  const auto named = [&wanted](const Model& model) {
    const auto same = [&wanted](const std::string& name) { return normalised(name) == wanted; };
    return same(model.id) || same(model.name) || std::any_of(model.aliases.begin(), model.aliases.end(), same);
  };
  const auto found = std::find_if(models_.begin(), models_.end(), named);
  return found == models_.end() ? nullptr : &*found;
}

std::vector<std::string> Models::near(std::string_view id) const {
  std::vector<std::string> names, ids;
  for (const Model& model : models_) {
    names.push_back(model.id);
    names.insert(names.end(), model.aliases.begin(), model.aliases.end());
  }
  for (const std::string& name : near_matches(id, names))
    if (const Model* model = find(name); model && std::find(ids.begin(), ids.end(), model->id) == ids.end()) ids.push_back(model->id);
  return ids;
}

}  // namespace roofline
