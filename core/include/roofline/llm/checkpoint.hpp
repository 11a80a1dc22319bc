// A checkpoint as Hugging Face keeps it: config.json beside safetensors files. Its model, with the bytes that the files' headers state.
#pragma once

#include <cstdint>
#include <roofline/base/result.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// The start of a safetensors file, at least its whole header.
struct CheckpointFile {
  std::string name;        ///< of the file
  std::string_view bytes;  ///< from the file's start on
  std::uint64_t size = 0;  ///< bytes of the whole file
};

/// The files that a model.safetensors.index.json names, each once, in its order. Fails if it names none.
[[nodiscard]] Result<std::vector<std::string>> checkpoint_files(std::string_view index);

/// The index of a file that is one of several: "model-00001-of-00004.safetensors" -> "model.safetensors.index.json". Empty: it is the only
/// one.
[[nodiscard]] std::string checkpoint_index_name(std::string_view file);

/// The model of a checkpoint as a document that parse_model() reads: the config, and for each part of its weights the format with the bits
/// that an element takes on average. Sizes are the config's, bytes the headers'; a note says so where the two disagree. `index`: the text
/// of model.safetensors.index.json; empty: there is none. Fails if the config or a header is malformed, a
/// file is missing, or no tensor is known.
[[nodiscard]] Result<std::string> checkpoint_model(std::string_view config, std::string_view index, std::span<const CheckpointFile> files);

}  // namespace roofline
