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
  const double expert_bias = expert - mlp(m.expert_intermediate, false);
  p.mlp = m.dense_layers() * mlp(m.intermediate, m.mlp_bias) + m.moe_layers * (router + shared);
  p.experts = m.moe_layers * m.experts * expert;
  p.expert_biases = m.moe_layers * m.experts * expert_bias;
  p.inactive = m.moe_layers * (m.experts - m.top_k) * expert;
  p.norms = L * m.norms * norm + norm;
  return p;
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
