// A model as JSON: its members in tables.
#include <roofline/llm/model.hpp>

#include "base/schemas.hpp"

namespace roofline {
namespace {

bool mla(const Model& m) { return m.mla(); }
bool heads_of_keys(const Model& m) { return !m.mla(); }
bool sparse(const Model& m) { return m.experts > 0; }
bool recurrent(const Model& m) { return m.recurrent.layers > 0; }
bool indexed(const Model& m) { return m.index_layers > 0; }
std::string experts_format(const Model& m) { return Formats::id_of(m.published[WeightPart::experts]); }

constexpr Member<Model> attention_members[] = {
    {"kind", R"("enum":["MHA","GQA","MQA","MLA"])", "",
     [](JsonOut& out, const Model& m) {
       out.value(m.mla() ? "MLA" : m.kv_heads == m.heads ? "MHA" : m.kv_heads == 1 ? "MQA" : "GQA");
     }},
    {"heads", schema::number, "of queries", field<&Model::heads>},
    {"q_rank", schema::number, "of compressed queries; null: they are not",
     [](JsonOut& out, const Model& m) { out.value(m.q_rank > 0 ? m.q_rank : unknown); }, mla},
    {"kv_rank", schema::number, "of the latent", field<&Model::kv_rank>, mla},
    {"nope_dim", schema::number, "of a head, without positions", field<&Model::nope_dim>, mla},
    {"rope_dim", schema::number, "of a head, with positions", field<&Model::rope_dim>, mla},
    {"value_dim", schema::number, "of a head", field<&Model::value_dim>, mla},
    {"kv_heads", schema::number, "of keys and values", field<&Model::kv_heads>, heads_of_keys},
    {"head_dim", schema::number, "", field<&Model::head_dim>, heads_of_keys},
    {"rotary_dim", schema::number, "elements of a head with positions", field<&Model::rotary_dim>, heads_of_keys},
    {"qkv_bias", schema::flag, "", field<&Model::qkv_bias>, heads_of_keys},
    {"o_bias", schema::flag, "", field<&Model::o_bias>, heads_of_keys},
    {"qk_norm", schema::flag, "", field<&Model::qk_norm>, heads_of_keys},
    {"sinks", schema::flag, "", field<&Model::sinks>, heads_of_keys},
    {"chunk", schema::number, "tokens that see each other", field<&Model::window>,
     [](const Model& m) { return m.window > 0 && m.chunked; }},
    {"window", schema::number, "tokens that are seen", field<&Model::window>, [](const Model& m) { return m.window > 0 && !m.chunked; }},
    {"windowed_layers", schema::number, "layers with it", field<&Model::windowed_layers>, [](const Model& m) { return m.window > 0; }},
    {"gate", schema::flag, "on its output", field<&Model::query_gate>, recurrent},
    {"recurrent", R"("enum":["gated_delta","mamba2","short_conv"])", "what some layers have in its place or beside it",
     [](JsonOut& out, const Model& m) { out.value(to_string(m.recurrent.kind)); }, recurrent},
    {"linear_layers", schema::number, "those layers", field<&Model::recurrent, &RecurrentLayers::layers>, recurrent},
    {"state_elements", schema::number, "that all of them keep of a sequence",
     [](JsonOut& out, const Model& m) { out.value(m.recurrent.layers * m.recurrent.state_elements()); }, recurrent},
    {"index_layers", schema::number, "layers with an indexer of sparse attention", field<&Model::index_layers>, indexed},
    {"index_heads", schema::number, "of an indexer", field<&Model::index_heads>, indexed},
    {"index_dim", schema::number, "of its key", field<&Model::index_dim>, indexed},
    {"index_top_k", schema::number, "keys that the indexer selects for each query", field<&Model::index_top_k>, indexed}};

constexpr Member<Model> mlp_members[] = {
    {"gated", schema::flag, "", field<&Model::gated>},
    {"bias", schema::flag, "of a dense MLP or of the experts",
     [](JsonOut& out, const Model& m) { out.value(m.mlp_bias || m.expert_bias); }},
    {"dense_layers", schema::number, "layers without experts", field<&Model::dense_layers>},
    {"intermediate", schema::number, "MLP width of layers without experts", field<&Model::intermediate>,
     [](const Model& m) { return m.dense_layers() > 0; }},
    {"moe_layers", schema::number, "layers with experts", field<&Model::moe_layers>, sparse},
    {"experts", schema::number, "of a layer", field<&Model::experts>, sparse},
    {"top_k", schema::number, "of them, those that a token uses", field<&Model::top_k>, sparse},
    {"expert_intermediate", schema::number, "width of one", field<&Model::expert_intermediate>, sparse},
    {"shared_intermediate", schema::number, "width of what every token uses", field<&Model::shared_intermediate>, sparse},
    {"experts_format", schema::text, "that the model comes with", [](JsonOut& out, const Model& m) { out.value(experts_format(m)); },
     [](const Model& m) { return sparse(m) && m.published.any(); }}};

constexpr Member<Model> members[] = {
    {"id", schema::text, "", field<&Model::id>},
    {"name", schema::text, "", field<&Model::name>},
    {"family", schema::text, "", field<&Model::family>},
    {"source", schema::text, "", field<&Model::source>},
    {"aliases", schema::texts, "other names", field<&Model::aliases>, [](const Model& m) { return !m.aliases.empty(); }},
    {"notes", schema::texts, "", field<&Model::notes>, [](const Model& m) { return !m.notes.empty(); }},
    {"published_formats", schema::text, "of its weights where they are not 16 bits, by part; --weights takes it",
     field<&Model::published, &WeightFormats::text>, [](const Model& m) { return m.published.any(); }},
    {"parameters", schema::number, "", [](JsonOut& out, const Model& m) { out.value(parameters(m).total()); }},
    {"active_parameters", schema::number, "those that a token uses; the embedding table is counted",
     [](JsonOut& out, const Model& m) { out.value(parameters(m).active()); }},
    {"kv_elements_per_token", schema::number, "of the cache, over all layers",
     [](JsonOut& out, const Model& m) { out.value(m.cache_elements()); }},
    {"hidden", schema::number, "elements of a token between the layers", field<&Model::hidden>},
    {"layers", schema::number, "", field<&Model::layers>},
    {"vocab", schema::number, "", field<&Model::vocab>},
    {"tied_embeddings", schema::flag, "the head's weights are the embedding's", field<&Model::tied>},
    {"norm", R"("enum":["LayerNorm","RMSNorm"])", "",
     [](JsonOut& out, const Model& m) { out.value(m.layer_norm ? "LayerNorm" : "RMSNorm"); }},
    {"norms_per_layer", schema::number, "", field<&Model::norms>},
    {"parallel", schema::flag, "attention and MLP side by side", field<&Model::parallel>},
    {"attention", object_of<attention_members>, "", [](JsonOut& out, const Model& m) { write_object<attention_members>(out, m); }},
    {"mlp", object_of<mlp_members>, "", [](JsonOut& out, const Model& m) { write_object<mlp_members>(out, m); }}};

}  // namespace

std::string model_json(const Model& model) { return object_text<members>(model); }

ObjectSchema model_schema() { return ObjectSchema().with(members); }

}  // namespace roofline
