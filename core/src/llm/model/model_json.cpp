// A model as JSON: its members in tables.
#include <roofline/llm/model.hpp>

#include "base/entries.hpp"
#include "base/schemas.hpp"

namespace roofline {
namespace {

template <auto member>
Json value_of(const Model& m) {
  return Json(m.*member);
}
bool mla(const Model& m) { return m.mla(); }
bool heads_of_keys(const Model& m) { return !m.mla(); }
bool sparse(const Model& m) { return m.experts > 0; }
bool recurrent(const Model& m) { return m.linear_layers > 0; }
bool indexed(const Model& m) { return m.index_layers > 0; }
std::string experts_format(const Model& m) { return Formats::id_of(m.published[WeightPart::experts]); }

constexpr Entry<Model> attention_members[] = {
    {"kind", R"("enum":["MHA","GQA","MQA","MLA"])", "",
     [](const Model& m) {
       return Json(m.mla() ? "MLA" : m.kv_heads == m.heads ? "MHA" : m.kv_heads == 1 ? "MQA" : "GQA");
     }},
    {"heads", schema::number, "of queries", value_of<&Model::heads>},
    {"q_rank", schema::number, "of compressed queries; null: they are not",
     [](const Model& m) { return m.q_rank > 0 ? Json(m.q_rank) : Json(); }, mla},
    {"kv_rank", schema::number, "of the latent", value_of<&Model::kv_rank>, mla},
    {"nope_dim", schema::number, "of a head, without positions", value_of<&Model::nope_dim>, mla},
    {"rope_dim", schema::number, "of a head, with positions", value_of<&Model::rope_dim>, mla},
    {"value_dim", schema::number, "of a head", value_of<&Model::value_dim>, mla},
    {"kv_heads", schema::number, "of keys and values", value_of<&Model::kv_heads>, heads_of_keys},
    {"head_dim", schema::number, "", value_of<&Model::head_dim>, heads_of_keys},
    {"rotary_dim", schema::number, "of it, with positions", value_of<&Model::rotary_dim>, heads_of_keys},
    {"qkv_bias", schema::flag, "", value_of<&Model::qkv_bias>, heads_of_keys},
    {"o_bias", schema::flag, "", value_of<&Model::o_bias>, heads_of_keys},
    {"qk_norm", schema::flag, "", value_of<&Model::qk_norm>, heads_of_keys},
    {"sinks", schema::flag, "", value_of<&Model::sinks>, heads_of_keys},
    {"chunk", schema::number, "tokens that see each other", value_of<&Model::window>,
     [](const Model& m) { return m.window > 0 && m.chunked; }},
    {"window", schema::number, "tokens that are seen", value_of<&Model::window>, [](const Model& m) { return m.window > 0 && !m.chunked; }},
    {"windowed_layers", schema::number, "layers with it", value_of<&Model::windowed_layers>, [](const Model& m) { return m.window > 0; }},
    {"gate", schema::flag, "on its output", value_of<&Model::query_gate>, recurrent},
    {"linear_layers", schema::number, "layers with a gated delta net in its place", value_of<&Model::linear_layers>, recurrent},
    {"state_elements", schema::number, "that all of them keep of a sequence",
     [](const Model& m) { return Json(m.linear_layers * m.state_elements()); }, recurrent},
    {"index_layers", schema::number, "layers with an indexer of sparse attention", value_of<&Model::index_layers>, indexed},
    {"index_heads", schema::number, "of an indexer", value_of<&Model::index_heads>, indexed},
    {"index_dim", schema::number, "of its key", value_of<&Model::index_dim>, indexed},
    {"index_top_k", schema::number, "keys that it leaves to a query", value_of<&Model::index_top_k>, indexed}};

constexpr Entry<Model> mlp_members[] = {
    {"gated", schema::flag, "", value_of<&Model::gated>},
    {"bias", schema::flag, "of a dense MLP or of the experts", [](const Model& m) { return Json(m.mlp_bias || m.expert_bias); }},
    {"dense_layers", schema::number, "layers without experts", [](const Model& m) { return Json(m.dense_layers()); }},
    {"intermediate", schema::number, "width of theirs", value_of<&Model::intermediate>,
     [](const Model& m) { return m.dense_layers() > 0; }},
    {"moe_layers", schema::number, "layers with experts", value_of<&Model::moe_layers>, sparse},
    {"experts", schema::number, "of a layer", value_of<&Model::experts>, sparse},
    {"top_k", schema::number, "of them, those that a token uses", value_of<&Model::top_k>, sparse},
    {"expert_intermediate", schema::number, "width of one", value_of<&Model::expert_intermediate>, sparse},
    {"shared_intermediate", schema::number, "width of what every token uses", value_of<&Model::shared_intermediate>, sparse},
    {"experts_format", schema::text, "that the model comes with", [](const Model& m) { return Json(experts_format(m)); },
     [](const Model& m) { return sparse(m) && m.published.any(); }}};

constexpr Entry<Model> members[] = {
    {"id", schema::text, "", value_of<&Model::id>},
    {"name", schema::text, "", value_of<&Model::name>},
    {"family", schema::text, "", value_of<&Model::family>},
    {"source", schema::text, "", value_of<&Model::source>},
    {"aliases", schema::texts, "other names", value_of<&Model::aliases>, [](const Model& m) { return !m.aliases.empty(); }},
    {"notes", schema::texts, "", value_of<&Model::notes>, [](const Model& m) { return !m.notes.empty(); }},
    {"published_formats", schema::text, "of its weights where they are not 16 bits, by part; --weights takes it",
     [](const Model& m) { return Json(m.published.text()); }, [](const Model& m) { return m.published.any(); }},
    {"parameters", schema::number, "", [](const Model& m) { return Json(parameters(m).total()); }},
    {"active_parameters", schema::number, "those that a token uses; the embedding table is counted",
     [](const Model& m) { return Json(parameters(m).active()); }},
    {"kv_elements_per_token", schema::number, "of the cache, over all layers",
     [](const Model& m) { return Json(m.attention_layers() * m.kv_elements()); }},
    {"hidden", schema::number, "elements of a token between the layers", value_of<&Model::hidden>},
    {"layers", schema::number, "", value_of<&Model::layers>},
    {"vocab", schema::number, "", value_of<&Model::vocab>},
    {"tied_embeddings", schema::flag, "the head's weights are the embedding's", value_of<&Model::tied>},
    {"norm", R"("enum":["LayerNorm","RMSNorm"])", "", [](const Model& m) { return Json(m.layer_norm ? "LayerNorm" : "RMSNorm"); }},
    {"norms_per_layer", schema::number, "", value_of<&Model::norms>},
    {"parallel", schema::flag, "attention and MLP side by side", value_of<&Model::parallel>},
    {"attention", object_of<attention_members>, "", [](const Model& m) { return json_of(attention_members, m); }},
    {"mlp", object_of<mlp_members>, "", [](const Model& m) { return json_of(mlp_members, m); }}};

}  // namespace

std::string model_json(const Model& model) { return dump(json_of(members, model)); }

ObjectSchema model_schema() { return ObjectSchema().with(members); }

}  // namespace roofline
