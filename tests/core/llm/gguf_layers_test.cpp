// The bytes of GGUF models whose layers differ, or that have tensors of no modelled operator.
#include <roofline/llm/inference.hpp>
#include <roofline/llm/quantize.hpp>
#include <tuple>

#include "llm/gguf_models.hpp"

using namespace roofline;
using namespace roofline::gguf_file;

namespace {

/// A file of `layers` layers, hidden 256, MLP 512 unless `mlps` says otherwise, and 64 tokens, that knows its tensors' sums.
struct File {
  Header header;
  double elements = 0, bytes = 0;

  File(const std::string& architecture, std::uint32_t layers, const std::vector<std::uint32_t>& mlps = {}) : name_(architecture) {
    header.metadata("general.architecture", architecture);
    size("block_count", layers).size("embedding_length", 256).size("context_length", 8192);
    mlps.empty() ? size("feed_forward_length", 512) : sizes("feed_forward_length", mlps);
  }
  File& size(const std::string& key, std::uint32_t value) {
    header.metadata(name_ + '.' + key, value);
    return *this;
  }
  File& sizes(const std::string& key, const std::vector<std::uint32_t>& values) {
    header.key_of(name_ + '.' + key, 9).number(4, 4).number(values.size(), 8);
    for (const std::uint32_t value : values) header.number(value, 4);
    return *this;
  }
  File& add(const std::string& tensor, const std::vector<std::uint64_t>& shape, std::uint32_t type = q4_k) {
    std::uint64_t n = 1;
    for (const std::uint64_t length : shape) n *= length;
    header.tensor(tensor, shape, type, bytes_of(type, n));
    elements += static_cast<double>(n);
    bytes += static_cast<double>(bytes_of(type, n));
    return *this;
  }
  /// A layer with `heads` and `keys` elements of queries and of keys; 0: without them.
  File& layer(int i, std::uint64_t heads, std::uint64_t keys, bool values = true) {
    const std::string block = "blk." + std::to_string(i) + '.';
    if (heads > 0) add(block + "attn_q.weight", {256, heads}).add(block + "attn_output.weight", {heads, 256});
    if (keys > 0) add(block + "attn_k.weight", {256, keys});
    if (keys > 0 && values) add(block + "attn_v.weight", {256, keys});
    add(block + "ffn_gate.weight", {256, 512}).add(block + "ffn_up.weight", {256, 512}).add(block + "ffn_down.weight", {512, 256});
    return *this;
  }

 private:
  std::string name_;
};

struct Bytes {
  double weights, cache;
};
Bytes bytes_of(const Model& m, double context) {
  LlmSetup setup;
  setup.model = m;
  setup.formats = {m.published, format("fp16"), format("fp16")};
  const Scenario scenario = on(*Machines::presets().find("rtx-4090"));
  const LlmPlan plan(setup, scenario);
  return {plan.weight_bytes(), plan.kv_bytes(1, context)};
}

/// Six layers, the third and the sixth without a window: 1 key-value head of 128, which are values, too; the others 4 of 64. The last three
/// read caches of layers before.
File gemma() {
  File f("gemma4", 6);
  f.size("attention.head_count", 4).size("attention.key_length", 128).size("attention.key_length_swa", 64);
  f.sizes("attention.head_count_kv", {4, 4, 1, 4, 4, 1}).size("attention.sliding_window", 1024).size("attention.shared_kv_layers", 3);
  f.header.metadata("gemma4.attention.sliding_window_pattern", {true, true, false, true, true, false});
  f.add("token_embd.weight", {256, 64}, q6_k).add("per_layer_token_embd.weight", {6 * 256, 64});
  for (int i = 0; i < 6; ++i) i % 3 == 2 ? f.layer(i, 512, 128, false) : f.layer(i, 256, 256);
  return f;
}

}  // namespace

TEST_CASE("gguf: heads of windowed layers, and caches that layers share", "[llm]") {
  const File f = gemma();
  const Model m = model_of(f.header);
  CHECK((m.kv_heads == 1 && m.head_dim == 128 && m.window_kv_heads == 4 && m.window_head_dim == 64 && m.keys_are_values));
  CHECK((m.windowed_layers == 4 && m.shared_kv_layers == 3 && m.shared_windowed_layers == 2));
  // One full layer of 2 x 128 elements a token, two windowed ones of 2 x 256, of 2 bytes.
  CHECK(bytes_of(m, 4096).cache == 4096 * 256 * 2 + 2 * 1024 * 512 * 2);
  CHECK(m.cache_elements() == 256 + 2 * 512);
  // Queries of the layers 4 x 256 + 2 x 512, keys 4 x 256 + 2 x 128, values 4 x 256.
  CHECK(parameters(m).by_part[static_cast<std::size_t>(WeightPart::q)] == 256 * 2048);
  CHECK(parameters(m).by_part[static_cast<std::size_t>(WeightPart::v)] == 256 * 1024);
  CHECK(!notes(m, "Layers differ"));
}

