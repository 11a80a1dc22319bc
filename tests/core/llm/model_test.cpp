#include <algorithm>
#include <cmath>
#include <roofline/base/names.hpp>
#include <roofline/llm/model.hpp>
#include <roofline/llm/quality_table.hpp>
#include <roofline/llm/request.hpp>
#include <roofline/machine/format.hpp>
#include <roofline/machine/presets.hpp>

#include "json.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

const Model& preset(std::string_view id) {
  const Model* model = Models::presets().find(id);
  INFO(id);
  REQUIRE(model);
  return *model;
}

}  // namespace

TEST_CASE("every model file is read", "[model]") {
  REQUIRE(Models::presets().all().size() == preset_files("models").size());
  for (const PresetFile& file : preset_files("models")) {
    INFO(file.name);
    const Result<Model> model = parse_model(file.text);
    INFO((model ? std::string() : model.error().text()));
    REQUIRE(model);
    CHECK(model->id == file.name);
    CHECK(!model->source.empty());
  }
}

// Billions, of tables computed from the same sizes without norms (hence the tolerance), and equal to the published counts.
TEST_CASE("parameter counts", "[model]") {
  struct Row {
    const char* id;
    double billions;
  };
  constexpr Row rows[] = {
      {"llama-2-7b", 6.738},      {"llama-2-13b", 13.015},       {"llama-2-70b", 68.975},      {"llama-3-8b", 8.030},
      {"llama-3.1-70b", 70.552},  {"llama-3.1-405b", 405.849},   {"llama-3.2-1b", 1.236},      {"llama-3.2-3b", 3.213},
      {"mistral-7b-v0.1", 7.241}, {"mistral-nemo-12b", 12.247},  {"qwen2.5-0.5b", 0.494},      {"qwen2.5-1.5b", 1.544},
      {"qwen2.5-3b", 3.086},      {"qwen2.5-7b", 7.615},         {"qwen2.5-14b", 14.770},      {"qwen2.5-32b", 32.763},
      {"qwen2.5-72b", 72.705},    {"qwen3-0.6b", 0.596},         {"qwen3-1.7b", 1.720},        {"qwen3-4b", 4.022},
      {"qwen3-8b", 8.190},        {"qwen3-14b", 14.768},         {"qwen3-32b", 32.761},        {"gemma-2-2b", 2.614},
      {"gemma-2-9b", 9.241},      {"gemma-2-27b", 27.226},       {"gemma-3-1b", 1.000},        {"gemma-3-4b", 3.880},
      {"gemma-3-12b", 11.765},    {"gemma-3-27b", 27.008},       {"phi-3-mini", 3.821},        {"phi-3-medium", 13.960},
      {"phi-4", 14.659},          {"phi-4-mini", 3.836},         {"opt-6.7b", 6.650},          {"opt-13b", 12.842},
      {"opt-30b", 29.958},        {"opt-66b", 65.698},           {"gpt-3-175b", 174.574},      {"gpt-j-6b", 6.051},
      {"falcon-7b", 7.217},       {"falcon-40b", 41.834},        {"falcon-180b", 179.518},     {"mixtral-8x7b", 46.703},
      {"mixtral-8x22b", 140.620}, {"qwen3-30b-a3b", 30.532},     {"qwen3-235b-a22b", 235.093}, {"qwen3-coder-480b-a35b", 480.154},
      {"llama-4-scout", 107.769}, {"llama-4-maverick", 400.711}, {"glm-4.5", 352.797},         {"glm-4.5-air", 106.852},
      {"gpt-oss-20b", 20.915},    {"gpt-oss-120b", 116.829},     {"deepseek-v2", 235.741},     {"deepseek-v2-lite", 15.706},
      {"deepseek-v3", 671.025},   {"kimi-k2", 1026.407},         {"phi-3-small", 7.39227},
  };
  for (const Row& row : rows) {
    INFO(row.id);
    CHECK_THAT(parameters(preset(row.id)).total() / 1e9, WithinRel(row.billions, 0.0015));
  }
}

