// GGUF, the file format of llama.cpp: the model that a file holds, from its header alone. Layout: github.com/ggml-org/ggml, "GGUF".
#pragma once

#include <cstdint>
#include <optional>
#include <roofline/base/result.hpp>
#include <span>
#include <string>
#include <string_view>

namespace roofline {

/// The first bytes of a GGUF file.
struct GgufStart {
  std::string name;        ///< of the file
  std::string_view bytes;  ///< from the file's start on
  std::uint64_t size = 0;  ///< bytes of the whole file
};

/// The longest header that is read.
inline constexpr std::uint64_t most_of_gguf_header = std::uint64_t{256} << 20;
inline constexpr std::string_view too_long_gguf_header =
    "its header is longer than 256 MiB: expected metadata, vocabulary and a list of tensors";

/// Whether a file begins as GGUF does. Needs four bytes.
[[nodiscard]] bool is_gguf(std::string_view start);

/// How many files the model is split into, by its name ("model-00001-of-00003.gguf"); 1: it is whole.
[[nodiscard]] std::size_t split_file_count(std::string_view name);
/// The name of one of the files of a split model; `index` counts from 0.
[[nodiscard]] std::string split_file_name(std::string_view name, std::size_t index);

/// The model in one file, or in all files of a split one, as a document that parse_model() reads: its config.json, and the formats of its
/// weights with the bits that an element takes on average. nullopt: `bytes` end within a header: call again with more of each file.
/// Fails if a file is malformed, is not a decoder, or has recurrent layers that are not modelled. An unknown architecture is read as
/// Llama's, with a note.
[[nodiscard]] Result<std::optional<std::string>> gguf_model(std::span<const GgufStart> files);

}  // namespace roofline
