// Models from config.json and the headers of safetensors files.
#include <algorithm>
#include <roofline/llm/checkpoint.hpp>
#include <roofline/llm/model.hpp>

#include "json.hpp"
#include "llm/checkpoint/tensor_parts.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

using Json = nlohmann::ordered_json;

/// A file's header by the format's description, and the bytes of its data.
struct File {
  std::string header;
  std::uint64_t size = 0;
};

class Tensors {
 public:
  Tensors& add(const std::string& name, const char* type, const std::vector<std::uint64_t>& shape, std::uint64_t bytes_per_element) {
    std::uint64_t bytes = bytes_per_element;
    for (const std::uint64_t n : shape) bytes *= n;
    json_[name] = {{"dtype", type}, {"shape", shape}, {"data_offsets", {at_, at_ + bytes}}};
    at_ += bytes;
    return *this;
  }
  [[nodiscard]] File file() const {
    const std::string text = json_.dump();
    std::string header;
    for (int i = 0; i < 8; ++i) header += static_cast<char>(text.size() >> (8 * i));
    header += text;
    return {header, header.size() + at_};
  }
  [[nodiscard]] std::uint64_t bytes() const { return at_; }

 private:
  Json json_ = Json::object();
  std::uint64_t at_ = 0;
};

// Hidden 256, 2 layers, 4 query heads, 2 key-value heads of 64, MLP 512, 1,024 tokens.
const std::string config = R"({"model_type": "llama", "hidden_size": 256, "num_hidden_layers": 2, "num_attention_heads": 4,
  "num_key_value_heads": 2, "intermediate_size": 512, "vocab_size": 1024, "tie_word_embeddings": false, "_name_or_path": "x/tiny")";

Tensors llama(const char* type, std::uint64_t bytes) {
  Tensors t;
  t.add("model.embed_tokens.weight", "BF16", {1024, 256}, 2).add("lm_head.weight", "BF16", {1024, 256}, 2);
  for (int layer = 0; layer < 2; ++layer) {
    const std::string at = "model.layers." + std::to_string(layer) + '.';
    t.add(at + "input_layernorm.weight", "BF16", {256}, 2).add(at + "post_attention_layernorm.weight", "BF16", {256}, 2);
    t.add(at + "self_attn.q_proj.weight", type, {256, 256}, bytes).add(at + "self_attn.o_proj.weight", type, {256, 256}, bytes);
    for (const char* name : {"self_attn.k_proj.weight", "self_attn.v_proj.weight"}) t.add(at + name, type, {128, 256}, bytes);
    for (const char* name : {"mlp.gate_proj.weight", "mlp.up_proj.weight"}) t.add(at + name, type, {512, 256}, bytes);
    t.add(at + "mlp.down_proj.weight", type, {256, 512}, bytes);
  }
  t.add("model.norm.weight", "BF16", {256}, 2);
  return t;
}

Model model_of(const std::string& json, const std::vector<Tensors>& parts, const std::string& index = "") {
  std::vector<File> files;
  for (const Tensors& part : parts) files.push_back(part.file());
  std::vector<CheckpointFile> given;
  for (const File& file : files) given.push_back({"model.safetensors", file.header, file.size});
  const Result<std::string> document = checkpoint_model(json, index, given);
  INFO((document ? "" : document.error().text()));
  REQUIRE(document);
  const Result<Model> model = parse_model(*document);
  INFO((model ? "" : model.error().text()));
  REQUIRE(model);
  return *model;
}

double weight_bytes(const Model& m) {
  const Parameters p = parameters(m);
  double bytes = p.expert_biases * m.published.bytes(WeightPart::norms);
  for (std::size_t i = 0; i < weight_parts; ++i)
    if (p.by_part[i] > 0) bytes += p.by_part[i] * m.published.bytes(static_cast<WeightPart>(i));
  return bytes;
}
bool notes(const Model& model, std::string_view words) {
  return std::any_of(model.notes.begin(), model.notes.end(),
                     [&](const std::string& note) { return note.find(words) != std::string::npos; });
}
std::string format_of(const Model& m, WeightPart part) { return Formats::catalogue()[m.published[part]].id; }

}  // namespace

TEST_CASE("checkpoint: bytes are the headers', sizes the config's", "[llm]") {
  const Tensors plain = llama("BF16", 2);
  const Model m = model_of(config + "}", {plain});
  CHECK(m.id == "tiny");
  CHECK(format_of(m, WeightPart::q) == "bf16");
  CHECK(weight_bytes(m) == static_cast<double>(plain.bytes()));
  CHECK(!notes(m, "parameters, the config"));
  CHECK(notes(m, "The files hold"));
}