// Counts of the tensors in the published files, to the last parameter: the Hub's totals as in github.com/debaditc/kvfit, commit bd4ccab,
// and the models' own pages; GPT-J's is Transformers' count (its card has 6,053,381,344). phi-3-small: two bytes each are the
// 14.78 GB of its files.
TEST_CASE("published parameter counts, exactly", "[model]") {
  CHECK(parameters(preset("llama-2-7b")).total() == 6738415616);
  CHECK(parameters(preset("llama-3-8b")).total() == 8030261248);
  CHECK(parameters(preset("llama-3.1-70b")).total() == 70553706496);
  CHECK(parameters(preset("mistral-7b")).total() == 7241732096);
  CHECK(parameters(preset("qwen2.5-0.5b")).total() == 494032768);
  CHECK(parameters(preset("qwen2.5-7b")).total() == 7615616512);
  CHECK(parameters(preset("qwen3-8b")).total() == 8190735360);
  CHECK(parameters(preset("gemma-2-2b")).total() == 2614341888);
  CHECK(parameters(preset("gemma-2-9b")).total() == 9241705984);
  CHECK(parameters(preset("gemma-7b")).total() == 8537680896);
  CHECK(parameters(preset("phi-2")).total() == 2779683840);
  CHECK(parameters(preset("gpt-2")).total() == 124439808);
  CHECK(parameters(preset("gpt-j-6b")).total() == 6050882784);
  CHECK(parameters(preset("opt-6.7b")).total() == 6658473984);
  CHECK(parameters(preset("falcon-7b")).total() == 7217189760);
  CHECK(parameters(preset("mixtral-8x7b")).total() == 46702792704);
  CHECK(parameters(preset("qwen3-30b-a3b")).total() == 30532122624);
  CHECK(parameters(preset("llama-3-70b")).total() == 70553706496);
  CHECK(parameters(preset("mistral-nemo-12b")).total() == 12247782400);
  CHECK(parameters(preset("phi-3-mini")).total() == 3821079552);
  CHECK(parameters(preset("phi-3-small")).total() == 7392272384);
  CHECK(parameters(preset("phi-4")).total() == 14659507200);
  CHECK(parameters(preset("phi-4-mini")).total() == 3836021760);
  CHECK(parameters(preset("gpt-oss-20b")).total() == 20914757184);
  CHECK(parameters(preset("gpt-oss-120b")).total() == 116829156672);
}

// modeling_phi3_small.py of microsoft/Phi-3-small-8k-instruct: nn.LayerNorm, nn.Linear with biases, _tied_weights_keys.
TEST_CASE("phi-3-small has LayerNorm, biases and tied embeddings", "[model]") {
  const Model& m = preset("phi-3-small");
  CHECK(m.tied);
  CHECK(m.layer_norm);
  CHECK(m.gated);
  CHECK(m.qkv_bias);
  CHECK(m.o_bias);
  CHECK(m.mlp_bias);
  // Its config.json as it is: without tie_word_embeddings, and the MLP's width under another key.
  const Result<Model> raw = parse_model(R"({"model_type": "phi3small", "architectures": ["Phi3SmallForCausalLM"], "hidden_size": 4096,
    "ff_intermediate_size": 14336, "ff_dim_multiplier": null, "num_attention_heads": 32, "num_key_value_heads": 8,
    "num_hidden_layers": 32, "vocab_size": 100352, "max_position_embeddings": 8192, "attention_bias": false})");
  REQUIRE(raw);
  CHECK(parameters(*raw).total() == 7392272384);
}

TEST_CASE("every preset has a trained context, or a note that says why not", "[model]") {
  for (const Model& m : Models::presets().all()) {
    INFO(m.id);
    const bool explained =
        std::any_of(m.notes.begin(), m.notes.end(), [](const std::string& note) { return note.find("No trained context") == 0; });
    CHECK(known(m.trained_context) != explained);
  }
}

