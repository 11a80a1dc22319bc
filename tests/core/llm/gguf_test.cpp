// Models from GGUF headers, and the errors of other files.
#include <roofline/llm/quantize.hpp>

#include "llm/gguf_models.hpp"

using namespace roofline;
using namespace roofline::gguf_file;

TEST_CASE("gguf: sizes are the metadata's, formats the tensors'", "[llm]") {
  const Header header = tiny();
  const Model m = model_of(header);
  CHECK((m.id == "tiny-Q4_K_M" && m.name == "Tiny" && m.family == "llama"));
  CHECK((m.hidden == 256 && m.layers == 2 && m.vocab == 1024 && m.heads == 4 && m.kv_heads == 2 && m.intermediate == 512));
  CHECK((m.trained_context == 8192 && !m.tied && m.experts == 0));
  // Embedding and head 2 x 262,144; each layer 2 x 65,536 + 2 x 32,768 + 3 x 131,072 + 512; the last norm 256.
  CHECK(parameters(m).total() == 2 * 262144 + 2 * (2 * 65536 + 2 * 32768 + 3 * 131072 + 512) + 256);
  CHECK(m.published.text() == "published");
  CHECK(Formats::catalogue()[m.published[WeightPart::q]].id == "q4_k");
  CHECK(Formats::catalogue()[m.published[WeightPart::head]].id == "q6_k");
  CHECK(Formats::catalogue()[m.published[WeightPart::norms]].id == "fp32");
  CHECK_THAT(m.published.bytes(WeightPart::v), WithinRel((144 + 210) / 2. / 256, 1e-12));
  CHECK(notes(m, "Stored as Q4_K 719 kB, Q6_K 349 kB, F32 5.12 kB."));
}

TEST_CASE("gguf: a model's weights take the bytes of the file's tensors", "[llm]") {
  const Header header = tiny();
  const Model m = model_of(header);
  const Parameters p = parameters(m);
  double bytes = 0;
  for (std::size_t i = 0; i < weight_parts; ++i) bytes += p.by_part[i] * m.published.bytes(static_cast<WeightPart>(i));
  CHECK_THAT(bytes, WithinRel(static_cast<double>(header.data()), 1e-12));
}

TEST_CASE("gguf: a mixture's file has the bytes of a file that llama-quantize would write of it", "[llm]") {
  const Header header = tiny("llama", q6_k);  // as --pure or Q6_K stores it
  const Model m = model_of(header);
  CHECK(m.gguf_header_bytes == static_cast<double>(header.bytes().size()));
  CHECK(m.gguf_header_bytes + mixture(m, "Q6_K", true)->padded_bytes() == static_cast<double>(header.bytes().size() + header.data()));
  // Whatever else is in the file stays in it: a tensor of an unknown operator, and a block that predicts further tokens.
  Header more = tiny("glm4moe", q6_k);
  more.metadata("glm4moe.nextn_predict_layers", 1);
  more.tensor("blk.0.mystery.weight", {256}, f32, 1024);
  const Model other = model_of(more);
  CHECK(other.layers == 1);
  CHECK(other.gguf_header_bytes + mixture(other, "Q6_K", true)->padded_bytes() == static_cast<double>(more.bytes().size() + more.data()));
}

TEST_CASE("gguf: a truncated header asks for more bytes and never fails", "[llm]") {
  const Header header = tiny();
  const std::string whole = header.bytes();
  for (std::size_t n = 4; n < whole.size() - 32; n += 7) {
    const GgufStart file{"tiny.gguf", std::string_view(whole).substr(0, n), whole.size() + header.data()};
    const auto text = gguf_model({&file, 1});
    INFO(n);
    REQUIRE((text && !*text));
  }
}

