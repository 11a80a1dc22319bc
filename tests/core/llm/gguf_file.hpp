// Writes GGUF files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofline::gguf_file {

/// A header as the format's description lays it out.
class Header {
 public:
  Header& metadata(std::string_view key, std::string_view value) { return key_of(key, 8).text(value); }
  Header& metadata(std::string_view key, std::uint32_t value) { return key_of(key, 4).number(value, 4); }
  Header& metadata(std::string_view key, const std::vector<bool>& values) {
    key_of(key, 9).number(7, 4).number(values.size(), 8);
    for (const bool value : values) number(value ? 1 : 0, 1);
    return *this;
  }
  Header& vocabulary(std::uint64_t tokens) {
    key_of("tokenizer.ggml.tokens", 9).number(8, 4).number(tokens, 8);
    for (std::uint64_t i = 0; i < tokens; ++i) text("token");
    return *this;
  }
  Header& tensor(std::string_view name, const std::vector<std::uint64_t>& shape, std::uint32_t type, std::uint64_t bytes) {
    body_ = &tensors_;
    text(name).number(shape.size(), 4);
    for (const std::uint64_t length : shape) number(length, 8);
    number(type, 4).number(offset_, 8);
    offset_ += (bytes + 31) / 32 * 32;
    ++tensor_count_;
    return *this;
  }
  /// Puts the next tensor `bytes` further on.
  Header& skip(std::uint64_t bytes) {
    offset_ += bytes;
    return *this;
  }
  [[nodiscard]] std::string bytes(std::uint32_t version = 3) const {
    std::string out = "GGUF";
    for (const auto& [value, size] : {std::pair<std::uint64_t, int>{version, 4}, {tensor_count_, 8}, {key_count_, 8}})
      for (int i = 0; i < size; ++i) out += static_cast<char>(value >> (8 * i));
    out += keys_ + tensors_;
    out.resize((out.size() + 31) / 32 * 32);
    return out;
  }
  [[nodiscard]] std::uint64_t data() const { return offset_; }

  Header& key_of(std::string_view key, std::uint32_t type) {
    body_ = &keys_;
    ++key_count_;
    return text(key).number(type, 4);
  }
  Header& number(std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) *body_ += static_cast<char>(value >> (8 * i));
    return *this;
  }
  Header& text(std::string_view value) {
    number(value.size(), 8);
    *body_ += value;
    return *this;
  }

 private:
  std::string keys_, tensors_;
  std::string* body_ = &keys_;
  std::uint64_t tensor_count_ = 0, key_count_ = 0, offset_ = 0;
};

}  // namespace roofline::gguf_file