// max_position_embeddings of the files that each preset names as its source.
TEST_CASE("trained contexts and windows are the published ones", "[model]") {
  struct Row {
    const char* id;
    double context, window;
  };
  constexpr Row rows[] = {{"phi-3-mini", 4096, 2047},      {"phi-3-medium", 4096, 2047}, {"phi-3-small", 8192, 0},
                          {"mistral-nemo-12b", 131072, 0}, {"llama-3-70b", 8192, 0},     {"llama-3.1-70b", 131072, 0},
                          {"llama-3-8b", 8192, 0},         {"llama-7b", 2048, 0},        {"llama-13b", 2048, 0},
                          {"llama-2-7b", 4096, 0},         {"qwen2.5-7b", 131072, 0},    {"qwen2.5-1.5b", 32768, 0}};
  for (const Row& row : rows) {
    INFO(row.id);
    CHECK(preset(row.id).trained_context == row.context);
    CHECK(preset(row.id).window == row.window);
  }
  CHECK(preset("Llama-3-70B").id == "llama-3-70b");
  CHECK(preset("llama-3.3-70b").id == "llama-3.1-70b");
  CHECK(preset("llama-7b").id == "llama-7b");
}

TEST_CASE("a note of a preset states both contexts where the base and the Instruct model differ", "[model]") {
  const auto noted = [](const char* id, const char* text) {
    INFO(id);
    const std::vector<std::string>& notes = preset(id).notes;
    CHECK(std::any_of(notes.begin(), notes.end(), [text](const std::string& note) { return note.find(text) != std::string::npos; }));
  };
  for (const char* id : {"qwen2-7b", "qwen2-72b", "qwen2.5-7b", "qwen2.5-14b", "qwen2.5-32b", "qwen2.5-72b"})
    noted(id, "Instruct states 32,768 tokens");
  // Qwen3 Technical Report, arXiv 2505.09388: the base models are trained with up to 32,768 tokens; the post-trained ones state 40,960.
  for (const char* id : {"qwen3-0.6b", "qwen3-1.7b", "qwen3-4b", "qwen3-8b", "qwen3-14b", "qwen3-30b-a3b"})
    noted(id, "base model was trained with contexts of 32,768 tokens");
  noted("llama-4-scout", "trained the model with contexts of 256K tokens");  // Meta's announcement; the Instruct model states 10,485,760
}

// The model card, arXiv 2508.10925, table 1, does not count the embedding table among the active parameters.
TEST_CASE("active parameters count the embedding table", "[model]") {
  const auto without_table = [](const Model& m) { return parameters(m).active() - m.vocab * m.hidden; };
  CHECK_THAT(without_table(preset("gpt-oss-120b")), WithinRel(5.13e9, 0.001));
  CHECK_THAT(without_table(preset("gpt-oss-20b")), WithinRel(3.61e9, 0.001));
  CHECK(model_json(preset("gpt-oss-20b")).find(R"("bias": true)") != std::string::npos);
}

TEST_CASE("active parameters", "[model]") {
  const auto active = [](std::string_view id) { return parameters(preset(id)).active() / 1e9; };
  CHECK_THAT(active("mixtral-8x7b"), WithinRel(12.880, 0.0005));
  CHECK_THAT(active("mixtral-8x22b"), WithinRel(39.151, 0.0005));
  CHECK_THAT(active("qwen3-30b-a3b"), WithinRel(3.353, 0.0005));
  CHECK_THAT(active("qwen3-235b-a22b"), WithinRel(22.190, 0.0005));
  CHECK_THAT(active("llama-4-scout"), WithinRel(17.172, 0.0005));
  CHECK_THAT(active("llama-4-maverick"), WithinRel(17.184, 0.0005));
  CHECK_THAT(active("glm-4.5"), WithinRel(33.631, 0.0005));
  CHECK_THAT(active("glm-4.5-air"), WithinRel(13.424, 0.0005));
  CHECK_THAT(active("gpt-oss-20b"), WithinRel(4.187, 0.0005));
  CHECK_THAT(active("gpt-oss-120b"), WithinRel(5.712, 0.0005));
  CHECK_THAT(active("deepseek-v2"), WithinRel(21.375, 0.0005));
  CHECK_THAT(active("deepseek-v2-lite"), WithinRel(2.661, 0.0005));
  CHECK_THAT(active("deepseek-v3"), WithinRel(37.551, 0.0005));
  CHECK_THAT(active("kimi-k2"), WithinRel(32.860, 0.0005));
  CHECK(active("llama-3-8b") == parameters(preset("llama-3-8b")).total() / 1e9);
}