TEST_CASE("gguf: the files of a split model are read together", "[llm]") {
  CHECK(split_file_count("big-00002-of-00003.gguf") == 3);
  CHECK(split_file_name("big-00002-of-00003.gguf", 0) == "big-00001-of-00003.gguf");
  CHECK(split_file_count("big.gguf") == 1);
  Header first = tiny(), second;
  first.key_of("split.count", 2).number(2, 2);
  second.key_of("split.count", 2).number(2, 2);
  second.tensor("rope_freqs.weight", {32}, f32, 128);
  const std::string a = first.bytes(), b = second.bytes();
  const GgufStart files[] = {{"tiny-00001-of-00002.gguf", a, a.size() + first.data()},
                             {"tiny-00002-of-00002.gguf", b, b.size() + second.data()}};
  const auto both = gguf_model(files);
  REQUIRE((both && *both));
  CHECK(parse_model(**both)->rope_factors > 0);
  CHECK(parse_model(**both)->id == "tiny");
  CHECK(gguf_model({files, 1}).error().message == "found 1 of 2 files of a split model: open all of them together");
}

TEST_CASE("gguf: blocks that predict further tokens are no layers", "[llm]") {
  Header h = tiny("glm4moe");
  h.metadata("glm4moe.nextn_predict_layers", 1);
  const Model m = model_of(h);
  CHECK(m.layers == 1);
  CHECK(notes(m, "Blocks that predict further tokens (MTP)"));
}

TEST_CASE("gguf: windows layer by layer", "[llm]") {
  Header h = tiny("gemma3");
  h.metadata("gemma3.attention.sliding_window", 1024).metadata("gemma3.attention.sliding_window_pattern", {true, false});
  const Model m = model_of(h);
  CHECK((m.window == 1024 && m.windowed_layers == 1));
}

TEST_CASE("gguf: windows by the architecture, where the file does not say which layers have them", "[llm]") {
  const auto windows = [](const std::string& architecture) {
    Header h = tiny(architecture);
    h.metadata(architecture + ".attention.sliding_window", 1024);
    return model_of(h);
  };
  CHECK(windows("gemma2").windowed_layers == 1);   // every second layer has none
  CHECK(windows("cohere2").windowed_layers == 2);  // of two layers, none is the fourth
  CHECK(windows("unheard-of").windowed_layers == 0);
  CHECK(notes(windows("unheard-of"), "all layers count as full attention"));
}

TEST_CASE("gguf: sizes that differ from layer to layer count as their mean", "[llm]") {
  const auto mlps = [](std::uint32_t second) {
    Header h;
    h.metadata("general.architecture", "deci").metadata("deci.block_count", 2).metadata("deci.embedding_length", 256);
    h.metadata("deci.attention.head_count", 4).metadata("deci.attention.head_count_kv", 2);
    h.key_of("deci.feed_forward_length", 9).number(4, 4).number(2, 8).number(512, 4).number(second, 4);
    h.tensor("token_embd.weight", {256, 64}, q4_k, bytes_of(q4_k, 16384));
    h.tensor("output.weight", {256, 64}, q4_k, bytes_of(q4_k, 16384));
    for (const char* name : {"attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up"})
      for (int layer = 0; layer < 2; ++layer) {
        const std::string base = name;
        const std::uint64_t rows = base.starts_with("ffn")                      ? (layer == 0 ? 512 : second)
                                   : base.ends_with("k") || base.ends_with("v") ? 128
                                                                                : 256;
        h.tensor("blk." + std::to_string(layer) + '.' + base + ".weight", {256, rows}, q4_k, bytes_of(q4_k, 256 * rows));
      }
    return h;
  };
  const Model m = model_of(mlps(256));
  CHECK(m.intermediate == 384);
  CHECK(parameters(m).by_part[static_cast<std::size_t>(WeightPart::up)] == 256 * (512 + 256));
  CHECK(notes(m, "Layers differ in feed_forward_length: each counts as the mean."));
}

