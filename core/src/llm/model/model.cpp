#include <algorithm>
#include <initializer_list>
#include <roofline/llm/model.hpp>
#include <roofline/machine/format.hpp>
#include <roofline/machine/presets.hpp>

#include "base/letters.hpp"

namespace roofline {
namespace {

/// Words in model names that say how a model was trained or packaged, not its architecture.
constexpr std::string_view variant_words[] = {"base", "chat", "hf", "instruct", "it", "thinking"};

/// normalised(), without those words: "Mistral-7B-Instruct-v0.3" -> "mistral7bv03".
std::string architecture_name(std::string_view name) {
  std::string out;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find_first_of("-_. "), name.size());
    const std::string word = lower(name.substr(0, end));
    if (std::find(std::begin(variant_words), std::end(variant_words), word) == std::end(variant_words)) out += normalised(word);
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return out;
}

/// The elements of the model's file in place of those that follow from its sizes. Biases of experts are counted with the norms there.
void count_stored(const StoredWeights& stored, Parameters& p) {
  const auto sum = [&](std::initializer_list<WeightPart> parts) {
    double n = 0;
    for (const WeightPart part : parts) n += stored.elements[static_cast<std::size_t>(part)];
    return n;
  };
  using enum WeightPart;
  const double inactive_share = p.experts > 0 ? p.inactive / p.experts : 0;
  p.by_part = stored.elements;
  p.embedding = sum({embedding});
  p.head = sum({head});
  p.attention = sum({q, k, v, o, kv_b, linear, indexer});
  p.mlp = sum({gate, up, down, router, shared_experts});
  p.experts = sum({experts});
  p.inactive = inactive_share * p.experts;
  p.expert_biases = 0;
  p.norms = sum({norms});
  p.other = stored.other_elements;
}

}  // namespace

Parameters parameters(const Model& m) {
  const double H = m.hidden, L = m.layers;
  const double norm = H * (m.layer_norm ? 2 : 1);
  const double mats = m.gated ? 3 : 2;
  const auto mlp = [&](double width, bool bias) { return mats * H * width + (bias ? (mats - 1) * width + H : 0); };

  Parameters p;
  const auto of = [&](WeightPart part) -> double& { return p.by_part[static_cast<std::size_t>(part)]; };
  p.embedding = of(WeightPart::embedding) = (m.vocab + m.positions) * H;
  p.head = of(WeightPart::head) = (m.tied ? 0 : m.vocab * H) + (m.head_bias ? m.vocab : 0);
  const double A = m.attention_layers();
  double small = 0;  // of a layer's attention: norms and sinks
  if (m.mla()) {
    const double query = m.heads * m.query_dim();
    of(WeightPart::q) = A * (m.q_rank > 0 ? H * m.q_rank + m.q_rank * query : H * query);
    of(WeightPart::k) = A * H * (m.kv_rank + m.rope_dim);
    of(WeightPart::kv_b) = A * m.kv_rank * m.heads * (m.nope_dim + m.value_dim);
    of(WeightPart::o) = A * m.heads * m.value_dim * H;
    small = m.q_rank + m.kv_rank;
  } else {
    const double query = m.heads * m.mean_of(m.head_dim, m.head_dim_of(true)), inputs = H + (m.qkv_bias ? 1 : 0);
    const double full_keys = m.full_layers() * m.kv_elements() / 2, windowed_keys = m.windowed_layers * m.kv_elements(true) / 2;
    of(WeightPart::q) = A * inputs * query * (m.query_gate ? 2 : 1);
    of(WeightPart::k) = inputs * (full_keys + windowed_keys);
    of(WeightPart::v) = inputs * ((m.keys_are_values ? 0 : full_keys) + windowed_keys);
    of(WeightPart::o) = A * (query * H + (m.o_bias ? H : 0));
    small = m.norm_weights() + (m.sinks ? m.heads : 0);
  }
  of(WeightPart::linear) = m.recurrent.layers * m.recurrent.projections(H);
  of(WeightPart::indexer) = m.index_layers * (m.q_rank * m.index_heads * m.index_dim + H * (m.index_dim + m.index_heads));
  for (const WeightPart part :
       {WeightPart::q, WeightPart::k, WeightPart::v, WeightPart::kv_b, WeightPart::o, WeightPart::linear, WeightPart::indexer})
    p.attention += of(part);
  // And of all recurrent layers; an indexer's LayerNorm of its key.
  small = A * small + m.recurrent.layers * m.recurrent.small_weights() + m.index_layers * 2 * m.index_dim;
  p.attention += small;

  const double dense = m.dense_layers(), inward = dense * (H + (m.mlp_bias ? 1 : 0)) * m.intermediate;
  of(WeightPart::gate) = m.gated ? inward : 0;
  of(WeightPart::up) = inward;
  of(WeightPart::down) = dense * (m.intermediate + (m.mlp_bias ? 1 : 0)) * H;
  of(WeightPart::router) = m.moe_layers * (H * m.experts + (m.expert_bias || m.router_correction ? m.experts : 0));
  of(WeightPart::shared_experts) =
      m.shared_intermediate > 0 ? m.moe_layers * (mlp(m.shared_intermediate, false) + (m.shared_gate ? H : 0)) : 0;
  for (const WeightPart part : {WeightPart::gate, WeightPart::up, WeightPart::down, WeightPart::router, WeightPart::shared_experts})
    p.mlp += of(part);
  const double expert = mlp(m.expert_intermediate, m.expert_bias);
  of(WeightPart::experts) = m.moe_layers * m.experts * mlp(m.expert_intermediate, false);
  p.experts = m.moe_layers * m.experts * expert;
  p.expert_biases = p.experts - of(WeightPart::experts);
  p.inactive = m.moe_layers * (m.experts - m.top_k) * expert;
  p.norms = L * m.norms * norm + norm;
  of(WeightPart::norms) = p.norms + small;
  if (m.stored) count_stored(*m.stored, p);
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
  const std::string_view asked = id.substr(id.find_last_of('/') + 1);  // "meta-llama/Llama-3.1-8B-Instruct"
  for (const std::string& wanted : {normalised(asked), architecture_name(asked)}) {
    const auto named = [&wanted](const Model& model) {
      const auto same = [&wanted](const std::string& name) { return normalised(name) == wanted; };
      return same(model.id) || same(model.name) || std::any_of(model.aliases.begin(), model.aliases.end(), same);
    };
    const auto found = std::find_if(models_.begin(), models_.end(), named);
    if (!wanted.empty() && found != models_.end()) return &*found;
  }
  return nullptr;
}

std::vector<std::string> Models::near(std::string_view id) const {
  std::vector<std::string> names;
  for (const Model& model : models_) {
    names.push_back(model.id);
    names.insert(names.end(), model.aliases.begin(), model.aliases.end());
  }
  return near_ids(id, names, [&](const std::string& name) { return find(name)->id; });
}

std::string Models::unknown_name_message(std::string_view id) const { return roofline::unknown_name_message("model", id, near(id)); }

}  // namespace roofline