TEST_CASE("gguf: full and windowed attention read their own keys, and layers that share a cache write none", "[llm]") {
  LlmSetup setup;
  setup.model = model_of(gemma().header);
  setup.formats = {setup.model.published, format("fp16"), format("fp16")};
  const Scenario scenario = on(*Machines::presets().find("rtx-4090"));
  LlmRows rows;
  LlmPlan(setup, scenario).evaluate(LlmPass::decode_step(1, 4096), rows);
  for (const LlmRow& row : rows.rows()) {
    if (row.op == LlmOp::attention) CHECK(row.kv_read == (row.windowed ? 4 * 1024 * 512 : 2 * 4096 * 256));
    if (row.op == LlmOp::k_proj || row.op == LlmOp::kv_write) CHECK(row.count == 3);
    if (row.op == LlmOp::v_proj) CHECK(row.count == 2);
    if (row.op == LlmOp::q_proj) CHECK(row.weight == 256 * 2048);
  }
}

TEST_CASE("gguf: tensors of no modelled operator count in memory", "[llm]") {
  const File f = gemma();
  const Model m = model_of(f.header);
  CHECK_THAT(bytes_of(m, 1).weights, WithinRel(f.bytes, 1e-12));
  CHECK(parameters(m).total() == f.elements);
  CHECK(parameters(m).other == 6 * 256 * 64);
  CHECK(
      notes(m, "55.3 kB of tensors belong to operators that are not modelled, such as per_layer_token_embd.weight. They count in memory"));
}

TEST_CASE("gguf: memory counts all tensors of a file in a mixture's formats", "[llm]") {
  Model m = model_of(gemma().header);
  const Result<Mixture> mixed = mixture(m, "Q8_0", true);
  REQUIRE(mixed);
  mixed->set_unread_bytes(m);
  m.published = mixed->weights();
  CHECK(m.stored->other_bytes == 6 * 256 * 64 * 34 / 32);
  CHECK_THAT(bytes_of(m, 1).weights, WithinRel(mixed->bytes(), 1e-12));
}

TEST_CASE("gguf: Gemma 3n's caches are those of the first 20 layers unless the file says otherwise", "[llm]") {
  File f("gemma3n", 22);
  f.size("attention.head_count", 4).add("token_embd.weight", {256, 64});
  CHECK(model_of(f.header).shared_kv_layers == 2);
  f.size("attention.shared_kv_layers", 5);
  CHECK(model_of(f.header).shared_kv_layers == 5);
}

TEST_CASE("gguf: a size of 0 marks layers without attention, or without an MLP", "[llm]") {
  File f("deci", 3, {512, 512, 0});
  f.sizes("attention.head_count", {0, 4, 4}).sizes("attention.head_count_kv", {0, 2, 2}).size("attention.key_length", 64);
  f.add("token_embd.weight", {256, 64}, q6_k).add("output.weight", {256, 64}, q6_k);
  f.layer(0, 0, 0).layer(1, 256, 128).add("blk.2.attn_q.weight", {256, 256}).add("blk.2.attn_output.weight", {256, 256});
  f.add("blk.2.attn_k.weight", {256, 128}).add("blk.2.attn_v.weight", {256, 128});
  const Model m = model_of(f.header);
  CHECK((m.attention_free_layers == 1 && m.attention_layers() == 2 && m.heads == 4 && m.kv_heads == 2));
  CHECK((m.mlp_free_layers == 1 && m.dense_layers() == 2 && m.intermediate == 512));
  CHECK((!m.has_attention(0) && m.has_attention(1) && m.has_mlp(1) && !m.has_mlp(2) && !m.has_recurrent(0)));
  CHECK(bytes_of(m, 1000).cache == 2 * 1000 * 2 * 128 * 2);
  CHECK_THAT(bytes_of(m, 1).weights, WithinRel(f.bytes, 1e-12));
  CHECK(!notes(m, "Layers differ"));
}

TEST_CASE("gguf: the mean of sizes that differ need not be whole", "[llm]") {
  File f("deci", 2);
  f.size("attention.head_count", 4).sizes("attention.head_count_kv", {1, 2});
  f.add("token_embd.weight", {256, 64}).add("output.weight", {256, 64}).layer(0, 256, 64).layer(1, 256, 128);
  const Model m = model_of(f.header);
  CHECK(bytes_of(m, 1000).cache == 1000 * 2 * (64 + 128) * 2);
  CHECK(parameters(m).by_part[static_cast<std::size_t>(WeightPart::k)] == 256 * (64 + 128));
  CHECK(notes(m, "Layers differ in attention.head_count_kv: each counts as the mean."));
}