TEST_CASE("checkpoint: a stored head counts, although the config ties it to the embedding", "[llm]") {
  std::string tied = config;
  tied.replace(tied.find("false"), 5, "true");
  const Tensors t = llama("BF16", 2);
  const Model m = model_of(tied + "}", {t});
  CHECK(weight_bytes(m) == static_cast<double>(t.bytes()));
  CHECK(notes(m, "The files store a head, although the config ties it"));
}

TEST_CASE("checkpoint: an adapter says what it is, and beside a model's tensors it is not counted", "[llm]") {
  const auto error = [](const Tensors& t) {
    const File file = t.file();
    const CheckpointFile given{"adapter_model.safetensors", file.header, file.size};
    return checkpoint_model(config + "}", "", {&given, 1}).error().message;
  };
  const std::string at = "model.layers.0.self_attn.q_proj.";
  // PEFT, which may keep whole modules, too; MLX.
  Tensors peft, mlx, both = llama("BF16", 2);
  peft.add("base_model.model." + at + "lora_A.weight", "F32", {8, 256}, 4).add("base_model.model.lm_head.weight", "F32", {1024, 256}, 4);
  mlx.add(at + "lora_a", "F32", {256, 8}, 4);
  CHECK(error(peft) == "this is an adapter (LoRA): open the model that it was trained for");
  CHECK(error(mlx) == "this is an adapter (LoRA): open the model that it was trained for");
  const auto own = static_cast<double>(both.bytes());
  const Model m = model_of(config + "}", {both.add(at + "lora_A.speech.weight", "BF16", {8, 256}, 2)});
  CHECK(weight_bytes(m) == own);
  CHECK(notes(m, "Adapters (LoRA), 4.1 kB, are not counted"));
}

TEST_CASE("checkpoint: FP8 in blocks takes its scales", "[llm]") {
  Tensors t = llama("F8_E4M3", 1);
  t.add("model.layers.0.self_attn.q_proj.weight_scale_inv", "F32", {2, 2}, 4);
  const Model m = model_of(config + R"(, "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]}})", {t});
  CHECK(format_of(m, WeightPart::q) == "fp8_e4m3");
  CHECK(m.published.bytes(WeightPart::q) == (2 * 65536 + 16) / (2 * 65536.0));
  CHECK(format_of(m, WeightPart::embedding) == "bf16");
  CHECK(weight_bytes(m) == static_cast<double>(t.bytes()));
}

TEST_CASE("checkpoint: packed integers count by their bytes, in the format of the config", "[llm]") {
  Tensors t;
  t.add("model.embed_tokens.weight", "F16", {1024, 256}, 2).add("lm_head.weight", "F16", {1024, 256}, 2);
  t.add("model.norm.weight", "F16", {1280}, 2);  // all norms
  for (const char* name :
       {"self_attn.q_proj", "self_attn.o_proj", "self_attn.k_proj", "self_attn.v_proj", "mlp.gate_proj", "mlp.up_proj", "mlp.down_proj"}) {
    const std::uint64_t out = std::string_view(name).ends_with("k_proj") || std::string_view(name).ends_with("v_proj") ? 128
                              : std::string_view(name).starts_with("mlp")                                              ? 512
                                                                                                                       : 256;
    for (int layer = 0; layer < 2; ++layer) {
      const std::string at = "model.layers." + std::to_string(layer) + '.' + name;
      t.add(at + ".qweight", "I32", {256, out / 8}, 4).add(at + ".scales", "F16", {2, out}, 2).add(at + ".qzeros", "I32", {2, out / 8}, 4);
    }
  }
  const Model m =
      model_of(config + R"(, "quantization_config": {"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": true}})", {t});
  CHECK(format_of(m, WeightPart::q) == "int4_g128_zp");
  CHECK_THAT(m.published.bytes(WeightPart::q) * 8, WithinRel(4.15625, 1e-12));  // 4 bits, a scale of 16 and a zero point of 4 per 128
  CHECK_THAT(weight_bytes(m), WithinRel(static_cast<double>(t.bytes()), 1e-12));
}

TEST_CASE("checkpoint: several files, and what is not the language model's", "[llm]") {
  Tensors more;
  more.add("visual.blocks.0.attn.qkv.weight", "BF16", {64, 64}, 2).add("mtp.fc.weight", "BF16", {256, 512}, 2);
  more.add("model.layers.2.self_attn.q_proj.weight", "BF16", {256, 256}, 2).add("model.layers.0.mystery.weight", "BF16", {4}, 2);
  const Tensors first = llama("BF16", 2);
  const Model m =
      model_of(config + "}", {first, more}, R"({"metadata": {"total_parameters": 2000000}, "weight_map": {"x": "model.safetensors"}})");
  CHECK(weight_bytes(m) == static_cast<double>(first.bytes()));
  CHECK(notes(m, "predict further tokens (MTP), 393 kB"));
  CHECK(notes(m, "Vision and audio parts, 8.19 kB"));
  CHECK(notes(m, "such as model.layers.0.mystery.weight"));
  CHECK(notes(m, "The index states 2,000,000 parameters"));
}