TEST_CASE("gguf: an MLP without a gate", "[llm]") {
  Header h = one_block("unheard-of");
  h.tensor("blk.0.ffn_up.weight", {256, 512}, q4_k, bytes_of(q4_k, 131072));
  h.tensor("blk.0.ffn_down.weight", {512, 256}, q4_k, bytes_of(q4_k, 131072));
  const Model m = model_of(h);
  CHECK(!m.gated);
  CHECK(parameters(m).mlp == 2 * 256 * 512);
}

TEST_CASE("gguf: a type of another program is counted by its bytes", "[llm]") {
  Header h = tiny();
  h.tensor("rope_freqs.weight", {256}, 139, 256 / 2);
  const Model m = model_of(h);
  CHECK(notes(m, "type 139 (ik_llama.cpp) 128 B"));
}

TEST_CASE("gguf: other files are refused with their kind", "[llm]") {
  CHECK(refusal(Header().metadata("general.architecture", "llama").bytes()) == "a vocabulary without tensors: open the model's GGUF file");
  Header adapter = tiny();
  adapter.metadata("general.type", "adapter");
  CHECK(refusal(adapter.bytes(), adapter.data()).find("LoRA adapter") != std::string::npos);
  for (const char* encoder : {"bert", "eurobert"}) {
    const Header bert = tiny(encoder);
    CHECK(refusal(bert.bytes(), bert.data()).find("is not a decoder") != std::string::npos);
  }
  CHECK(refusal(one_block("clip").bytes(), one_block("clip").data()).find("the vision or audio part of a model") == 0);
  CHECK(refusal(one_block("controlvector").bytes(), one_block("controlvector").data()).find("a control vector") == 0);
  CHECK(refusal(one_block("whisper").bytes(), one_block("whisper").data()).find("a model that transcribes speech") == 0);
  Header old_adapter = tiny();
  old_adapter.metadata("adapter.type", "lora");
  CHECK(refusal(old_adapter.bytes(), old_adapter.data()).find("LoRA adapter") != std::string::npos);
  Header mamba = tiny("mamba");
  mamba.tensor("blk.0.ssm_conv1d.weight", {4, 256}, f32, 4096);
  CHECK(refusal(mamba.bytes(), mamba.data()).find("recurrent layers") != std::string::npos);
}