TEST_CASE("key-value cache bytes per token at two bytes", "[model]") {
  const auto bytes = [](std::string_view id) { return 2 * preset(id).layers * preset(id).kv_elements(); };
  CHECK(bytes("deepseek-v3") == 70272);  // "Insights into DeepSeek-V3", table 1: 70.272, 327.680 and 516.096 KB
  CHECK(bytes("qwen2.5-72b") == 327680);
  CHECK(bytes("llama-3.1-405b") == 516096);
  CHECK(bytes("llama-2-7b") == 524288);
  CHECK(bytes("llama-3-8b") == 131072);
  CHECK(bytes("falcon-7b") == 8192);
  CHECK(bytes("gemma-2-27b") == 376832);
  CHECK(bytes("gemma-3-27b") == 507904);
  CHECK(bytes("llama-4-scout") == 196608);
  CHECK(bytes("gpt-oss-120b") == 73728);
  CHECK(bytes("deepseek-v2") == 69120);
  CHECK(bytes("deepseek-v2-lite") == 31104);
  CHECK(bytes("kimi-k2") == 70272);
}

TEST_CASE("where only some layers have an indexer, the first of each group has it", "[model]") {
  Model m;
  m.layers = 7;
  m.index_layers = 3;
  m.windowed_layers = 4;
  std::vector<int> indexers, windows;
  for (int layer = 0; layer < 7; ++layer) {
    if (m.has_indexer(layer)) indexers.push_back(layer);
    if (m.has_window(layer)) windows.push_back(layer);
    CHECK(m.has_attention(layer));
  }
  CHECK(indexers == std::vector<int>{0, 2, 4});  // the others take the keys of the layer before: there is one
  CHECK(windows == std::vector<int>{0, 1, 3, 5});
}

TEST_CASE("layers with windows", "[model]") {
  CHECK(preset("gemma-2-9b").windowed_layers == 21);
  CHECK(preset("gemma-3-27b").windowed_layers == 52);  // 5 local to 1 global, 62 layers
  CHECK(preset("gpt-oss-20b").windowed_layers == 12);
  CHECK(preset("llama-4-maverick").windowed_layers == 36);
  CHECK(preset("llama-4-maverick").chunked);
  CHECK(preset("llama-4-maverick").moe_layers == 24);
  CHECK(preset("llama-4-scout").moe_layers == 48);
  CHECK(preset("mistral-7b").windowed_layers == 32);
  CHECK(preset("qwen2.5-7b").window == 0);
  CHECK(preset("deepseek-v3").moe_layers == 58);
}

TEST_CASE("models are found by id, name and alias", "[model]") {
  for (const char* seed :
       {"mistral-7b", "llama2-7b", "llama2-13b", "llama2-70b", "llama3-8b", "llama3-70b", "phi2", "gemma-7b", "qwen2-7b"})
    preset(seed);
  CHECK(preset("DeepSeek R1").id == "deepseek-v3");
  CHECK(preset("meta-llama/Llama-3.1-8B").id == "llama-3.1-8b");
  CHECK(Models::presets().find("nosuch") == nullptr);
  CHECK(Models::presets().near("llama-3-8c").front() == "llama-3-8b");
}