TEST_CASE("checkpoint: sizes that disagree are said", "[llm]") {
  std::string other = config + "}";
  other.replace(other.find("\"vocab_size\": 1024"), 18, "\"vocab_size\": 1000");
  CHECK(notes(model_of(other, {llama("BF16", 2)}), "parameters, the config"));
}

TEST_CASE("checkpoint: tensors of GPT-2, Phi, Falcon, GPT-NeoX and hybrids are known by their names", "[llm]") {
  const auto part = [](std::string_view name) {
    const CheckpointName found = checkpoint_name(name);
    INFO(name);
    REQUIRE(found.kind == CheckpointName::Kind::known);
    return found.parts;
  };
  using enum WeightPart;
  const std::vector<WeightPart> fused{q, k, v};
  CHECK(part("transformer.h.3.attn.c_attn.weight") == fused);
  CHECK(part("h.3.attn.c_proj.weight") == std::vector{o});
  CHECK(part("h.3.mlp.c_fc.weight") == std::vector{up});
  CHECK(part("h.3.mlp.c_proj.bias") == std::vector{down});
  CHECK(part("wpe.weight") == std::vector{embedding});
  CHECK(part("model.layers.3.self_attn.dense.weight") == std::vector{o});
  CHECK(part("model.layers.3.mlp.fc2.weight") == std::vector{down});
  CHECK(part("model.final_layernorm.weight") == std::vector{norms});
  CHECK(part("transformer.word_embeddings.weight") == std::vector{embedding});
  CHECK(part("transformer.word_embeddings_layernorm.weight") == std::vector{norms});
  CHECK(part("transformer.h.3.self_attention.query_key_value.weight") == fused);
  CHECK(part("transformer.h.3.self_attention.dense.weight") == std::vector{o});
  CHECK(part("transformer.h.3.mlp.dense_4h_to_h.weight") == std::vector{down});
  CHECK(part("gpt_neox.embed_in.weight") == std::vector{embedding});
  CHECK(part("embed_out.weight") == std::vector{head});
  CHECK(part("gpt_neox.layers.3.attention.dense.weight") == std::vector{o});
  CHECK(part("transformer.blocks.3.attn.Wqkv.weight") == fused);
  CHECK(checkpoint_name("gpt_neox.layers.3.attention.dense.weight").layer == 3);
  for (const char* name : {"h.3.attn.bias", "transformer.h.3.attn.masked_bias", "gpt_neox.layers.3.attention.rotary_emb.inv_freq"})
    CHECK(checkpoint_name(name).kind == CheckpointName::Kind::computed);
  CHECK(part("h.3.attn.c_attn.bias") == fused);
  // Nemotron-H and Mamba-2, Granite 4 H, LFM2.
  CHECK(part("backbone.embeddings.weight") == std::vector{embedding});
  CHECK(part("backbone.layers.3.mixer.in_proj.weight") == std::vector{linear});
  CHECK(part("backbone.layers.3.mixer.out_proj.weight") == std::vector{linear});
  CHECK(part("backbone.layers.3.mixer.D") == std::vector{norms});
  CHECK(part("backbone.layers.3.mixer.o_proj.weight") == std::vector{o});
  CHECK(part("model.layers.3.mamba.out_proj.weight") == std::vector{linear});
  CHECK(part("model.layers.3.block_sparse_moe.input_linear.weight") == std::vector{experts});
  CHECK(part("model.layers.3.block_sparse_moe.router.layer.weight") == std::vector{router});
  CHECK(part("model.layers.3.shared_mlp.input_linear.weight") == std::vector{shared_experts});
  CHECK(part("model.layers.3.conv.conv.weight") == std::vector{norms});
  CHECK(part("model.layers.3.conv.out_proj.weight") == std::vector{linear});
  CHECK(part("model.layers.3.self_attn.out_proj.weight") == std::vector{o});
  CHECK(part("model.layers.3.feed_forward.w2.weight") == std::vector{down});
}