// Layers 0 to 2 are gated delta nets of 2 key heads and 4 value heads of 64, layer 3 attends with 4 heads of 64 and a gate.
TEST_CASE("gguf: layers of a gated delta net", "[llm]") {
  Header h;
  h.metadata("general.architecture", "qwen35").metadata("qwen35.block_count", 4).metadata("qwen35.embedding_length", 256);
  h.metadata("qwen35.feed_forward_length", 512).metadata("qwen35.attention.head_count", 4);
  h.key_of("qwen35.attention.head_count_kv", 9).number(4, 4).number(4, 8).number(0, 4).number(0, 4).number(0, 4).number(2, 4);
  h.metadata("qwen35.attention.key_length", 64).metadata("qwen35.rope.dimension_count", 16);
  h.metadata("qwen35.full_attention_interval", 4).metadata("qwen35.ssm.conv_kernel", 4).metadata("qwen35.ssm.state_size", 64);
  h.metadata("qwen35.ssm.group_count", 2).metadata("qwen35.ssm.time_step_rank", 4).metadata("qwen35.ssm.inner_size", 256);
  double elements = 0;
  const auto add = [&](const std::string& name, const std::vector<std::uint64_t>& shape, std::uint32_t type) {
    std::uint64_t n = 1;
    for (const std::uint64_t length : shape) n *= length;
    h.tensor(name, shape, type, bytes_of(type, n));
    elements += static_cast<double>(n);
  };
  add("token_embd.weight", {256, 1024}, q4_k);
  for (int layer = 0; layer < 4; ++layer) {
    const std::string block = "blk." + std::to_string(layer) + '.';
    add(block + "attn_norm.weight", {256}, f32);
    add(block + "post_attention_norm.weight", {256}, f32);
    if (layer < 3) {
      add(block + "attn_qkv.weight", {256, 512}, q6_k);
      add(block + "attn_gate.weight", {256, 256}, q4_k);
      add(block + "ssm_alpha.weight", {256, 4}, q4_k);
      add(block + "ssm_beta.weight", {256, 4}, q4_k);
      add(block + "ssm_conv1d.weight", {4, 512}, f32);
      add(block + "ssm_a", {4}, f32);
      add(block + "ssm_dt.bias", {4}, f32);
      add(block + "ssm_norm.weight", {64}, f32);
      add(block + "ssm_out.weight", {256, 256}, q4_k);
    } else {
      add(block + "attn_q.weight", {256, 512}, q4_k);
      add(block + "attn_k.weight", {256, 128}, q4_k);
      add(block + "attn_v.weight", {256, 128}, q4_k);
      add(block + "attn_q_norm.weight", {64}, f32);
      add(block + "attn_k_norm.weight", {64}, f32);
      add(block + "attn_output.weight", {256, 256}, q4_k);
    }
    for (const char* name : {"ffn_gate.weight", "ffn_up.weight"}) add(block + name, {256, 512}, q4_k);
    add(block + "ffn_down.weight", {512, 256}, q4_k);
  }
  add("output_norm.weight", {256}, f32);
  add("output.weight", {256, 1024}, q6_k);
  const Model m = model_of(h);
  CHECK((m.recurrent.layers == 3 && m.attention_layers() == 1 && m.query_gate && m.rotary_dim == 16));
  CHECK((m.recurrent.key_heads == 2 && m.recurrent.value_heads == 4 && m.recurrent.value_dim == 64 && m.recurrent.conv_taps == 4));
  CHECK((!m.has_attention(0) && !m.has_attention(2) && m.has_attention(3)));
  const Parameters p = parameters(m);
  CHECK(p.total() == elements);
  double bytes = 0;
  for (std::size_t i = 0; i < weight_parts; ++i) bytes += p.by_part[i] * m.published.bytes(static_cast<WeightPart>(i));
  CHECK_THAT(bytes, WithinRel(static_cast<double>(h.data()), 1e-3));  // the file pads ssm_a, ssm_dt
  CHECK(notes(m, "Stored as "));
  CHECK(!notes(m, "not modelled"));
  CHECK(!notes(m, "Layers differ"));  // the layers without attention have 0 key-value heads
}

// Nemotron-H: a layer is Mamba-2, attention or an MLP; arrays have a 0 where a layer lacks it.
TEST_CASE("gguf: layers with Mamba-2, attention or an MLP alone", "[llm]") {
  Header h;
  double elements = 0;
  const auto add = [&](const std::string& name, const std::vector<std::uint64_t>& shape) {
    double n = 1;
    for (const std::uint64_t length : shape) n *= static_cast<double>(length);
    elements += n;
    h.tensor(name, shape, f32, static_cast<std::uint64_t>(4 * n));
  };
  h.metadata("general.architecture", "nemotron_h").metadata("nemotron_h.block_count", 4).metadata("nemotron_h.embedding_length", 256);
  h.metadata("nemotron_h.attention.head_count", 4).metadata("nemotron_h.attention.key_length", 64);
  h.key_of("nemotron_h.attention.head_count_kv", 9).number(4, 4).number(4, 8).number(0, 4).number(0, 4).number(2, 4).number(0, 4);
  h.key_of("nemotron_h.feed_forward_length", 9).number(4, 4).number(4, 8).number(0, 4).number(512, 4).number(0, 4).number(0, 4);
  h.metadata("nemotron_h.ssm.conv_kernel", 4).metadata("nemotron_h.ssm.state_size", 32).metadata("nemotron_h.ssm.group_count", 2);
  h.metadata("nemotron_h.ssm.time_step_rank", 8).metadata("nemotron_h.ssm.inner_size", 512);
  add("token_embd.weight", {256, 1024});
  for (const int layer : {0, 1, 2, 3}) {
    const std::string block = "blk." + std::to_string(layer) + ".";
    add(block + "attn_norm.weight", {256});
    if (layer == 1) {
      add(block + "ffn_up.weight", {256, 512});
      add(block + "ffn_down.weight", {512, 256});
    } else if (layer == 2) {
      for (const char* name : {"attn_q.weight", "attn_output.weight"}) add(block + name, {256, 256});
      for (const char* name : {"attn_k.weight", "attn_v.weight"}) add(block + name, {256, 128});
    } else {
      add(block + "ssm_in.weight", {256, 2 * 512 + 2 * 2 * 32 + 8});
      add(block + "ssm_conv1d.weight", {4, 640});
      add(block + "ssm_conv1d.bias", {640});
      for (const char* name : {"ssm_a", "ssm_d", "ssm_dt.bias"}) add(block + name, {8});
      add(block + "ssm_norm.weight", {256, 2});
      add(block + "ssm_out.weight", {512, 256});
    }
  }
  add("output_norm.weight", {256});
  add("output.weight", {256, 1024});
  const Model m = model_of(h);
  CHECK(parameters(m).total() == elements);
  CHECK((m.recurrent.layers == 2 && m.attention_layers() == 1 && m.dense_layers() == 1 && m.has_attention(2) && m.has_mlp(1)));
  CHECK(m.recurrent.state_elements() == 32 * 512 + 3 * 640);
  CHECK(!notes(m, "not modelled"));
  CHECK(!notes(m, "Layers differ"));
}