TEST_CASE("gguf: blocks that predict further tokens count in memory once", "[llm]") {
  File f("glm4moe", 3);
  f.size("attention.head_count", 4).size("nextn_predict_layers", 1).add("token_embd.weight", {256, 64}).add("output.weight", {256, 64});
  const Bytes without = bytes_of(model_of(f.layer(0, 256, 256).layer(1, 256, 256).header), 1);
  CHECK_THAT(without.weights, WithinRel(f.bytes, 1e-12));
  f.layer(2, 256, 256);
  const Model m = model_of(f.header);
  CHECK((m.layers == 2 && m.stored));
  CHECK_THAT(bytes_of(m, 1).weights, WithinRel(f.bytes, 1e-12));

  LlmRequest request;
  request.setup.model = m;
  request.setup.formats = {m.published, format("fp16"), format("fp16")};
  const Scenario scenario = on(*Machines::presets().find("rtx-4090"));
  Speculation mtp;
  mtp.draft = m;
  mtp.draft.layers = 1;
  mtp.draft.stored.reset();
  mtp.shares_vocabulary = true;
  request.speculation = mtp;
  CHECK_THAT(LlmInference(request, scenario).memory_footprint(request).weights, WithinRel(f.bytes, 1e-12));
}

TEST_CASE("gguf: NVFP4's scales are bytes of their weights and no parameters", "[llm]") {
  constexpr std::uint32_t nvfp4 = 40;
  Header h = one_block("llama");
  h.tensor("blk.0.attn_q.weight", {256, 256}, nvfp4, 65536 / 64 * 36).tensor("blk.0.attn_q.scale", {1}, f32, 4);
  const Model m = model_of(h);
  CHECK(!m.qkv_bias);
  CHECK(parameters(m).by_part[static_cast<std::size_t>(WeightPart::q)] == 65536);
  CHECK_THAT(m.published.bytes(WeightPart::q) * 65536, WithinRel(65536 / 64 * 36 + 4., 1e-12));
}

TEST_CASE("gguf: a mixture goes by the file's own tensors", "[llm]") {
  // Files from before llama.cpp cached latents expand them by one tensor, with as many keys as queries: it is quantised as values are.
  Header h;
  h.metadata("general.architecture", "deepseek2").metadata("deepseek2.block_count", 1).metadata("deepseek2.embedding_length", 256);
  h.metadata("deepseek2.feed_forward_length", 512).metadata("deepseek2.attention.head_count", 4);
  h.metadata("deepseek2.attention.head_count_kv", 4).metadata("deepseek2.attention.key_length", 192);
  h.metadata("deepseek2.attention.value_length", 128).metadata("deepseek2.attention.kv_lora_rank", 256);
  h.metadata("deepseek2.rope.dimension_count", 64).vocabulary(1024);
  const auto add = [&h](const char* name, std::uint64_t row, std::uint64_t rows) {
    h.tensor(name, {row, rows}, rows > 1 ? q4_k : f32, bytes_of(rows > 1 ? q4_k : f32, row * rows));
  };
  add("token_embd.weight", 256, 1024);
  add("output.weight", 256, 1024);
  add("output_norm.weight", 256, 1);
  for (const auto& [name, row, rows] : {std::tuple("attn_norm", 256, 1),
                                        {"attn_q", 256, 768},
                                        {"attn_kv_a_mqa", 256, 320},
                                        {"attn_kv_a_norm", 256, 1},
                                        {"attn_kv_b", 256, 1024},
                                        {"attn_output", 512, 256},
                                        {"ffn_norm", 256, 1},
                                        {"ffn_gate", 256, 512},
                                        {"ffn_up", 256, 512},
                                        {"ffn_down", 512, 256}})
    add(("blk.0." + std::string(name) + ".weight").c_str(), static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(rows));
  const Model m = model_of(h);
  const auto format_in = [&m](const char* name, std::string_view tensor) {
    const Result<Mixture> mixed = mixture(m, name, true);
    for (const GgufTensor& t : mixed->tensors)
      if (t.name == tensor) return Formats::catalogue()[t.format].id;
    return std::string();
  };
  CHECK(format_in("IQ4_XS", "blk.0.attn_kv_b.weight") == "iq4_xs");
  CHECK(format_in("Q4_K_M", "blk.0.attn_kv_b.weight") == "q6_k");
  CHECK(format_in("Q4_K_M", "blk.0.attn_k_b.weight").empty());
  CHECK(known(divergence(m, *mixture(m, "Q4_K_M", true), true).kld));
}