TEST_CASE("checkpoint: experts, their biases and fused gates", "[llm]") {
  const std::string moe = R"({"model_type": "gpt_oss", "hidden_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2,
    "num_key_value_heads": 1, "head_dim": 32, "intermediate_size": 64, "vocab_size": 128, "num_local_experts": 4, "num_experts_per_tok": 2,
    "quantization_config": {"quant_method": "mxfp4"}})";
  Tensors t;
  t.add("model.embed_tokens.weight", "BF16", {128, 64}, 2).add("lm_head.weight", "BF16", {128, 64}, 2);
  t.add("model.layers.0.mlp.experts.gate_up_proj_blocks", "U8", {4, 128, 2, 16}, 1);
  t.add("model.layers.0.mlp.experts.gate_up_proj_scales", "U8", {4, 128, 2}, 1);
  t.add("model.layers.0.mlp.experts.down_proj_blocks", "U8", {4, 64, 2, 16}, 1);
  t.add("model.layers.0.mlp.experts.down_proj_scales", "U8", {4, 64, 2}, 1);
  t.add("model.layers.0.mlp.experts.gate_up_proj_bias", "BF16", {4, 128}, 2).add("model.layers.0.mlp.router.weight", "BF16", {4, 64}, 2);
  const Model m = model_of(moe, {t});
  CHECK(format_of(m, WeightPart::experts) == "mxfp4");
  CHECK(m.published.bytes(WeightPart::experts) == 4.25 / 8);
}

TEST_CASE("checkpoint: MLX's experts", "[llm]") {
  const std::string moe = R"({"model_type": "qwen3_moe", "hidden_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2,
    "num_key_value_heads": 1, "head_dim": 32, "intermediate_size": 64, "moe_intermediate_size": 64, "vocab_size": 128, "num_experts": 4, "num_experts_per_tok": 2})";
  Tensors t;
  t.add("model.embed_tokens.weight", "BF16", {128, 64}, 2);
  for (const std::string name : {"gate_proj", "up_proj", "down_proj"}) {
    const std::string at = "model.layers.0.mlp.switch_mlp." + name;
    t.add(at + ".weight", "U32", {4, 64, 8}, 4).add(at + ".scales", "BF16", {4, 64, 1}, 2).add(at + ".biases", "BF16", {4, 64, 1}, 2);
  }
  t.add("model.layers.0.mlp.gate_proj.weight", "BF16", {64, 64}, 2);
  const Model m = model_of(moe, {t});
  CHECK(8 * m.published.bytes(WeightPart::experts) == 4.5);
  CHECK(notes(m, "Not counted: 8.19 kB of gate tensors"));
  CHECK(notes(m, "The files lack the q tensors (4,096 parameters by the config)"));
}

TEST_CASE("checkpoint: formats are the tensors', whatever the config says", "[llm]") {
  const Tensors t = llama("I8", 1);
  const Model m = model_of(config + R"(, "quantization_config": {"quant_method": "other", "ignore": ["re:(?!x).*"]}})", {t});
  CHECK(weight_bytes(m) == static_cast<double>(t.bytes()));
  CHECK(!notes(m, "quantization_config"));
}

TEST_CASE("checkpoint: one of several files is not the model", "[llm]") {
  CHECK(checkpoint_index_name("model-00001-of-00002.safetensors") == "model.safetensors.index.json");
  for (const char* whole : {"model.safetensors", "model-00001-of-00001.safetensors", "-of-2.safetensors", "a-of-b.safetensors", ""})
    CHECK(checkpoint_index_name(whole).empty());
  const File first = llama("BF16", 2).file();
  const std::vector<CheckpointFile> files = {{"model-00001-of-00002.safetensors", first.header, first.size},
                                             {"model-00002-of-00002.safetensors", first.header, first.size}};
  CHECK(checkpoint_model(config + "}", "", {files.data(), 1}).error().message ==
        "model-00001-of-00002.safetensors is one of 2 files: open all of them together, with their index");
  CHECK(checkpoint_model(config + "}", "", files).has_value());
}

TEST_CASE("checkpoint: an index names its files, and malformed files are refused", "[llm]") {
  const auto files =
      checkpoint_files(R"({"weight_map": {"a": "model-1.safetensors", "b": "model-2.safetensors", "c": "model-1.safetensors"}})");
  REQUIRE(files);
  CHECK(*files == std::vector<std::string>{"model-1.safetensors", "model-2.safetensors"});
  CHECK(checkpoint_files(R"({"weight_map": {"a": "../secret"}})").error().path == "weight_map.a");
  CHECK(checkpoint_files("{}").error().path == "weight_map");
  CHECK(!checkpoint_files("[").has_value());
  const CheckpointFile cut{"model.safetensors", "\x08", 1};
  CHECK(checkpoint_model(config + "}", "", {&cut, 1}).error().message ==
        "model.safetensors: expected a safetensors file with its whole header");
  const File strange = Tensors().add("x", "BF16", {4}, 2).file();
  const CheckpointFile file{"model.safetensors", strange.header, strange.size};
  CHECK(checkpoint_model(config + "}", "", {&file, 1}).error().message.find("no tensor belongs to a language model") == 0);
  CHECK(!checkpoint_model("{}", "", {&file, 1}).has_value());
  CHECK(checkpoint_model(config + "}", R"({"weight_map": {"x": "model-2.safetensors"}})", {&file, 1}).error().message ==
        "model-2.safetensors is missing: the index names 1 files, open all of them together");
}