TEST_CASE("gguf: metadata and tensors that make no model", "[llm]") {
  Header none;
  none.metadata("general.architecture", "llama").tensor("x", {1}, f32, 4);
  CHECK(refusal(none.bytes(), none.data()).find("the metadata lacks \"llama.block_count\"") != std::string::npos);
  Header twice = tiny();
  twice.tensor("output_norm.weight", {256}, f32, 1024);
  CHECK(refusal(twice.bytes(), twice.data()).find("\"output_norm.weight\" comes twice") != std::string::npos);
  Header wide = tiny();
  wide.tensor("x", {2}, 139, 1024);
  CHECK(refusal(wide.bytes(), wide.data()).find("more than 64 bits per element") != std::string::npos);
  Header barely = tiny();
  barely.tensor("x", {2}, 139, 32);
  CHECK(refusal(barely.bytes(), barely.data() - 15).find("more than 64 bits per element") != std::string::npos);  // 68
  Header heavy = tiny();
  heavy.tensor("rope_freqs.weight", {65536}, f32, 262144);
  CHECK(refusal(heavy.bytes(), heavy.data()).find("norms: its tensors take ") == 0);
}

TEST_CASE("gguf: a gate that is stored within ffn_up", "[llm]") {
  Header h = one_block("phi3");
  h.tensor("blk.0.ffn_up.weight", {256, 1024}, q6_k, bytes_of(q6_k, 262144));
  CHECK(Formats::catalogue()[model_of(h).published[WeightPart::gate]].id == "q6_k");
}

