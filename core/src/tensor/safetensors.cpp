// safetensors: the header's length in 8 bytes, the header, a JSON object {"name": {"dtype": "BF16", "shape": [2, 3], "data_offsets": [0,
// 12]}, "__metadata__": {...}}, and the data; offsets count from the header's end. https://github.com/huggingface/safetensors, "Format".
#include <algorithm>
#include <array>

#include "base/json.hpp"
#include "base/little_endian.hpp"
#include "base/sort_stably.hpp"
#include "tensor/formats.hpp"

namespace roofline {
namespace {

constexpr std::uint64_t most_header = 100'000'000;  // the format's own limit

struct NamedType {
  std::string_view name;
  ElementType element;
};

constexpr ElementType floating(int bytes, int exponent_bits, int mantissa_bits, bool infinities = true) {
  return {true, true, false, bytes, exponent_bits, mantissa_bits, infinities};
}
constexpr ElementType integer(int bytes, bool is_signed) { return {false, is_signed, false, bytes, 0, 0, true}; }

constexpr std::array types = {NamedType{"F64", floating(8, 11, 52)},
                              NamedType{"F32", floating(4, 8, 23)},
                              NamedType{"F16", floating(2, 5, 10)},
                              NamedType{"BF16", floating(2, 8, 7)},
                              NamedType{"F8_E4M3", floating(1, 4, 3, false)},
                              NamedType{"F8_E5M2", floating(1, 5, 2)},
                              NamedType{"I64", integer(8, true)},
                              NamedType{"I32", integer(4, true)},
                              NamedType{"I16", integer(2, true)},
                              NamedType{"I8", integer(1, true)},
                              NamedType{"U64", integer(8, false)},
                              NamedType{"U32", integer(4, false)},
                              NamedType{"U16", integer(2, false)},
                              NamedType{"U8", integer(1, false)},
                              NamedType{"BOOL", integer(1, false)}};

/// A whole number up to 2^53; nullopt otherwise.
std::optional<std::uint64_t> whole(const Json& value) {
  const double number = number_of(value);
  if (!(number >= 0 && number <= 0x1p53)) return std::nullopt;
  const auto n = static_cast<std::uint64_t>(number);
  return static_cast<double>(n) == number ? std::optional(n) : std::nullopt;
}

}  // namespace

std::uint64_t safetensors_header_size(std::string_view start, std::uint64_t file_size) {
  if (start.size() < 9 || start[8] != '{') return 0;
  const std::uint64_t length = little_endian(start, 0, 8);
  return length >= 2 && length <= most_header && length <= file_size - 8 ? length + 8 : 0;
}

Result<TensorFile> read_safetensors(std::string_view header, std::uint64_t file_size) {
  const auto json = parse_json(header.substr(8), "the header of a safetensors file: an object of tensors");
  if (!json) {
    Error error = json.error();
    error.message = "its header is " + error.message;
    return Unexpected(std::move(error));
  }
  TensorFile file{"safetensors", {}};
  const std::uint64_t data = file_size - header.size();
  for (const auto& [name, entry] : json->items()) {
    if (name == "__metadata__") continue;
    const auto bad = [&name = name](const char* key, const char* expected) {
      return fail(std::string("expected ") + expected, name + '.' + key);
    };
    TensorInfo tensor;
    tensor.name = name;
    tensor.type = text_of(member(entry, "dtype"));
    if (tensor.type.empty()) return bad("dtype", "a type such as \"BF16\"");
    for (const NamedType& type : types)
      if (tensor.type == type.name) tensor.element = type.element;
    const Json& shape = member(entry, "shape");
    if (!shape.is_array()) return bad("shape", "an array of lengths");
    for (const Json& item : shape) {
      const auto length = whole(item);
      if (!length) return bad("shape", "whole lengths");
      tensor.shape.push_back(*length);
    }
    const Json& offsets = member(entry, "data_offsets");
    const auto offset = [&](std::size_t i) { return offsets.is_array() && offsets.size() == 2 ? whole(offsets[i]) : std::nullopt; };
    const auto begin = offset(0), end = offset(1);
    if (!begin || !end || *begin > *end) return bad("data_offsets", "[begin, end]");
    if (*end > data) return fail("ends within the data of " + name + ": expected a whole file", name + ".data_offsets");
    tensor.offset = header.size() + *begin;
    tensor.bytes = *end - *begin;
    const auto bytes = size_of(tensor.shape, static_cast<std::uint64_t>(std::max(tensor.element.bytes, 1)));
    if (!bytes || (tensor.element.bytes > 0 && *bytes != tensor.bytes)) return bad("data_offsets", "as many bytes as type and shape need");
    file.tensors.push_back(std::move(tensor));
  }
  sort_stably(file.tensors, [](const TensorInfo& a, const TensorInfo& b) { return a.offset < b.offset; });
  return file;
}

}  // namespace roofline