// The names of the tables of the GGUF Tool Suite. gemma-4-31B-it is left out: its operators are not modelled (docs/guide/llm.md).
TEST_CASE("every model with measured divergences opens by its name, with them", "[model]") {
  const auto table = nlohmann::ordered_json::parse(gguf_quality_preset());
  CHECK(table["measured"].size() == 17);
  for (const auto& [name, values] : table["measured"].items()) {
    INFO(name);
    const Result<LlmRequest> request = parse_llm_request(R"({"model": ")" + name + "\"}");
    REQUIRE(request);
    CHECK(QualityTable::preset().measured.count(normalised(request->setup.model.id)) == 1);
  }
}

TEST_CASE("names of models that were trained further open the same architecture, and no other", "[model]") {
  constexpr std::pair<const char*, const char*> same[] = {{"llama-3.1-8b-instruct", "llama-3.1-8b"},
                                                          {"meta-llama/Llama-2-7b-chat-hf", "llama-2-7b"},
                                                          {"google/gemma-3-27b-it", "gemma-3-27b"},
                                                          {"mistralai/Mistral-7B-Instruct-v0.3", "mistral-7b-v0.3"},
                                                          {"Qwen/Qwen3-Coder-480B-A35B-Instruct", "qwen3-coder-480b-a35b"},
                                                          {"Qwen3-Coder-30B-A3B-Instruct", "qwen3-30b-a3b-2507"},
                                                          {"Qwen3-30B-A3B-Thinking-2507", "qwen3-30b-a3b-2507"},
                                                          {"Qwen3-235B-A22B-Instruct-2507", "qwen3-235b-a22b-2507"},
                                                          {"Qwen3-Next-80B-A3B-Thinking", "qwen3-next-80b-a3b"},
                                                          {"deepseek-ai/DeepSeek-R1-0528", "deepseek-v3"},
                                                          {"DeepSeek-V3-Base", "deepseek-v3"},
                                                          {"Kimi-K2-Instruct", "kimi-k2"},
                                                          {"Kimi-K2-Instruct-0905", "kimi-k2-0905"},
                                                          {"Kimi-K2-Thinking", "kimi-k2.5"},
                                                          {"GLM-4.6", "glm-4.7"}};
  for (const auto& [name, id] : same) {
    INFO(name);
    CHECK(preset(name).id == id);
  }
  // Without a window, with longer contexts, with other layers, distilled into another model.
  for (const char* other :
       {"Mistral-7B-Instruct-v0.2", "Qwen2.5-7B-Instruct-1M", "Phi-3-mini-128k-instruct", "gemma-3n-E4B-it", "DeepSeek-R1-Distill-Qwen-7B",
        "Llama-3.2-11B-Vision-Instruct", "gemma-4-31B-it", "instruct", "Llama-3.1-8B-Instruct-FP8"}) {
    INFO(other);
    CHECK(Models::presets().find(other) == nullptr);
  }
  // The longer contexts of later versions, and the name as it was asked for: measurements of the one are not the other's.
  CHECK(preset("Qwen3-VL-235B-A22B-Instruct").trained_context == 262144);
  CHECK(preset("GLM-4.6").trained_context == 202752);
  CHECK(parse_llm_request(R"({"model": "Qwen/Qwen3-4B-Thinking-2507"})")->setup.model.id == "Qwen3-4B-Thinking-2507");
  CHECK_THAT(parameters(preset("qwen3.5-122b-a10b")).total() / 1e9, WithinRel(122, 0.005));  // "122B in total and 10B activated"
  CHECK_THAT(parameters(preset("qwen3.5-122b-a10b")).active() / 1e9, WithinRel(10, 0.03));
}

TEST_CASE("language parts of multimodal models are read as their family", "[model]") {
  // Qwen3-VL-235B-A22B: the norms of queries and keys are 94 x 2 x 128 parameters.
  const Result<Model> vl = parse_model(R"({"model_type": "qwen3_vl_moe", "tie_word_embeddings": false, "text_config": {
    "model_type": "qwen3_vl_moe_text", "hidden_size": 4096, "num_hidden_layers": 94, "num_attention_heads": 64, "num_key_value_heads": 4,
    "head_dim": 128, "intermediate_size": 12288, "moe_intermediate_size": 1536, "num_experts": 128, "num_experts_per_tok": 8,
    "vocab_size": 151936}})");
  REQUIRE(vl);
  CHECK(vl->notes.empty());
  CHECK(parameters(*vl).total() == parameters(preset("qwen3-235b-a22b")).total());
}