TEST_CASE("gguf: malformed files are refused with the place", "[llm]") {
  const std::string whole = tiny().bytes();
  const auto with = [&](std::size_t at, std::uint64_t value, int size) {
    std::string out = whole;
    for (int i = 0; i < size; ++i) out[at + static_cast<std::size_t>(i)] = static_cast<char>(value >> (8 * i));
    return out;
  };
  CHECK(refusal(whole.substr(0, 200)).find("is more than the file can hold") != std::string::npos);
  CHECK(refusal(whole.substr(0, whole.size() - 60)).find("the file ends within its header: expected a whole file") != std::string::npos);
  CHECK(refusal(with(4, 1, 4)).find("GGUF version 1: convert") != std::string::npos);
  CHECK(refusal(with(4, 0x03000000, 4)).find("big-endian") != std::string::npos);
  CHECK(refusal(with(8, ~std::uint64_t{0}, 8)).find("is more than the file can hold") != std::string::npos);        // tensors
  CHECK(refusal(with(16, std::uint64_t{1} << 60, 8)).find("is more than the file can hold") != std::string::npos);  // keys
  CHECK(refusal(with(24, std::uint64_t{1} << 62, 8)).find("is more than the file can hold") != std::string::npos);  // length of a key

  Header twice = tiny();
  twice.metadata("general.name", "again");
  CHECK(refusal(twice.bytes(), twice.data()).find("\"general.name\" comes twice") != std::string::npos);
  Header alignment = tiny();
  alignment.metadata("general.alignment", 48);
  CHECK(refusal(alignment.bytes(), alignment.data()).find("power of two") != std::string::npos);
  Header named = tiny();
  named.metadata("general.alignment", "32");
  CHECK(refusal(named.bytes(), named.data()).find("power of two") != std::string::npos);
  Header wide = tiny();
  wide.tensor("x", {1, 1, 1, 1, 1}, f32, 4);
  CHECK(refusal(wide.bytes(), wide.data()).find("5 dimensions") != std::string::npos);
  Header huge = tiny();
  huge.tensor("x", {(std::uint64_t{1} << 42) + 1, std::uint64_t{1} << 42}, f32, 4);  // the product wraps
  CHECK(refusal(huge.bytes(), huge.data()).find("no elements, or too many") != std::string::npos);
  Header block = tiny();
  block.tensor("x", {100}, q4_k, 64);
  CHECK(refusal(block.bytes(), block.data()).find("no multiple of the 256 elements in a block of Q4_K") != std::string::npos);
  Header nested = tiny();
  nested.key_of("deep", 9);
  for (int i = 0; i < 40; ++i) nested.number(9, 4).number(1, 8);
  CHECK(refusal(nested.bytes(), nested.data()).find("nested too deeply") != std::string::npos);
  Header strange = tiny();
  strange.key_of("strange", 77);
  CHECK(refusal(strange.bytes(), strange.data()).find("unknown type, 77") != std::string::npos);
}

TEST_CASE("gguf: the largest alignment allocates nothing, and the file ends before its tensors", "[llm]") {
  Header h = tiny();
  h.metadata("general.alignment", 1U << 30);
  CHECK(notes(model_of(h), "The file is a header alone"));
}

TEST_CASE("gguf: a file that is not downloaded whole is read, and says so", "[llm]") {
  const Header header = tiny();
  const auto text = read(header.bytes(), header.data() / 2);
  REQUIRE((text && *text));
  CHECK(notes(*parse_model(**text), "download it again"));
}

TEST_CASE("gguf: a header alone says so", "[llm]") {
  const auto text = read(tiny().bytes(), 0);
  REQUIRE((text && *text));
  CHECK(notes(*parse_model(**text), "The file is a header alone"));
  CHECK(!notes(*parse_model(**text), "download it again"));
}

TEST_CASE("gguf: gaps between tensors, odd offsets and long names are said, overlaps refused", "[llm]") {
  const auto with_last = [](std::uint64_t gap, std::string_view name = "rope_freqs.weight") {
    Header h = tiny();
    h.skip(gap).tensor(name, {32}, f32, 128);
    return h;
  };
  CHECK(notes(model_of(with_last(1024)), "llama.cpp would not open the file: 1.02 kB between tensors belong to none."));
  CHECK(notes(model_of(with_last(1)), "\"rope_freqs.weight\" is not at a multiple of 32 bytes"));
  CHECK(notes(model_of(with_last(0, std::string(64, 'x'))), "has 64 bytes or more"));
  CHECK(!notes(model_of(with_last(0, std::string(63, 'x'))), "llama.cpp would not open"));
  const Header overlap = with_last(~std::uint64_t{0} - 31);  // 32 bytes back
  CHECK(refusal(overlap.bytes(), overlap.data()) ==
        "offset: the tensors \"output.weight\" and \"rope_freqs.weight\" overlap: expected each at an offset of its own");
}
