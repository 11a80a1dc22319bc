// A model as JSON: its members in tables.
#include <roofline/llm/model.hpp>

#include "base/entries.hpp"
#include "llm/model_schema.hpp"

namespace roofline {
namespace {

template <auto member>
Json value_of(const Model& m) {
  return Json(m.*member);
}
bool mla(const Model& m) { return m.mla(); }
bool heads_of_keys(const Model& m) { return !m.mla(); }
bool sparse(const Model& m) { return m.experts > 0; }

constexpr Entry<Model> attention_members[] = {
    {"kind", R"("enum":["MHA","GQA","MQA","MLA"])", "",
     [](const Model& m) {
       return Json(m.mla() ? "MLA" : m.kv_heads == m.heads ? "MHA" : m.kv_heads == 1 ? "MQA" : "GQA");
     }},
    {"heads", is::number, "of queries", value_of<&Model::heads>},
    {"q_rank", is::number, "of compressed queries; null: they are not",
     [](const Model& m) { return m.q_rank > 0 ? Json(m.q_rank) : Json(); }, mla},
    {"kv_rank", is::number, "of the latent", value_of<&Model::kv_rank>, mla},
    {"nope_dim", is::number, "of a head, without positions", value_of<&Model::nope_dim>, mla},
    {"rope_dim", is::number, "of a head, with positions", value_of<&Model::rope_dim>, mla},
    {"value_dim", is::number, "of a head", value_of<&Model::value_dim>, mla},
    {"kv_heads", is::number, "of keys and values", value_of<&Model::kv_heads>, heads_of_keys},
    {"head_dim", is::number, "", value_of<&Model::head_dim>, heads_of_keys},
    {"rotary_dim", is::number, "of it, with positions", value_of<&Model::rotary_dim>, heads_of_keys},
    {"qkv_bias", is::flag, "", value_of<&Model::qkv_bias>, heads_of_keys},
    {"o_bias", is::flag, "", value_of<&Model::o_bias>, heads_of_keys},
    {"qk_norm", is::flag, "", value_of<&Model::qk_norm>, heads_of_keys},
    {"sinks", is::flag, "", value_of<&Model::sinks>, heads_of_keys},
    {"chunk", is::number, "tokens that see each other", value_of<&Model::window>, [](const Model& m) { return m.window > 0 && m.chunked; }},
    {"window", is::number, "tokens that are seen", value_of<&Model::window>, [](const Model& m) { return m.window > 0 && !m.chunked; }},
    {"windowed_layers", is::number, "layers with it", value_of<&Model::windowed_layers>, [](const Model& m) { return m.window > 0; }}};

constexpr Entry<Model> mlp_members[] = {
    {"gated", is::flag, "", value_of<&Model::gated>},
    {"bias", is::flag, "of a dense MLP or of the experts", [](const Model& m) { return Json(m.mlp_bias || m.expert_bias); }},
    {"dense_layers", is::number, "layers without experts", [](const Model& m) { return Json(m.dense_layers()); }},
    {"intermediate", is::number, "width of theirs", value_of<&Model::intermediate>, [](const Model& m) { return m.dense_layers() > 0; }},
    {"moe_layers", is::number, "layers with experts", value_of<&Model::moe_layers>, sparse},
    {"experts", is::number, "of a layer", value_of<&Model::experts>, sparse},
    {"top_k", is::number, "of them, those that a token uses", value_of<&Model::top_k>, sparse},
    {"expert_intermediate", is::number, "width of one", value_of<&Model::expert_intermediate>, sparse},
    {"shared_intermediate", is::number, "width of what every token uses", value_of<&Model::shared_intermediate>, sparse},
    {"experts_format", is::text, "that the model comes with", value_of<&Model::experts_format>,
     [](const Model& m) { return sparse(m) && !m.experts_format.empty(); }}};

constexpr Entry<Model> members[] = {
    {"id", is::text, "", value_of<&Model::id>},
    {"name", is::text, "", value_of<&Model::name>},
    {"family", is::text, "", value_of<&Model::family>},
    {"source", is::text, "", value_of<&Model::source>},
    {"aliases", is::texts, "other names", value_of<&Model::aliases>, [](const Model& m) { return !m.aliases.empty(); }},
    {"notes", is::texts, "", value_of<&Model::notes>, [](const Model& m) { return !m.notes.empty(); }},
    {"parameters", is::number, "", [](const Model& m) { return Json(parameters(m).total()); }},
    {"active_parameters", is::number, "those that a token uses; the embedding table is counted",
     [](const Model& m) { return Json(parameters(m).active()); }},
    {"kv_elements_per_token", is::number, "of the cache, over all layers", [](const Model& m) { return Json(m.layers * m.kv_elements()); }},
    {"hidden", is::number, "elements of a token between the layers", value_of<&Model::hidden>},
    {"layers", is::number, "", value_of<&Model::layers>},
    {"vocab", is::number, "", value_of<&Model::vocab>},
    {"tied_embeddings", is::flag, "the head's weights are the embedding's", value_of<&Model::tied>},
    {"norm", R"("enum":["LayerNorm","RMSNorm"])", "", [](const Model& m) { return Json(m.layer_norm ? "LayerNorm" : "RMSNorm"); }},
    {"norms_per_layer", is::number, "", value_of<&Model::norms>},
    {"parallel", is::flag, "attention and MLP side by side", value_of<&Model::parallel>},
    {"attention", object_of<attention_members>, "", [](const Model& m) { return json_of(attention_members, m); }},
    {"mlp", object_of<mlp_members>, "", [](const Model& m) { return json_of(mlp_members, m); }}};

}  // namespace

std::string model_json(const Model& model) { return dump(json_of(members, model)); }

ObjectSchema model_schema() { return ObjectSchema().with(members); }

}  // namespace roofline