TEST_CASE("a config.json is read", "[model]") {
  const Result<Model> model = parse_model(R"({"architectures": ["Gemma3ForConditionalGeneration"], "model_type": "gemma3",
    "text_config": {"hidden_size": 2560, "intermediate_size": 10240, "model_type": "gemma3_text", "num_hidden_layers": 34,
                    "sliding_window": 1024}, "vision_config": {"hidden_size": 1152}})");
  REQUIRE(model);
  CHECK(parameters(*model).total() == parameters(preset("gemma-3-4b")).total());
  const Result<Model> typed =
      parse_model(R"({"model_type": "gpt_oss", "num_hidden_layers": 4, "hidden_size": 2880, "num_attention_heads": 64,
    "num_key_value_heads": 8, "head_dim": 64, "intermediate_size": 2880, "vocab_size": 201088, "num_local_experts": 32, "num_experts_per_tok": 4,
    "attention_bias": true, "sliding_window": 128,
    "layer_types": ["sliding_attention", "full_attention", "sliding_attention", "sliding_attention"]})");
  REQUIRE(typed);
  CHECK(typed->windowed_layers == 3);
}

TEST_CASE("a config.json that cannot be read says why", "[model]") {
  const auto refused = [](const char* text) {
    const Result<Model> model = parse_model(text);
    REQUIRE(!model);
    return model.error().text();
  };
  CHECK(refused(R"({"producer": {"name": "modelopt"}, "quantization": {"quant_algo": "NVFP4"}})") ==
        "this is hf_quant_config.json, the formats of a checkpoint: open the config.json beside it");
  CHECK(refused(R"({"peft_type": "LORA", "r": 16})") ==
        "this is the configuration of an adapter (LoRA): open the model that it was trained for");
  CHECK(
      refused("{\"model_type\": \"rwkv\", \"hidden_size\": 2048}") ==
      "the architecture \"rwkv\" is not known, and its config lacks num_hidden_layers, num_attention_heads, vocab_size, intermediate_size; "
      "expected a model: a Hugging Face config.json such as {\"model_type\": \"llama\", \"hidden_size\": 4096, ...}");
  CHECK(refused(R"({"model_type": "llama", "hidden_size": "big", "num_hidden_layers": 2, "num_attention_heads": 2, "vocab_size": 10,
                    "intermediate_size": 8})") == "hidden_size: expected a whole number from 1 to 1000000000, found \"big\"");
  CHECK(refused(R"({"model_type": "llama", "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "vocab_size": 10,
                    "intermediate_size": 8, "bias": "yes"})") == "bias: expected true or false, found \"yes\"");
  CHECK(refused(R"({"model_type": "mixtral", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2, "vocab_size": 10,
                    "intermediate_size": 8, "num_local_experts": 4, "num_experts_per_tok": 8})") ==
        "num_experts_per_tok: expected at most 4, the number of experts, found 8");
  CHECK(refused("[]").find("found an array") != std::string::npos);
  CHECK(refused("{").find("line 1") != std::string::npos);
  CHECK(refused("").find("the file is empty") != std::string::npos);
}

TEST_CASE("an architecture that is not known is read as Llama's, and says so", "[model]") {
  const Result<Model> model =
      parse_model(R"({"model_type": "newlm", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
    "num_key_value_heads": 8, "vocab_size": 128256, "intermediate_size": 14336})");
  REQUIRE(model);
  CHECK(parameters(*model).total() == 8030261248);
  REQUIRE(model->notes.size() == 1);
  CHECK(model->notes[0].find("newlm") != std::string::npos);
}
