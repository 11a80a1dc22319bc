// Small models as GGUF files, and what is read of them.
#pragma once

#include <roofline/llm/gguf.hpp>
#include <roofline/llm/model.hpp>

#include "llm/gguf_file.hpp"
#include "support.hpp"

namespace roofline::gguf_file {

inline constexpr std::uint32_t f32 = 0, q4_k = 12, q6_k = 14;
inline std::uint64_t bytes_of(std::uint32_t type, std::uint64_t elements) {
  return type == f32 ? 4 * elements : elements / 256 * (type == q4_k ? 144 : 210);
}

/// Of one layer, hidden 256, 4 heads, MLP 512 and 64 tokens, without the tensors of the layer.
inline Header one_block(const std::string& architecture) {
  Header h;
  h.metadata("general.architecture", architecture).metadata(architecture + ".block_count", 1);
  h.metadata(architecture + ".embedding_length", 256).metadata(architecture + ".feed_forward_length", 512);
  h.metadata(architecture + ".attention.head_count", 4);
  h.tensor("token_embd.weight", {256, 64}, q4_k, bytes_of(q4_k, 16384)).tensor("output.weight", {256, 64}, q6_k, bytes_of(q6_k, 16384));
  return h;
}

/// Llama of two layers, hidden 256, 4 query heads, 2 key-value heads, MLP 512, 1,024 tokens; the second layer's values and down projection
/// in Q6_K.
inline Header tiny(std::string_view architecture = "llama", std::uint32_t most = q4_k) {
  Header h;
  const std::string a(architecture);
  h.metadata("general.architecture", architecture).metadata("general.name", "Tiny").metadata("general.file_type", 15);
  h.metadata(a + ".block_count", 2).metadata(a + ".context_length", 8192).metadata(a + ".embedding_length", 256);
  h.metadata(a + ".feed_forward_length", 512).metadata(a + ".attention.head_count", 4).metadata(a + ".attention.head_count_kv", 2);
  h.vocabulary(1024);
  const auto add = [&](const std::string& name, const std::vector<std::uint64_t>& shape, std::uint32_t type) {
    std::uint64_t elements = 1;
    for (const std::uint64_t n : shape) elements *= n;
    h.tensor(name, shape, type, bytes_of(type, elements));
  };
  add("token_embd.weight", {256, 1024}, most);
  for (int layer = 0; layer < 2; ++layer) {
    const std::string block = "blk." + std::to_string(layer) + '.';
    const std::uint32_t more = layer == 1 ? q6_k : most;
    add(block + "attn_norm.weight", {256}, f32);
    add(block + "attn_q.weight", {256, 256}, most);
    add(block + "attn_k.weight", {256, 128}, most);
    add(block + "attn_v.weight", {256, 128}, more);
    add(block + "attn_output.weight", {256, 256}, most);
    add(block + "ffn_norm.weight", {256}, f32);
    add(block + "ffn_gate.weight", {256, 512}, most);
    add(block + "ffn_up.weight", {256, 512}, most);
    add(block + "ffn_down.weight", {512, 256}, more);
  }
  add("output_norm.weight", {256}, f32);
  add("output.weight", {256, 1024}, q6_k);
  return h;
}

inline Result<std::optional<std::string>> read(const std::string& bytes, std::uint64_t data, std::string name = "tiny-Q4_K_M.gguf") {
  const GgufStart file{std::move(name), bytes, bytes.size() + data};
  return gguf_model({&file, 1});
}
inline Model model_of(const Header& header) {
  const auto text = read(header.bytes(), header.data());
  INFO((text ? "" : text.error().text()));
  REQUIRE((text && *text));
  const Result<Model> model = parse_model(**text);
  REQUIRE(model);
  return *model;
}
inline std::string refusal(const std::string& bytes, std::uint64_t data = 0) {
  const auto text = read(bytes, data);
  return text ? *text ? "read" : "more" : text.error().text();
}
inline bool notes(const Model& model, std::string_view words) {
  return std::any_of(model.notes.begin(), model.notes.end(),
                     [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

}  // namespace roofline::gguf_file
