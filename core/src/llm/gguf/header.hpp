// The header of a GGUF file: its metadata and the list of its tensors.
#pragma once

#include <cstdint>
#include <optional>
#include <roofline/llm/gguf.hpp>
#include <roofline/machine/format.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace roofline {

/// A type of tensor elements, as ggml numbers it.
struct GgmlType {
  std::uint32_t id = 0;
  const char* name = "";
  const char* format = "";  ///< of the catalogue: it, or where there is none, one with about as many bits
  std::uint64_t block = 1;  ///< elements
  std::uint64_t block_bytes = 0;
};

struct GgufTensorInfo {
  std::string_view name;                ///< in the bytes that were read
  std::uint64_t row = 1, elements = 1;  ///< elements of a row, and of all
  std::uint32_t type = 0;
  const GgmlType* known = nullptr;  ///< null: a type of another program, such as ik_llama.cpp
  std::uint64_t offset = 0;         ///< from the start of the data
  std::uint64_t bytes = 0;          ///< of a type that is not known: up to the next tensor
};

struct GgufHeader {
  Json metadata;  ///< an object by key; of an array of more than `longest_array` elements, its length
  std::vector<GgufTensorInfo> tensors;
  std::uint64_t data = 0;       ///< where the tensors' bytes begin
  std::uint64_t file_size = 0;  ///< bytes that the file needs to hold all tensors
  /// What keeps llama.cpp from opening the file although all of it can be read: "1.05 MB between tensors belong to none".
  std::vector<std::string> oddities;
  static constexpr std::uint64_t longest_array = 4096;
};

/// nullopt: `file.bytes` end within the header. The tensors' names are views into `file.bytes`.
[[nodiscard]] Result<std::optional<GgufHeader>> read_gguf_header(const GgufStart& file);

}  // namespace roofline
